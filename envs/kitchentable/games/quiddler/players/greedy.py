"""The scripted player `greedy` of Quiddler."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import subroutine
from kitchentable.core.scratch import scratch_bits, scratch_int16s, scratch_ints
from kitchentable.core.state import BoolArray, Stream
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import COPIES, NO_CARD, NUM_CARDS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.knowledge import Knowledge
from kitchentable.games.quiddler.players.melds import (
    BONUS_SIZE,
    MELDS_BITS,
    MELDS_INTS,
    MELDS_WORTHS,
    NEVER,
    UNIT,
    Melds,
    Room,
    find_melds,
    linear_bonus,
    without_one,
)
from kitchentable.games.quiddler.players.moves import (
    best_discard,
    can_lay,
    find_discards,
    judge,
    spell_on,
)

AVERAGE = int(VALUES @ COPIES) // NUM_CARDS
"""Mean points of a card in the deck, rounded down."""
CLEARLY = 5
"""Points by which taking the top discard must beat drawing an average card that fits no word."""


@subroutine
def greedy(known: Knowledge, mask: BoolArray, _rng: Stream, *tables: Any) -> int:
    """Go out as soon as possible, and otherwise keep the cards that score the most points.

    The player counts no cards and ignores the other seats, except to challenge invalid words.
    """
    if known.phase == s.JUDGE:
        return judge(known, mask, *tables)
    for_most = known.num_players == 2 and known.two_player_bonus == s.BONUS_MOST
    bonus = linear_bonus(1, for_most, scratch_ints(BONUS_SIZE))
    taken = known.top if known.phase == s.SOURCE else NO_CARD
    room = Room(scratch_ints(MELDS_INTS), scratch_bits(MELDS_BITS), scratch_int16s(MELDS_WORTHS))
    melds = find_melds(known, taken, bonus, room, *tables)
    if known.phase == s.SOURCE:
        return _greedy_source(melds, mask, known.top)
    discards = find_discards(known, mask, melds)
    place = best_discard(melds, discards, melds.all_laid)
    kept = ((1 << melds.size) - 1) ^ 1 << place
    out = known.last_turns == 0 and can_lay(known, mask) and melds.all_laid[kept] > NEVER
    if not out:
        place = best_discard(melds, discards, melds.worth)
    if known.meld == s.BY_ITSELF:
        lays = s.LAY_MOST if bonus.for_most else s.LAY_LONGEST
        return (lays if out or known.last_turns > 0 else s.STAY) + int(melds.cards[place])
    return spell_on(known, mask, melds, bonus, place, out, *tables)


@subroutine
def _greedy_source(melds: Melds, mask: BoolArray, top: int) -> int:
    """Take the top discard if that allows going out or clearly improves the hand."""
    if not mask[s.DRAW]:
        return s.TAKE
    best = NEVER
    held_now = without_one(melds, top)
    drawn = melds.worth[held_now]
    for p in range(melds.size):
        if held_now >> p & 1:
            drawn = max(drawn, melds.worth[held_now ^ 1 << p] - AVERAGE * UNIT)
    for kind in range(NUM_KINDS):
        if melds.places[kind] and kind != top:
            held = without_one(melds, kind)
            if melds.all_laid[held] > 0:
                return s.TAKE
            best = max(best, melds.worth[held])
    return s.TAKE if best >= drawn + CLEARLY * UNIT else s.DRAW
