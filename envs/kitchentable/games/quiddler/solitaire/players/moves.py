"""Choosing the action that leads to the best word, given the value of each word.

Players choose a word, not a card. In the middle of a word they choose the same word again or, if
another policy began it, another word that goes on from its cards. Once all cards are open, they use
up as many of them as possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, Bits, Floats, Ints
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.solitaire.players.reading import Hand, Look, num_face_down
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, PLACE, WORD
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    ONE,
    Graph,
    find_cover,
    find_places,
    follow,
    has,
    next_kinds,
)


@allocating_kernel
def best_move(seen: Look, hand: Hand, values: Floats, nodes: Graph, edges: Graph) -> int:
    """Return the action that leads to the possible word of the highest value; `NOBODY` if none."""
    if num_face_down(seen.heights) == 0:
        _add_endings(hand, values)
    begun = look_at_word(seen, hand, nodes, edges)
    for i in best_first(values):
        action = move(hand, begun, hand.words[i], nodes, edges)
        if action != NOBODY:
            return action
    return NOBODY


@allocating_kernel
def best_first(values: Floats) -> Ints:
    """Return the indices that sort values from the highest down; equal ones keep their order."""
    return np.argsort(-values, kind="mergesort")


@allocating_kernel
def _add_endings(hand: Hand, values: Floats) -> None:
    """Add to each word's value, above all else, how many cards can be used up with it."""
    cover = np.zeros(BLOCKS, np.uint64)
    find_cover(hand.words, hand.num_words, hand.size, cover)
    above_all = np.abs(values).max() * 2 + 1
    for i in range(hand.num_words):
        word = hand.words[i]
        values[i] += above_all * (num_cards(word) + most_covered(cover, hand.size, word))


@kernel
def most_covered(cover: Bits, size: int, without: int) -> int:
    """Return the most open cards outside the set ``without`` that words can use up."""
    most = 0
    for chosen in range(1 << size):
        if chosen & without == 0 and has(cover, chosen):
            most = max(most, num_cards(chosen))
    return most


@kernel
def num_cards(chosen: int) -> int:
    """Return the number of cards in a set of open cards."""
    count = 0
    for p in range(NUM_STACKS):
        count += chosen >> p & 1
    return count


# --- On the way to a word -----------------------------------------------------------------------


class Begun(NamedTuple):
    """The word being spelled."""

    cards: int
    """Its cards, as a set of open cards."""
    node: int
    is_word: bool
    places: Ints
    """The open cards of each kind, as a set; shape (31,)."""
    nothing: Bits
    """Bitmap that tells `next_kinds` that nothing may be left; shape (32,)."""


@allocating_kernel
def look_at_word(seen: Look, hand: Hand, nodes: Graph, edges: Graph) -> Begun:
    """Return the word being spelled, and the node of the word graph that it has reached."""
    places, nothing = np.zeros(NUM_KINDS, np.int64), np.zeros(BLOCKS, np.uint64)
    nothing[0] = ONE
    find_places(hand.cards, hand.size, places)
    cards, node, is_word = 0, 0, False
    for i in range(seen.num_placed):
        for p in range(hand.size):
            if hand.stacks[p] == seen.placed[i]:
                cards |= 1 << p
        edge = follow(node, seen.kinds[seen.placed[i]], nodes, edges)
        node, is_word = edge >> TARGET_SHIFT, edge & WORD_BIT != 0
    return Begun(cards, node, is_word, places, nothing)


@kernel
def move(hand: Hand, begun: Begun, word: int, nodes: Graph, edges: Graph) -> int:
    """Return the action that leads to a word, or `NOBODY` if none does.

    Of several spellings, it follows the first in the order of kinds.
    """
    if begun.cards & ~word:
        return NOBODY
    left = word ^ begun.cards
    if left == 0:
        return WORD if begun.is_word else NOBODY
    kinds = next_kinds(begun.node, left, begun.places, begun.nothing, nodes, edges)
    for p in range(hand.size):
        kind = hand.cards[p]
        # The lowest of the kinds that lead on, from the first of its stacks.
        if kinds & -kinds == 1 << kind and left >> p & 1:
            return int(PLACE + hand.stacks[p])
    return NOBODY
