"""The best way to lay a hand in words: which words, and how they are spelled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    KEPT_BY_SPELLING,
    MAX_WORDS,
    ONE,
    Graph,
    Hand,
    add_word,
    edge_of,
    has,
    held_kinds,
    num_blocks,
)

# What is preferred among arrangements of equal points.
LONGEST, MOST = range(2)
OBJECTIVES = ("longest", "most")

NUM_LAYERS = MAX_WORDS + 1
LAYERS_SIZE = NUM_LAYERS * BLOCKS
# A preference is one number: words and letters, the more important one in front.
ABOVE_WORDS, ABOVE_LETTERS = 8, 32


@subroutine
def find_layers(words: Ints, count: int, size: int, layers: Bits) -> None:
    """Mark the sets of cards that exactly 0, 1, ... 5 words use up; a bitmap for each.

    Args:
        words: from `solver.list_words`.
        count: how many.
        size: cards in the hand.
        layers: the bitmaps one after another, written; shape (192,).
    """
    layers[:] = 0
    layers[0] = ONE
    blocks = num_blocks(size)
    for i in range(count):
        for j in range(MAX_WORDS):
            # Without recursion between layers: a set that has the word has no room for it.
            source = layers[j * BLOCKS : (j + 1) * BLOCKS]
            target = layers[(j + 1) * BLOCKS : (j + 2) * BLOCKS]
            add_word(source, target, words[i], blocks)


@kernel
def most_words(layers: Bits, cards: int) -> int:
    """Return the most words that use a set of cards up; -1 if none do."""
    for j in range(MAX_WORDS, -1, -1):
        if has(layers[j * BLOCKS : (j + 1) * BLOCKS], cards):
            return j
    return -1


@subroutine
def add_up(cards: Hand, size: int, table: NDArray[np.int64], sums: Ints) -> None:
    """Write for each set of cards the sum of what ``table`` says of their kinds.

    Args:
        cards: the hand.
        size: cards in it.
        table: by kind, `VALUES` or `LETTERS`.
        sums: written; shape (2048,).
    """
    sums[0] = 0
    for p in range(size):
        for chosen in range(1 << p):
            sums[chosen | 1 << p] = sums[chosen] + table[cards[p]]


@subroutine
def best_values(cover: Bits, values: Ints, size: int, best: Ints) -> None:
    """Write for each card the most points that can be laid in words without it.

    Args:
        cover: from `solver.find_cover`.
        values: of each set of cards, from `add_up`.
        size: cards in the hand.
        best: by place in the hand; shape (11,).
    """
    best[:size] = 0
    lowest = 0
    for chosen in range(1 << size):
        if values[chosen] > lowest and has(cover, chosen):
            lowest = values[chosen]
            for p in range(size):
                if chosen >> p & 1 == 0 and values[chosen] > best[p]:
                    best[p] = values[chosen]
                lowest = min(lowest, best[p])


@subroutine
def arrange(
    size: int,
    kept: int,
    most: int,
    objective: int,
    words: Ints,
    count: int,
    layers: Bits,
    values: Ints,
    letters: Ints,
    chosen: Ints,
) -> int:
    """Choose the words that lay the most points out of some cards of a hand.

    Args:
        size: cards in the hand.
        kept: the cards that may be laid, as a set: all but the discard.
        most: the most points that words of them lay, from `best_values`.
        objective: `LONGEST` prefers, among equal points, the longest word, then more words;
            `MOST` more words, then the longest one.
        words: from `solver.list_words`.
        count: how many.
        layers: from `find_layers`.
        values: of each set of cards, from `add_up`.
        letters: likewise.
        chosen: the words as sets of cards, written; shape (5,).

    Returns:
        How many words. Of arrangements that are equal in all this, always the same one.
    """
    best, best_preference = 0, 0
    for laid in range(1, 1 << size):
        if values[laid] != most or laid & ~kept or most_words(layers, laid) <= 0:
            continue
        for i in range(count):
            others = most_words(layers, laid ^ words[i]) if words[i] & ~laid == 0 else -1
            preference = prefer(objective, letters[words[i]], others + 1)
            if others >= 0 and preference > best_preference:
                best_preference, best = preference, laid
                chosen[0] = words[i]
    return _take_apart(best, words, count, layers, chosen)


@kernel
def prefer(objective: int, longest: int, number: int) -> int:
    """Return how good it is to have so many letters in the longest of so many words."""
    if objective == LONGEST:
        return longest * ABOVE_WORDS + number
    return number * ABOVE_LETTERS + longest


@subroutine
def _take_apart(laid: int, words: Ints, count: int, layers: Bits, chosen: Ints) -> int:
    """Write the words of a set after the first one, as many as can be; return how many in all."""
    if laid == 0:
        return 0
    left = laid ^ chosen[0]
    number = 1
    for others in range(most_words(layers, left) - 1, -1, -1):
        layer = layers[others * BLOCKS : (others + 1) * BLOCKS]
        for i in range(count):
            if words[i] & ~left == 0 and has(layer, left ^ words[i]):
                chosen[number] = words[i]
        left ^= chosen[number]
        number += 1
    return number


@subroutine
def spell(left: int, places: Ints, nodes: Graph, edges: Graph, spelled: Ints) -> int:
    """Write the first word, by the order of kinds, that uses up a set of cards.

    Args:
        left: the cards, as a set that spells a word.
        places: from `solver.find_places`.
        nodes: of the graph of words.
        edges: of the graph of words.
        spelled: its kinds in order, written; shape (11,).

    Returns:
        How many cards it has.
    """
    waiting = scratch_ints(KEPT_BY_SPELLING)
    held = held_kinds(places, left)
    depth, node = 0, nodes[0]
    kinds = node & held
    while True:
        if kinds == 0:
            depth -= 1
            node, kinds, left = waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2]
            continue
        bit = kinds & -kinds
        kinds ^= bit
        kind = lowest_bit(bit)
        cards = places[kind] & left
        if cards == 0:
            continue
        spelled[depth] = kind
        waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2] = node, kinds, left
        depth += 1
        left ^= cards & -cards
        step = edge_of(node, bit, edges)
        if left == 0 and step & WORD_BIT:
            return depth
        node = nodes[step >> TARGET_SHIFT]
        kinds = node & held
