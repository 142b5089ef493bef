"""Scripted players of Quiddler Solitaire.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what the
player may see. `random` plays any legal action; `greedy` makes the word of the most points; `quick`
that of the most worth, by what each card is worth being rid of; `rollout` does so too, but later
tries the best of those by playing on with face-down cards dealt anew. All but `random` use up the
last cards, when all are open, as well as can be.

They choose a word, not a card: half-way through a word they choose the same one again, or another
that begins alike if they have not begun it themselves.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.rewards import WIN
from kitchentable.core.state import NOBODY, BoolArray, FloatArray
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.solitaire.players.outlook import (
    Hand,
    Look,
    Numbers,
    find_words,
    look_at,
    most_covered,
    num_cards,
    num_face_down,
    own_stream,
    play_on,
    points_of,
    remove,
    shuffle_first,
    worth_of,
)
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, PLACE, WORD
from kitchentable.games.quiddler.words.graph import CARD_MASK, TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    ONE,
    Bits,
    Graph,
    Ints,
    find_cover,
    find_places,
    next_kinds,
)

Integers = NDArray[np.int64]
Stream = NDArray[np.uint64]

LATE = 16
"""Face-down cards from which on `rollout` tries words out. Before, words differ by so little that
trials tell them apart no better than their worth does."""
CANDIDATES = 24
"""Words that it tries out."""
_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
TRIALS = 60 if _COMPILED else 2
"""Games played on with each of them. Uncompiled, a game takes hundreds of times as long."""
CAUTION = 1.0
"""Standard errors by which a word must be better than the one of the most worth."""
PER_CARD = 0.01
"""What a share of the cards counts beside a win: something to go by when all trials are lost."""


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,  # noqa: ARG001
    variant: Integers,  # noqa: ARG001
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Make the word of the most points."""
    seen = look_at(observation)
    hand = find_words(seen, tables[2], tables[3])
    values = np.zeros(hand.num_words, np.float64)
    for i in range(hand.num_words):
        values[i] = points_of(hand.words[i], hand.cards, hand.size)
    return _best_move(seen, hand, values, tables[0], tables[1])


