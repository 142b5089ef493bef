"""What a player of Fiddlefoo can work out from an observation, as numbers for a network.

What the others may be expected to throw at each pair, the unseen cards spread over their hidden
cards and the pile (`bot_odds`), and what `expert` makes of that: a network would have to learn to
add up, for every cell, the cards that fit. Trained players depend on these numbers: a test holds
them fast.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.board import fill_matches, find_cells
from kitchentable.games.fiddlefoo.cards import NUM_CARDS, ONE, WORDS
from kitchentable.games.fiddlefoo.players.hints_team import team_hints, team_layout
from kitchentable.games.fiddlefoo.players.odds import Odds, Threat, odds_of, threat_at
from kitchentable.games.fiddlefoo.players.plan import WEIGHTS, burden
from kitchentable.games.fiddlefoo.players.play import play_cost
from kitchentable.games.fiddlefoo.players.view import view_of
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    BLOCKS,
    CARD,
    CELL,
    NUM_CELLS,
    Params,
    deck,
    index_of,
)

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST = 8.0
"""Cards thrown; so many or more look alike."""
MOST_RELIEF = 2.0
"""Hands thrown away, likewise."""
NEVER = 1e6
"""More than any play costs."""
KINDS = ("merit", "calm", "strain", "quiet", "open", "song")
"""What is hinted about a play, the more the better:

- ``merit``: how close it comes to the play that `expert` likes best: 1 for that one, less and less
  for what costs more by its weights;
- ``calm``: how few cards the others may be expected to throw, 1 for none and 0 for 8 or more;
- ``strain``: likewise, each card as a share of its thrower's hand, 0 for 2 or more;
- ``quiet``: the chance that nobody throws;
- ``open``: the chance that nobody throws its last card;
- ``song``: 1 if it is no Safe Song.
"""
MERIT_SLOPE = 3.0
"""What costs 1 more has the e^3rd part of the merit."""


def layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order; zero where nothing is asked.

    Those of a card are about the cell that `expert` would choose for it.
    """
    if params.cooperative:
        return team_layout(params)
    cells, cards = params.map_size**2, len(deck(params))
    about_cards = {f"card_{kind}": cards for kind in KINDS}  # to choose the card to play
    return about_cards | {f"cell_{kind}": cells for kind in KINDS}  # to choose its cell


@allocating_kernel
def write(
    observation: FloatArray, mask: BoolArray, variant: Integers, out: FloatArray, *_: Any
) -> None:
    """Write the hints for the seat to act into ``out``, which is zero on entry."""
    if not mask.any():
        return
    view = view_of(observation, variant)
    if view.cooperative:
        team_hints(view, mask, out)
    elif view.phase == CARD or view.phase == AGAIN:
        _hint_cards(view, odds_of(view), out)
    elif view.phase == CELL:
        costs, about = np.zeros(NUM_CELLS), out[len(KINDS) * view.num_cards :]
        _hint_cells(view, odds_of(view), int(view.chosen), costs, about)
        _write_merits(costs, about[: view.map_size * view.map_size])


@allocating_kernel
def _hint_cards(view: Any, odds: Odds, out: FloatArray) -> None:
    """Write the hints about the cards that may be played, each in its best cell."""
    side, cards = int(view.map_size), int(view.num_cards)
    costs, least = np.zeros(NUM_CELLS), np.zeros(NUM_CARDS)
    about = np.zeros(len(KINDS) * side * side, np.float32)
    for word in range(WORDS):
        rest = view.playable[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - ONE
            best = _hint_cells(view, odds, card, costs, about)
            at = int(index_of(view, card))
            least[at] = costs[best] - burden(view, card, WEIGHTS) - NEVER
            for kind in range(1, len(KINDS)):
                out[at + kind * cards] = about[best + kind * side * side]
    _write_merits(least, out[:cards])


@subroutine
def _hint_cells(view: Any, odds: Odds, card: int, costs: Floats, out: FloatArray) -> int:
    """Write the hints about the cells where a card may go, and return the best cell.

    Args:
        view: the table.
        odds: from `odds_of`.
        card: the card to be added.
        costs: overwritten: what each cell costs, less `NEVER`; 0 where the card may not go.
        out: all hints but the merit, by kind and place in the window.
    """
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    side = int(view.map_size)
    find_cells(view, card, legal)
    fill_matches(view, card, matches)
    costs[:] = 0.0
    best = 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - ONE
            threat = threat_at(view, odds, card, cell, matches)
            place = (cell >> 4) * side + (cell & 15)
            _write(threat, out, place, side * side)
            costs[place] = play_cost(view, threat, card, WEIGHTS) - NEVER
            if costs[place] < costs[best]:
                best = place
    return best


@subroutine
def _write_merits(costs: Floats, out: FloatArray) -> None:
    """Write how close each possible choice comes to the one that costs least."""
    least = 0.0
    for i in range(out.shape[0]):
        least = min(least, costs[i])
    for i in range(out.shape[0]):
        if costs[i] < 0.0:
            out[i] = math.exp(-MERIT_SLOPE * (costs[i] - least))


@kernel
def _write(threat: Threat, out: FloatArray, at: int, step: int) -> None:
    """Write the hints about one play, in the order of `KINDS` from the second on."""
    out[at + step] = 1.0 - min(threat.thrown, MOST) / MOST
    out[at + 2 * step] = 1.0 - min(threat.relief, MOST_RELIEF) / MOST_RELIEF
    out[at + 3 * step] = threat.quiet
    out[at + 4 * step] = 1.0 - threat.finish
    out[at + 5 * step] = 0.0 if threat.safe else 1.0
