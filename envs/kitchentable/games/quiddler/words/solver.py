"""What a hand can lay: every word in it, and every set of its cards that words use up.

A hand is a short list of kinds sorted by `cards.RARITY`. A set of its cards is an integer with bit
p for card p, so a hand of 11 cards has 2,048 sets. A *cover* is a bitmap of 2,048 bits in 32 uint64
that marks the sets that words use up. Adding a word to every set that has room for it shifts the
bitmap by the word's integer. These are few operations, so a cover of 11 cards takes microseconds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.cards import BY_RARITY, MAX_HAND, NUM_KINDS
from kitchentable.games.quiddler.words.graph import FIRST_SHIFT, TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.hand_index import (
    EMPTY,
    MARK_SHIFT,
    MOST,
    NAMES,
    PLACES,
    SLOT_SHIFT,
    SLOTS,
)

MAX_HELD = MAX_HAND + 1
"""Cards in the largest hand after drawing."""
NUM_SETS = 2**MAX_HELD
BLOCKS = NUM_SETS // 64
MAX_WORDS = MAX_HAND // 2
"""Maximum number of words in a hand: each has at least two cards."""


def _sets_without() -> NDArray[np.uint64]:
    """Return for each set of the first six cards the bitmap of the sets disjoint from it."""
    rows = [sum(1 << s for s in range(64) if not s & cards) for cards in range(64)]
    return np.array(rows, np.uint64)


SETS_WITHOUT = _sets_without()
NO_BITS, ONE, SIX, LOW_SIX = np.uint64(0), np.uint64(1), np.uint64(6), np.uint64(63)
EVERY_SET = np.uint64(0xFFFFFFFFFFFFFFFF)
"""A block of a bitmap with all sets marked."""
TO_MARK, TO_SLOT = np.uint64(MARK_SHIFT), np.uint64(SLOT_SHIFT)

KEPT_BY_SPELLING = 3 * MAX_HELD
"""Stack size of a depth-first search in the word graph: three numbers for each card spelled."""

HALVES = 96
"""Number of sums over the sets of the first six cards (64) and of the other five (32)."""

Cards = NDArray[np.int8] | NDArray[np.int64]
"""Kinds of cards, or the number of cards of each kind."""
Graph = NDArray[np.int64] | NDArray[np.int32]
Sets = NDArray[np.int64] | NDArray[np.int16]


@kernel
def sort_hand(counts: Cards, cards: Ints) -> int:
    """List the cards of a hand, rarest kind first.

    Args:
        counts: number of cards of each kind; shape (31,).
        cards: receives the list; shape (11 or more,).

    Returns:
        The number of cards.
    """
    size = 0
    for i in range(NUM_KINDS):
        for _ in range(counts[BY_RARITY[i]]):
            cards[size] = BY_RARITY[i]
            size += 1
    return size


@kernel
def find_places(cards: Cards, size: int, places: Ints) -> None:
    """Write the set of cards of each kind in a hand to ``places``; shape (31,)."""
    places[:] = 0
    for p in range(size):
        places[cards[p]] |= 1 << p


@subroutine
def list_words(cards: Cards, size: int, index: Ints, marks: Bits, words: Sets) -> int:
    """List every set of cards that spells a word.

    Args:
        cards: the hand, from `sort_hand`.
        size: number of cards in the hand.
        index: the table of hands that spell words, see `hand_index`.
        marks: the bitmap of ``index``.
        words: receives the sets, each once and in ascending order; shape (2048,).

    Returns:
        The number of sets.
    """
    # Sums over the first six cards and over the others: the sum of a set is one plus the other.
    names, places = scratch_ints(HALVES), scratch_ints(HALVES)
    add_halves(cards, size, index[NAMES : NAMES + NUM_KINDS], names)
    add_halves(cards, size, index[PLACES : PLACES + NUM_KINDS], places)
    slots = index[SLOTS:]
    # Unsigned, because an index that might be negative is slower.
    last_slot = np.uint64(slots.shape[0] - 1)
    count = 0
    for high in range(num_blocks(size)):
        hits = find_marked(places, high, size, marks)
        while hits:
            low = lowest_bit(hits)
            hits &= hits - ONE
            name = names[64 + high] + names[low]
            slot = np.uint64(places[64 + high] + places[low]) >> TO_SLOT & last_slot
            while slots[slot] != name and slots[slot] != EMPTY:
                slot = (slot + ONE) & last_slot
            words[count] = high << 6 | low
            count += slots[slot] == name
    return _drop_repeats(cards, size, index[MOST : MOST + NUM_KINDS], words, count)


@kernel
def find_marked(places: Ints, high: int, size: int, marks: Bits) -> np.uint64:
    """Return the bitmap of the sets in block ``high`` whose places, in halves, are marked."""
    hits, last_mark = NO_BITS, np.uint64(64 * marks.shape[0] - 1)
    base = places[64 + high]
    # Branch-free, because no CPU could predict the branch.
    for low in range(min(1 << size, 64)):
        mark = np.uint64(base + places[low]) >> TO_MARK & last_mark
        hits |= (marks[mark >> SIX] >> (mark & LOW_SIX) & ONE) << np.uint64(low)
    return hits


@kernel
def add_halves(cards: Cards, size: int, numbers: Ints, sums: Ints) -> None:
    """Write the sums of ``numbers`` over each set of the first six cards, and of the others.

    Args:
        cards: the hand.
        size: number of cards in the hand.
        numbers: a number for each kind; shape (31,).
        sums: receives the sums; shape (96,), with the sets of the cards after the sixth from 64 on.
    """
    sums[0] = 0
    sums[64] = 0
    for p in range(size):
        number = numbers[cards[p]]
        start, bit = (0, 1 << p) if p < 6 else (64, 1 << (p - 6))
        for chosen in range(start, start + bit):
            sums[chosen + bit] = sums[chosen] + number


@kernel
def sum_of(sums: Ints, cards: int) -> int:
    """Return a number of a set of cards from the sums that `add_halves` wrote."""
    return int(sums[cards & 63] + sums[64 + (cards >> 6)])


@kernel
def _drop_repeats(cards: Cards, size: int, most: Ints, words: Sets, count: int) -> int:
    """Drop sets with more of a kind than any word has: they share names with other sets."""
    first = 0
    for p in range(size):
        if p > 0 and cards[p] != cards[p - 1]:
            first = p
        if p - first < most[cards[p]]:
            continue
        same_kind = (2 << p) - (1 << first)
        num_kept = 0
        for i in range(count):
            words[num_kept] = words[i]
            num_kept += count_bits(words[i] & same_kind) <= most[cards[p]]
        count = num_kept
    return count


@kernel
def add_word(source: Bits, target: Bits, word: int, blocks: int) -> None:
    """Mark in ``target`` every set of ``source`` that has room for a word, with the word added.

    ``target`` may be ``source``, because a set that has the word has no room for it again.
    """
    low, high = word & 63, word >> 6
    without = SETS_WITHOUT[low]
    shift = np.uint64(low)
    rest = (blocks - 1) & ~high
    block = rest
    while True:
        target[block | high] |= (source[block] & without) << shift
        if block == 0:
            break
        block = (block - 1) & rest


@kernel
def num_blocks(size: int) -> int:
    """Return the number of blocks of 64 bits in the bitmap of a hand."""
    return 1 if size <= 6 else 1 << (size - 6)


@kernel
def clear(bitmap: Bits, blocks: int) -> None:
    """Clear the first ``blocks`` blocks of a bitmap."""
    for block in range(blocks):
        bitmap[block] = NO_BITS


@subroutine
def find_cover(words: Sets, count: int, size: int, cover: Bits) -> None:
    """Mark each set of cards that words use up, including the empty set.

    Args:
        words: the words as sets of cards, from `list_words`.
        count: number of words.
        size: number of cards in the hand.
        cover: receives the bitmap, in the blocks that the hand needs; shape (32,).
    """
    clear(cover, num_blocks(size))
    cover[0] = ONE
    blocks = 1
    # Words come in ascending order, that is, in the order of their last cards. So all sets that a
    # word extends are already marked, and they have no card after the last card of the word.
    for i in range(count):
        while words[i] >> 6 >= blocks:
            blocks *= 2
        add_word(cover, cover, words[i], blocks)


@subroutine
def add_discard(cover: Bits, size: int, discards: int, out: Bits) -> None:
    """Mark each set of cards that words and one discard use up.

    Args:
        cover: from `find_cover`.
        size: number of cards in the hand.
        discards: the set of cards that may be discarded.
        out: receives the bitmap, in the blocks that the hand needs; shape (32,).
    """
    blocks = num_blocks(size)
    clear(out, blocks)
    for p in range(size):
        if discards >> p & 1:
            add_word(cover, out, 1 << p, blocks)


@kernel
def has(bitmap: Bits, cards: int) -> bool:
    """Whether a bitmap marks a set of cards."""
    return bool(bitmap[cards >> 6] >> np.uint64(cards & 63) & ONE)


@kernel
def follow(node: int, kind: int, nodes: Graph, edges: Graph) -> int:
    """Return the edge of a kind from a node of the word graph; 0 if there is none."""
    branches, bit = nodes[node], 1 << int(kind)
    return edge_of(branches, bit, edges) if branches & bit else 0


@kernel
def edge_of(branches: int, bit: int, edges: Graph) -> int:
    """Return the edge for the kind of ``bit``, which the node entry ``branches`` must have."""
    return int(edges[(branches >> FIRST_SHIFT) + count_bits(branches & (bit - 1))])


@kernel
def held_kinds(places: Ints, left: int) -> int:
    """Return the set of kinds of the cards in ``left``: bit k is kind k."""
    kinds = 0
    for kind in range(NUM_KINDS):
        kinds |= int(places[kind] & left != 0) << kind
    return kinds


@subroutine
def next_kinds(node: int, left: int, places: Ints, ends: Bits, nodes: Graph, edges: Graph) -> int:
    """Return the set of kinds with which a word can go on to a permitted end: bit k is kind k.

    Args:
        node: node of the word graph; 0 at the beginning of a word.
        left: the set of cards that are left.
        places: from `find_places`.
        ends: bitmap of the sets that may be left when the word ends; shape (32,).
        nodes: nodes of the word graph.
        edges: edges of the word graph.
    """
    held = held_kinds(places, left)
    branches = nodes[node]
    kinds, waiting = 0, branches & held
    while waiting:
        bit = waiting & -waiting
        waiting ^= bit
        cards = places[lowest_bit(bit)] & left
        step = edge_of(branches, bit, edges)
        if _leads_to_word(step, left ^ (cards & -cards), held, places, ends, nodes, edges):
            kinds |= bit
    return kinds


@subroutine
def _leads_to_word(
    step: int, left: int, held: int, places: Ints, ends: Bits, nodes: Graph, edges: Graph
) -> bool:
    """Whether the edge ``step`` leads to a word that may end; a depth-first search."""
    if step & WORD_BIT and has(ends, left):
        return True
    waiting = scratch_ints(KEPT_BY_SPELLING)
    depth = 0
    node = nodes[step >> TARGET_SHIFT]
    kinds = node & held
    while True:
        if kinds == 0:
            if depth == 0:
                return False
            depth -= 1
            node, kinds, left = waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2]
            continue
        bit = kinds & -kinds
        kinds ^= bit
        cards = places[lowest_bit(bit)] & left
        if cards == 0:
            continue
        step = edge_of(node, bit, edges)
        after = left ^ (cards & -cards)
        if step & WORD_BIT and has(ends, after):
            return True
        waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2] = node, kinds, left
        depth += 1
        node, left = nodes[step >> TARGET_SHIFT], after
        kinds = node & held
