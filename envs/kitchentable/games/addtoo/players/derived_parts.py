"""Derived parts: the scores of the diamonds of each hand on those of the previous seat's hand."""

from __future__ import annotations

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel
from kitchentable.core.seats import seat_after
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.addtoo.knowledge import Knowledge
from kitchentable.games.addtoo.players.action_features import PER_POINT
from kitchentable.games.addtoo.state import HAND, MULTIPLE, NO_TILES, ONE, Fits, Numbers, Params

PAIR_NUMBERS = 2
"""The scores of a diamond on another one: by orange, and by blue."""


def layout(params: Params) -> dict[str, int]:
    """Return the name and length of each part; `ReplyLayers` of networks read ``pairs``."""
    return {
        "pairs": params.num_players * HAND * (HAND * PAIR_NUMBERS + 1),
        # for each diamond of each seat: what each diamond of the next seat scores on it, and 1
    }


@kernel
def write(
    known: Knowledge,
    _mask: BoolArray,
    out: FloatArray,
    numbers: Numbers,
    _fits: Fits,
) -> None:
    """Write the scores of each seat's diamonds on those of the previous seat, by their numbers."""
    at, seats = 0, int(known.num_players)
    for seat in range(seats):
        hand, following = known.hands[seat], known.hands[seat_after(seat, 1, seats)]
        end = at + HAND * (HAND * PAIR_NUMBERS + 1)
        while hand != NO_TILES:
            _write_pairs_on(numbers, lowest_bit(hand), following, out, at)
            hand &= hand - ONE
            at += HAND * PAIR_NUMBERS + 1
        at = end


@kernel
def _write_pairs_on(
    numbers: Numbers, lying: int, tiles: np.uint64, out: FloatArray, at: int
) -> None:
    out[at + HAND * PAIR_NUMBERS] = 1.0
    while tiles != NO_TILES:
        tile = lowest_bit(tiles)
        tiles &= tiles - ONE
        for color in range(2):
            first, second = int(numbers[color, lying]), int(numbers[color, tile])
            score = first + second if (first + second) % MULTIPLE == 0 else 0
            if score > 0 or first == second:
                out[at + color] = 0.5 + 0.5 * score * PER_POINT
        at += PAIR_NUMBERS
