"""What the cards in a hand of Fiddlefoo cost: to play one, or to keep it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.games.fiddlefoo.board import fill_matches, find_cells
from kitchentable.games.fiddlefoo.cards import (
    HIGHEST,
    NUMBER,
    ONE,
    SCORE_MINUS_CONDITIONAL,
    WORDS,
    has,
)
from kitchentable.games.fiddlefoo.players.odds import Odds, Threat, threat_at
from kitchentable.games.fiddlefoo.state import BLOCKS

Floats = NDArray[np.float64]

# What counts how much; found by self-play on duplicate deals.
W_THROWN, W_RELIEF, W_FINISH, W_SAFE, W_QUIET, W_PAIRED, W_KNOWN = range(7)
W_NUMBER = 7
"""From here on, what a card costs that is kept, by how far its number is from the middle."""
WEIGHTS = np.array([
    2.95, 1.33, 2.74, 1.13, 7.0, 1.0, 0.65,
    1.55, 1.25, 1.1, 1.1, 0.8, 0.65, 0.75, 0.75,
])  # fmt: skip
MOST = 4.0
"""What a card costs at most that cannot be played without a loss."""
TREASURE = -4.0
"""What `SCORE_MINUS_CONDITIONAL` costs: nobody wants to be rid of it."""


@kernel
def cost_of(threat: Threat, weights: Floats) -> float:
    """Return what a play costs by what the others may throw."""
    cost = weights[W_THROWN] * threat.thrown + weights[W_RELIEF] * threat.relief
    cost += weights[W_FINISH] * threat.finish
    return float(cost + weights[W_SAFE] * threat.safe)


@subroutine
def burden(view: Any, card: int, weights: Floats) -> float:
    """Return what it costs to keep a card, wherever it may be played.

    Numbers in the middle cost most. Cards that the others know of can seldom be thrown: who plays
    well makes no pair that they fit.
    """
    if card == SCORE_MINUS_CONDITIONAL:
        return TREASURE
    number = int(NUMBER[card])
    cost = weights[W_NUMBER + max(number - HIGHEST // 2 - 1, HIGHEST // 2 - number)]
    return float(cost + weights[W_KNOWN] * has(view.known[0], card))


@subroutine
def cheapest(table: Any, odds: Odds, card: int, weights: Floats) -> float:
    """Return what the best play of a card costs on this map, at most `MOST`."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    find_cells(table, card, legal)
    fill_matches(table, card, matches)
    best = MOST
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - ONE
            best = min(best, cost_of(threat_at(table, odds, card, cell, matches), weights))
    return float(best)


@subroutine
def outlook(table: Any, odds: Odds, without: int, weights: Floats) -> float:
    """Return what the hand without one of its cards, or `NO_CARD`, is going to cost on this map."""
    total = 0.0
    for word in range(WORDS):
        rest = table.hand[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - ONE
            if card != without:
                total += cheapest(table, odds, card, weights) + burden(table, card, weights)
    return float(total)
