"""The worth of every set of a player's cards when it is laid in words as well as possible.

All worths are integers, with `UNIT` for each point, so that a bonus can add a fraction of a point.
They fit into int16: a hand is worth less than 200 points. Callers provide the buffers of what is
returned (see `kitchentable.core.scratch`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.cards import LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.knowledge import Knowledge, num_spelled
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.words.arrange import LAYERS_SIZE, find_layers, most_words
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    HALVES,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    ONE,
    add_halves,
    add_word,
    clear,
    find_cover,
    find_places,
    has,
    list_words,
    num_blocks,
    sort_hand,
    sum_of,
)

UNIT = 64
NEVER = -(2**15)
"""Worth of what is impossible, less than that of any hand even with a bonus."""
BY_LETTERS = LETTERS_SPAN + 1
"""Number of figures for the letters of a word, from 0 on."""
# Sizes of buffers.
BONUS_SIZE = BY_LETTERS + MAX_WORDS + 1
MELDS_INTS = MAX_HELD + NUM_KINDS + 2 * HALVES
MELDS_BITS = BLOCKS + LAYERS_SIZE
OUTLOOK_SIZE = MAX_HELD + NUM_KINDS * MAX_HELD
MELDS_WORTHS = 4 * NUM_SETS + OUTLOOK_SIZE

Worths = NDArray[np.int16]


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
    unit: int
    """What each point is worth."""


@subroutine
def no_bonus(for_longest: bool, for_most: bool, room: Ints, unit: int = UNIT) -> Bonus:
    """Return a bonus of 0 for what counts, for others to write; ``room``: shape (`BONUS_SIZE`,)."""
    room[:] = 0
    return Bonus(room[:BY_LETTERS], room[BY_LETTERS:], for_longest, for_most, unit)


@subroutine
def linear_bonus(each: int, for_most: bool, room: Ints, unit: int = UNIT) -> Bonus:
    """Return a bonus of ``each`` for every letter of the longest word, or for every word.

    With ``each`` = 1 it breaks ties between melds of equal points.
    """
    bonus = no_bonus(not for_most, for_most, room, unit)
    figures = bonus.most if for_most else bonus.longest
    for i in range(figures.shape[0]):
        figures[i] = each * i
    return bonus


class Room(NamedTuple):
    """Buffers for the arrays of `Melds`."""

    ints: Ints
    """Shape (`MELDS_INTS`,)."""
    bits: Bits
    """Shape (`MELDS_BITS`,)."""
    worths: Worths
    """Shape (`MELDS_WORTHS`,)."""


class Melds(NamedTuple):
    """What a hand can lay. A set of its cards is an integer with bit p for card p."""

    cards: Ints
    """The hand, rarest kind first; shape (11,)."""
    size: int
    places: Ints
    """The cards of each kind, as sets; shape (31,)."""
    points: Ints
    """Points of each set, in halves (see `sum_of`); shape (96,)."""
    letters: Ints
    """Letters of each set, in halves; shape (96,)."""
    cover: Bits
    """Bitmap of the sets that words use up; shape (32,)."""
    layers: Bits
    """Bitmaps of the sets that exactly 0, 1, ... 5 words use up, written if the number of words
    counts; shape (192,)."""
    all_laid: Worths
    """Worth of each set if words use up all of it, else `NEVER`; shape (2048,)."""
    worth: Worths
    """Worth of each set if cards may be left over, which are subtracted; shape (2048,)."""
    rest: Worths
    """Buffer for `outlook.Rest`; shape (4096,)."""
    ahead: Worths
    """Buffer for `outlook.Outlook`; shape (`OUTLOOK_SIZE`,)."""


@subroutine
def find_melds(known: Knowledge, taken: int, bonus: Bonus, room: Room, *tables: Any) -> Melds:
    """Find what the seat can lay of its hand and of the word being spelled.

    Args:
        known: what the seat knows.
        taken: a kind that is added to the hand, or `NO_CARD`.
        bonus: worth of the bonuses.
        room: buffers for the result.
        tables: the game's tables.
    """
    ints, bits, worths = room
    cards, places = ints[:MAX_HELD], ints[MAX_HELD : MAX_HELD + NUM_KINDS]
    points, letters = ints[-2 * HALVES : -HALVES], ints[-HALVES:]
    counts = scratch_ints(NUM_KINDS)
    for kind in range(NUM_KINDS):
        counts[kind] = known.hands[0, kind] + (kind == taken)
    for i in range(num_spelled(known)):
        counts[known.word[i]] += 1
    cards[:] = 0  # `leave_over` reads two cards even if there is one
    size = sort_hand(counts, cards)
    find_places(cards, size, places)
    add_halves(cards, size, VALUES, points)
    add_halves(cards, size, LETTERS, letters)
    all_laid, worth = worths[:NUM_SETS], worths[NUM_SETS : 2 * NUM_SETS]
    rest, ahead = worths[2 * NUM_SETS : -OUTLOOK_SIZE], worths[-OUTLOOK_SIZE:]
    cover, layers = bits[:BLOCKS], bits[BLOCKS:]
    melds = Melds(cards, size, places, points, letters, cover, layers, all_laid, worth, rest, ahead)
    words = rest  # used as a buffer here
    count = list_words(cards, size, tables[2], tables[3], words)
    find_cover(words, count, size, cover)
    if bonus.for_most:
        find_layers(words, count, size, layers)
    for laid in range(1 << size):
        all_laid[laid] = NEVER
    for block in range(num_blocks(size)):
        sets = cover[block]
        while sets:
            laid = block << 6 | lowest_bit(sets)
            all_laid[laid] = UNIT * sum_of(points, laid)
            if bonus.for_most:
                all_laid[laid] += bonus.most[most_words(layers, laid)]
            sets &= sets - ONE
    if bonus.for_longest:
        _add_longest(melds, bonus, words, count)
    _value_sets(melds, bonus)
    return melds


@subroutine
def _add_longest(melds: Melds, bonus: Bonus, words: Worths, count: int) -> None:
    """Add the bonus of the longest word to the worth of each set that words use up."""
    left, covered = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    blocks, lengths = num_blocks(melds.size), 0
    for block in range(blocks):
        left[block] = melds.cover[block]
    for i in range(count):
        lengths |= 1 << sum_of(melds.letters, words[i])
    for letters in range(LETTERS_SPAN, 0, -1):  # a shorter word counts where no longer one does
        if lengths >> letters & 1 == 0:
            continue
        clear(covered, blocks)
        for i in range(count):
            if sum_of(melds.letters, words[i]) == letters:
                add_word(melds.cover, covered, words[i], blocks)
        for block in range(blocks):
            sets = covered[block] & left[block]
            left[block] ^= sets
            while sets:
                melds.all_laid[block << 6 | lowest_bit(sets)] += bonus.longest[letters]
                sets &= sets - ONE
    melds.all_laid[0] += bonus.longest[0]


@kernel
def figure_of(worth: int) -> int:
    """Read from a worth the letters of the longest word, or the number of words if that counts.

    The bonus must have added 1 for each, and nothing else but whole points.
    """
    return int(worth % UNIT)


@subroutine
def value_anew(melds: Melds, bonus: Bonus) -> None:
    """Value the melds with another `linear_bonus` for the same figure; see `figure_of`."""
    figures = bonus.most if bonus.for_most else bonus.longest
    for block in range(num_blocks(melds.size)):
        sets = melds.cover[block]
        while sets:
            laid = block << 6 | lowest_bit(sets)
            worth = bonus.unit * sum_of(melds.points, laid)
            melds.all_laid[laid] = worth + figures[figure_of(melds.all_laid[laid])]
            sets &= sets - ONE
    _value_sets(melds, bonus)


@subroutine
def _value_sets(melds: Melds, bonus: Bonus) -> None:
    """Write the worth of each set: that of its best part minus the points of the rest."""
    no_word_worth = bonus.longest[0] + bonus.most[0]
    for block in range(num_blocks(melds.size)):
        start, high = block << 6, no_word_worth - bonus.unit * melds.points[64 + block]
        for low in range(min(1 << melds.size, 64)):
            left_over = np.int16(high - bonus.unit * melds.points[low])
            melds.worth[start + low] = max(melds.all_laid[start + low], left_over)
    leave_over(melds, bonus.unit, melds.worth)


@subroutine
def leave_over(melds: Melds, unit: int, worth: Worths) -> None:
    """Raise the worth of each set for which it is better to leave cards over."""
    # The first two cards are handled together and the others by slices, which vectorizes. Sums are
    # cast to int16, because numba would widen them and vectors would hold fewer of them.
    first, second = unit * VALUES[melds.cards[0]], unit * VALUES[melds.cards[1]]
    for held in range(0, 1 << melds.size, 4):
        with_first = max(worth[held + 1], np.int16(worth[held] - first))
        with_second = max(worth[held + 2], np.int16(worth[held] - second))
        worth[held + 1], worth[held + 2] = with_first, with_second
        worth[held + 3] = max(
            worth[held + 3], np.int16(with_first - second), np.int16(with_second - first)
        )
    for p in range(2, melds.size):
        card = 1 << p
        points = np.int16(unit * VALUES[melds.cards[p]])
        for start in range(0, 1 << melds.size, 2 * card):
            less, more = worth[start : start + card], worth[start + card : start + 2 * card]
            for i in range(card):
                more[i] = max(more[i], np.int16(less[i] - points))


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
        rest = melds.worth[held & ~card] - UNIT * VALUES[melds.cards[p]]
        if held & card and melds.all_laid[held] < melds.worth[held] == rest:
            held ^= card
            p = 0
        else:
            p += 1
    return held


@subroutine
def first_word(melds: Melds, bonus: Bonus, laid: int, *tables: Any) -> int:
    """Return the first word to lay of a set that words use up; 0 for the empty set.

    It is the longest if the longest word counts, and one of the most words if their number counts.
    """
    words = melds.rest  # used as a buffer here
    best, chosen = NEVER, 0
    for i in range(list_words(melds.cards, melds.size, tables[2], tables[3], words)):
        word = int(words[i])
        rest = laid ^ word
        if word & ~laid == 0 and has(melds.cover, rest):
            worth = bonus.longest[sum_of(melds.letters, word)]
            if bonus.for_most:
                worth += bonus.most[most_words(melds.layers, rest) + 1]
            if worth > best:
                best, chosen = worth, word
    return chosen
