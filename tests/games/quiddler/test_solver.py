"""Quiddler's solver agrees with an exhaustive search, and with the figures of the rules page."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from tests.conftest import scaled
from tests.games.quiddler.laying import (
    COPIES,
    KINDS,
    VALUES,
    best,
    letters,
    subsets_of,
    value,
    without,
)
from tests.games.quiddler.play import dictionary, few, full_deck, names

from kitchentable.games.quiddler import GAME, best_meld
from kitchentable.games.quiddler.cards import LETTERS
from kitchentable.games.quiddler.cards import VALUES as POINTS
from kitchentable.games.quiddler.words.solver import MAX_HELD, NUM_SETS, list_words, sort_hand


def words_in(hand, lexicon="scowl60", *, all_marks=False):
    """Return the sets of a hand's cards that the solver takes for words, each as often as found.

    Args:
        hand: its cards.
        lexicon: the words that count.
        all_marks: whether to set all bits of the prefilter, which only saves time.
    """
    counts = np.array([hand.count(kind) for kind in KINDS], np.int8)
    cards, found = np.zeros(MAX_HELD, np.int64), np.zeros(NUM_SETS, np.int64)
    index, marks = GAME.rules.tables(GAME.make_params(lexicon=lexicon))[2:4]
    marks = np.full_like(marks, 2**64 - 1) if all_marks else marks
    size = sort_hand(counts, cards)
    count = list_words(cards, size, index, marks, found)
    order = names(cards[:size])
    return Counter(
        tuple(sorted(card for p, card in enumerate(order) if chosen >> p & 1))
        for chosen in found[:count].tolist()
    )


def random_hand(rng: np.random.Generator, size: int) -> tuple[str, ...]:
    """Return cards of a deck; in half of all cases from a few kinds only, so that copies abound."""
    deck = full_deck()
    if rng.random() < 0.5:
        kinds = rng.choice(KINDS, 7, replace=False, p=[COPIES[k] / 118 for k in KINDS])
        kinds = [*kinds, *rng.choice(["qu", "in", "er", "th", "cl", "s"], 2)]
        deck = [card for card in deck if card in kinds]
    return tuple(sorted(rng.choice(deck, min(size, len(deck)), replace=False).tolist()))


@pytest.mark.parametrize(
    "kinds", [KINDS, *map(str.split, ("e a i t", "o u n r", "er th in cl", "a e i o", "s l d g"))]
)
def test_words_are_those_found_by_trying_everything(kinds):
    """With few kinds a hand has more copies of a card than any word, and sets share names."""
    rng, deck = np.random.default_rng(3), [card for card in full_deck() if card in kinds]
    size = min(11, len(deck))
    hands = [sorted(rng.choice(deck, size, replace=False).tolist()) for _ in range(4)]
    for hand in map(tuple, [*hands, ["e"] * 11, ["a"] * 10 + ["e"]]):
        wanted = Counter(cards for cards in subsets_of(hand) if cards in dictionary().hands)
        assert words_in(hand) == wanted


def test_sets_that_bear_the_name_of_a_word_are_no_words():
    """With a word alone, most kinds are in none and change a name as another kind does."""
    for word in map("".join, product("abcdef", "nopqrst")):
        rest = [letter for letter in "bcdefghijklmnopqrs" if letter not in word]
        hands = (tuple(sorted([*word, *rest[i::2]])) for i in range(2))
        for hand in hands:
            assert {*words_in(hand, few(word), all_marks=True)} == {tuple(word)}


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


@pytest.mark.parametrize("size", range(2, MAX_HELD + 1))
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
    found = best_words("t o n e t o n e q", "most", "to", "ne", "tone")
    assert sorted(found.split()) == ["ne", "ne", "to", "to"]
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
