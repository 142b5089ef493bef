"""The best way to lay a hand in words, as a kernel and as a call for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.registry import find_game
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.engine.compiling import loop
from kitchentable.games.quiddler.cards import (
    BY_RARITY,
    CARD_NAMES,
    COPIES,
    LETTERS,
    NUM_KINDS,
    VALUES,
)
from kitchentable.games.quiddler.words.graph import CARD_MASK, TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.lexicon import Lexicon, find_lexicon
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    KEPT_BY_SPELLING,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    ONE,
    Bits,
    Graph,
    Hand,
    Ints,
    add_word,
    find_cover,
    find_places,
    has,
    list_words,
    num_blocks,
    sort_hand,
)

if TYPE_CHECKING:
    import os

# What is preferred among arrangements of equal points.
LONGEST, MOST = range(2)
OBJECTIVES = ("longest", "most")

NUM_LAYERS = MAX_WORDS + 1
LAYERS_SIZE = NUM_LAYERS * BLOCKS
# A preference is one number: words and letters, the more important one in front.
WORDS_SPAN = 8
LETTERS_SPAN = 32


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
        return longest * WORDS_SPAN + number
    return number * LETTERS_SPAN + longest


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
def spell(left: int, places: Ints, first: Graph, edges: Graph, spelled: Ints) -> int:
    """Write the first word, by the order of kinds, that uses up a set of cards.

    Args:
        left: the cards, as a set that spells a word.
        places: from `solver.find_places`.
        first: of the graph of words.
        edges: of the graph of words.
        spelled: its kinds in order, written; shape (11,).

    Returns:
        How many cards it has.
    """
    waiting = scratch_ints(KEPT_BY_SPELLING)
    depth, edge, stop = 0, first[0], first[1]
    while True:
        if edge == stop:
            depth -= 1
            edge, stop, left = waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2]
            continue
        step = edges[edge]
        edge += 1
        cards = places[step & CARD_MASK] & left
        if cards == 0:
            continue
        spelled[depth] = step & CARD_MASK
        waiting[3 * depth], waiting[3 * depth + 1], waiting[3 * depth + 2] = edge, stop, left
        depth += 1
        left ^= cards & -cards
        if left == 0 and step & WORD_BIT:
            return depth
        child = step >> TARGET_SHIFT
        edge, stop = first[child], first[child + 1]


# --- For people --------------------------------------------------------------------------------


class Meld(NamedTuple):
    """A way to lay a hand.

    Attributes:
        words: the words, each as the names of its cards.
        discard: the card discarded.
        unused: the cards left over.
        points: values of the cards in words less those of the unused ones; below zero if need be.
    """

    words: tuple[tuple[str, ...], ...]
    discard: str
    unused: tuple[str, ...]
    points: int


def best_meld(
    hand: Sequence[str],
    objective: str = "longest",
    *,
    discard: str | None = None,
    lexicon: str | os.PathLike[str] | Lexicon = "scowl60",
) -> Meld:
    """Return the best way to lay a hand at the end of a turn.

    Args:
        hand: names of the 2 to 11 cards, the one to be discarded among them.
        objective: what is preferred among ways of equal points: ``"longest"`` the longest word by
            letters, then more words; ``"most"`` more words, then the longest one.
        discard: the card to be discarded; None for the best one.
        lexicon: the words that count.

    Raises:
        ValueError: something is impossible; says what is possible.
    """
    counts = _read_hand(hand)
    if objective not in OBJECTIVES:
        raise ValueError(f"objective={objective!r} is not possible; choose from {OBJECTIVES}")
    if discard is not None and discard not in hand:
        raise ValueError(f"discard={discard!r} is not in the hand {list(hand)}")
    kind = -1 if discard is None else CARD_NAMES.index(discard)
    cards, chosen = np.zeros((MAX_WORDS, MAX_HELD), np.int64), np.zeros(MAX_HELD, np.int64)
    tables = find_lexicon(lexicon).tables()
    thrown = _solver()(counts, kind, OBJECTIVES.index(objective), cards, chosen, tables)
    words = tuple(
        tuple(CARD_NAMES[k] for k in row[:length])
        for row, length in zip(cards, chosen, strict=False)
        if length
    )
    left = list(hand)
    for name in (CARD_NAMES[thrown], *(name for word in words for name in word)):
        left.remove(name)
    laid = sum(int(VALUES[CARD_NAMES.index(name)]) for word in words for name in word)
    lost = sum(int(VALUES[CARD_NAMES.index(name)]) for name in left)
    return Meld(words, CARD_NAMES[thrown], tuple(left), laid - lost)


def _read_hand(hand: Sequence[str]) -> Any:
    """Return the cards of each kind in a hand; int8, shape (31,).

    Raises:
        ValueError: these are no cards, too few or too many; says what is possible.
    """
    if isinstance(hand, str) or not 2 <= len(hand) <= MAX_HELD:
        raise ValueError(f"hand={hand!r} is not possible; give the names of 2 to {MAX_HELD} cards")
    counts = np.zeros(NUM_KINDS, np.int8)
    for name in hand:
        if name not in CARD_NAMES:
            raise ValueError(f"hand: there is no card {name!r}; {', '.join(CARD_NAMES)}")
        counts[CARD_NAMES.index(name)] += 1
    for name, held, copies in zip(CARD_NAMES, counts, COPIES, strict=True):
        if held > copies:
            raise ValueError(f"hand: there are only {copies} cards {name!r}")
    return counts


@subroutine
def solve(
    counts: Any, discard: int, objective: int, spelled: Any, lengths: Any, tables: Any
) -> int:
    """Find the best meld; write its words' kinds and lengths, return the kind discarded."""
    first, edges, index, marks = tables
    cards, words = scratch_ints(MAX_HELD), scratch_ints(NUM_SETS)
    places, chosen = scratch_ints(NUM_KINDS), scratch_ints(MAX_WORDS)
    values, letters = scratch_ints(NUM_SETS), scratch_ints(NUM_SETS)
    layers, cover, most = scratch_bits(LAYERS_SIZE), scratch_bits(BLOCKS), scratch_ints(MAX_HELD)
    size = sort_hand(counts, BY_RARITY, cards)
    count = list_words(cards, size, index, marks, words)
    find_places(cards, size, places)
    find_cover(words, count, size, cover)
    find_layers(words, count, size, layers)
    add_up(cards, size, VALUES, values)
    add_up(cards, size, LETTERS, letters)
    best_values(cover, values, size, most)
    everything = (1 << size) - 1
    best = -NUM_SETS
    for p in range(size):
        if discard in (-1, cards[p]):
            best = max(best, 2 * most[p] - values[everything ^ (1 << p)])
    best_preference, thrown = -1, -1
    for p in range(size):
        kept = everything ^ (1 << p)
        if discard not in (-1, cards[p]) or 2 * most[p] - values[kept] < best:
            continue
        number = arrange(
            size, kept, most[p], objective, words, count, layers, values, letters, chosen
        )
        longest = 0
        for i in range(number):
            longest = max(longest, letters[chosen[i]])
        if prefer(objective, longest, number) > best_preference:
            best_preference, thrown = prefer(objective, longest, number), cards[p]
            lengths[:] = 0
            for i in range(number):
                lengths[i] = spell(chosen[i], places, first, edges, spelled[i])
    return thrown


@cache
def _solver() -> Any:
    return loop(solve, game=find_game("quiddler"), name="meld")
