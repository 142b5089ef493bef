"""The scripted players of Quiddler Solitaire: what they choose and compute."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.quiddler_solitaire.play import Table, full

from kitchentable import Batch
from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.players.scripted import ScriptedPlayer

THINKERS = ("greedy", "quick", "rollout")


def ask(name: str, batch: Batch) -> np.ndarray:
    player = ScriptedPlayer(GAME, name)
    return player.act(batch, np.arange(batch.num_envs))


def chosen_word(name: str, table: Table) -> list[str]:
    """Let a player spell a word, and return its cards."""
    before = table.state.used
    while table.state.used == before:
        table.batch.step(ask(name, table.batch))
    return [CARD_NAMES[kind] for kind in table.state.words[before : table.state.used]]


# --- Choosing -----------------------------------------------------------------------------------


def test_greedy_makes_the_word_of_most_points():
    assert chosen_word("greedy", Table(*full("e a", "e t", "a h", "h e"))) == ["h", "e"]
    table = Table("a t", "e qu", "a i", "t t", "i h")
    assert chosen_word("greedy", table) == ["qu", "i", "t"]


@pytest.mark.parametrize("name", THINKERS)
def test_the_last_cards_are_used_up_if_they_can_be(name):
    """The word with the most points would leave cards: tea + th in, not quit or teat."""
    table = Table("t", "e", "a", "t", "i", "h", "e")
    while not table.state.terminated:
        chosen_word(name, table)
    assert table.state.won


@pytest.mark.parametrize("name", THINKERS)
def test_as_many_of_the_last_cards_are_used_as_can_be(name):
    table = Table("t", "e", "a", "t", "i", "b", "n")
    while not table.state.terminated:
        chosen_word(name, table)
    assert table.state.used == 47


@pytest.mark.parametrize("name", THINKERS)
def test_cards_of_a_word_in_another_order_are_not_that_word(name):
    """at + no would use all cards, but t a is already placed, which only leads to tan."""
    words = Lexicon.from_words(["at", "no", "tan"])
    table = Table("t", "a", "n", "o", lexicon=words).play("0 1")
    assert table.batch.action_names[ask(name, table.batch)[0]] == "place:2"
