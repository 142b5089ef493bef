"""The strongest scripted player of Fiddlefoo; what it does in a team stands in `team`."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray, Ints
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
from kitchentable.games.fiddlefoo.players.reading import Stream, cell_action, view_of
from kitchentable.games.fiddlefoo.players.team import play_in_team

AGAIN_WORTH = 0.5
"""What it is worth to play another card in the same turn, besides being rid of it."""
WORTH_WHILE = 0.5
"""By how much the map must become better for a card to be moved or removed."""


@allocating_kernel
def expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Play what costs fewest cards, now and in the turns to come; in a team see `team`."""
    view: Any = view_of(observation, variant)
    if view.cooperative:
        return play_in_team(view, mask)
    if view.phase in (s.CARD, s.AGAIN):
        return _choose_card(view)
    if view.phase == s.CELL:
        chosen = np.zeros(WORDS, np.uint64)
        c.add(chosen, view.chosen)
        return cell_action(view, best_play(view, chosen).cell)
    if view.phase == s.THROW:
        return _best_throw(view, mask)
    return _choose_for_effect(view, mask)


@allocating_kernel
def _choose_card(view: Any) -> int:
    """Choose the card to play; a second one only if that costs less than it is worth."""
    play = best_play(view, view.playable)
    if view.phase == s.AGAIN and play.cost > AGAIN_WORTH:
        return int(view.at_pass)
    return s.index_of(view, play.card)


# --- Throws ---------------------------------------------------------------------------------------


@subroutine
def _best_throw(view: Any, mask: BoolArray) -> int:
    """Throw all range cards, the worst first, or one card by its notes if that is better.

    A notes card is better if there is none in range, or only one that is less of a burden.
    """
    in_range, by_notes, ranges = c.NO_CARD, c.NO_CARD, 0
    range_cost, notes_cost = 0.0, 0.0
    for index in range(view.num_cards):
        card = s.card_at(view, index)
        cost = burden(view, card)
        if mask[view.at_throw + index] and cost > 0.0:
            if c.has(view.fits_range, card):
                ranges += 1
                if cost > range_cost:
                    in_range, range_cost = card, cost
            elif cost > notes_cost and card != c.NOTES_MATCH_PENALTY:
                by_notes, notes_cost = card, cost
    best = by_notes if ranges == 0 or (ranges == 1 and notes_cost > range_cost) else in_range
    return int(view.at_pass if best == c.NO_CARD else view.at_throw + s.index_of(view, best))


# --- Effects --------------------------------------------------------------------------------------


@allocating_kernel
def _choose_for_effect(view: Any, mask: BoolArray) -> int:
    if view.phase in (s.DISCARD, s.SWAP_CARD):
        return _worst_card(view, mask)
    if view.phase == s.MOVE_CELL:
        return _best_target(view, mask)
    return _best_map_card(view, mask)


@allocating_kernel
def _worst_card(view: Any, mask: BoolArray) -> int:
    """Return the hand card that is going to cost most."""
    odds = odds_of(view)
    most, worst = -NEVER, view.at_pass
    for index in range(view.num_cards):
        if mask[index]:
            card = s.card_at(view, index)
            cost = cheapest(view, odds, card) + burden(view, card)
            if cost > most:
                most, worst = cost, index
    return int(worst)


@allocating_kernel
def _best_target(view: Any, mask: BoolArray) -> int:
    """Return the cell to which the chosen map card is best moved."""
    odds = odds_of(view)
    card = view.chosen
    home = lift(view, card)
    least, best = NEVER, 0
    for i in range(view.map_size * view.map_size):
        if mask[view.num_cards + i]:
            put(view, card, s.SIDE * (i // view.map_size) + i % view.map_size)
            cost = outlook(view, odds, c.NO_CARD)
            lift(view, card)
            if cost < least:
                least, best = cost, view.num_cards + i
    put(view, card, home)
    return int(best)


@allocating_kernel
def _best_map_card(view: Any, mask: BoolArray) -> int:
    """Return the map card that is best moved, removed or swapped, or pass."""
    odds = odds_of(view)
    optional = mask[view.at_pass]
    least, best = NEVER, view.at_pass
    if optional:
        least = outlook(view, odds, c.NO_CARD) - WORTH_WHILE
    for index in range(view.num_cards):
        if mask[view.at_map + index]:
            card = s.card_at(view, index)
            home = lift(view, card)
            if optional:
                cost = outlook(view, odds, c.NO_CARD)
            else:
                put(view, view.chosen, home)
                cost = outlook(view, odds, view.chosen)
                cost += cheapest(view, odds, card) + burden(view, card)
                lift(view, view.chosen)
            put(view, card, home)
            if cost < least:
                least, best = cost, view.at_map + index
    return int(best)
