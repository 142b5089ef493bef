"""The scripted players of Quiddler Solitaire: what they choose and compute."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.quiddler_solitaire.play import Table, full, stacks_of
from tests.games.quiddler_solitaire.reference import ReferenceGame

from kitchentable import Batch
from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES, NO_CARD, VALUES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.games.quiddler.solitaire.players.greedy import _points_of
from kitchentable.games.quiddler.solitaire.players.reading import find_words, look_at, num_face_down
from kitchentable.games.quiddler.solitaire.players.rollout import remove
from kitchentable.games.quiddler.solitaire.state import WORD
from kitchentable.players.scripted import ScriptedPlayer

THINKERS = ("greedy", "quick", "rollout")


def new_batch(count: int, **options) -> Batch:
    return Batch(GAME, count if COMPILED else 1, autoreset=False, **options)


def ask(name: str, batch: Batch) -> np.ndarray:
    player = ScriptedPlayer(GAME, name, batch.params)
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


# --- What they read and compute -----------------------------------------------------------------


def test_the_table_is_read_as_it_lies():
    batch = new_batch(10, seed=6)
    while not batch.states.terminated.all():
        for state, seen in zip(batch.states, batch.observations, strict=True):
            look = look_at(seen)
            stacks = stacks_of(state)
            tops = [CARD_NAMES[kind] if kind != NO_CARD else "" for kind in look.kinds]
            assert tops == [stack[-1] if stack else "" for stack in stacks]
            assert look.heights.tolist() == state.heights.tolist()
            assert look.placed[: look.num_placed].tolist() == (
                state.placed[: state.num_placed].tolist()
            )
            assert look.pool_size == 118 - state.used - sum(map(bool, stacks))
            hidden = [CARD_NAMES.index(name) for stack in stacks for name in stack[:-1]]
            pool = look.pool[: look.pool_size].tolist()
            assert all(pool.count(kind) >= hidden.count(kind) for kind in hidden)
            assert num_face_down(look.heights) == len(hidden)
        batch.step(np.where(batch.masks.any(axis=1), batch.sample_actions(), -1))


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
        looks = [look_at(seen) for seen in batch.observations]
        batch.step(actions)
        for state, look, action in zip(batch.states, looks, actions, strict=True):
            if action == WORD:
                hand = find_words(look, *batch.tables[2:4])
                placed = look.placed[: look.num_placed].tolist()
                word = sum(1 << p for p in range(hand.size) if hand.stacks[p] in placed)
                assert word in hand.words[: hand.num_words].tolist()
                before = num_face_down(look.heights)
                at = remove(word, hand.stacks, look.kinds, look.heights, deck, 0)
                assert look.heights.tolist() == state.heights.tolist()
                tops = [stack[-1:] for stack in stacks_of(state)]
                kinds = [[CARD_NAMES[k]] if h else [] for k, h in zip(*look[:2], strict=True)]
                assert kinds == tops
                assert at == before - num_face_down(look.heights)
                removed += 1
    assert removed > 0


def test_every_word_is_found():
    batch = new_batch(3, seed=12)
    for state, seen in zip(batch.states, batch.observations, strict=True):
        look = look_at(seen)
        hand = find_words(look, *batch.tables[2:4])
        found = {
            tuple(sorted(hand.stacks[p] for p in range(hand.size) if word >> p & 1))
            for word in hand.words[: hand.num_words].tolist()
        }
        game = ReferenceGame(stacks_of(state), "scowl60")
        assert found == set(game.all_words())
        for word in hand.words[: hand.num_words]:
            cards = [hand.cards[p] for p in range(hand.size) if word >> p & 1]
            assert _points_of(word, hand.cards, hand.size) == VALUES[cards].sum()
