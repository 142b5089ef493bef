"""The strongest scripted player of Fiddlefoo; its cooperative play is in `team`."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import BoolArray, Stream
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import lift, put
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.players.costs import (
    NEVER,
    best_play,
    burden,
    cheapest,
    odds_of,
    outlook,
)
from kitchentable.games.fiddlefoo.players.team import play_in_team

AGAIN_WORTH = 0.5
"""The highest cost at which another card is played in the same turn."""
WORTH_WHILE = 0.5
"""How much a move or removal must lower the future cost of the hand."""


@allocating_kernel
def expert(seen: Any, mask: BoolArray, _rng: Stream) -> int:
    """Play for the lowest expected cost, now and in later turns; in a team see `team`."""
    if seen.cooperative:
        return play_in_team(seen, mask)
    if seen.phase in (s.CARD, s.AGAIN):
        return _choose_card(seen)
    if seen.phase == s.CELL:
        chosen = np.zeros(WORDS, np.uint64)
        c.add(chosen, seen.chosen)
        return s.cell_action(seen, best_play(seen, chosen).cell)
    if seen.phase == s.THROW:
        return _best_throw(seen, mask)
    return _choose_for_effect(seen, mask)


@allocating_kernel
def _choose_card(seen: Any) -> int:
    """Return the action for the cheapest card; pass on a second play that costs too much."""
    play = best_play(seen, seen.playable)
    if seen.phase == s.AGAIN and play.cost > AGAIN_WORTH:
        return int(seen.at_pass)
    return s.index_of(seen, play.card)


# --- Throws ---------------------------------------------------------------------------------------


@subroutine
def _best_throw(seen: Any, mask: BoolArray) -> int:
    """Throw all range cards, the most costly first, or a single card for its notes.

    A notes card is better if no card is in range, or only one that costs less to keep.
    """
    in_range, by_notes, ranges = c.NO_CARD, c.NO_CARD, 0
    range_cost, notes_cost = 0.0, 0.0
    for index in range(seen.num_cards):
        card = s.card_at(seen, index)
        cost = burden(seen, card)
        if mask[seen.at_throw + index] and cost > 0.0:
            if c.has(seen.fits_range, card):
                ranges += 1
                if cost > range_cost:
                    in_range, range_cost = card, cost
            elif cost > notes_cost and card != c.NOTES_MATCH_PENALTY:
                by_notes, notes_cost = card, cost
    best = by_notes if ranges == 0 or (ranges == 1 and notes_cost > range_cost) else in_range
    return int(seen.at_pass if best == c.NO_CARD else seen.at_throw + s.index_of(seen, best))


# --- Effects --------------------------------------------------------------------------------------


@allocating_kernel
def _choose_for_effect(seen: Any, mask: BoolArray) -> int:
    if seen.phase in (s.DISCARD, s.SWAP_CARD):
        return _worst_card(seen, mask)
    if seen.phase == s.MOVE_CELL:
        return _best_target(seen, mask)
    return _best_map_card(seen, mask)


@allocating_kernel
def _worst_card(seen: Any, mask: BoolArray) -> int:
    """Return the action for the hand card with the highest future cost."""
    odds = odds_of(seen)
    most, worst = -NEVER, seen.at_pass
    for index in range(seen.num_cards):
        if mask[index]:
            card = s.card_at(seen, index)
            cost = cheapest(seen, odds, card) + burden(seen, card)
            if cost > most:
                most, worst = cost, index
    return int(worst)


@allocating_kernel
def _best_target(seen: Any, mask: BoolArray) -> int:
    """Return the action that moves the chosen map card to the best cell."""
    odds = odds_of(seen)
    card = seen.chosen
    home = lift(seen, card)
    least, best = NEVER, 0
    for i in range(seen.map_size * seen.map_size):
        if mask[seen.num_cards + i]:
            put(seen, card, s.cell_at(seen, i))
            cost = outlook(seen, odds, c.NO_CARD)
            lift(seen, card)
            if cost < least:
                least, best = cost, seen.num_cards + i
    put(seen, card, home)
    return int(best)


@allocating_kernel
def _best_map_card(seen: Any, mask: BoolArray) -> int:
    """Return the action for the best map card to move, remove or swap, or ``pass``."""
    odds = odds_of(seen)
    optional = mask[seen.at_pass]
    least, best = NEVER, seen.at_pass
    if optional:
        least = outlook(seen, odds, c.NO_CARD) - WORTH_WHILE
    for index in range(seen.num_cards):
        if mask[seen.at_map + index]:
            card = s.card_at(seen, index)
            home = lift(seen, card)
            if optional:
                cost = outlook(seen, odds, c.NO_CARD)
            else:
                put(seen, seen.chosen, home)
                cost = outlook(seen, odds, seen.chosen)
                cost += cheapest(seen, odds, card) + burden(seen, card)
                lift(seen, seen.chosen)
            put(seen, card, home)
            if cost < least:
                least, best = cost, seen.at_map + index
    return int(best)
