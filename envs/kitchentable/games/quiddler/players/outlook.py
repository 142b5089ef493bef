"""The worth of a hand after the next card, for every kind of card at once.

It looks up all words that some of the hand's cards spell with one more card of any kind. `melds`
gives the worth of the cards left beside such a word. Together they give the best meld of the next
turn for each card discarded now and each kind that may come then.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_int32s, scratch_ints
from kitchentable.core.state import Bits, IntArray, Ints
from kitchentable.games.quiddler.cards import LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Bonus,
    Melds,
    leave_over,
)
from kitchentable.games.quiddler.words.hand_index import (
    EMPTY,
    MARK_SHIFT,
    MOST,
    NAMES,
    PLACES,
    SLOT_SHIFT,
    Slots,
)
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS, NUM_SETS, ONE, has


class Outlook(NamedTuple):
    """Worth of the best meld of the next turn, by discard (row) and by kind drawn."""

    gone: Ints
    """The card discarded before the draw in each row, as a set; 0 for none; shape (11,)."""
    rows: int
    laid: IntArray
    """The worth at ``kind * 11 + row``; cards may be left over; shape (31 * 11,)."""


class Additions(NamedTuple):
    """The words that some cards of a hand spell with one more card."""

    sets: Ints
    """The cards used from the hand, as sets; shape (2048,)."""
    kinds: Ints
    """For each set, the kinds that complete a word: bit k is kind k; shape (2048,)."""
    number: int
    """Number of sets."""
    plain: IntArray
    """`Rest.plain`, written if the longest word counts; shape (2048,)."""


@allocating_kernel
def find_additions(
    melds: Melds, bonus: Bonus, index: Ints, lacking: Slots, marks: Bits
) -> Additions:
    """Find the words that some cards of a hand spell with one more card.

    Args:
        melds: melds of the hand.
        bonus: worth of the bonuses.
        index: the table of hands that spell words, see `hand_index`.
        lacking: the table of hands that lack one card of a word.
        marks: the bitmap of ``lacking``.
    """
    sets, kinds = np.empty(NUM_SETS, np.int64), np.empty(NUM_SETS, np.int64)
    plain = np.empty(NUM_SETS, np.int32)
    if bonus.for_longest:
        _value_plainly(melds, False, plain)
    return Additions(sets, kinds, _look_up(melds, index, lacking, marks, sets, kinds), plain)


@allocating_kernel
def look_out(melds: Melds, bonus: Bonus, discards: int, additions: Additions) -> Outlook:
    """Find the best meld of the next turn for each discard and each kind drawn.

    Args:
        melds: melds of the hand.
        bonus: worth of the bonuses.
        discards: the set of cards of which one is discarded first; 0 for no discard.
        additions: additions to the hand.
    """
    gone = np.zeros(MAX_HELD, np.int64)
    rows = 0
    for p in range(melds.size):
        if discards >> p & 1:
            gone[rows] = 1 << p
            rows += 1
    laid = np.empty(MAX_HELD * NUM_KINDS, np.int32)
    outlook = Outlook(gone, max(rows, 1), laid)
    _fill(melds, bonus, outlook, additions)
    return outlook


class Rest(NamedTuple):
    """Worth of the cards left beside a word after the best discard, by set."""

    laid: IntArray
    """Including the bonuses; shape (2048,)."""
    plain: IntArray
    """By points alone, without bonuses; shape (2048,)."""


@subroutine
def _look_up(
    melds: Melds, index: Ints, lacking: Slots, marks: Bits, sets: Ints, kinds: Ints
) -> int:
    """Write the sets of cards that lack one card of a word, and its kinds; return how many."""
    names, places, found = scratch_ints(NUM_SETS), scratch_ints(NUM_SETS), scratch_ints(NUM_SETS)
    number = _list_sets(melds, index, names, places, sets)
    last_slot, last_mark = lacking.shape[0] - 1, 64 * marks.shape[0] - 1
    marked = 0
    # Branch-free, because no CPU could predict the branch.
    for i in range(number):
        mark = (places[i] >> MARK_SHIFT) & last_mark
        found[marked] = i
        marked += int(marks[mark >> 6] >> np.uint64(mark & 63) & ONE)
    count = 0
    for j in range(marked):
        i = found[j]
        slot = (places[i] >> SLOT_SHIFT) & last_slot
        while lacking[slot, 0] != names[i] and lacking[slot, 0] != EMPTY:
            slot = (slot + 1) & last_slot
        # `count` never exceeds `i`, so no entry is overwritten before it is read.
        sets[count], kinds[count] = sets[i], lacking[slot, 1]
        count += lacking[slot, 0] != EMPTY
    return count


@subroutine
def _fill(melds: Melds, bonus: Bonus, outlook: Outlook, additions: Additions) -> None:
    """Value each kind first as part of no word, then in every word that it completes."""
    rest = Rest(scratch_int32s(NUM_SETS), additions.plain)
    discard_one(melds, melds.worth, rest.laid)
    everything = (1 << melds.size) - 1
    for kind in range(NUM_KINDS):
        for row in range(outlook.rows):
            held = everything ^ outlook.gone[row]
            laid = max(melds.worth[held], rest.laid[held] - UNIT * VALUES[kind])
            outlook.laid[kind * MAX_HELD + row] = laid
    # The cards left beside the used ones are worth the same with every kind.
    worths = Rest(scratch_int32s(MAX_HELD), scratch_int32s(MAX_HELD))
    for i in range(additions.number):
        used, kinds = additions.sets[i], additions.kinds[i]
        for row in range(outlook.rows):
            left = everything & ~(used | outlook.gone[row])
            is_used = outlook.gone[row] & used
            worths.laid[row] = NEVER if is_used else rest.laid[left]
            worths.plain[row] = NEVER if is_used else rest.plain[left]
        while kinds:
            _add_word(melds, bonus, outlook, worths, used, lowest_bit(kinds))
            kinds &= kinds - 1


@subroutine
def value_rest(melds: Melds, bonus: Bonus, all_laid: bool, rest: Rest) -> None:
    """Write the worth of the cards left beside a word; ``all_laid``: words must use them up."""
    if all_laid:
        discard_one(melds, melds.all_laid, rest.laid)
    else:
        discard_one(melds, melds.worth, rest.laid)
    if bonus.for_longest:
        _value_plainly(melds, all_laid, rest.plain)


@subroutine
def _value_plainly(melds: Melds, all_laid: bool, best: IntArray) -> None:
    """Write the worth of the cards left beside a word by points alone, as in `value_rest`."""
    plain = scratch_int32s(NUM_SETS)
    for laid in range(1 << melds.size):
        points = UNIT * melds.values[laid]
        if has(melds.cover, laid):
            plain[laid] = points
        else:
            plain[laid] = NEVER if all_laid else -points
    if not all_laid:
        leave_over(melds, plain)
    discard_one(melds, plain, best)


@subroutine
def discard_one(melds: Melds, worth: IntArray, best: IntArray) -> None:
    """Write the worth of each set after the best discard of one card."""
    for held in range(0, 1 << melds.size, 4):  # as in `leave_over`
        best[held] = NEVER
        best[held + 1] = worth[held]
        best[held + 2] = worth[held]
        best[held + 3] = max(worth[held + 1], worth[held + 2])
    for p in range(2, melds.size):
        card = 1 << p
        for start in range(0, 1 << melds.size, 2 * card):
            kept, more = worth[start : start + card], best[start + card : start + 2 * card]
            for i in range(card):
                more[i] = max(more[i], kept[i])


@subroutine
def _list_sets(melds: Melds, index: Ints, names: Ints, places: Ints, sets: Ints) -> int:
    """List the sets of cards that one more card might complete to a word; return how many.

    A set takes the first of equal cards, so that it is not listed twice. Sets with more of a kind
    than any word has are left out, see `hand_index`.
    """
    names[0], places[0], sets[0] = 0, 0, 0
    count, before, copies = 1, 1, 0
    for p in range(melds.size):
        kind = melds.cards[p]
        start = count - before  # another copy joins the sets that have all copies so far
        copies += 1
        if p == 0 or kind != melds.cards[p - 1]:
            start, before, copies = 0, count, 1
        if copies <= index[MOST + kind]:
            for i in range(start, count):
                names[count] = names[i] + index[NAMES + kind]
                places[count] = places[i] + index[PLACES + kind]
                sets[count] = sets[i] | 1 << p
                count += 1
    return count


@kernel
def _add_word(
    melds: Melds, bonus: Bonus, outlook: Outlook, worths: Rest, used: int, kind: int
) -> None:
    """Update the outlook with a word of some cards held and one more card.

    Args:
        melds: melds of the hand.
        bonus: worth of the bonuses.
        outlook: raised where the word is worth more.
        worths: worth of the cards left beside the word, by row; shape (11,).
        used: the set of cards held that the word uses.
        kind: kind of the additional card.
    """
    longest = np.int32(bonus.longest[min(melds.letters[used] + LETTERS[kind], LETTERS_SPAN)])
    points = UNIT * (melds.values[used] + VALUES[kind])
    # One more word counts its mean worth, whatever the number of words.
    points = np.int32(points + (bonus.most[MAX_WORDS] - bonus.most[0]) // MAX_WORDS)
    found = outlook.laid[kind * MAX_HELD : (kind + 1) * MAX_HELD]
    for row in range(outlook.rows):
        laid = worths.laid[row]
        if bonus.for_longest:
            laid = max(laid, np.int32(worths.plain[row] + longest))
        found[row] = max(found[row], np.int32(points + laid))
