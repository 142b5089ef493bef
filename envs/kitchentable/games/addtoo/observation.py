"""Observations of Add-Too: what one seat may see, as a flat vector of numbers from 0 to 1.

All hands lie open; only the order of the pile is hidden. Seats are counted from the viewer: 0 is
the viewer, 1 the next seat, and so on. A set of diamonds has 45 numbers, one for each diamond.

The layout is moved and rotated so that the last played diamond lies at (0, 0, 0, 0) (see
`geometry`). Layouts that differ only in position and rotation therefore look the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, small, write_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.state import FloatArray
from kitchentable.games.addtoo.board import frame, is_open, last_tile, seen
from kitchentable.games.addtoo.geometry import AXES, COLUMN, ROW, SIDES, WAYS
from kitchentable.games.addtoo.knowledge import unseen
from kitchentable.games.addtoo.state import (
    HAND,
    HIGHEST,
    LEFT_PENALTY,
    NO_TILE,
    NO_TILES,
    NUM_TILES,
    OVER,
    WORST_HAND,
    Numbers,
    Params,
    State,
)

CARD_PARTS = ("hands", "unseen", "chosen", "last", "playable")
"""The parts of the layout that consist of vectors over the 45 diamonds."""

SPAN = 48
"""Columns and rows between -48 and 48 can be represented."""
PER_CELL = np.float32(1.0 / (2 * SPAN))
PER_NUMBER = np.float32(1.0 / HIGHEST)
PLACE_SIZE = 2 + AXES + 1
RADIUS = 2
"""Cells shown to every side of the last diamond: all that a diamond attached to it can touch."""
WIDTH = 2 * RADIUS + 1
CHANNELS = 4
LEAD_SPAN = 100
"""Lead in points at which the part ``lead`` saturates."""
NEAR = 100
"""Points at which the parts ``points`` (its first number) and ``to_go`` saturate."""
PER_TILE = 1.0 / NUM_TILES
PER_LEAD = 1.0 / (2 * LEAD_SPAN)
PER_NEAR = 1.0 / NEAR
PER_POINT = 1.0 / WORST_HAND


def image_parts(params: Params) -> dict[str, tuple[int, int, int]]:
    """Return the shape of each part that is an image: (channels, height, width)."""
    del params
    return {"around": (CHANNELS, WIDTH, WIDTH)}


def observation_layout(params: Params) -> dict[str, int]:
    """Return the length of each part by name, in order."""
    seats = params.num_players
    return {
        "phase": OVER,  # one-hot: choose a diamond, choose a place for it; zeros: over
        "to_act": seats,  # one-hot: the current player
        "hands": seats * NUM_TILES,  # diamonds in each hand, seat by seat
        "hand_sizes": seats * HAND,  # one-hot per seat: one to five diamonds
        "unseen": NUM_TILES,  # diamonds in the face-down pile
        "chosen": NUM_TILES,  # one-hot: the chosen diamond, still in its hand
        "last": NUM_TILES,  # one-hot: the last played diamond
        "last_numbers": 2 * HIGHEST,  # one-hot each: its orange number, its blue number
        "open": SIDES,  # sides of the last diamond that nothing touches
        "room": WAYS,  # ways to attach a diamond to it that have room
        "playable": NUM_TILES,  # diamonds that can be laid somewhere now, whoever holds them
        # Each lying diamond by id, relative to the last one: column and row, 0.5 for 0, of 96; the
        # axis, one-hot; the flip. All zero for other diamonds.
        "layout": PLACE_SIZE * NUM_TILES,
        # The cells from -2 to 2 around the last diamond, row by row, in four planes: the number, of
        # 10, of an orange up half, a blue up half, an orange down half, a blue down half.
        "around": CHANNELS * WIDTH * WIDTH,
        "draw_pile": 1,  # diamonds in the pile, of 45
        "passes": 1,  # consecutive passes, of the number of seats
        "hands_done": 2,  # finished hands, of the maximum; whether this is the last hand
        "points": 2 * seats,  # in this hand: of `NEAR`, 1 for more; and of `WORST_HAND`
        "totals": seats,  # points above the lowest possible total, of the possible range
        "to_go": seats,  # missing points for the target, this hand included, of 100; 1 for more
        "lead": seats - 1,  # lead over each other seat: 0.5 if equal, 1 for 100 points or more
    }


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of each part of the full state by name, in order."""
    everything = {f"player_0_{name}": size for name, size in observation_layout(params).items()}
    return everything | {"deck_order": NUM_TILES}  # next diamond first, (id + 1) / 45


@kernel
def observe(state: State, viewer: int, out: FloatArray, numbers: Numbers, *_: Any) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which is zero on entry."""
    _write(state, viewer, out, numbers)


@kernel
def observe_state(state: State, out: FloatArray, numbers: Numbers, *_: Any) -> None:
    """Write the full state: player_0's observation, then the pile in order."""
    at = _write(state, 0, out, numbers)
    for i in range(state.pile_size):
        out[at + i] = (state.pile[state.pile_size - 1 - i] + 1) / NUM_TILES


