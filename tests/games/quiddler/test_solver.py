"""Quiddler's solver agrees with an exhaustive search, and with the figures of the rules page."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from tests.conftest import scaled
from tests.games.quiddler.laying import (
    COPIES,
    KINDS,
    VALUES,
    best,
    layable,
    letters,
    melds,
    value,
    without,
)
from tests.games.quiddler.play import dictionary, few, full_deck, names

from kitchentable.core.scratch import scratch_bits
from kitchentable.engine.compiling import loop
from kitchentable.games.quiddler import GAME, best_meld
from kitchentable.games.quiddler.cards import BY_RARITY, LETTERS
from kitchentable.games.quiddler.cards import VALUES as POINTS
from kitchentable.games.quiddler.words.arrange import (
    LAYERS_SIZE,
    add_up,
    best_values,
    find_layers,
    most_words,
)
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    MAX_HELD,
    NUM_SETS,
    add_discard,
    find_cover,
    has,
    list_words,
    sort_hand,
)

SIZES = range(2, MAX_HELD + 1)


@cache
def analysis():
    return loop(_analyse, game=GAME, name="test-quiddler-solver")


def _analyse(counts, barred, index, marks, cards, words, facts, number, values, best_without):
    """Write for each set of a hand whether words use it up, without or with a discard."""
    cover, ends = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    layers = scratch_bits(LAYERS_SIZE)
    size = sort_hand(counts, BY_RARITY, cards)
    count = list_words(cards, size, index, marks, words)
    find_cover(words, count, size, cover)
    discards = 0
    for p in range(size):
        discards |= (cards[p] != barred) << p
    add_discard(cover, size, discards, ends)
    find_layers(words, count, size, layers)
    add_up(cards, size, POINTS, values)
    best_values(cover, values, size, best_without)
    for chosen in range(1 << size):
        facts[chosen, 0] = has(cover, chosen)
        facts[chosen, 1] = has(ends, chosen)
        number[chosen] = most_words(layers, chosen)
    return count


def analyse(hand, lexicon="scowl60", barred=None, *, all_marks=False):
    """Return the solver's results for a hand, by sets of its cards.

    Args:
        hand: its cards.
        lexicon: the words that count.
        barred: the card that must not be discarded.
        all_marks: whether to set all bits of the prefilter, which only saves time.
    """
    counts = np.array([hand.count(kind) for kind in KINDS], np.int8)
    cards, words = np.zeros(MAX_HELD, np.int64), np.zeros(NUM_SETS, np.int64)
    facts, number = np.zeros((NUM_SETS, 2), np.bool_), np.zeros(NUM_SETS, np.int64)
    values, best_without = np.zeros(NUM_SETS, np.int64), np.zeros(MAX_HELD, np.int64)
    index, marks = GAME.rules.tables(GAME.make_params(lexicon=lexicon))[2:4]
    marks = np.full_like(marks, 2**64 - 1) if all_marks else marks
    kind = -1 if barred is None else KINDS.index(barred)
    out = (cards, words, facts, number, values, best_without)
    count = analysis()(counts, kind, index, marks, *out)
    order = names(cards[: len(hand)])

    def cards_of(chosen: int) -> tuple[str, ...]:
        return tuple(sorted(c for p, c in enumerate(order) if chosen >> p & 1))

    sets = [cards_of(chosen) for chosen in range(1 << len(hand))]
    return {
        "words": [sets[word] for word in words[:count]],
        "distinct": len(set(words[:count].tolist())) == count,
        "cover": [facts[i, 0] for i in range(len(sets))],
        "ends": [facts[i, 1] for i in range(len(sets))],
        "number": [int(number[i]) for i in range(len(sets))],
        "values": [int(values[i]) for i in range(len(sets))],
        "without": list(zip(order, best_without.tolist(), strict=False)),
        "sets": sets,
    }


def random_hand(rng: np.random.Generator, size: int) -> tuple[str, ...]:
    """Return cards of a deck; in half of all cases from a few kinds only, so that copies abound."""
    deck = full_deck()
    if rng.random() < 0.5:
        kinds = rng.choice(KINDS, 7, replace=False, p=[COPIES[k] / 118 for k in KINDS])
        kinds = [*kinds, *rng.choice(["qu", "in", "er", "th", "cl", "s"], 2)]
        deck = [card for card in deck if card in kinds]
    return tuple(sorted(rng.choice(deck, min(size, len(deck)), replace=False).tolist()))


@pytest.mark.parametrize("size", SIZES)
def test_words_covers_and_layers_are_those_found_by_trying_everything(size):
    rng, known = np.random.default_rng(size), dictionary()
    for _ in range(max(5, scaled(20)) if size < 9 else scaled(8)):
        hand = random_hand(rng, size)
        barred = str(rng.choice(hand))
        found = analyse(hand, barred=barred)
        sets, ways = found["sets"], melds(known, hand)
        assert found["distinct"]
        words = Counter(cards for cards in sets if cards in known.hands)
        assert Counter(found["words"]) == words
        assert found["cover"] == [cards in ways for cards in sets]
        most = [max(n for n, _ in ways[cards]) if cards in ways else -1 for cards in sets]
        assert found["number"] == most
        assert found["values"] == [value(cards) for cards in sets]
        ends = [
            any(c != barred and without(cards, c) in ways for c in set(cards)) for cards in sets
        ]
        assert found["ends"] == ends
        for kind, points in found["without"]:
            kept = without(hand, kind)
            assert points == max(map(value, layable(known, kept)))


def test_more_copies_of_a_card_than_any_word_has_are_no_word():
    """Sets of cards have numeric names for fast lookups; names of such sets may collide."""
    for hand in ("e e e e e e e e e e e", "a a a a a a a a a a e"):
        assert not analyse(tuple(hand.split()))["words"]
    for kinds in ("e a i t", "o u n r", "er th in cl", "a e i o", "s l d g"):
        cards = [c for c in kinds.split() for _ in range(min(COPIES[c], 11))]
        rng = np.random.default_rng(3)
        for _ in range(max(2, scaled(4))):
            hand = tuple(sorted(rng.choice(cards, min(11, len(cards)), replace=False).tolist()))
            found = analyse(hand)
            wanted = [cards for cards in found["sets"] if cards in dictionary().hands]
            assert Counter(found["words"]) == Counter(wanted)


def test_sets_that_bear_the_name_of_a_word_are_no_words():
    """With a word or two, most kinds are in none and change a name as another kind does."""
    rng = np.random.default_rng(5)
    for first in "ade":
        for second in "nort":
            words = few(first + second)
            rest = rng.choice(sorted("bcdefghijklmnopqrs"), 4, replace=False).tolist()
            hand = tuple(sorted([first, second, *rest]))
            found = analyse(hand, words, all_marks=True)["words"]
            assert {*map("".join, found)} == {"".join(sorted(first + second))}


# --- The best arrangement -----------------------------------------------------------------------


def check_meld(meld, hand):
    """Check that a meld can be laid from this hand, and return its worth."""
    laid = [card for word in meld.words for card in word]
    assert sorted([*laid, meld.discard, *meld.unused]) == sorted(hand)
    assert all(dictionary().has(word) for word in meld.words)
    assert meld.points == value(laid) - value(meld.unused)
    return meld.points, len(meld.words), max(map(letters, meld.words), default=0)


def rank(worth, objective):
    points, number, longest = worth
    return (points, number, longest) if objective == "most" else (points, longest, number)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("objective", ["longest", "most"])
def test_best_meld_is_the_best_of_all(size, objective):
    rng, known = np.random.default_rng(size), dictionary()
    for _ in range(max(2, scaled(25)) if size < 9 else scaled(6)):
        hand = random_hand(rng, size)
        shuffled = rng.permutation(hand).tolist()
        by_discard = {c: best(known, without(hand, c), objective) for c in set(hand)}
        for discard in (None, str(rng.choice(hand))):
            meld = best_meld(shuffled, objective, discard=discard)
            worth = check_meld(meld, hand)
            wanted = [by_discard[discard]] if discard else by_discard.values()
            assert worth == max(wanted, key=lambda w: rank(w, objective))
            assert discard in {None, meld.discard}
            assert by_discard[meld.discard] == worth


def best_words(hand: str, objective: str, *words: str) -> str:
    return " ".join(
        "".join(w) for w in best_meld(hand.split(), objective, lexicon=few(*words)).words
    )


def test_best_meld_by_hand():
    words = ("cation", "cat", "ion", "at")
    assert best_words("c a t i o n q", "longest", *words) == "cation"
    assert sorted(best_words("c a t i o n q", "most", *words).split()) == ["cat", "ion"]
    # Points come before a longer word or more words.
    assert best_words("z o a t e n q", "longest", "zo", "oaten") == "zo"
    assert best_words("z o a t n q", "most", "zoa", "at", "on") == "zoa"
    # The card `th` has two letters.
    for objective in ("longest", "most"):
        found = best_words("th a t a n q", objective, "tha", "tan", "than", "at")
        assert sorted(found.split()) == ["at", "than"]
    meld = best_meld(["c", "a", "t", "i", "o", "n", "q"], discard="c", lexicon=few(*words))
    assert (meld.discard, meld.unused) == ("c", ("q",))
    assert sorted("".join(word) for word in meld.words) == ["at", "ion"]
    assert meld.points == 5 + 9 - 15
    assert best_meld(["x", "z"], lexicon=few("at")) == ((), "z", ("x",), -12)
    assert best_meld(["a", "t"], lexicon=few("at")) == ((), "t", ("a",), -2)


def test_bad_hands_are_refused_by_name():
    cases = [
        (["a"], {}, "hand=.* 2 to 11 cards"),
        (["a"] * 12, {}, "hand=.* 2 to 11 cards"),
        ("at", {}, "hand='at'.* names of 2 to 11 cards"),
        (["a", "A"], {}, "no card 'A'; a, b,.*, cl"),
        (["q", "q", "q"], {}, "only 2 cards 'q'"),
        (["a", "t"], {"objective": "short"}, "objective='short'.*longest.*most"),
        (["a", "t"], {"discard": "z"}, r"discard='z' is not in the hand \['a', 't'\]"),
        (["a", "t"], {"lexicon": "scowl"}, "scowl60, scowl35"),
    ]
    for hand, options, message in cases:
        with pytest.raises(ValueError, match=message):
            best_meld(hand, **options)


# --- The cards -----------------------------------------------------------------------------------


def test_cards_are_those_of_the_sheet():
    assert sum(COPIES.values()) == 118
    assert sum(COPIES[kind] * VALUES[kind] for kind in KINDS) == 592
    assert GAME.rules.deck(GAME.make_params()) == COPIES
    assert POINTS.tolist() == [VALUES[kind] for kind in KINDS]
    assert LETTERS.tolist() == [len(kind) for kind in KINDS]
