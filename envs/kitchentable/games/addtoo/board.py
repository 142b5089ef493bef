"""The layout of Add-Too: where diamonds can be laid and what they score.

The state record keeps every spot for a bonus play, so that nothing has to search the whole layout.
Laying a diamond changes only what is next to it and next to the previous last diamond:

- Spots under the new diamond disappear. Spots that touch it allow no bonus play while it is the
  last diamond.
- A place that touches the previous last diamond, but not the new one, may become a spot.

Whether the sides of a spot fit depends only on the diamonds that touch it, so it does not change
while none is added to them.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.bits import small
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.state import Ints
from kitchentable.games.addtoo.geometry import (
    ACROSS,
    ATTACH,
    COLOR_WAYS,
    DIRECTION,
    DOWN,
    FREE,
    LAST,
    SEEN_FROM,
    SIDES,
    TURN_TO,
    TURNS,
    WAYS,
    side_toward,
    triangle,
    way_onto,
)
from kitchentable.games.addtoo.state import (
    AT_LAST,
    AT_SPOT,
    BLUE,
    BONUS,
    MULTIPLE,
    NO_TILE,
    NO_TILES,
    NUM_TILES,
    ONE,
    ORANGE,
    Fits,
    Numbers,
    Position,
)

Place = tuple[int, int, int, int]
"""Column, row, axis and flip (see `geometry`)."""
Frame = tuple[int, int, int, int, int, int, Ints]
"""Column and row of a diamond, the matrix that rotates offsets from it, row by row, and what to add
to rotated places (see `geometry.SEEN_FROM`)."""


# --- Places ---------------------------------------------------------------------------------------


@kernel
def last_tile(state: Position) -> int:
    """Return the last played diamond, or `NO_TILE`."""
    return int(state.laid[state.num_laid - 1]) if state.num_laid > 0 else NO_TILE


@kernel
def attached(state: Position, tile: int, way: int) -> Place:
    """Return the place of a diamond that is attached to a lying one in a given way."""
    step = ATTACH[state.axes[tile], state.flips[tile], way]
    return int(state.xs[tile] + step[0]), int(state.ys[tile] + step[1]), int(step[2]), int(step[3])


@kernel
def place_of(state: Position, action: int) -> Place:
    """Return the place of an action ``last:`` or ``on:``."""
    if action < AT_SPOT:
        return attached(state, last_tile(state), action - AT_LAST)
    return attached(state, (action - AT_SPOT) // WAYS, (action - AT_SPOT) % WAYS)


@kernel
def frame(state: Position, tile: int) -> Frame:
    """Return how to move and rotate places so that a lying diamond lies at (0, 0, 0, 0)."""
    turn = TURN_TO[state.axes[tile], state.flips[tile]]
    places = SEEN_FROM[state.axes[tile], state.flips[tile]]
    x, y = int(state.xs[tile]), int(state.ys[tile])
    return x, y, turn[0, 0], turn[0, 1], turn[1, 0], turn[1, 1], places


@kernel
def seen(state: Position, tile: int, home: Frame) -> Place:
    """Return the place of a lying diamond, moved and rotated by a `frame`."""
    home_x, home_y, x_by_x, x_by_y, y_by_x, y_by_y, places = home
    x, y = int(state.xs[tile]) - home_x, int(state.ys[tile]) - home_y
    at = places[small(state.axes[tile]), small(state.flips[tile])]
    return x_by_x * x + x_by_y * y + at[0], y_by_x * x + y_by_y * y + at[1], at[2], at[3]


@kernel
def up_half(state: Position, tile: int) -> int:
    """Return the triangle of the up half of a lying diamond."""
    return triangle(int(state.xs[tile]), int(state.ys[tile]))


@kernel
def down_half(up: int, axis: int) -> int:
    """Return the triangle of the down half of a place."""
    return int((up + DOWN[axis]) & LAST)


@kernel
def across(up: int, axis: int, edge: int) -> int:
    """Return the triangle across an outer edge of a place.

    Args:
        up: the triangle of the place's up half.
        axis: the axis of the place.
        edge: 0 or 1 for the edges of the up half, 2 or 3 for those of the down half.
    """
    return int((up + ACROSS[axis, edge]) & LAST)


@kernel
def is_free(state: Position, up: int, axis: int) -> bool:
    """Return whether no diamond lies at a place."""
    return bool((state.grid[up] == FREE) & (state.grid[down_half(up, axis)] == FREE))


@kernel
def ways_at(state: Position, place: Place, color: int) -> int:
    """Return the number of ways to attach a diamond to one color of a diamond at a place.

    Args:
        state: the state record.
        place: a free place.
        color: the color of the sides.
    """
    x, y, axis, flip = place
    origin, steps, count = triangle(x, y), ATTACH[axis, flip], 0
    for way in range(COLOR_WAYS * color, COLOR_WAYS * (color + 1)):
        up, onto = int((origin + steps[way, 4]) & LAST), int(steps[way, 2])
        count += has_room(state, up, onto)
    return count


@kernel
def has_room(state: Position, up: int, axis: int) -> bool:
    """Return whether a diamond has room at a place, whatever touches it.

    With ``turned=False`` all diamonds have the axis of the first one.
    """
    return is_free(state, up, axis) and bool(state.turned or axis == 0)


@kernel
def edge_color(flip: int, edge: int) -> int:
    """Return the color at an outer edge, given the flip; or the flip, given the color there."""
    return flip if edge < TURNS else 1 - flip


# --- Scoring (booklet: Scoring Play, Bonus Plays) -------------------------------------------------


@kernel
def points_for(state: Position, tile: int, place: Place, is_bonus: bool, numbers: Numbers) -> int:
    """Return the points for laying a diamond at a place, which must be legal.

    Touching sides of equal color whose numbers add to a multiple of 5 score the sum; in a bonus
    play every touching side scores 5 more.
    """
    x, y, axis, flip = place
    up = triangle(x, y)
    points = 0
    for edge in range(SIDES):
        code = int(state.grid[across(up, axis, edge)])
        if code != FREE:
            color = code & 1
            total = int(numbers[color, tile]) + int(numbers[color, code >> 1])
            if color == edge_color(flip, edge) and total % MULTIPLE == 0:
                points += total
            if is_bonus:
                points += BONUS
    return points


# --- Laying ---------------------------------------------------------------------------------------


@subroutine
def lay(state: Position, tile: int, place: Place, numbers: Numbers, fits: Fits) -> None:
    """Lay a diamond, which becomes the last one, and find where the next one can be laid."""
    x, y, axis, flip = place
    before = last_tile(state)
    up = triangle(x, y)
    state.xs[tile], state.ys[tile] = x, y
    state.axes[tile], state.flips[tile] = axis, flip
    state.grid[up] = 2 * tile + flip
    state.grid[down_half(up, axis)] = 2 * tile + 1 - flip
    state.laid[state.num_laid] = tile
    state.num_laid += 1
    state.lying |= ONE << np.uint64(tile)
    _drop_spots(state, up, axis)
    if before != NO_TILE:
        add_spots(state, before, numbers, fits)
    _look_around(state, tile, numbers, fits)


@kernel
def _drop_spots(state: Position, up: int, axis: int) -> None:
    """Remove the spots that overlap or touch the last diamond, and those that no diamond fits."""
    down = down_half(up, axis)
    below, beside = across(up, axis, 0), across(up, axis, 1)
    above, behind = across(up, axis, 2), across(up, axis, 3)
    i = 0
    while i < state.num_spots:
        spot_up, spot_down = int(state.spot_ups[i]), int(state.spot_downs[i])
        state.spot_tiles[i] &= ~state.lying
        if (
            (spot_up == up or spot_up == above or spot_up == behind)
            or (spot_down == down or spot_down == below or spot_down == beside)
            or state.spot_tiles[i] == NO_TILES
        ):
            _drop_spot(state, i)
        else:
            i += 1


@kernel
def _drop_spot(state: Position, i: int) -> None:
    """Remove spot ``i`` by moving the last spot into its place."""
    state.num_spots -= 1
    end = state.num_spots
    state.spot_actions[i], state.spot_actions[end] = state.spot_actions[end], 0
    state.spot_ups[i], state.spot_ups[end] = state.spot_ups[end], 0
    state.spot_downs[i], state.spot_downs[end] = state.spot_downs[end], 0
    state.spot_tiles[i], state.spot_tiles[end] = state.spot_tiles[end], NO_TILES


@kernel
def add_spots(state: Position, before: int, numbers: Numbers, fits: Fits) -> None:
    """Add the spots beside diamond ``before``, which was the last one until now.

    ``state.room`` must still describe that diamond.
    """
    origin, steps = up_half(state, before), ATTACH[state.axes[before], state.flips[before]]
    for way in range(WAYS):
        if state.room[way]:
            up = int((origin + steps[way, 4]) & LAST)
            _add_spot(state, up, int(steps[way, 2]), numbers, fits)


@kernel
def _add_spot(state: Position, up: int, axis: int, numbers: Numbers, fits: Fits) -> None:
    """Add a place as a spot if a bonus play is possible there now (booklet: Bonus Plays).

    The place must be free and touch two or more diamonds, but not the last one, and a diamond that
    fits on every touching side must be left. Every touching side must match in color, which decides
    how a diamond lies there.
    """
    if not is_free(state, up, axis):
        return
    last = last_tile(state)
    tiles = ~state.lying
    flip = contacts = lowest_edge = lowest_color = 0
    lowest = NUM_TILES
    for edge in range(SIDES):
        code = int(state.grid[across(up, axis, edge)])
        if code != FREE:
            other, color = code >> 1, code & 1
            needed = edge_color(color, edge)
            if other == last or (contacts > 0 and needed != flip):
                return
            flip = needed
            contacts += 1
            tiles &= fits[color, numbers[color, other]]
            if other < lowest:
                lowest, lowest_edge, lowest_color = other, edge, color
    if contacts > 1 and tiles != NO_TILES:
        # The action names the contact with the lowest id.
        direction = int(DIRECTION[axis, lowest_edge])
        side = side_toward(int(state.axes[lowest]), direction, lowest_color)
        end = state.num_spots
        state.spot_actions[end] = AT_SPOT + WAYS * lowest + way_onto(side, direction, axis)
        state.spot_ups[end] = up
        state.spot_downs[end] = down_half(up, axis)
        state.spot_tiles[end] = tiles
        state.num_spots += 1


@kernel
def _look_around(state: Position, tile: int, numbers: Numbers, fits: Fits) -> None:
    """Find which diamonds can be laid in each way at the last one, and which anywhere."""
    playable = NO_TILES
    origin, steps = up_half(state, tile), ATTACH[state.axes[tile], state.flips[tile]]
    for way in range(WAYS):
        up = int((origin + steps[way, 4]) & LAST)
        axis, flip = int(steps[way, 2]), int(steps[way, 3])
        color = ORANGE if way < COLOR_WAYS else BLUE
        room = has_room(state, up, axis)
        state.room[way] = room
        if room and not (state.strict_colors and _colors_clash(state, up, axis, flip)):
            state.last_tiles[way] = fits[color, numbers[color, tile]] & ~state.lying
        else:
            state.last_tiles[way] = NO_TILES
        playable |= state.last_tiles[way]
    for i in range(state.num_spots):
        playable |= state.spot_tiles[i]
    state.playable = playable


@kernel
def _colors_clash(state: Position, up: int, axis: int, flip: int) -> bool:
    """Return whether a diamond at a place would touch a side of the other color."""
    for edge in range(SIDES):
        code = int(state.grid[across(up, axis, edge)])
        if code != FREE and code & 1 != edge_color(flip, edge):
            return True
    return False


# --- The last diamond -----------------------------------------------------------------------------


@kernel
def is_open(state: Position, tile: int, side: int) -> bool:
    """Return whether nothing touches a side of a lying diamond."""
    edge = side ^ (2 * int(state.flips[tile]))  # edges begin with the up half, sides with orange
    return bool(state.grid[across(up_half(state, tile), int(state.axes[tile]), edge)] == FREE)


@kernel
def is_enclosed(state: Position) -> bool:
    """Return whether all four sides of the last diamond are touched."""
    tile = last_tile(state)
    for side in range(SIDES):
        if is_open(state, tile, side):
            return False
    return True


@kernel
def is_sealed(state: Position) -> bool:
    """Return whether there is no room for a diamond at the last one."""
    for way in range(WAYS):
        if state.room[way]:
            return False
    return True


# --- A new layout ---------------------------------------------------------------------------------


@kernel
def clear(state: Position) -> None:
    """Remove all diamonds from the grid."""
    for i in range(state.num_laid):
        tile = int(state.laid[i])
        up = up_half(state, tile)
        state.grid[up] = FREE
        state.grid[down_half(up, int(state.axes[tile]))] = FREE
    start(state)


@kernel
def start(state: Position) -> None:
    """Begin a layout on a free grid."""
    state.laid[:] = NO_TILE
    state.num_laid = 0
    state.lying = NO_TILES
    state.playable = state.in_play
    state.xs[:] = 0
    state.ys[:] = 0
    state.axes[:] = 0
    state.flips[:] = 0
    state.room[:] = 0
    state.last_tiles[:] = NO_TILES
    state.num_spots = 0
    state.spot_actions[:] = 0
    state.spot_ups[:] = 0
    state.spot_downs[:] = 0
    state.spot_tiles[:] = NO_TILES
