"""Choosing the action that leads to the best word, given the value of each word.

Players choose a word, not a card. In the middle of a word they choose the same word again or, if
another policy began it, another word that goes on from its cards. Once all cards are open, they use
up as many of them as possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.bits import count_bits
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.state import NOBODY, Bits, Floats, Ints
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.players.hand import Hand, num_face_down
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, PLACE, WORD
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    ONE,
    Graph,
    clear,
    find_cover,
    find_places,
    follow,
    has,
    next_kinds,
    num_blocks,
)


@allocating_kernel
def best_move(known: Knowledge, hand: Hand, values: Floats, nodes: Graph, edges: Graph) -> int:
    """Return the action that leads to the possible word of the highest value; `NOBODY` if none."""
    if num_face_down(known.heights) == 0:
        _add_endings(hand, values)
    begun = look_at_word(known, hand, scratch_ints(NUM_KINDS), nodes, edges)
    best, chosen = -np.inf, NOBODY
    for i in range(hand.num_words):
        if values[i] > best:
            action = move(hand, begun, hand.words[i], nodes, edges)
            if action != NOBODY:
                best, chosen = values[i], action
    return chosen


@allocating_kernel
def _add_endings(hand: Hand, values: Floats) -> None:
    """Add to each word's value, above all else, how many cards can be used up with it."""
    cover = scratch_bits(BLOCKS)
    find_cover(hand.words, hand.num_words, hand.size, cover)
    above_all = np.abs(values).max() * 2 + 1
    for i in range(hand.num_words):
        word = hand.words[i]
        values[i] += above_all * (count_bits(word) + most_covered(cover, hand.size, word))


@kernel
def most_covered(cover: Bits, size: int, without: int) -> int:
    """Return the most open cards outside the set ``without`` that words can use up."""
    most = 0
    for chosen in range(1 << size):
        if chosen & without == 0 and has(cover, chosen):
            most = max(most, count_bits(chosen))
    return most


# --- On the way to a word -----------------------------------------------------------------------


class Begun(NamedTuple):
    """The word being spelled."""

    cards: int
    """Its cards, as a set of open cards."""
    node: int
    is_word: bool
    places: Ints
    """The open cards of each kind, as a set; shape (31,)."""


@subroutine
def look_at_word(known: Knowledge, hand: Hand, places: Ints, nodes: Graph, edges: Graph) -> Begun:
    """Return the word being spelled, and the node of the word graph that it has reached.

    ``places`` is a buffer; shape (31,).
    """
    find_places(hand.cards, hand.size, places)
    cards, node, is_word = 0, 0, False
    for i in range(NUM_STACKS):
        stack = int(known.placed[i])
        if stack == NOBODY:
            break
        for p in range(hand.size):
            if hand.stacks[p] == stack:
                cards |= 1 << p
        edge = follow(node, open_card(known, stack), nodes, edges)
        node, is_word = edge >> TARGET_SHIFT, edge & WORD_BIT != 0
    return Begun(cards, node, is_word, places)


@subroutine
def move(hand: Hand, begun: Begun, word: int, nodes: Graph, edges: Graph) -> int:
    """Return the action that leads to a word, or `NOBODY` if none does.

    Of several spellings, it follows the first in the order of kinds.
    """
    if begun.cards & ~word:
        return NOBODY
    left = word ^ begun.cards
    if left == 0:
        return WORD if begun.is_word else NOBODY
    ends = scratch_bits(BLOCKS)  # may be left
    clear(ends, num_blocks(hand.size))
    ends[0] = ONE
    kinds = next_kinds(begun.node, left, begun.places, ends, nodes, edges)
    for p in range(hand.size):
        kind = hand.cards[p]
        # The lowest of the kinds that lead on, from the first of its stacks.
        if kinds & -kinds == 1 << kind and left >> p & 1:
            return int(PLACE + hand.stacks[p])
    return NOBODY
