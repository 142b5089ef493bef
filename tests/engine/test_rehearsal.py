"""Mistakes in the rules of a game from outside are named before anything is compiled."""

from dataclasses import replace
from pathlib import Path

import pytest
from examples import top_card
from tests.conftest import COMPILED

from kitchentable import Batch
from kitchentable.engine.rehearsal import RuleError


def short_layout(params):
    return top_card.observation_layout(params) | {"points": 1}


def misspelled(state, action):
    top_card.step(state, action)
    state.trickk[:] = 0


def no_action(state, mask):
    if state.tricks_done == 0:
        top_card.legal_action_mask(state, mask)


@pytest.mark.skipif(not COMPILED, reason="where nothing is compiled, Python says it anyway")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"observation_layout": short_layout},
            r"bare: .*top_card\.py:\d+: IndexError: index \d+ is",
        ),
        ({"step": misspelled}, rf"bare: .*{Path(__file__).name}:\d+: AttributeError: .*trickk"),
        ({"legal_action_mask": no_action}, "bare: player_. has no legal action, and the game "),
    ],
    ids=["layout", "name", "mask"],
)
def test_mistakes_are_named(change, message):
    rules = replace(top_card.GAME.rules, **change)
    game = replace(top_card.GAME, name="bare", rules=rules)
    with pytest.raises(RuleError, match=message):
        Batch(game, 3)


def test_names_of_games_fit_into_ids():
    with pytest.raises(ValueError, match="'Top Card'; choose lower-case letters"):
        replace(top_card.GAME, name="Top Card")
