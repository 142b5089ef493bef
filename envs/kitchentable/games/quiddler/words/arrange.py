"""The best way to lay a hand in words: which words to lay, and how to spell them."""

from __future__ import annotations

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
    Sets,
    add_word,
    edge_of,
    has,
    held_kinds,
    num_blocks,
    sum_of,
)

# Objectives: what is preferred among arrangements with equal points.
LONGEST, MOST = range(2)
OBJECTIVES = ("longest", "most")

NUM_LAYERS = MAX_WORDS + 1
LAYERS_SIZE = NUM_LAYERS * BLOCKS
# A preference is one number made of words and letters, the more important one times a factor.
ABOVE_WORDS, ABOVE_LETTERS = 8, 32


@subroutine
def find_layers(words: Sets, count: int, size: int, layers: Bits) -> None:
    """Mark the sets of cards that exactly 0, 1, ... 5 words use up, in one bitmap per count.

    Args:
        words: the words as sets of cards, from `solver.list_words`.
        count: number of words.
        size: number of cards in the hand.
        layers: receives the bitmaps, one after another; shape (192,).
    """
    layers[:] = 0
    layers[0] = ONE
    blocks = num_blocks(size)
    for i in range(count):
        for j in range(MAX_WORDS):
            # Layers can be updated in place: a set that has the word has no room for it again.
            source = layers[j * BLOCKS : (j + 1) * BLOCKS]
            target = layers[(j + 1) * BLOCKS : (j + 2) * BLOCKS]
            add_word(source, target, words[i], blocks)


@kernel
def most_words(layers: Bits, cards: int) -> int:
    """Return the largest number of words that use up a set of cards; -1 if none do."""
    for j in range(MAX_WORDS, -1, -1):
        if has(layers[j * BLOCKS : (j + 1) * BLOCKS], cards):
            return j
    return -1


@subroutine
def best_values(cover: Bits, values: Ints, size: int, best: Ints) -> None:
    """Write for each card the most points that words can lay without it.

    Args:
        cover: from `solver.find_cover`.
        values: points of the cards, from `solver.add_halves`.
        size: number of cards in the hand.
        best: receives the points by position in the hand; shape (11,).
    """
    best[:size] = 0
    lowest = 0
    for chosen in range(1 << size):
        points = sum_of(values, chosen)
        if points > lowest and has(cover, chosen):
            lowest = points
            for p in range(size):
                if chosen >> p & 1 == 0 and points > best[p]:
                    best[p] = points
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
    """Choose the words that lay the most points from some cards of a hand.

    Args:
        size: number of cards in the hand.
        kept: the set of cards that may be laid: all but the discard.
        most: the most points that words can lay from them, see `best_values`.
        objective: among equal points, `LONGEST` prefers the longest word, then more words; `MOST`
            prefers more words, then the longest word.
        words: the words as sets of cards, from `solver.list_words`.
        count: number of words.
        layers: from `find_layers`.
        values: points of the cards, from `solver.add_halves`.
        letters: their letters, from there too.
        chosen: receives the words as sets of cards; shape (5,).

    Returns:
        The number of words chosen. Remaining ties are always broken in the same way.
    """
    best, best_preference = 0, 0
    for laid in range(1, 1 << size):
        if sum_of(values, laid) != most or laid & ~kept or most_words(layers, laid) <= 0:
            continue
        for i in range(count):
            others = most_words(layers, laid ^ words[i]) if words[i] & ~laid == 0 else -1
            preference = prefer(objective, sum_of(letters, words[i]), others + 1)
            if others >= 0 and preference > best_preference:
                best_preference, best = preference, laid
                chosen[0] = words[i]
    return _take_apart(best, words, count, layers, chosen)


@kernel
def prefer(objective: int, longest: int, number: int) -> int:
    """Return the preference for ``number`` words, the longest with ``longest`` letters."""
    if objective == LONGEST:
        return longest * ABOVE_WORDS + number
    return number * ABOVE_LETTERS + longest


@subroutine
def _take_apart(laid: int, words: Ints, count: int, layers: Bits, chosen: Ints) -> int:
    """Write the words of a set after the first, as many as possible; return how many in all."""
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
    """Write the word that uses up a set of cards; of several, the first in the order of kinds.

    Args:
        left: a set of cards that spells a word.
        places: from `solver.find_places`.
        nodes: nodes of the word graph.
        edges: edges of the word graph.
        spelled: receives the kinds of the word in order; shape (11,).

    Returns:
        The number of cards in the word.
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
