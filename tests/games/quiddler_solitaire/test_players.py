"""The scripted players of Quiddler Solitaire: what they choose and compute."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.quiddler_solitaire.play import Table, full, stacks_of
from tests.games.quiddler_solitaire.reference import ReferenceGame

from kitchentable import Batch
from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.games.quiddler.solitaire.players.greedy import _points_of
from kitchentable.games.quiddler.solitaire.players.hand import (
    OPEN_SIZE,
    find_words,
    list_open,
    num_face_down,
)
from kitchentable.games.quiddler.solitaire.players.rollout import remove
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, WORD
from kitchentable.games.quiddler.words.solver import NUM_SETS
from kitchentable.players.scripted import ScriptedPlayer

THINKERS = ("greedy", "quick", "rollout")


def new_batch(count: int, **options) -> Batch:
    return Batch(GAME, count if COMPILED else 1, autoreset=False, **options)


def ask(name: str, batch: Batch) -> np.ndarray:
    player = ScriptedPlayer(GAME, name)
    return player.act(batch, np.arange(batch.num_envs))


def words_in(known, batch: Batch):
    """Return the words in the open cards of a record of what the player knows."""
    room, words = np.zeros(OPEN_SIZE, np.int64), np.zeros(NUM_SETS, np.int64)
    return find_words(known, *batch.tables[2:4], room, words)


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


# --- What they compute --------------------------------------------------------------------------


def test_words_are_removed_as_the_rules_do():
    """All face-down cards are equal, so the order in which they turn up does not matter."""
    batch = new_batch(20, seed=9)
    below = CARD_NAMES.index("e")
    for state in batch.states:
        for stack in range(8):
            state.stacks[stack, : state.heights[stack] - 1] = below
    deck = np.full(48, below, np.int64)
    removed = 0
    for _ in range(60 if COMPILED else 30):
        actions = np.where(batch.masks.any(axis=1), batch.sample_actions(), -1)
        before = batch.know(batch.current_player)
        batch.step(actions)
        for state, known, action in zip(batch.states, before, actions, strict=True):
            if action == WORD:
                hand = words_in(known, batch)
                placed = [stack for stack in known.placed if stack >= 0]
                word = sum(1 << p for p in range(hand.size) if hand.stacks[p] in placed)
                assert word in hand.words[: hand.num_words].tolist()
                kinds, heights = np.zeros((2, NUM_STACKS), np.int64)
                list_open(known, kinds, heights)
                at = remove(word, hand.stacks, kinds, heights, deck, 0)
                assert heights.tolist() == state.heights.tolist()
                tops = [[CARD_NAMES[k]] if h else [] for k, h in zip(kinds, heights, strict=True)]
                assert tops == [stack[-1:] for stack in stacks_of(state)]
                assert at == num_face_down(known.heights) - num_face_down(heights)
                removed += 1
    assert removed > 0


def test_every_word_is_found():
    batch = new_batch(3, seed=12)
    for state, known in zip(batch.states, batch.know(batch.current_player), strict=True):
        hand = words_in(known, batch)
        found = {
            tuple(sorted(hand.stacks[p] for p in range(hand.size) if word >> p & 1))
            for word in hand.words[: hand.num_words].tolist()
        }
        game = ReferenceGame(stacks_of(state), "scowl60")
        assert found == set(game.all_words())
        for word in hand.words[: hand.num_words]:
            cards = [hand.cards[p] for p in range(hand.size) if word >> p & 1]
            assert _points_of(word, hand.cards, hand.size) == VALUES[cards].sum()