@allocating_kernel
def quick(
    observation: FloatArray,
    mask: BoolArray,  # noqa: ARG001
    variant: Integers,  # noqa: ARG001
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Make the word of the most worth: be rid of hard cards, keep stacks and vowels even."""
    seen = look_at(observation)
    hand = find_words(seen, tables[2], tables[3])
    return _best_move(seen, hand, _worths(seen, hand), tables[0], tables[1])


@allocating_kernel
def rollout(
    observation: FloatArray,
    mask: BoolArray,  # noqa: ARG001
    variant: Integers,
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Make the word after which most games are won that `quick` plays on.

    The face-down cards are dealt by a random stream that follows from the table, and alike for all
    words, so that a word is valued the same at each of its cards. A decision plays up to
    `CANDIDATES` times `TRIALS` games.
    """
    seen = look_at(observation)
    hand = find_words(seen, tables[2], tables[3])
    worths = _worths(seen, hand)
    if 0 < num_face_down(seen.heights) <= LATE:
        begun = _look_at_word(seen, hand, tables[0], tables[1])
        order = _best_first(worths)[:CANDIDATES]
        possible = np.zeros(len(order), np.bool_)
        for k in range(len(order)):
            word = hand.words[order[k]]
            possible[k] = _move(hand, begun, word, tables[0], tables[1]) != NOBODY
        if possible.sum() > 1:
            words, to_win = hand.words[order], variant[1] == WIN
            best = _try_out(seen, hand, words, possible, to_win, tables[2], tables[3])
            worths[order[best]] = np.inf
    return _best_move(seen, hand, worths, tables[0], tables[1])


# --- Choosing -----------------------------------------------------------------------------------


@allocating_kernel
def _worths(seen: Look, hand: Hand) -> Numbers:
    values = np.zeros(hand.num_words, np.float64)
    for i in range(hand.num_words):
        values[i] = worth_of(i, hand, seen.heights)
    return values


@allocating_kernel
def _best_first(values: Numbers) -> Integers:
    """Return the order of some values, the highest first and equal ones as they come."""
    return np.argsort(-values, kind="mergesort")


@allocating_kernel
def _best_move(seen: Look, hand: Hand, values: Numbers, first: Graph, edges: Graph) -> int:
    """Return the action that leads to the word of the highest value that can still be made."""
    if num_face_down(seen.heights) == 0:
        _add_endings(hand, values)
    begun = _look_at_word(seen, hand, first, edges)
    for i in _best_first(values):
        action = _move(hand, begun, hand.words[i], first, edges)
        if action != NOBODY:
            return action
    return NOBODY


@allocating_kernel
def _add_endings(hand: Hand, values: Numbers) -> None:
    """Add to the value of each word, above all else, how many cards can be used up with it."""
    cover = np.zeros(BLOCKS, np.uint64)
    find_cover(hand.words, hand.num_words, hand.size, cover)
    above_all = np.abs(values).max() * 2 + 1
    for i in range(hand.num_words):
        word = hand.words[i]
        values[i] += above_all * (num_cards(word) + most_covered(cover, hand.size, word))


class _Begun(NamedTuple):
    """The word being spelled."""

    cards: int
    """A set of open cards."""
    node: int
    is_word: bool
    places: Ints
    """The open cards of each kind, as a set; shape (31,)."""
    nothing: Bits
    """Says to `next_kinds` that nothing may be left; shape (32,)."""


@allocating_kernel
def _look_at_word(seen: Look, hand: Hand, first: Graph, edges: Graph) -> _Begun:
    places, nothing = np.zeros(NUM_KINDS, np.int64), np.zeros(BLOCKS, np.uint64)
    nothing[0] = ONE
    find_places(hand.cards, hand.size, places)
    cards, node, is_word = 0, 0, False
    child = 0
    for i in range(seen.num_placed):
        for p in range(hand.size):
            if hand.stacks[p] == seen.placed[i]:
                cards |= 1 << p
        for e in range(first[node], first[node + 1]):
            if edges[e] & CARD_MASK == seen.kinds[seen.placed[i]]:
                is_word = edges[e] & WORD_BIT != 0
                child = edges[e] >> TARGET_SHIFT
        node = child
    return _Begun(cards, node, is_word, places, nothing)


@kernel
def _move(hand: Hand, begun: _Begun, word: int, first: Graph, edges: Graph) -> int:
    """Return the action that goes on to a word, or `NOBODY` if none does.

    Of the ways to spell it, the first one by the order of kinds.
    """
    if begun.cards & ~word:
        return NOBODY
    left = word ^ begun.cards
    if left == 0:
        return WORD if begun.is_word else NOBODY
    kinds = next_kinds(begun.node, left, begun.places, begun.nothing, first, edges)
    for p in range(hand.size):
        kind = hand.cards[p]
        # The lowest kind of those that lead on, on the first of its stacks.
        if kinds & -kinds == 1 << kind and left >> p & 1:
            return int(PLACE + hand.stacks[p])
    return NOBODY


# --- Trying out ---------------------------------------------------------------------------------


@allocating_kernel
def _try_out(
    seen: Look,
    hand: Hand,
    words: Integers,
    possible: BoolArray,
    to_win: bool,
    index: Ints,
    marks: Bits,
) -> int:
    """Play on after each of some words, and return which of the ``possible`` ones is best.

    All are compared with the first, possible or not: so the comparison is the same at each card of
    the word.
    """
    stream = np.array([own_stream(seen)])
    wanted = num_face_down(seen.heights)
    sums, squares = np.zeros(len(words), np.float64), np.zeros(len(words), np.float64)
    for _ in range(TRIALS):
        shuffle_first(seen.pool, seen.pool_size, wanted, stream)
        first = _trial(seen, hand, words[0], to_win, index, marks)
        for k in range(1, len(words)):
            if possible[k]:
                gain = _trial(seen, hand, words[k], to_win, index, marks) - first
                sums[k] += gain
                squares[k] += gain**2
    best, most = NOBODY, -np.inf
    for k in range(len(words)):
        bound = sums[k] - CAUTION * math.sqrt(squares[k])
        if possible[k] and bound > most:
            best, most = k, bound
    return best


@allocating_kernel
def _trial(seen: Look, hand: Hand, word: int, to_win: bool, index: Ints, marks: Bits) -> float:
    """Make a word, play on, and say how good the end is."""
    kinds, heights = seen.kinds.copy(), seen.heights.copy()
    at = remove(word, hand.stacks, kinds, heights, seen.pool, 0)
    share = play_on(kinds, heights, seen.pool, at, index, marks) / NUM_DEALT
    return float((share == 1.0) + PER_CARD * share) if to_win else share


SCRIPTED = {"greedy": greedy, "quick": quick, "rollout": rollout}
"""The players by name, the weakest first."""
