"""How the scripted players see a table of Quiddler Solitaire, value its words, and play on.

A word is a set of open cards here, a number with bit p for card p, the rarest kind first (see
`solver`). How it is spelled does not matter for what follows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.rng import NOT_ZERO, advance, mix
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.state import FloatArray
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES, NO_CARD, NUM_KINDS, RARITY, VALUES
from kitchentable.games.quiddler.solitaire.observation import HEIGHTS, OPEN, SPELLED, UNSEEN
from kitchentable.games.quiddler.solitaire.rules import list_unseen
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, NUM_STACKS, STACK_SIZE
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    MAX_HELD,
    NUM_SETS,
    Bits,
    Ints,
    find_cover,
    has,
    list_words,
)

NUM_OPEN_SETS = 2**NUM_STACKS
Numbers = NDArray[np.float64]


class Look(NamedTuple):
    """A table as the player sees it."""

    kinds: Ints
    """The open card of each stack, or `NO_CARD`; shape (8,)."""
    heights: Ints
    """Cards in each stack, the open one included; shape (8,)."""
    pool: Ints
    """The cards that were never open, by kind; those face down are among them; shape (118,)."""
    pool_size: int
    placed: Ints
    """The stacks of the word being spelled, in order; shape (8,)."""
    num_placed: int


class Hand(NamedTuple):
    """The open cards in a row, the rarest kind first, and the words in them."""

    cards: Ints
    """Kinds; shape (11,)."""
    stacks: Ints
    """The stack of each; shape (8,)."""
    size: int
    words: Ints
    """Every word as a set of cards; shape (2048,)."""
    num_words: int


@allocating_kernel
def look_at(observation: FloatArray) -> Look:
    """Read a table from the observation alone."""
    kinds = np.full(NUM_STACKS, NO_CARD, np.int64)
    heights = np.zeros(NUM_STACKS, np.int64)
    unseen, pool = np.zeros(NUM_KINDS, np.int64), np.zeros(COPIES.sum(), np.int64)
    placed = np.zeros(NUM_STACKS, np.int64)
    num_placed = 0
    for stack in range(NUM_STACKS):
        heights[stack] = round(observation[HEIGHTS + stack] * STACK_SIZE)
        for kind in range(NUM_KINDS):
            if observation[OPEN + stack * NUM_KINDS + kind] > 0:
                kinds[stack] = kind
        for other in range(NUM_STACKS):
            if observation[SPELLED + stack * NUM_STACKS + other] > 0:
                placed[stack] = other
                num_placed += 1
    for kind in range(NUM_KINDS):
        unseen[kind] = round(observation[UNSEEN + kind] * COPIES[kind])
    return Look(kinds, heights, pool, list_unseen(unseen, pool), placed, num_placed)


@allocating_kernel
def find_words(seen: Look, index: Ints, marks: Bits) -> Hand:
    """List the words in the open cards; ``index`` and ``marks`` as in `solver.list_words`."""
    cards, stacks = np.zeros(MAX_HELD, np.int64), np.zeros(NUM_STACKS, np.int64)
    words = np.zeros(NUM_SETS, np.int64)
    size = sort_open(seen.kinds, seen.heights, cards, stacks)
    count = list_words(cards, size, index, marks, words)
    return Hand(cards, stacks, size, words, count)


@kernel
def own_stream(seen: Look) -> np.uint64:
    """Return a random stream that follows from the table alone, whatever is being spelled."""
    bits = NOT_ZERO
    for stack in range(NUM_STACKS):
        bits = mix(bits, seen.kinds[stack] + 1)
        bits = mix(bits, seen.heights[stack])
    for i in range(seen.pool_size):
        bits = mix(bits, seen.pool[i])
    return bits


@kernel
def num_face_down(heights: Ints) -> int:
    """Return how many cards lie face down."""
    total = 0
    for stack in range(NUM_STACKS):
        total += max(heights[stack] - 1, 0)
    return total


# --- What a word is worth -----------------------------------------------------------------------

# Found by a cross-entropy search for the weights that win most games played by `play_on`.
_TABLE = (
    "a -1.2, b 0.8, c 2.7, d 1.8, e -0.1, f 2.6, g 1.5, h -0.5, i -1, j 7, k 4.5, l 2.4, m 0, "
    "n 0.8, o -2, p 0.8, q 13.3, r 1.3, s -0.8, t -0.6, u -1.4, v 6.9, w 4.9, x 3.9, y 0.5, z "
    "9.2, qu 8.2, in 3.2, er 4.3, th 5.3, cl 7.2"
)
_WEIGHTS = np.array([float(entry.split()[1]) for entry in _TABLE.split(", ")])
"""What it is worth to be rid of a card, by kind."""
_LAST = -1.5
"""What it is worth to use the last card of a stack."""
_IMBALANCE = 5.0
"""What each card costs that the open cards left have in vowels more or less than they should."""
_VOWELS = 0.55
"""The share of vowels they should have."""
_OTHERS = 1.9
"""What it is worth if the open cards left make words, times the square root of their number."""
_STRANDED = 1.0
"""What each open card costs that is in none of them."""
_IS_VOWEL = np.array([name in "aeiou" for name in CARD_NAMES])


@kernel
def points_of(word: int, cards: Ints, size: int) -> int:
    """Return the points on the cards of a word."""
    total = 0
    for p in range(size):
        if word >> p & 1:
            total += VALUES[cards[p]]
    return total


@subroutine
def worth_of(i: int, hand: Hand, heights: Ints) -> float:
    """Say how good it is to make word ``i``: by the cards it uses and those it leaves open."""
    word = hand.words[i]
    others, covered = 0, word
    for j in range(hand.num_words):
        if hand.words[j] & word == 0:
            others += 1
            covered |= hand.words[j]
    worth, vowels, left = _OTHERS * math.sqrt(others), 0, 0
    for p in range(hand.size):
        if word >> p & 1:
            worth += _WEIGHTS[hand.cards[p]] + _LAST * (heights[hand.stacks[p]] == 1)
        else:
            left += 1
            vowels += _IS_VOWEL[hand.cards[p]]
            worth -= _STRANDED * (covered >> p & 1 == 0)
    return worth - _IMBALANCE * abs(vowels - _VOWELS * left)


# --- Playing on ---------------------------------------------------------------------------------


@kernel
def sort_open(kinds: Ints, heights: Ints, cards: Ints, stacks: Ints) -> int:
    """List the open cards and their stacks, the rarest kind first; return how many."""
    size = 0
    for stack in range(NUM_STACKS):
        if heights[stack] > 0:
            p = size
            while p > 0 and RARITY[cards[p - 1]] > RARITY[kinds[stack]]:
                cards[p], stacks[p] = cards[p - 1], stacks[p - 1]
                p -= 1
            cards[p], stacks[p] = kinds[stack], stack
            size += 1
    return size


@kernel
def remove(word: int, stacks: Ints, kinds: Ints, heights: Ints, deck: Ints, at: int) -> int:
    """Remove a word and fill empty places, as the rules do.

    Args:
        word: a set of open cards.
        stacks: the stack of each.
        kinds: the open card of each stack; changed.
        heights: cards in each stack; changed.
        deck: the cards that are turned up, one after the other.
        at: the next of them.

    Returns:
        The next of them after that.
    """
    for p in range(NUM_STACKS):
        if word >> p & 1:
            stack = stacks[p]
            heights[stack] -= 1
            if heights[stack] > 0:
                kinds[stack] = deck[at]
                at += 1
    for stack in range(NUM_STACKS):
        giver = 0
        for other in range(1, NUM_STACKS):
            if heights[other] > heights[giver]:
                giver = other
        if heights[stack] == 0 and heights[giver] >= 2:
            kinds[stack], heights[stack] = kinds[giver], 1
            kinds[giver], heights[giver] = deck[at], heights[giver] - 1
            at += 1
    return at


@subroutine
def play_on(kinds: Ints, heights: Ints, deck: Ints, at: int, index: Ints, marks: Bits) -> int:
    """Play a game to its end, always making the word of the most worth; return the cards used.

    The last open cards, with none below, are used up as well as can be. Arguments as `remove`'s
    and `find_words`'s.
    """
    cards, stacks = scratch_ints(MAX_HELD), scratch_ints(NUM_STACKS)
    words, cover = scratch_ints(NUM_SETS), scratch_bits(BLOCKS)
    while True:
        size = sort_open(kinds, heights, cards, stacks)
        count = list_words(cards, size, index, marks, words)
        hand = Hand(cards, stacks, size, words, count)
        below = num_face_down(heights)
        if below == 0 or count == 0:
            find_cover(words, count, size, cover)
            return NUM_DEALT - below - size + most_covered(cover, size, 0)
        best, chosen = -np.inf, 0
        for i in range(count):
            worth = worth_of(i, hand, heights)
            if worth > best:
                best, chosen = worth, words[i]
        at = remove(chosen, stacks, kinds, heights, deck, at)


@kernel
def most_covered(cover: Bits, size: int, without: int) -> int:
    """Return the most open cards that words can use up together, ``without`` some of them."""
    most = 0
    for chosen in range(1 << size):
        if chosen & without == 0 and has(cover, chosen):
            most = max(most, num_cards(chosen))
    return most


@kernel
def num_cards(chosen: int) -> int:
    """Return how many cards a set of open cards has."""
    count = 0
    for p in range(NUM_STACKS):
        count += chosen >> p & 1
    return count


@kernel
def shuffle_first(pool: Ints, size: int, wanted: int, stream: NDArray[np.uint64]) -> None:
    """Shuffle the cards in ``pool`` as far as the first ``wanted`` need it."""
    for i in range(wanted):
        stream[0] = advance(stream[0])
        bound = np.uint64(size - i)
        j = i + int(((stream[0] >> np.uint64(32)) * bound) >> np.uint64(32))
        pool[i], pool[j] = pool[j], pool[i]
