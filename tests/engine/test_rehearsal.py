"""Mistakes in the rules of a game from outside are named before anything is compiled."""

from dataclasses import replace
from pathlib import Path

import pytest
from examples import top_card
from tests.conftest import COMPILED

from kitchentable import Batch
from kitchentable.core.kernels import kernel
from kitchentable.engine.compiling import CompileError
from kitchentable.engine.rehearsal import RuleError

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is rehearsed uncompiled")


def short_layout(params):
    return top_card.observation_layout(params) | {"points": 1}


@kernel
def misspelled(state, action):
    top_card.step(state, action)
    state.trickk[:] = 0


@kernel
def widened(state, viewer, out):
    top_card.observe(state, viewer, out)
    out[0] = (state.tricks_done + 200) / 400  # which numpy does not add to an int8


def no_action(state, mask):
    if state.tricks_done == 0:
        top_card.legal_action_mask(state, mask)


def changed(**change):
    rules = replace(top_card.GAME.rules, **change)
    return replace(top_card.GAME, name="bare", rules=rules)


@compiled_only
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"observation_layout": short_layout},
            r"bare: .*top_card\.py:\d+: IndexError: index \d+ is",
        ),
        ({"legal_action_mask": no_action}, "bare: player_. has no legal action, and the game "),
    ],
    ids=["layout", "mask"],
)
def test_mistakes_are_named(change, message):
    with pytest.raises(RuleError, match=message):
        Batch(changed(**change), 3)


@compiled_only
def test_what_numba_cannot_compile_has_the_place_where_python_stops():
    game = changed(step=misspelled)
    place = rf"plain Python stops at .*{Path(__file__).name}:\d+: AttributeError: .*trickk"
    with pytest.raises(CompileError, match=place):
        Batch(game, 3)


@compiled_only
def test_what_only_numba_can_do_is_allowed():
    batch = Batch(changed(observe=widened), 3, seed=1)
    assert batch.observations[0, 0] == pytest.approx(0.5)


def test_names_of_games_fit_into_ids():
    with pytest.raises(ValueError, match="'Top Card'; choose lower-case letters"):
        replace(top_card.GAME, name="Top Card")
