"""What a seat of Add-Too knows, as a record; scripted players and action features read it.

All hands lie open; only the order of the pile is hidden. The layout is moved and rotated so that
the last played diamond lies at (0, 0, 0, 0) (see `geometry`). Layouts that differ only in position
and rotation are therefore the same knowledge. So are layouts that were laid in another order.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import small
from kitchentable.core.kernels import kernel
from kitchentable.core.seats import place_of, seat_after
from kitchentable.core.state import NOBODY
from kitchentable.games.addtoo.board import frame, is_open, last_tile, seen
from kitchentable.games.addtoo.geometry import SIDES, WAYS
from kitchentable.games.addtoo.state import (
    MAX_PLAYERS,
    NO_TILE,
    NUM_TILES,
    OVER,
    Position,
    State,
)


class Knowledge:
    """What a seat knows; seats are counted from it, as seat 0, and sets are as in `Position`."""

    # Parameters.
    num_players: Annotated[int, np.int8]
    turned: Annotated[bool, np.bool_]
    strict_colors: Annotated[bool, np.bool_]
    fifth_draw_plays: Annotated[bool, np.bool_]
    sealed_ends_hand: Annotated[bool, np.bool_]
    target: Annotated[int, np.int16]
    max_hands: Annotated[int, np.int8]
    hand: Annotated[int, np.int8]
    in_play: Annotated[np.uint64, np.uint64]
    # The decision.
    phase: Annotated[int, np.int8]
    to_act: Annotated[int, np.int8]
    """The seat to act, or `NOBODY` when the game is over."""
    chosen: Annotated[int, np.int8]
    passes: Annotated[int, np.int8]
    # The table.
    hands: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS,)]
    pile_size: Annotated[int, np.int8]
    lying: Annotated[np.uint64, np.uint64]
    last: Annotated[int, np.int8]
    """The last played diamond, or `NO_TILE`."""
    xs: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Column of the up half of each lying diamond, by id; like the rest of the place, it is
    relative to the last diamond, and 0 for diamonds that do not lie."""
    ys: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    axes: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    flips: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    open: Annotated[NDArray[np.uint8], np.uint8, (SIDES,)]
    """Whether nothing touches a side of the last diamond, by side."""
    room: Annotated[NDArray[np.uint8], np.uint8, (WAYS,)]
    playable: Annotated[np.uint64, np.uint64]
    # The score.
    hands_done: Annotated[int, np.int8]
    points: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]


@kernel
def know(state: State, viewer: int, known: Knowledge, *_: Any) -> None:
    """Write what ``viewer`` knows into the record ``known``."""
    seats, first = small(state.num_players), max(int(viewer), 0)
    known.num_players, known.hand, known.in_play = state.num_players, state.hand, state.in_play
    known.turned, known.strict_colors = state.turned, state.strict_colors
    known.fifth_draw_plays, known.sealed_ends_hand = state.fifth_draw_plays, state.sealed_ends_hand
    known.target, known.max_hands = state.target, state.max_hands
    known.phase, known.chosen, known.passes = state.phase, state.chosen, state.passes
    over = state.phase == OVER
    known.to_act = NOBODY if over else place_of(int(state.current_player), first, seats)
    known.pile_size, known.hands_done = state.pile_size, state.hands_done
    for seat in range(seats):
        player = seat_after(first, seat, seats)
        known.hands[seat] = state.hands[player]
        known.points[seat], known.totals[seat] = state.points[player], state.totals[player]
    _know_layout(state, known)


@kernel
def _know_layout(state: State, known: Knowledge) -> None:
    last = last_tile(state)
    known.last, known.lying, known.playable = last, state.lying, state.playable
    for tile in range(NUM_TILES):
        known.xs[tile] = known.ys[tile] = known.axes[tile] = known.flips[tile] = 0
    home = frame(state, last)
    for i in range(state.num_laid):
        tile = small(state.laid[i])
        x, y, axis, flip = seen(state, tile, home)
        known.xs[tile], known.ys[tile], known.axes[tile], known.flips[tile] = x, y, axis, flip
    for side in range(SIDES):
        known.open[side] = last != NO_TILE and is_open(state, last, side)
    for way in range(WAYS):
        known.room[way] = state.room[way] if last != NO_TILE else 0


@kernel
def unseen(known: Knowledge | Position) -> np.uint64:
    """Return the set of diamonds in the pile: those that neither lie nor are in a hand."""
    tiles = known.in_play & ~known.lying
    for seat in range(known.num_players):
        tiles &= ~known.hands[seat]
    return tiles
