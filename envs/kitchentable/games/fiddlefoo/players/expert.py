"""The strongest scripted player of Fiddlefoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.board import lift, put
from kitchentable.games.fiddlefoo.cards import NO_CARD, NOTES_MATCH_PENALTY, WORDS, add, has
from kitchentable.games.fiddlefoo.players.odds import odds_of
from kitchentable.games.fiddlefoo.players.plan import WEIGHTS, burden, cheapest, outlook
from kitchentable.games.fiddlefoo.players.play import NEVER, best_play
from kitchentable.games.fiddlefoo.players.view import view_of
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    CARD,
    CELL,
    DISCARD,
    MOVE_CELL,
    SIDE,
    SWAP_CARD,
    THROW,
    card_at,
    index_of,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stream = NDArray[np.uint64]

AGAIN_WORTH = 0.5
"""What it is worth to play another card in the same turn, besides being rid of it."""
WORTH_WHILE = 0.5
"""By how much the map must become better for a card to be moved or removed."""


@allocating_kernel
def rival_expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Play what costs fewest cards, now and in the turns to come."""
    return decide(observation, mask, variant, WEIGHTS)


@allocating_kernel
def decide(observation: FloatArray, mask: BoolArray, variant: Ints, weights: Floats) -> int:
    """Do as `rival_expert`, by these weights."""
    view: Any = view_of(observation, variant)
    if view.phase in (CARD, AGAIN):
        return _choose_card(view, weights)
    if view.phase == CELL:
        chosen = np.zeros(WORDS, np.uint64)
        add(chosen, view.chosen)
        return cell_action(view, best_play(view, chosen, weights).cell)
    if view.phase == THROW:
        return best_throw(view, mask, weights)
    return _choose_for_effect(view, mask, weights)


@allocating_kernel
def _choose_card(view: Any, weights: Floats) -> int:
    """Choose the card to play; a second one only if that costs less than it is worth."""
    play = best_play(view, view.playable, weights)
    if view.phase == AGAIN and play.cost > AGAIN_WORTH:
        return int(view.at_pass)
    return index_of(view, play.card)


@kernel
def cell_action(view: Any, cell: int) -> int:
    """Return the action that chooses a cell."""
    return int(view.num_cards + (cell // SIDE) * view.map_size + cell % SIDE)


# --- Throws ---------------------------------------------------------------------------------------


@subroutine
def best_throw(view: Any, mask: BoolArray, weights: Floats) -> int:
    """Throw all range cards, the worst first, or one card by its notes if that is better.

    A notes card is better if there is none in range, or only one that is less of a burden.
    """
    in_range, by_notes, ranges = NO_CARD, NO_CARD, 0
    range_cost, notes_cost = 0.0, 0.0
    for index in range(view.num_cards):
        card = card_at(view, index)
        cost = burden(view, card, weights)
        if mask[view.at_throw + index] and cost > 0.0:
            if has(view.fits_range, card):
                ranges += 1
                if cost > range_cost:
                    in_range, range_cost = card, cost
            elif cost > notes_cost and card != NOTES_MATCH_PENALTY:
                by_notes, notes_cost = card, cost
    best = by_notes if ranges == 0 or (ranges == 1 and notes_cost > range_cost) else in_range
    return int(view.at_pass if best == NO_CARD else view.at_throw + index_of(view, best))


# --- Effects --------------------------------------------------------------------------------------


@allocating_kernel
def _choose_for_effect(view: Any, mask: BoolArray, weights: Floats) -> int:
    if view.phase in (DISCARD, SWAP_CARD):
        return worst_card(view, mask, weights)
    if view.phase == MOVE_CELL:
        return _best_target(view, mask, weights)
    return _best_map_card(view, mask, weights)


@allocating_kernel
def worst_card(view: Any, mask: BoolArray, weights: Floats) -> int:
    """Return the hand card that is going to cost most."""
    odds = odds_of(view)
    most, worst = -NEVER, view.at_pass
    for index in range(view.num_cards):
        if mask[index]:
            card = card_at(view, index)
            cost = cheapest(view, odds, card, weights) + burden(view, card, weights)
            if cost > most:
                most, worst = cost, index
    return int(worst)


@allocating_kernel
def _best_target(view: Any, mask: BoolArray, weights: Floats) -> int:
    """Return the cell to which the chosen map card is best moved."""
    odds = odds_of(view)
    card = view.chosen
    home = lift(view, card)
    least, best = NEVER, 0
    for i in range(view.map_size * view.map_size):
        if mask[view.num_cards + i]:
            put(view, card, SIDE * (i // view.map_size) + i % view.map_size)
            cost = outlook(view, odds, NO_CARD, weights)
            lift(view, card)
            if cost < least:
                least, best = cost, view.num_cards + i
    put(view, card, home)
    return int(best)


@allocating_kernel
def _best_map_card(view: Any, mask: BoolArray, weights: Floats) -> int:
    """Return the map card that is best moved, removed or swapped, or pass."""
    odds = odds_of(view)
    optional = mask[view.at_pass]
    least, best = NEVER, view.at_pass
    if optional:
        least = outlook(view, odds, NO_CARD, weights) - WORTH_WHILE
    for index in range(view.num_cards):
        if mask[view.at_map + index]:
            card = card_at(view, index)
            home = lift(view, card)
            if optional:
                cost = outlook(view, odds, NO_CARD, weights)
            else:
                put(view, view.chosen, home)
                cost = outlook(view, odds, view.chosen, weights)
                cost += cheapest(view, odds, card, weights) + burden(view, card, weights)
                lift(view, view.chosen)
            put(view, card, home)
            if cost < least:
                least, best = cost, view.at_map + index
    return int(best)
