"""The worth of a hand after the next card, for every kind of card at once.

It looks up all words that some of the hand's cards spell with one more card of any kind. `melds`
gives the worth of the cards left beside such a word. Together they give the best meld of the next
turn for each card discarded now and each kind that may come then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import Bits, Ints
from kitchentable.games.quiddler.cards import LETTERS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.observation import LETTERS_SPAN
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Bonus,
    Melds,
    Worths,
    leave_over,
)
from kitchentable.games.quiddler.words.hand_index import (
    EMPTY,
    MOST,
    NAMES,
    PLACES,
    SLOT_SHIFT,
    Slots,
)
from kitchentable.games.quiddler.words.solver import (
    HALVES,
    MAX_HELD,
    MAX_WORDS,
    NUM_SETS,
    ONE,
    add_halves,
    find_marked,
    has,
    num_blocks,
    sum_of,
)


class Outlook(NamedTuple):
    """Worth of the best meld of the next turn, by discard (row) and by kind drawn."""

    gone: Worths
    """The card discarded before the draw in each row, as a set; 0 for none; shape (11,)."""
    rows: int
    laid: Worths
    """The worth at ``kind * 11 + row``; cards may be left over; shape (31 * 11,)."""


class Rest(NamedTuple):
    """Worth of the cards left beside a word after the best discard, by set."""

    laid: Worths
    """Including the bonuses; shape (2048,)."""
    plain: Worths
    """By points alone, without bonuses; shape (2048,)."""


@subroutine
def look_out(melds: Melds, bonus: Bonus, discards: int, *tables: Any) -> Outlook:
    """Find the best meld of the next turn for each discard and each kind drawn.

    Args:
        melds: melds of the hand.
        bonus: worth of the bonuses.
        discards: the set of cards of which one is discarded first; 0 for no discard.
        tables: the game's tables; the last ones are those of `hand_index`.
    """
    gone = melds.ahead[:MAX_HELD]
    gone[0] = 0
    rows = 0
    for p in range(melds.size):
        if discards >> p & 1:
            gone[rows] = 1 << p
            rows += 1
    outlook = Outlook(gone, max(rows, 1), melds.ahead[MAX_HELD:])
    rest = value_rest(melds, bonus, False)
    everything = (1 << melds.size) - 1
    for kind in range(NUM_KINDS):  # as part of no word
        for row in range(outlook.rows):
            held = everything ^ outlook.gone[row]
            laid = max(int(melds.worth[held]), rest.laid[held] - UNIT * VALUES[kind])
            outlook.laid[kind * MAX_HELD + row] = laid
    _look_up(melds, bonus, outlook, rest, tables[2], tables[4], tables[5])
    return outlook


@subroutine
def _look_up(
    melds: Melds, bonus: Bonus, outlook: Outlook, rest: Rest, index: Ints, lacking: Slots,
    marks: Bits,
) -> None:  # fmt: skip
    """Find the words that some cards of a hand spell with one more card, and what they are worth.

    The outlook is raised where a word is worth more. ``marks`` is the bitmap of ``lacking``.
    """
    names, places = scratch_ints(HALVES), scratch_ints(HALVES)
    add_halves(melds.cards, melds.size, index[NAMES : NAMES + NUM_KINDS], names)
    add_halves(melds.cards, melds.size, index[PLACES : PLACES + NUM_KINDS], places)
    surplus, copies = _find_copies(melds, index)
    last_slot = lacking.shape[0] - 1
    for high in range(num_blocks(melds.size)):
        hits = find_marked(places, high, melds.size, marks)
        while hits:
            low = lowest_bit(hits)
            hits &= hits - ONE
            used = high << 6 | low
            if used & (surplus | copies & ~(used << 1)):
                continue
            name = names[64 + high] + names[low]
            slot = (places[64 + high] + places[low]) >> SLOT_SHIFT & last_slot
            while lacking[slot, 0] != name and lacking[slot, 0] != EMPTY:
                slot = (slot + 1) & last_slot
            if lacking[slot, 0] != EMPTY:
                _add_words(melds, bonus, outlook, rest, used, int(lacking[slot, 1]))


@subroutine
def _find_copies(melds: Melds, index: Ints) -> tuple[int, int]:
    """Find the cards that tell sets apart whose names are equal, or whose cards are.

    Returns:
        The set of cards that have more copies before them than any word has, and the set of cards
        of the same kind as the card before. A set takes the first of equal cards, so that it is
        found once.
    """
    surplus, copies, count = 0, 0, 0
    for p in range(melds.size):
        kind = melds.cards[p]
        count += 1
        if p > 0 and kind == melds.cards[p - 1]:
            copies |= 1 << p
        else:
            count = 1
        if count > index[MOST + kind]:
            surplus |= 1 << p
    return surplus, copies


@subroutine
def value_rest(melds: Melds, bonus: Bonus, all_laid: bool) -> Rest:
    """Return the worth of the cards left beside a word.

    Args:
        melds: melds of the hand.
        bonus: worth of the bonuses.
        all_laid: whether words must use up all of them.
    """
    rest = Rest(melds.rest[:NUM_SETS], melds.rest[NUM_SETS:])
    worth = melds.all_laid if all_laid else melds.worth
    for held in range(max(1 << melds.size, 4)):
        rest.laid[held] = worth[held]
    _discard_one(melds, rest.laid)
    if bonus.for_longest:
        _value_plainly(melds, bonus.unit, all_laid, rest.plain)
    return rest


@subroutine
def _value_plainly(melds: Melds, unit: int, all_laid: bool, plain: Worths) -> None:
    """Write the worth of the cards left beside a word by points alone, as in `value_rest`."""
    for laid in range(1 << melds.size):
        points = unit * sum_of(melds.points, laid)
        if has(melds.cover, laid):
            plain[laid] = points
        else:
            plain[laid] = NEVER if all_laid else -points
    if not all_laid:
        leave_over(melds, unit, plain)
    _discard_one(melds, plain)


@subroutine
def _discard_one(melds: Melds, worth: Worths) -> None:
    """Replace the worth of each set by that after the best discard of one card."""
    # From the largest sets down, because each needs the worth of smaller ones as it was. The first
    # two cards are handled together, as in `leave_over`; then the half of a block of sets that has
    # its last card gets what the other half, without that card, is worth.
    for start in range((1 << melds.size) - 4, 0, -4):
        _discard_of_two(worth, start)
        card = start & -start
        kept, more = worth[start - card : start], worth[start : start + card]
        for i in range(card):
            more[i] = max(more[i], kept[i])
    _discard_of_two(worth, 0)


@kernel
def _discard_of_two(worth: Worths, start: int) -> None:
    """Replace the worth of a set, and of those with one or both of the first two cards more."""
    nothing, first, second = worth[start], worth[start + 1], worth[start + 2]
    worth[start] = NEVER
    worth[start + 1] = nothing
    worth[start + 2] = nothing
    worth[start + 3] = max(first, second)


@subroutine
def _add_words(
    melds: Melds, bonus: Bonus, outlook: Outlook, rest: Rest, used: int, kinds: int
) -> None:
    """Raise the outlook by words of the set ``used`` and one more card of a kind in ``kinds``."""
    everything = (1 << melds.size) - 1
    # The cards left beside the used ones are worth the same with every kind.
    laid, plain = scratch_ints(MAX_HELD), scratch_ints(MAX_HELD)
    for row in range(outlook.rows):
        left = everything & ~(used | outlook.gone[row])
        is_used = outlook.gone[row] & used
        laid[row] = NEVER if is_used else rest.laid[left]
        plain[row] = NEVER if is_used else rest.plain[left]
    # One more word counts its mean worth, whatever the number of words.
    more = (bonus.most[MAX_WORDS] - bonus.most[0]) // MAX_WORDS
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        letters = min(sum_of(melds.letters, used) + LETTERS[kind], LETTERS_SPAN)
        longest = bonus.longest[letters]
        points = UNIT * (sum_of(melds.points, used) + VALUES[kind]) + more
        worths = outlook.laid[kind * MAX_HELD : (kind + 1) * MAX_HELD]
        for row in range(outlook.rows):
            best = laid[row]
            if bonus.for_longest:
                best = max(best, plain[row] + longest)
            worths[row] = max(worths[row], points + best)
