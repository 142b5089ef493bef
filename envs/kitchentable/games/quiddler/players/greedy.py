"""The scripted player `greedy` of Quiddler."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray, Stream
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import COPIES, NUM_CARDS, NUM_KINDS, VALUES
from kitchentable.games.quiddler.players.melds import (
    NEVER,
    UNIT,
    Melds,
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
from kitchentable.games.quiddler.players.reading import look_at

AVERAGE = int(VALUES @ COPIES) // NUM_CARDS
"""Mean points of a card in the deck, rounded down."""
CLEARLY = 5
"""Points by which taking the top discard must beat drawing an average card that fits no word."""


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: s.State,
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Go out as soon as possible, and otherwise keep the cards that score the most points.

    The player counts no cards and ignores the other seats, except to challenge invalid words.
    """
    nodes, edges, index, marks = tables[:4]
    seen = look_at(observation, variant)
    if seen.phase == s.JUDGE:
        return judge(observation, mask, variant, seen, nodes, edges)
    bonus = linear_bonus(1, variant.num_players == 2 and variant.two_player_bonus == s.BONUS_MOST)
    if seen.phase == s.SOURCE:
        seen.hand[seen.top] += 1
    melds = find_melds(seen.hand, bonus, index, marks)
    if seen.phase == s.SOURCE:
        return _greedy_source(melds, mask, seen.top)
    discards = find_discards(melds, mask, variant)
    place = best_discard(melds, discards, melds.all_laid)
    kept = ((1 << melds.size) - 1) ^ 1 << place
    out = seen.last_turns == 0 and can_lay(mask, variant) and melds.all_laid[kept] > NEVER
    if not out:
        place = best_discard(melds, discards, melds.worth)
    if variant.meld == s.BY_ITSELF:
        lays = s.LAY_MOST if bonus.for_most else s.LAY_LONGEST
        return (lays if out or seen.last_turns > 0 else s.STAY) + int(melds.cards[place])
    return spell_on(seen, mask, melds, bonus, place, out, nodes, edges)


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
