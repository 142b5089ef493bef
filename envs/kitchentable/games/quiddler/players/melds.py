"""The worth of every set of a player's cards when it is laid in words as well as possible.

All worths are integers, with `UNIT` for each point, so that a bonus can add a fraction of a point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits, IntArray, Ints
from kitchentable.games.quiddler.cards import BY_RARITY, LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.words.arrange import LAYERS_SIZE, add_up, find_layers, most_words
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    ONE,
    add_word,
    find_cover,
    find_places,
    has,
    list_words,
    num_blocks,
    sort_hand,
)

UNIT = 64
BY_LETTERS_SIZE = (LETTERS_SPAN + 1) * BLOCKS
NEVER = -(2**29)
"""Worth of what is impossible."""


class Bonus(NamedTuple):
    """The worth of the bonuses to a player, by what it lays in all."""

    longest: Ints
    """By the letters of the longest word; shape (21,)."""
    most: Ints
    """By the number of words; shape (6,)."""
    for_longest: bool
    """Whether ``longest`` counts."""
    for_most: bool
    """Whether ``most`` counts."""


@allocating_kernel
def linear_bonus(each: int, for_most: bool) -> Bonus:
    """Return a bonus of ``each`` for every letter of the longest word, or for every word.

    With ``each`` = 1 it breaks ties between melds of equal points.
    """
    longest, most = np.zeros(LETTERS_SPAN + 1, np.int64), np.zeros(MAX_WORDS + 1, np.int64)
    figures = most if for_most else longest
    for i in range(figures.shape[0]):
        figures[i] = each * i
    return Bonus(longest, most, not for_most, for_most)


class Melds(NamedTuple):
    """What a hand can lay. A set of its cards is an integer with bit p for card p."""

    cards: Ints
    """The hand, rarest kind first; shape (11,)."""
    size: int
    places: Ints
    """The cards of each kind, as sets; shape (31,)."""
    words: Ints
    """The sets that spell a word; shape (2048,)."""
    num_words: int
    cover: Bits
    """Bitmap of the sets that words use up; shape (32,)."""
    layers: Bits
    """Bitmaps of the sets that exactly 0, 1, ... 5 words use up, written if the number of words
    counts; shape (192,)."""
    values: IntArray
    """Points of each set; shape (2048,)."""
    letters: IntArray
    """Letters of each set; shape (2048,)."""
    longest: IntArray
    """Letters of the longest word in each set that words use up, if that counts; shape (2048,)."""
    all_laid: IntArray
    """Worth of each set if words use up all of it, else `NEVER`; shape (2048,)."""
    worth: IntArray
    """Worth of each set if cards may be left over, which are subtracted; shape (2048,)."""


@allocating_kernel
def find_melds(hand: Ints, bonus: Bonus, index: Ints, marks: Bits) -> Melds:
    """Find what a hand can lay.

    Args:
        hand: number of cards of each kind, at most 11 in all; shape (31,).
        bonus: worth of the bonuses.
        index: the table of hands that spell words, see `hand_index`.
        marks: the bitmap of ``index``.
    """
    cards, places = np.zeros(MAX_HELD, np.int64), np.zeros(NUM_KINDS, np.int64)
    words, cover = np.empty(NUM_SETS, np.int64), np.empty(BLOCKS, np.uint64)
    layers = np.empty(LAYERS_SIZE, np.uint64)
    # Zeros, because `leave_over` reads the values of two cards even where there are fewer.
    values, letters = np.zeros(NUM_SETS, np.int32), np.empty(NUM_SETS, np.int32)
    longest, all_laid = np.empty(NUM_SETS, np.int32), np.empty(NUM_SETS, np.int32)
    worth = np.empty(NUM_SETS, np.int32)
    size = sort_hand(hand, BY_RARITY, cards)
    find_places(cards, size, places)
    count = list_words(cards, size, index, marks, words)
    find_cover(words, count, size, cover)
    add_up(cards, size, VALUES, values)
    add_up(cards, size, LETTERS, letters)
    if bonus.for_most:
        find_layers(words, count, size, layers)
    melds = Melds(
        cards, size, places, words, count, cover, layers, values, letters, longest, all_laid, worth
    )
    if bonus.for_longest:
        _find_longest(melds)
    _value_sets(melds, bonus)
    return melds


@allocating_kernel
def valued_with(melds: Melds, bonus: Bonus) -> Melds:
    """Return the melds of the same hand, valued with another bonus for the same figure."""
    other = Melds(
        melds.cards, melds.size, melds.places, melds.words, melds.num_words, melds.cover,
        melds.layers, melds.values, melds.letters, melds.longest, np.empty_like(melds.all_laid),
        np.empty_like(melds.worth),
    )  # fmt: skip
    _value_sets(other, bonus)
    return other


@subroutine
def _find_longest(melds: Melds) -> None:
    """Write the letters of the longest word in each set that words use up."""
    by_letters = scratch_bits(BY_LETTERS_SIZE)
    by_letters[:] = 0
    blocks = num_blocks(melds.size)
    for i in range(melds.num_words):
        start = melds.letters[melds.words[i]] * BLOCKS
        add_word(melds.cover, by_letters[start : start + BLOCKS], melds.words[i], blocks)
    melds.longest[0] = 0
    for letters in range(LETTERS_SPAN + 1):  # a longer word overwrites a shorter one
        for block in range(blocks):
            sets = by_letters[letters * BLOCKS + block]
            while sets:
                melds.longest[block << 6 | lowest_bit(sets)] = letters
                sets &= sets - ONE


@subroutine
def _value_all_laid(melds: Melds, bonus: Bonus) -> None:
    """Write the worth of each set that words use up."""
    for laid in range(1 << melds.size):
        melds.all_laid[laid] = NEVER
    for block in range(num_blocks(melds.size)):
        sets = melds.cover[block]
        while sets:
            laid = block << 6 | lowest_bit(sets)
            worth = UNIT * melds.values[laid]
            if bonus.for_longest:
                worth += bonus.longest[melds.longest[laid]]
            if bonus.for_most:
                worth += bonus.most[most_words(melds.layers, laid)]
            melds.all_laid[laid] = worth
            sets &= sets - ONE


@subroutine
def _value_sets(melds: Melds, bonus: Bonus) -> None:
    """Write the worth of each set: that of its best part minus the points of the rest."""
    _value_all_laid(melds, bonus)
    worth = melds.worth
    nothing = np.int32(bonus.longest[0] + bonus.most[0])
    for held in range(1 << melds.size):
        worth[held] = max(melds.all_laid[held], np.int32(nothing - UNIT * melds.values[held]))
    leave_over(melds, worth)


@subroutine
def leave_over(melds: Melds, worth: IntArray) -> None:
    """Raise the worth of each set for which it is better to leave cards over."""
    # The first two cards are handled together and the others by slices, which vectorizes. Sums are
    # cast to int32, because numba would widen them and vectors would hold fewer of them.
    first, second = np.int32(UNIT * melds.values[1]), np.int32(UNIT * melds.values[2])
    for held in range(0, 1 << melds.size, 4):
        one = max(worth[held + 1], np.int32(worth[held] - first))
        two = max(worth[held + 2], np.int32(worth[held] - second))
        worth[held + 1], worth[held + 2] = one, two
        worth[held + 3] = max(worth[held + 3], np.int32(one - second), np.int32(two - first))
    for p in range(2, melds.size):
        card = 1 << p
        points = np.int32(UNIT * melds.values[card])
        for start in range(0, 1 << melds.size, 2 * card):
            less, more = worth[start : start + card], worth[start + card : start + 2 * card]
            for i in range(card):
                more[i] = max(more[i], np.int32(less[i] - points))


@subroutine
def without_one(melds: Melds, kind: int) -> int:
    """Return the set of the hand without one card of a kind that it holds."""
    place = melds.places[kind]
    while place & (place - 1):  # keep the last card only
        place &= place - 1
    return ((1 << melds.size) - 1) ^ int(place)


@subroutine
def best_without_one(melds: Melds, held: int) -> int:
    """Return the set worth most after a discard of one card, but not of the kind ``held``."""
    best, worth = 0, 2 * NEVER
    for kind in range(NUM_KINDS):
        if melds.places[kind] and kind != held:
            kept = without_one(melds, kind)
            if melds.worth[kept] > worth:
                best, worth = kept, melds.worth[kept]
    return best


@subroutine
def best_part(melds: Melds, held: int) -> int:
    """Return the part of a set that is laid when the set is worth most, as a set."""
    p = 0
    while p < melds.size:
        card = 1 << p
        rest = melds.worth[held & ~card] - UNIT * melds.values[card]
        if held & card and melds.all_laid[held] < melds.worth[held] == rest:
            held ^= card
            p = 0
        else:
            p += 1
    return held


@subroutine
def first_word(melds: Melds, bonus: Bonus, laid: int) -> int:
    """Return the first word to lay of a set that words use up; 0 for the empty set.

    It is the longest if the longest word counts, and one of the most words if their number counts.
    """
    best, word = NEVER, 0
    for i in range(melds.num_words):
        rest = laid ^ melds.words[i]
        if melds.words[i] & ~laid == 0 and has(melds.cover, rest):
            worth = bonus.longest[melds.letters[melds.words[i]]]
            if bonus.for_most:
                worth += bonus.most[most_words(melds.layers, rest) + 1]
            if worth > best:
                best, word = worth, melds.words[i]
    return word
