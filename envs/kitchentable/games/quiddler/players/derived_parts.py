"""Derived parts: the parts that only ``meld="auto"`` observes, computed for ``meld="spell"``.

A network that receives these parts has the same inputs in all variants, so it can start from the
weights learned in another. The parts follow from the cards in the hand.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_int16s, scratch_ints
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.knowledge import Knowledge
from kitchentable.games.quiddler.observation import GAIN_SPAN, POINTS_SPAN, observation_layout
from kitchentable.games.quiddler.players.melds import (
    BONUS_SIZE,
    MELDS_BITS,
    MELDS_INTS,
    MELDS_WORTHS,
    NEVER,
    UNIT,
    Melds,
    Room,
    best_without_one,
    find_melds,
    linear_bonus,
    without_one,
)


def layout(params: s.Params) -> dict[str, int]:
    """Return the name and length of each part, in order; empty with ``meld="auto"``."""
    auto_layout = observation_layout(dataclasses.replace(params, meld="auto", challenges=False))
    own_layout = observation_layout(params)
    return {name: size for name, size in auto_layout.items() if name not in own_layout}


@subroutine
def write(known: Knowledge, mask: BoolArray, out: FloatArray, *tables: Any) -> None:
    """Write the parts for the seat to act, as described in `observation.observation_layout`."""
    if known.to_act != 0 or known.phase == s.JUDGE:
        return
    bonus = linear_bonus(1, False, scratch_ints(BONUS_SIZE))
    room = Room(scratch_ints(MELDS_INTS), scratch_bits(MELDS_BITS), scratch_int16s(MELDS_WORTHS))
    melds = find_melds(known, NO_CARD, bonus, room, *tables)
    if known.phase == s.MELD:
        best = melds.worth[best_without_one(melds, NO_CARD)] // UNIT
        for kind in range(NUM_KINDS):
            if melds.places[kind]:
                lost = best - melds.worth[without_one(melds, kind)] // UNIT
                out[kind] = max(0.0, 1.0 - lost / GAIN_SPAN)
                out[NUM_KINDS + kind] = _all_laid_without(melds, kind)
        out[2 * NUM_KINDS] = 0.5 + best / (2 * POINTS_SPAN)
        return
    now = melds.worth[(1 << melds.size) - 1] // UNIT
    out[2 * NUM_KINDS] = 0.5 + now / (2 * POINTS_SPAN)
    if mask[s.TAKE]:
        alone = known.forbid_returning_discard and known.hands[0, known.top] == 0
        more = find_melds(known, known.top, bonus, room, *tables)
        kept = known.top if alone else NO_CARD
        gain = more.worth[best_without_one(more, kept)] // UNIT - now
        out[2 * NUM_KINDS + 1] = min(max(gain, 0), GAIN_SPAN) / GAIN_SPAN
        for kind in range(NUM_KINDS):
            if kind != kept and more.places[kind] and _all_laid_without(more, kind):
                out[2 * NUM_KINDS + 2] = 1.0


@kernel
def _all_laid_without(melds: Melds, kind: int) -> bool:
    """Whether words use up the hand without one card of kind ``kind``."""
    return bool(melds.all_laid[without_one(melds, kind)] > NEVER)
