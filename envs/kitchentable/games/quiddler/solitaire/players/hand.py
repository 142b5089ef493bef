"""The open cards of Quiddler Solitaire, and the words in them.

Here a word is a set of open cards: an integer with bit p for card p, rarest kind first (see
`solver`). How it is spelled does not matter.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.cards import NO_CARD, RARITY
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS
from kitchentable.games.quiddler.words.solver import MAX_HELD, Cards, list_words


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


OPEN_SIZE = MAX_HELD + NUM_STACKS
"""Size of a buffer for the cards and stacks of a hand."""


@subroutine
def find_words(known: Knowledge, index: Ints, marks: Bits, room: Ints, words: Ints) -> Hand:
    """List the words in the open cards.

    Args:
        known: what the player knows.
        index: as in `solver.list_words`.
        marks: as there.
        room: a buffer; shape (`OPEN_SIZE`,).
        words: a buffer; shape (2048,).
    """
    kinds, heights = scratch_ints(NUM_STACKS), scratch_ints(NUM_STACKS)
    list_open(known, kinds, heights)
    cards, stacks = room[:MAX_HELD], room[MAX_HELD:]
    size = sort_open(kinds, heights, cards, stacks)
    return Hand(cards, stacks, size, words, list_words(cards, size, index, marks, words))


@kernel
def list_open(known: Knowledge, kinds: Ints, heights: Ints) -> None:
    """Write the open card of each stack, or `NO_CARD`, and its height."""
    for stack in range(NUM_STACKS):
        heights[stack] = known.heights[stack]
        kinds[stack] = open_card(known, stack) if known.heights[stack] > 0 else NO_CARD


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
def num_face_down(heights: Cards) -> int:
    """Return how many cards lie face down."""
    total = 0
    for stack in range(NUM_STACKS):
        total += max(int(heights[stack]) - 1, 0)
    return total
