"""The rules of Quiddler Solitaire: examples by hand, and whole games beside a plain reference."""

from collections import Counter

import numpy as np
import pytest
from tests.conftest import COMPILED
from tests.games.duel import flat
from tests.games.quiddler_solitaire.play import NO_WORD, WORDS, Table, full, numbers, stacks_of
from tests.games.quiddler_solitaire.reference import Duel
from tests.games.reference import at_random

from kitchentable import Batch, quiddler_solitaire_v0
from kitchentable.games.quiddler import Lexicon
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.games.quiddler.solitaire import GAME
from kitchentable.players.scripted import play_out

# --- The deal -----------------------------------------------------------------------------------


def dealt(deck, **options):
    """Return a batch of one game with given cards on top of its deck."""
    batch = Batch(GAME, 1, **{"seed": 1} | options)
    batch.reset(top=numbers(deck))
    return batch


def test_cards_are_dealt_stack_by_stack_from_the_bottom():
    deck = [*"abcdefghi", "qu", "in", "er", "th", "cl", *"zxywvu"]
    stacks = stacks_of(dealt(deck).states[0])
    assert stacks[:3] == [deck[:6], deck[6:12], deck[12:18]]
    assert stacks[3][:2] == deck[18:]
    assert [len(stack) for stack in stacks] == [6] * 8
    assert all(Counter(flat(stacks))[name] <= COPIES[i] for i, name in enumerate(CARD_NAMES))


def test_given_cards_are_not_dealt_again():
    deck = [*"qqzzxxjjkkww", "cl", "cl", "th", "th"]
    for seed in range(10):
        there = Counter(flat(stacks_of(dealt(deck, seed=seed).states[0])))
        assert {name: there[name] for name in deck} == dict.fromkeys(deck, 2)


def test_any_card_may_lie_anywhere():
    batch = Batch(GAME, 600, seed=3)
    found = batch.states.stacks.reshape(batch.num_envs, 48)
    for place in range(0, 48, 4):
        share = np.bincount(found[:, place], minlength=31) / batch.num_envs
        np.testing.assert_allclose(share, COPIES / 118, atol=0.04)


def test_a_deal_without_a_word_is_dealt_anew():
    """With one word of rare cards most deals have no word among the open cards."""
    rare = Lexicon.from_words(["qi", "ax"])
    batch = Batch(GAME, 40 if COMPILED else 4, seed=2, lexicon=rare)
    assert batch.masks.any(axis=1).all()
    assert not batch.states.terminated.any()


def test_a_given_deal_without_a_word_is_lost_as_it_begins():
    below = [*"aioe" * 8, *"u" * 6, *"n" * 2]
    deck = [name for i, card in enumerate(NO_WORD) for name in (*below[5 * i : 5 * i + 5], card)]
    batch = dealt(deck, lexicon=WORDS)
    assert batch.states[0].terminated
    assert not batch.states[0].won
    assert not batch.masks.any()
    over = dealt(deck, lexicon=WORDS, autoreset=False)
    assert play_out(over, [], np.zeros((1, 1), np.int64)).tolist() == [[0.0]]
    table = quiddler_solitaire_v0.raw_env(lexicon=WORDS)
    table.reset(seed=1, options={"deck": deck})
    assert table.terminations == {"player_0": True}
    assert table.infos["player_0"]["rank"] == 2
    table.step(None)
    assert table.agents == []


# --- Words and stacks ---------------------------------------------------------------------------

EXAMPLES = {
    "only cards that lead to a word may be placed": lambda: Table("t", "e", "a", "b", "qu").follow(
        "-> legal = place:0 place:1 place:2", "0 -> legal = place:1", "1 -> legal = place:2",
        "2 -> legal = word",
    ),
    "a word may end or go on": lambda: Table("t", "e", "a", "t").follow(
        "3 1 2 -> legal = place:0 word", "0 -> legal = word", "word -> won = True"
    ),
    "a word is spelled by letters or two-letter cards": lambda: (
        Table(*"quit").follow("0 1 2 3 -> legal = word"),
        Table("qu", "i", "t").follow("0 1 2 -> legal = word"),
    ),
    # `in` on one card is no word, although its letters are; `th in` and `i n` are words.
    "a word takes two cards": lambda: (
        Table("in").follow("-> terminated = True"),
        Table("i", "n").follow("0 1 -> legal = word"),
        Table("in", "n").follow("0 -> legal = place:1"),
    ),
    "the stacks used turn up their next card": lambda: Table(
        *full("e a", "b t", "a e", "t h")
    ).follow(f"3 2 word -> stacks = e a b t a t {' '.join(NO_WORD[:4])}; used = {48 - 10}"),
    "cards of the word being spelled still lie there": lambda: Table("a", "t", "b h").follow(
        "0 -> stacks = a t b h; used = 44; legal = place:1"
    ),
}  # fmt: skip
FILLED = {
    "an empty place is filled from the stack with the most cards": (
        ("a", "b t", "c e i", "d e a r", "e h"), ["r", "b", "c e i", "d e a", "e h"],
    ),
    "the first of equal stacks gives": (
        ("a", "b t", "c e i", "d e a", "e h"), ["i", "b", "c e", "d e a", "e h"],
    ),
    # The first is filled from a stack of three, the second from the stack that is then highest.
    "places are filled one by one": (
        ("a", "t", "c e i", "d e a r", "e h"), ["r", "i", "c e", "d e a", "e h"],
    ),
    "a stack gives its next card too": (("a", "t", "d e a"), ["a", "e", "d"]),
    "but never its last": (("a", "t", "e h"), ["h", "", "e"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", EXAMPLES)
def test_examples(rule):
    EXAMPLES[rule]()


@pytest.mark.parametrize("rule", FILLED)
def test_empty_places_are_filled(rule):
    stacks, then = FILLED[rule]
    assert Table(*full(*stacks)).play("0 1 word").stacks[: len(then)] == then


def test_places_stay_empty_when_no_stack_has_two_cards():
    table = Table("a", "t", "h", "e").play("0 1 word")
    assert table.stacks[:4] == ["", "", "h", "e"]
    assert table.legal == ["place:2"]


# --- The end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reward", "lost"), [("win", 0), ("margin", 46 / 48)])
def test_all_cards_used_win_and_no_word_loses(reward, lost):
    won = Table("a", "t", reward=reward).play("0 1 word")
    assert won.batch.dones[0]
    assert won.batch.rewards[0] == 1
    assert won.state.hand_over
    assert GAME.hand_scores(won.state, 0) == [48]
    over = Table("a", "t", "in", "b", reward=reward).play("0 1 word")
    assert over.batch.dones[0]
    assert over.batch.rewards[0] == pytest.approx(lost)
    assert not over.state.won
    assert GAME.hand_scores(over.state, 0) == [46]
    assert [table.batch.standings()[1][0, 0] for table in (won, over)] == [1, 2]
    assert [table.batch.standings()[0][0, 0] for table in (won, over)] == [48, 46]


# --- Beside a plain reference -------------------------------------------------------------------


@pytest.mark.parametrize(("lexicon", "reward"), [("scowl60", "win"), (WORDS, "margin")])
def test_engine_plays_as_the_reference(lexicon, reward):
    Duel(10 if COMPILED else 3, 8, lexicon=lexicon, reward=reward).play(at_random, seed=1)
