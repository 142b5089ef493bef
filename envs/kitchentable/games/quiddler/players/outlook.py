"""What a player's next card may do for its hand, for every kind of card at once.

Every word that some of the hand's cards and one more card of any kind spell is looked up. What is
left of the hand is worth what `melds` says, so the best meld of the next turn is known for each
card discarded now and each kind that may come then.
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
    """What the best meld of the next turn is worth, by what is gone (row) and by the kind drawn."""

    gone: Ints
    """The card that leaves the hand before, as a set; 0 for none; shape (11,)."""
    rows: int
    laid: IntArray
    """If cards may be left over; shape (31 * 11,)."""


class Additions(NamedTuple):
    """The words that some cards of a hand and one more spell."""

    sets: Ints
    """The cards of the hand, as sets; shape (2048,)."""
    kinds: Ints
    """The kinds that one more card may be of, for each set, bit k for kind k; shape (2048,)."""
    number: int
    """How many sets there are."""
    plain: IntArray
    """`Rest.plain` beside such words, if the longest word counts; shape (2048,)."""


@allocating_kernel
def find_additions(
    melds: Melds, bonus: Bonus, index: Ints, lacking: Slots, marks: Bits
) -> Additions:
    """Find the words that a hand and one more card spell.

    Args:
        melds: of the hand.
        bonus: what counts besides points.
        index: of the hands that spell words, see `hand_index`.
        lacking: of those that lack one card, likewise.
        marks: of the latter.
    """
    sets, kinds = np.empty(NUM_SETS, np.int64), np.empty(NUM_SETS, np.int64)
    plain = np.empty(NUM_SETS, np.int32)
    if bonus.for_longest:
        _value_plainly(melds, False, plain)
    return Additions(sets, kinds, _look_up(melds, index, lacking, marks, sets, kinds), plain)


@allocating_kernel
def look_out(melds: Melds, bonus: Bonus, discards: int, additions: Additions) -> Outlook:
    """Find what the next card may do.

    Args:
        melds: of the hand.
        bonus: what counts besides points.
        discards: the cards of which one is discarded before, as a set; 0: none is.
        additions: of the hand.
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
    """What cards that are left beside a word are worth if one of them is discarded, by set."""

    laid: IntArray
    """The bonuses included; shape (2048,)."""
    plain: IntArray
    """Likewise without what the longest word of the rest counts for."""


@subroutine
def _look_up(
    melds: Melds, index: Ints, lacking: Slots, marks: Bits, sets: Ints, kinds: Ints
) -> int:
    """Write which sets of the hand's cards lack one of a word, and its kinds; return how many."""
    names, places, found = scratch_ints(NUM_SETS), scratch_ints(NUM_SETS), scratch_ints(NUM_SETS)
    number = _list_sets(melds, index, names, places, sets)
    last_slot, last_mark = lacking.shape[0] - 1, 64 * marks.shape[0] - 1
    marked = 0
    # Without a branch, which no processor could predict.
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
        # `count` is never above `i`, which is done with.
        sets[count], kinds[count] = sets[i], lacking[slot, 1]
        count += lacking[slot, 0] != EMPTY
    return count


@subroutine
def _fill(melds: Melds, bonus: Bonus, outlook: Outlook, additions: Additions) -> None:
    """Let every kind be part of no word, then of every word that it makes with cards held."""
    rest = Rest(scratch_int32s(NUM_SETS), additions.plain)
    discard_one(melds, melds.worth, rest.laid)
    everything = (1 << melds.size) - 1
    for kind in range(NUM_KINDS):
        for row in range(outlook.rows):
            held = everything ^ outlook.gone[row]
            laid = max(melds.worth[held], rest.laid[held] - UNIT * VALUES[kind])
            outlook.laid[kind * MAX_HELD + row] = laid
    # What is left of the hand beside its part of a word is worth the same with every kind.
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
    """Write what the rest of a hand is worth beside a word; `all_laid`: if words must use it up."""
    if all_laid:
        discard_one(melds, melds.all_laid, rest.laid)
    else:
        discard_one(melds, melds.worth, rest.laid)
    if bonus.for_longest:
        _value_plainly(melds, all_laid, rest.plain)


@subroutine
def _value_plainly(melds: Melds, all_laid: bool, best: IntArray) -> None:
    """Write what the rest of a hand is worth by its points alone, as in `value_rest`."""
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
    """Write what each set is worth if one card of it is discarded."""
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
    """List the sets of cards that one more may make a word of; return how many.

    Of equal cards the first ones are in a set, so that none is listed twice; nor is one that has
    more of a kind than any word, see `hand_index`.
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
    """Take a word of some cards held and one more into account.

    Args:
        melds: of the hand.
        bonus: what counts besides points.
        outlook: raised where the word is worth more.
        worths: of the cards that are left beside it, by row; shape (11,).
        used: the cards held, as a set.
        kind: of the one more.
    """
    longest = np.int32(bonus.longest[min(melds.letters[used] + LETTERS[kind], LETTERS_SPAN)])
    points = UNIT * (melds.values[used] + VALUES[kind])
    # One word more, whatever number that makes.
    points = np.int32(points + (bonus.most[MAX_WORDS] - bonus.most[0]) // MAX_WORDS)
    found = outlook.laid[kind * MAX_HELD : (kind + 1) * MAX_HELD]
    for row in range(outlook.rows):
        laid = worths.laid[row]
        if bonus.for_longest:
            laid = max(laid, np.int32(worths.plain[row] + longest))
        found[row] = max(found[row], np.int32(points + laid))