@kernel
def _write(state: State, viewer: int, out: FloatArray, numbers: Numbers) -> int:
    at = _write_hands(state, viewer, out)
    at = _write_last(state, out, at, numbers)
    write_bits(state.playable, NUM_TILES, out, at)
    at = _write_layout(state, out, at + NUM_TILES, numbers)
    return _write_scores(state, viewer, out, at)


@kernel
def _write_hands(state: State, viewer: int, out: FloatArray) -> int:
    seats = small(state.num_players)
    if state.phase != OVER:
        out[state.phase] = 1.0
        place = int(state.current_player) - viewer
        out[OVER + (place if place >= 0 else place + seats)] = 1.0
    at = OVER + seats
    sizes = at + seats * NUM_TILES
    player = viewer
    for i in range(seats):
        hand = state.hands[player]
        player = player + 1 if player + 1 < seats else 0
        write_bits(hand, NUM_TILES, out, at + NUM_TILES * i)
        if hand != NO_TILES:
            out[sizes + HAND * i + count_bits(hand) - 1] = 1.0
    at = sizes + HAND * seats
    write_bits(unseen(state), NUM_TILES, out, at)
    at += NUM_TILES
    if state.chosen != NO_TILE:
        out[at + int(state.chosen)] = 1.0
    return at + NUM_TILES


@kernel
def _write_last(state: State, out: FloatArray, at: int, numbers: Numbers) -> int:
    last = last_tile(state)
    if last != NO_TILE:
        out[at + last] = 1.0
        at += NUM_TILES
        for color in range(2):
            out[at + HIGHEST * color + int(numbers[color, last]) - 1] = 1.0
        at += 2 * HIGHEST
        for side in range(SIDES):
            out[at + side] = is_open(state, last, side)
        for way in range(WAYS):
            out[at + SIDES + way] = state.room[way]
        return at + SIDES + WAYS
    return at + NUM_TILES + 2 * HIGHEST + SIDES + WAYS


@kernel
def _write_layout(state: State, out: FloatArray, at: int, numbers: Numbers) -> int:
    """Write the lying diamonds, moved and rotated relative to the last one."""
    around = at + PLACE_SIZE * NUM_TILES
    home = frame(state, last_tile(state))
    for i in range(state.num_laid):
        tile = small(state.laid[i])
        up_x, up_y, axis, flip = seen(state, tile, home)
        place = at + PLACE_SIZE * tile
        out[place] = np.float32(up_x + SPAN) * PER_CELL
        out[place + 1] = np.float32(up_y + SPAN) * PER_CELL
        out[place + 2 + axis] = 1.0
        out[place + 2 + AXES] = flip
        upper, lower = flip, 1 - flip
        _write_half(up_x, up_y, upper, numbers[upper, tile], out, around)
        down_x, down_y = up_x - COLUMN[axis], up_y - ROW[axis]
        _write_half(down_x, down_y, 2 + lower, numbers[lower, tile], out, around)
    return around + CHANNELS * WIDTH * WIDTH


@kernel
def _write_half(x: int, y: int, plane: int, number: int, out: FloatArray, at: int) -> None:
    """Write the number of a half if it is near the last diamond.

    No branch, because it would be unpredictable: a half too far away is written to where the next
    part will overwrite it.
    """
    near = (abs(x) <= RADIUS) & (abs(y) <= RADIUS)
    cell = (plane * WIDTH + y + RADIUS) * WIDTH + x + RADIUS
    out[at + (cell if near else CHANNELS * WIDTH * WIDTH)] = np.float32(number) * PER_NUMBER


@kernel
def _write_scores(state: State, viewer: int, out: FloatArray, at: int) -> int:
    seats, hands = small(state.num_players), int(state.max_hands)
    out[at] = state.pile_size * PER_TILE
    out[at + 1] = state.passes / seats
    out[at + 2] = state.hands_done / hands
    out[at + 3] = state.hands_done == hands - 1
    at += 4
    totals, to_go = at + 2 * seats, at + 3 * seats
    lowest = HAND * LEFT_PENALTY * hands
    per_total = 1.0 / (state.target + WORST_HAND + lowest)  # divisions are slow
    running = state.phase != OVER  # at the end the totals include the points
    own = int(state.totals[viewer] + running * state.points[viewer])
    player = viewer
    for i in range(seats):
        points, total = int(state.points[player]), int(state.totals[player])
        out[at + 2 * i] = min(points, NEAR) * PER_NEAR
        out[at + 2 * i + 1] = points * PER_POINT
        out[totals + i] = (total + lowest) * per_total
        total += running * points
        out[to_go + i] = min(max(state.target - total, 0), NEAR) * PER_NEAR
        if i > 0:
            lead = min(max(own - total, -LEAD_SPAN), LEAD_SPAN)
            out[to_go + seats + i - 1] = 0.5 + lead * PER_LEAD
        player = player + 1 if player + 1 < seats else 0
    return to_go + 2 * seats - 1
