"""Hints for Fiddlefoo's cooperative variant: how close each choice comes to the expert's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.cards import NUM_CARDS, has
from kitchentable.games.fiddlefoo.players.team_give import judge_throws
from kitchentable.games.fiddlefoo.players.team_play import WORST, judge_cells, note_gains, prospects
from kitchentable.games.fiddlefoo.players.team_value import look_out
from kitchentable.games.fiddlefoo.state import (
    CARD,
    CELL,
    NUM_CELLS,
    SIDE,
    THROW,
    Params,
    deck,
    index_of,
)

Floats = NDArray[np.float64]

SLOPE = 3.0
"""What is worth 1 less than the best choice has the e^3rd part of the merit."""


def team_layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order; zero where nothing is asked.

    All are 1 for what `team_expert` likes best, and less and less for what is worth less to it:
    logarithms of the chances of the piles, and what else it counts.
    """
    cells, cards = params.map_size**2, len(deck(params))
    return {
        "card_merit": cards,  # to choose the card to play
        "cell_merit": cells,  # to choose its cell
        "throw_merit": cards,  # to throw, and so on
        "pass_merit": 1,
        "pile_merit": cards,
    }


@allocating_kernel
def team_hints(view: Any, mask: BoolArray, out: FloatArray) -> None:
    """Write the hints for the seat to act into ``out``, which is zero on entry."""
    cards, side = int(view.num_cards), int(view.map_size)
    if view.phase == THROW:
        gains = np.zeros(len(mask))
        judge_throws(view, mask, look_out(view), gains)
        for action in range(view.at_throw, len(mask)):
            if not mask[action]:
                gains[action] = WORST
        # Throws, pass and piles stand in the order of their actions.
        _write_merits(gains[view.at_throw : view.at_pile + cards], out[cards + side * side :])
    elif view.phase in (CARD, CELL):
        _hint_plays(view, out, cards, side)


@allocating_kernel
def _hint_plays(view: Any, out: FloatArray, cards: int, side: int) -> None:
    outlook = look_out(view)
    gains, scores = note_gains(view, outlook), np.zeros(NUM_CELLS)
    by_card, by_cell = np.full(cards, WORST), np.full(side * side, WORST)
    for card in range(NUM_CARDS):
        if has(view.playable, card) if view.phase == CARD else card == view.chosen:
            best = judge_cells(view, card, prospects(view, card, outlook, gains), scores)
            by_card[index_of(view, card)] = scores[best]
    if view.phase == CARD:
        _write_merits(by_card, out)
    else:
        for place in range(side * side):
            by_cell[place] = scores[SIDE * (place // side) + place % side]
        _write_merits(by_cell, out[cards:])


@kernel
def _write_merits(worth: Floats, out: FloatArray) -> None:
    """Write how close each possible choice comes to the best one."""
    best = WORST
    for value in worth:
        best = max(best, value)
    for i in range(len(worth)):
        if worth[i] > WORST:
            out[i] = math.exp(-SLOPE * (best - worth[i]))
