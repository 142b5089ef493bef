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
from kitchentable.core.seats import place_of, seat_after
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
        "layout": PLACE_SIZE * NUM_TILES,  # Each lying diamond by id, relative to the last one:
        # column and row, 0.5 for 0, of 96; the axis, one-hot; the flip. All zero for other
        # diamonds.
        "around": CHANNELS * WIDTH * WIDTH,  # The cells from -2 to 2 around the last diamond, row
        # by row, in four planes: the number, of 10, of an orange up half, a blue up half, an orange
        # down half, a blue down half.
        "draw_pile": 1,  # diamonds in the pile, of 45
        "passes": 1,  # consecutive passes, of the number of seats
        "hands_done": 2,  # finished hands, of the maximum; whether this is the last hand
        "points": 2 * seats,  # in this hand: of `NEAR`, 1 for more; and of `WORST_HAND`
        "totals": seats,  # points above the lowest possible total, of the possible range
        "to_go": seats,  # missing points for the target, this hand included, of 100; 1 for more
        "lead": seats - 1,  # lead over each other seat: 0.5 if equal, 1 for 100 points or more
    }


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of the parts of the full state after player_0's observation."""
    del params
    return {"deck_order": NUM_TILES}  # next diamond first, (id + 1) / 45


@kernel
def observe(state: State, viewer: int, out: FloatArray, numbers: Numbers, *_: Any) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which is zero on entry."""
    _write_hands(state, viewer, out)
    _write_last(state, out, numbers)
    _write_layout(state, out, numbers)
    _write_scores(state, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray, numbers: Numbers, *tables: Any) -> None:
    """Write the full state: player_0's observation, then the pile in order."""
    observe(state, 0, out, numbers, *tables)
    for i in range(state.pile_size):
        out[state.at.deck_order + i] = (state.pile[state.pile_size - 1 - i] + 1) / NUM_TILES


@kernel
def _write_hands(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, small(state.num_players)
    if state.phase != OVER:
        out[at.phase + small(state.phase)] = 1.0
        out[at.to_act + small(place_of(state.current_player, viewer, seats))] = 1.0
    hands, sizes = at.hands, at.hand_sizes
    for i in range(seats):
        hand = state.hands[seat_after(viewer, i, seats)]
        write_bits(hand, NUM_TILES, out, hands + NUM_TILES * i)
        if hand != NO_TILES:
            out[sizes + HAND * i + count_bits(hand) - 1] = 1.0
    write_bits(unseen(state), NUM_TILES, out, at.unseen)
    write_bits(state.playable, NUM_TILES, out, at.playable)
    if state.chosen != NO_TILE:
        out[at.chosen + int(state.chosen)] = 1.0


@kernel
def _write_last(state: State, out: FloatArray, numbers: Numbers) -> None:
    last = last_tile(state)
    if last == NO_TILE:
        return
    out[state.at.last + last] = 1.0
    at_numbers, at_open, at_room = state.at.last_numbers, state.at.open, state.at.room
    for color in range(2):
        out[at_numbers + HIGHEST * color + int(numbers[color, last]) - 1] = 1.0
    for side in range(SIDES):
        out[at_open + side] = is_open(state, last, side)
    for way in range(WAYS):
        out[at_room + way] = state.room[way]


@kernel
def _write_layout(state: State, out: FloatArray, numbers: Numbers) -> None:
    """Write the lying diamonds, moved and rotated relative to the last one."""
    layout, around, beyond = state.at.layout, state.at.around, state.at.draw_pile
    home = frame(state, last_tile(state))
    for i in range(state.num_laid):
        tile = small(state.laid[i])
        up_x, up_y, axis, flip = seen(state, tile, home)
        place = layout + PLACE_SIZE * tile
        out[place] = np.float32(up_x + SPAN) * PER_CELL
        out[place + 1] = np.float32(up_y + SPAN) * PER_CELL
        out[place + 2 + axis] = 1.0
        out[place + 2 + AXES] = flip
        upper, lower = flip, 1 - flip
        _write_half(up_x, up_y, upper, numbers[upper, tile], out, around, beyond)
        down_x, down_y = up_x - COLUMN[axis], up_y - ROW[axis]
        _write_half(down_x, down_y, 2 + lower, numbers[lower, tile], out, around, beyond)


@kernel
def _write_half(
    x: int, y: int, plane: int, number: int, out: FloatArray, around: int, beyond: int
) -> None:
    """Write the number of a half if it is near the last diamond.

    No branch, because it would be unpredictable: a half too far away is written to ``beyond``,
    which is overwritten later.
    """
    near = (abs(x) <= RADIUS) & (abs(y) <= RADIUS)
    cell = (plane * WIDTH + y + RADIUS) * WIDTH + x + RADIUS
    out[around + cell if near else beyond] = np.float32(number) * PER_NUMBER


@kernel
def _write_scores(state: State, viewer: int, out: FloatArray) -> None:
    at, seats, hands = state.at, small(state.num_players), int(state.max_hands)
    out[at.draw_pile] = state.pile_size * PER_TILE
    out[at.passes] = state.passes / seats
    out[at.hands_done] = state.hands_done / hands
    out[at.hands_done + 1] = state.hands_done == hands - 1
    lowest = HAND * LEFT_PENALTY * hands
    per_total = 1.0 / (state.target + WORST_HAND + lowest)  # divisions are slow
    running = state.phase != OVER  # at the end the totals include the points
    own = int(state.totals[viewer] + running * state.points[viewer])
    at_points, totals, to_go, leads = at.points, at.totals, at.to_go, at.lead
    for i in range(seats):
        player = seat_after(viewer, i, seats)
        points, total = int(state.points[player]), int(state.totals[player])
        out[at_points + 2 * i] = min(points, NEAR) * PER_NEAR
        out[at_points + 2 * i + 1] = points * PER_POINT
        out[totals + i] = (total + lowest) * per_total
        total += running * points
        out[to_go + i] = min(max(state.target - total, 0), NEAR) * PER_NEAR
        if i > 0:
            lead = min(max(own - total, -LEAD_SPAN), LEAD_SPAN)
            out[leads + i - 1] = 0.5 + lead * PER_LEAD
