"""The best way to lay a hand in words, as a function for users."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.kernels import subroutine
from kitchentable.core.registry import find_game
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.engine.compiling import loop
from kitchentable.games.quiddler.cards import (
    CARD_NAMES,
    COPIES,
    LETTERS,
    NO_CARD,
    NUM_KINDS,
    VALUES,
)
from kitchentable.games.quiddler.words.arrange import (
    LAYERS_SIZE,
    OBJECTIVES,
    arrange,
    best_values,
    find_layers,
    prefer,
    spell,
)
from kitchentable.games.quiddler.words.lexicon import Lexicon, find_lexicon
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    HALVES,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    add_halves,
    find_cover,
    find_places,
    list_words,
    sort_hand,
    sum_of,
)

ABOVE_ALL = 256
"""More than any preference, see `prefer`."""


class Meld(NamedTuple):
    """A way to lay a hand.

    Attributes:
        words: the words, each as the names of its cards.
        discard: the card discarded.
        unused: the cards left over.
        points: values of the cards in words minus those of the unused cards; can be negative.
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
        hand: names of 2 to 11 cards, including the one to discard.
        objective: among ways with equal points, ``"longest"`` prefers the longest word by letters,
            then more words; ``"most"`` prefers more words, then the longest word.
        discard: name of the card to discard; None for the best one.
        lexicon: a shipped list's name, a path to a word list, or a `Lexicon`.

    Raises:
        ValueError: an argument is not possible; the message says what is.
    """
    counts = _read_hand(hand)
    if objective not in OBJECTIVES:
        raise ValueError(f"objective={objective!r} is not possible; choose from {OBJECTIVES}")
    if discard is not None and discard not in hand:
        raise ValueError(f"discard={discard!r} is not in the hand {list(hand)}")
    kind = NO_CARD if discard is None else CARD_NAMES.index(discard)
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
    """Return the number of cards of each kind in a hand; int8, shape (31,).

    Raises:
        ValueError: these are not cards of one deck, or too few or too many.
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
    """Find the best meld: write the kinds and length of each word, and return the discard."""
    nodes, edges, index, marks = tables[:4]
    cards, words = scratch_ints(MAX_HELD), scratch_ints(NUM_SETS)
    places, chosen = scratch_ints(NUM_KINDS), scratch_ints(MAX_WORDS)
    values, letters = scratch_ints(HALVES), scratch_ints(HALVES)
    layers, cover, most = scratch_bits(LAYERS_SIZE), scratch_bits(BLOCKS), scratch_ints(MAX_HELD)
    size = sort_hand(counts, cards)
    count = list_words(cards, size, index, marks, words)
    find_places(cards, size, places)
    find_cover(words, count, size, cover)
    find_layers(words, count, size, layers)
    add_halves(cards, size, VALUES, values)
    add_halves(cards, size, LETTERS, letters)
    best_values(cover, values, size, most)
    everything = (1 << size) - 1
    best, thrown = -ABOVE_ALL * NUM_SETS, NO_CARD
    for p in range(size):
        kept = everything ^ (1 << p)
        points = 2 * most[p] - sum_of(values, kept)
        if discard not in (NO_CARD, cards[p]) or ABOVE_ALL * (points + 1) <= best:
            continue
        number = arrange(
            size, kept, most[p], objective, words, count, layers, values, letters, chosen
        )
        longest = 0
        for i in range(number):
            longest = max(longest, sum_of(letters, chosen[i]))
        rank = ABOVE_ALL * points + prefer(objective, longest, number)
        if rank > best:
            best, thrown = rank, cards[p]
            lengths[:] = 0
            for i in range(number):
                lengths[i] = spell(chosen[i], places, nodes, edges, spelled[i])
    return thrown


@cache
def _solver() -> Any:
    return loop(solve, game=find_game("quiddler"), name="meld")
