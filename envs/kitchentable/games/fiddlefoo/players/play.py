"""Where a Fiddlefoo player adds which card."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.games.fiddlefoo.board import fill_matches, find_cells
from kitchentable.games.fiddlefoo.cards import (
    DISCARD_CARD,
    NO_CARD,
    NUM_BASE,
    ONE,
    PLAY_AGAIN,
    WORDS,
    Bits,
)
from kitchentable.games.fiddlefoo.players.odds import Odds, Threat, odds_of, threat_at
from kitchentable.games.fiddlefoo.players.plan import W_PAIRED, W_QUIET, burden, cost_of
from kitchentable.games.fiddlefoo.state import BLOCKS, NOWHERE

Floats = NDArray[np.float64]
NEVER = 1e9


class Play(NamedTuple):
    """A card, the cell where it is added, and what that costs, less what it cost to keep it."""

    card: int
    cell: int
    cost: float


@allocating_kernel
def best_play(view: Any, cards: Bits, weights: Floats) -> Play:
    """Return the best play with one of ``cards``."""
    odds = odds_of(view)
    best = Play(NO_CARD, NOWHERE, NEVER)
    for word in range(WORDS):
        rest = cards[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - ONE
            play = _best_cell(view, odds, card, weights)
            if play.cost < best.cost:
                best = play
    return best


@subroutine
def _best_cell(view: Any, odds: Odds, card: int, weights: Floats) -> Play:
    """Return the best play with a card; without a cell it costs `NEVER`."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    find_cells(view, card, legal)
    fill_matches(view, card, matches)
    least, best = NEVER, NOWHERE
    kept = burden(view, card, weights)
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - ONE
            threat = threat_at(view, odds, card, cell, matches)
            cost = play_cost(view, threat, card, weights) - kept
            if cost < least:
                least, best = cost, cell
    return Play(int(card), int(best), float(least))


@kernel
def play_cost(view: Any, threat: Threat, card: int, weights: Floats) -> float:
    """Return what a play costs by its threat, less what its effects bring."""
    cost = cost_of(threat, weights)
    if view.sizes[0] == 1:  # the game is won if nobody throws, and nothing is drawn
        ends = not threat.safe or view.pile == 0
        return float(cost - weights[W_QUIET] * threat.quiet * ends)
    if view.num_cards > NUM_BASE:
        cost -= weights[W_PAIRED] * (_brings(card) + _brings(threat.partner))
    return float(cost)


@kernel
def _brings(card: int) -> float:
    """Return how many cards an action card takes out of the hand if it is paired."""
    return 1.0 if card in (DISCARD_CARD, PLAY_AGAIN) else 0.0
