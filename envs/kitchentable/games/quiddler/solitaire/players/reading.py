"""What a Quiddler Solitaire player reads from an observation, and the words in the open cards.

Here a word is a set of open cards: an integer with bit p for card p, rarest kind first (see
`solver`). How it is spelled does not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.reading import one_hot, read_number
from kitchentable.core.state import NOBODY, Bits, FloatArray, Ints
from kitchentable.games.quiddler.cards import COPIES, NUM_CARDS, NUM_KINDS, RARITY
from kitchentable.games.quiddler.solitaire.observation import HEIGHTS, OPEN, SPELLED, UNSEEN
from kitchentable.games.quiddler.solitaire.rules import list_unseen
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, STACK_SIZE
from kitchentable.games.quiddler.words.solver import MAX_HELD, NUM_SETS, list_words


class Look(NamedTuple):
    """The table as the player sees it."""

    kinds: Ints
    """The open card of each stack, or `NO_CARD`; shape (8,)."""
    heights: Ints
    """Number of cards in each stack, including the open one; shape (8,)."""
    pool: Ints
    """Kinds of the cards that were never open, which include those face down; shape (118,)."""
    pool_size: int
    placed: Ints
    """The stacks of the word being spelled in order, then `NOBODY`; shape (8,)."""
    num_placed: int


class Hand(NamedTuple):
    """The open cards, rarest kind first, and the words in them."""

    cards: Ints
    """Kinds; shape (11,)."""
    stacks: Ints
    """The stack of each card; shape (8,)."""
    size: int
    words: Ints
    """Every word as a set of cards; shape (2048,)."""
    num_words: int


@allocating_kernel
def look_at(observation: FloatArray) -> Look:
    """Read the table from an observation."""
    kinds, heights = np.zeros(NUM_STACKS, np.int64), np.zeros(NUM_STACKS, np.int64)
    unseen, pool = np.zeros(NUM_KINDS, np.int64), np.zeros(NUM_CARDS, np.int64)
    placed = np.zeros(NUM_STACKS, np.int64)
    num_placed = 0
    for stack in range(NUM_STACKS):
        kinds[stack] = one_hot(observation, OPEN + stack * NUM_KINDS, NUM_KINDS)
        heights[stack] = read_number(observation, HEIGHTS + stack, STACK_SIZE)
        placed[stack] = one_hot(observation, SPELLED + stack * NUM_STACKS, NUM_STACKS)
        num_placed += placed[stack] != NOBODY
    for kind in range(NUM_KINDS):
        unseen[kind] = read_number(observation, UNSEEN + kind, COPIES[kind])
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
def sort_open(kinds: Ints, heights: Ints, cards: Ints, stacks: Ints) -> int:
    """List the open cards and their stacks, rarest kind first; return how many."""
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
def num_face_down(heights: Ints) -> int:
    """Return how many cards lie face down."""
    total = 0
    for stack in range(NUM_STACKS):
        total += max(heights[stack] - 1, 0)
    return total
