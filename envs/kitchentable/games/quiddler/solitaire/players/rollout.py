"""The scripted player `rollout` of Quiddler Solitaire, which tests words by playing on."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.piles import list_cards
from kitchentable.core.rewards import WIN
from kitchentable.core.rng import NOT_ZERO, advance, below, mix
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import NOBODY, Bits, BoolArray, Ints, Stream
from kitchentable.games.quiddler.cards import NUM_CARDS, NUM_KINDS
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.players.hand import (
    OPEN_SIZE,
    Hand,
    find_words,
    list_open,
    num_face_down,
    sort_open,
)
from kitchentable.games.quiddler.solitaire.players.moves import (
    best_move,
    look_at_word,
    most_covered,
    move,
)
from kitchentable.games.quiddler.solitaire.players.quick import worth_of, worths_of
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import NUM_DEALT, NUM_STACKS
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    MAX_HELD,
    NUM_SETS,
    find_cover,
    list_words,
)

LATE = 16
"""Maximum number of face-down cards with which `rollout` tests words. With more, words differ so
little that rollouts tell them apart no better than their worth does."""
CANDIDATES = 24
"""Maximum number of words that it tests."""
_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
TRIALS = 60 if _COMPILED else 2
"""Rollouts for each word. Uncompiled, each takes hundreds of times as long."""
CAUTION = 1.0
"""Standard errors by which a word must beat the one with the highest worth."""
PER_CARD = 0.01
"""Worth of using all cards relative to a win; the share used decides if all rollouts are lost."""


@allocating_kernel
def rollout(known: Knowledge, _mask: BoolArray, _rng: Stream, *tables: Any) -> int:
    """Make the word after which `quick` wins the most games.

    The face-down cards are dealt by a random stream that depends on the table alone and are the
    same for all words, so that a word has the same value at each of its cards. A decision plays up
    to `CANDIDATES` times `TRIALS` games.
    """
    room, listed = scratch_ints(OPEN_SIZE), scratch_shorts(NUM_SETS)
    hand = find_words(known, tables[2], tables[3], room, listed)
    worths = worths_of(known, hand)
    if 0 < num_face_down(known.heights) <= LATE:
        begun = look_at_word(known, hand, scratch_ints(NUM_KINDS), tables[0], tables[1])
        order = np.argsort(-worths, kind="mergesort")[:CANDIDATES]
        possible = np.zeros(len(order), np.bool_)
        for k in range(len(order)):
            word = hand.words[order[k]]
            possible[k] = move(hand, begun, word, tables[0], tables[1]) != NOBODY
        if possible.sum() > 1:
            best = _try_out(known, hand, hand.words[order], possible, tables[2], tables[3])
            worths[order[best]] = np.inf
    return best_move(known, hand, worths, tables[0], tables[1])


# --- Rollouts -----------------------------------------------------------------------------------


@allocating_kernel
def _try_out(
    known: Knowledge, hand: Hand, words: Ints, possible: BoolArray, index: Ints, marks: Bits
) -> int:
    """Play on after each of some words, and return the index of the best ``possible`` one.

    All are compared with the first, possible or not, so that the comparison is the same at each
    card of the word.
    """
    pool = scratch_ints(NUM_CARDS)
    size, count = list_cards(known.unseen, pool, 0), num_face_down(known.heights)
    stream = np.array([_own_stream(known, pool, size)])
    sums, squares = np.zeros(len(words), np.float64), np.zeros(len(words), np.float64)
    for _ in range(TRIALS):
        _shuffle_first(pool, size, count, stream)
        first = _trial(known, hand, words[0], pool, index, marks)
        for k in range(1, len(words)):
            if possible[k]:
                gain = _trial(known, hand, words[k], pool, index, marks) - first
                sums[k] += gain
                squares[k] += gain**2
    best, most = NOBODY, -np.inf
    for k in range(len(words)):
        bound = sums[k] - CAUTION * math.sqrt(squares[k])
        if possible[k] and bound > most:
            best, most = k, bound
    return best


@subroutine
def _trial(known: Knowledge, hand: Hand, word: int, pool: Ints, index: Ints, marks: Bits) -> float:
    """Make a word, play the game to its end, and return how good the result is."""
    kinds, heights = scratch_ints(NUM_STACKS), scratch_ints(NUM_STACKS)
    list_open(known, kinds, heights)
    at = remove(word, hand.stacks, kinds, heights, pool, 0)
    share = play_on(kinds, heights, pool, at, index, marks) / NUM_DEALT
    return float((share == 1.0) + PER_CARD * share) if known.reward == WIN else share


@kernel
def _own_stream(known: Knowledge, pool: Ints, size: int) -> np.uint64:
    """Return a random stream that depends on the table alone, not on the word being spelled."""
    bits = NOT_ZERO
    for stack in range(NUM_STACKS):
        height = int(known.heights[stack])
        bits = mix(bits, open_card(known, stack) + 1 if height > 0 else 0)
        bits = mix(bits, height)
    for i in range(size):
        bits = mix(bits, pool[i])
    return bits


@kernel
def _shuffle_first(pool: Ints, size: int, count: int, stream: Stream) -> None:
    """Shuffle ``pool`` only as far as its first ``count`` cards need it."""
    for i in range(count):
        stream[0] = advance(stream[0])
        j = i + int(below(stream[0], size - i))
        pool[i], pool[j] = pool[j], pool[i]


# --- Playing on ---------------------------------------------------------------------------------


@subroutine
def play_on(kinds: Ints, heights: Ints, deck: Ints, at: int, index: Ints, marks: Bits) -> int:
    """Play a game to its end by making the word with the highest worth; return the cards used.

    Once all cards are open, as many as possible are used up. For the arguments see `remove` and
    `find_words`.
    """
    cards, stacks = scratch_ints(MAX_HELD), scratch_ints(NUM_STACKS)
    words, cover = scratch_ints(NUM_SETS), scratch_bits(BLOCKS)
    while True:
        size = sort_open(kinds, heights, cards, stacks)
        count = list_words(cards, size, index, marks, words)
        hand = Hand(cards, stacks, size, words, count)
        below = num_face_down(heights)
        if below == 0 or count == 0:
            find_cover(words, count, size, cover)
            return NUM_DEALT - below - size + most_covered(cover, size, 0)
        best, chosen = -np.inf, 0
        for i in range(count):
            worth = worth_of(i, hand, heights)
            if worth > best:
                best, chosen = worth, words[i]
        at = remove(chosen, stacks, kinds, heights, deck, at)


@kernel
def remove(word: int, stacks: Ints, kinds: Ints, heights: Ints, deck: Ints, at: int) -> int:
    """Remove a word and fill empty places, as the rules do.

    Args:
        word: a set of open cards.
        stacks: the stack of each open card.
        kinds: the open card of each stack; changed.
        heights: number of cards in each stack; changed.
        deck: the cards to turn up, in order.
        at: index in ``deck`` of the next card.

    Returns:
        The index of the next card after that.
    """
    for p in range(NUM_STACKS):
        if word >> p & 1:
            stack = stacks[p]
            heights[stack] -= 1
            if heights[stack] > 0:
                kinds[stack] = deck[at]
                at += 1
    for stack in range(NUM_STACKS):
        giver = 0
        for other in range(1, NUM_STACKS):
            if heights[other] > heights[giver]:
                giver = other
        if heights[stack] == 0 and heights[giver] >= 2:
            kinds[stack], heights[stack] = kinds[giver], 1
            kinds[giver], heights[giver] = deck[at], heights[giver] - 1
            at += 1
    return at
