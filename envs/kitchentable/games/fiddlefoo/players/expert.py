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
def expert(known: Any, mask: BoolArray, _rng: Stream) -> int:
    """Play for the lowest expected cost, now and in later turns, or in a team for full piles."""
    if known.cooperative:
        return play_in_team(known, mask)
    if known.phase in (s.CARD, s.AGAIN):
        return _choose_card(known)
    if known.phase == s.CELL:
        chosen = np.zeros(WORDS, np.uint64)
        c.add(chosen, known.chosen)
        return s.cell_action(known, best_play(known, chosen).cell)
    if known.phase == s.THROW:
        return _best_throw(known, mask)
    return _choose_for_effect(known, mask)


@allocating_kernel
def _choose_card(known: Any) -> int:
    """Return the action for the cheapest card; pass on a second play that costs too much."""
    play = best_play(known, known.playable)
    if known.phase == s.AGAIN and play.cost > AGAIN_WORTH:
        return int(known.at_pass)
    return s.index_of(known, play.card)


# --- Throws ---------------------------------------------------------------------------------------


@subroutine
def _best_throw(known: Any, mask: BoolArray) -> int:
    """Throw all range cards, the most costly first, or a single card for its notes.

    A notes card is better if no card is in range, or only one that costs less to keep.
    """
    in_range, by_notes, ranges = c.NO_CARD, c.NO_CARD, 0
    range_cost, notes_cost = 0.0, 0.0
    for index in range(known.num_cards):
        card = s.card_at(known, index)
        cost = burden(known, card)
        if mask[known.at_throw + index] and cost > 0.0:
            if c.has(known.fits_range, card):
                ranges += 1
                if cost > range_cost:
                    in_range, range_cost = card, cost
            elif cost > notes_cost and card != c.NOTES_MATCH_PENALTY:
                by_notes, notes_cost = card, cost
    best = by_notes if ranges == 0 or (ranges == 1 and notes_cost > range_cost) else in_range
    return int(known.at_pass if best == c.NO_CARD else known.at_throw + s.index_of(known, best))


# --- Effects --------------------------------------------------------------------------------------


@allocating_kernel
def _choose_for_effect(known: Any, mask: BoolArray) -> int:
    if known.phase in (s.DISCARD, s.SWAP_CARD):
        return _worst_card(known, mask)
    if known.phase == s.MOVE_CELL:
        return _best_target(known, mask)
    return _best_map_card(known, mask)


@allocating_kernel
def _worst_card(known: Any, mask: BoolArray) -> int:
    """Return the action for the hand card with the highest future cost."""
    odds = odds_of(known)
    most, worst = -NEVER, known.at_pass
    for index in range(known.num_cards):
        if mask[index]:
            card = s.card_at(known, index)
            cost = cheapest(known, odds, card, False).cost + burden(known, card)
            if cost > most:
                most, worst = cost, index
    return int(worst)


@allocating_kernel
def _best_target(known: Any, mask: BoolArray) -> int:
    """Return the action that moves the chosen map card to the best cell."""
    odds = odds_of(known)
    card = known.chosen
    home = lift(known, card)
    least, best = NEVER, 0
    for i in range(known.map_size * known.map_size):
        if mask[known.num_cards + i]:
            put(known, card, s.cell_at(known, i))
            cost = outlook(known, odds, c.NO_CARD)
            lift(known, card)
            if cost < least:
                least, best = cost, known.num_cards + i
    put(known, card, home)
    return int(best)


@allocating_kernel
def _best_map_card(known: Any, mask: BoolArray) -> int:
    """Return the action for the best map card to move, remove or swap, or ``pass``."""
    odds = odds_of(known)
    optional = mask[known.at_pass]
    least, best = NEVER, known.at_pass
    if optional:
        least = outlook(known, odds, c.NO_CARD) - WORTH_WHILE
    for index in range(known.num_cards):
        if mask[known.at_map + index]:
            card = s.card_at(known, index)
            home = lift(known, card)
            if optional:
                cost = outlook(known, odds, c.NO_CARD)
            else:
                put(known, known.chosen, home)
                cost = outlook(known, odds, known.chosen)
                cost += cheapest(known, odds, card, False).cost + burden(known, card)
                lift(known, known.chosen)
            put(known, card, home)
            if cost < least:
                least, best = cost, known.at_map + index
    return int(best)
