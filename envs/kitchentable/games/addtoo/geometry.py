"""The triangular grid of Add-Too, as lookup tables of small integers.

Triangles: the up triangle (x, y, 0) has the corners (x, y), (x + 1, y), (x, y + 1), in steps along
e1 = (1, 0) and e2 = (1/2, sqrt(3)/2); the down triangle (x, y, 1) has (x + 1, y), (x + 1, y + 1),
(x, y + 1). In the directions 0, 1 and 2 an up triangle meets the down triangles (x, y), (x - 1, y)
and (x, y - 1).

A *place* is a position for a diamond, with its colors: (x, y, axis, flip). It covers the up
triangle (x, y, 0), its up half, and the neighbor of that triangle in direction ``axis``, its down
half. With flip 0 the up half is orange, with flip 1 the down half.

Sides run counter-clockwise: 0 and 1 are orange, 2 and 3 blue. On a half whose inner edge has
direction ``axis``, the first side has direction axis + 1 and the second axis + 2 (mod 3).

The state record stores a triangle as one number, see `triangle`. The numbers wrap around so that
two triangles with the same number are at least 50 steps between neighboring cells apart. This is
farther than any two triangles that matter: a path through all 45 diamonds and on to the places
beside one of them has less than 100 triangles, and a step takes two of these.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable.core.state import Ints

ROW_STEP = 75
"""Cells from a cell to the one above, in the order of the numbers; this gives the 50 steps."""
NUM_TRIANGLES = 4096
LAST = NUM_TRIANGLES - 1
"""The highest triangle number, and the bit mask of triangle numbers."""
AXES = 3
SIDES = 4
TURNS = 2
"""Number of ways to attach a diamond to a side."""
WAYS = SIDES * TURNS
"""Number of ways to attach a diamond to another: way ``2 * side + turn``."""
COLOR_WAYS = WAYS // 2
"""Number of ways to attach it to the sides of one color; the orange ones come first."""

# By direction: cell of an up triangle minus cell of the down triangle that it meets.
COLUMN = np.array([0, 1, 0])
ROW = np.array([0, 0, 1])
HALF = 1
"""Number of a down triangle minus that of the up triangle of its cell."""
STEP = 2 * COLUMN + 2 * ROW_STEP * ROW
"""Triangle number in a cell minus that in the neighboring cell, by direction."""
DOWN = HALF - STEP
"""Offset from the up half to the down half, by axis."""

# The outer edges of a place: 0 and 1 of the up half, 2 and 3 of the down half.
DIRECTION = np.array(
    [[(axis + 1 + edge % 2) % AXES for edge in range(SIDES)] for axis in range(AXES)]
)
"""Direction of each edge, by axis and edge; shape (3, 4)."""
ACROSS = np.concatenate([DOWN[DIRECTION[:, :2]], DOWN[:, None] - DOWN[DIRECTION[:, 2:]]], axis=1)
"""Offset from the up half to the triangle across an edge, by axis and edge; shape (3, 4)."""


@kernel
def triangle(x: int, y: int) -> int:
    """Return the number of the up triangle (x, y, 0)."""
    return (2 * x + 2 * ROW_STEP * y) & LAST


def _attachments() -> Ints:
    """Compute the place of a diamond that is attached to another one.

    The new diamond's half of the same color is the triangle across the side. If that side has
    direction d, the new axis is d - 1 - turn (mod 3).

    Returns:
        By axis and flip of the lying diamond and way: column and row offset, axis and flip of the
        new diamond, and the offset between the numbers of the up halves; shape (3, 2, 8, 5).
    """
    table = np.zeros((AXES, 2, WAYS, 5), np.int64)
    for axis in range(AXES):
        for flip in range(2):
            for way in range(WAYS):
                side, turn = divmod(way, TURNS)
                direction = (axis + 1 + side % 2) % AXES
                new_axis = (direction - 1 - turn) % AXES
                color = side // 2
                if color == flip:  # the side is on the up half, the new half a down triangle
                    x, y = -COLUMN[direction], -ROW[direction]
                    x, y = x + COLUMN[new_axis], y + ROW[new_axis]
                    new_flip = 1 - color
                else:  # the side is on the down half, in another cell unless axis is 0
                    x = -COLUMN[axis] + COLUMN[direction]
                    y = -ROW[axis] + ROW[direction]
                    new_flip = color
                table[axis, flip, way] = x, y, new_axis, new_flip, triangle(x, y)
    return table


ATTACH = _attachments()

FREE = -1
"""The grid value where no diamond lies."""


def _frames() -> tuple[Ints, Ints]:
    """Compute how a layout looks when moved and rotated so that a diamond lies at (0, 0, 0, 0).

    Returns:
        By axis and flip of that diamond, the matrix that rotates offsets of columns and rows; shape
        (3, 2, 2, 2). And, by its axis and flip and those of another diamond, the column and row to
        add to the other's rotated place and its new axis and flip; shape (3, 2, 3, 2, 4).
    """
    sixth = np.array([[0, -1], [1, 1]])  # a sixth of a full turn: e1 to e2, and e2 to e2 - e1
    matrices = np.zeros((AXES, 2, 2, 2), np.int64)
    places = np.zeros((AXES, 2, AXES, 2, 4), np.int64)
    for axis in range(AXES):
        for flip in range(2):
            middles = _middles(axis, flip)
            turn = np.eye(2, dtype=np.int64)
            while not np.array_equal(turn @ (middles[1] - middles[0]), (1, 1)):
                turn = sixth @ turn
            matrices[axis, flip] = turn
            center = middles[0] + middles[1]
            for other in range(2 * AXES):
                seen = [turn @ (2 * middle - center) + 3 for middle in _middles(*divmod(other, 2))]
                places[axis, flip, other // 2, other % 2] = _place(*(half // 2 for half in seen))
    return matrices, places


def _middles(axis: int, flip: int) -> list[Ints]:
    """Return the centers of the orange and blue half of a place at cell (0, 0), times three."""
    up, down = np.array([1, 1]), 2 - 3 * np.array([COLUMN[axis], ROW[axis]])
    return [down, up] if flip else [up, down]


def _place(orange: Ints, blue: Ints) -> tuple[int, int, int, int]:
    """Return the place whose halves have these centers, which are given times three."""
    flip = int(orange[0] % 3 != 1)
    up, down = (blue, orange) if flip else (orange, blue)
    (x, y), below = up // 3, down // 3
    axis = [(int(x - COLUMN[k]), int(y - ROW[k])) for k in range(AXES)].index(tuple(below))
    return int(x), int(y), axis, flip


TURN_TO, SEEN_FROM = _frames()


@kernel
def side_toward(axis: int, direction: int, color: int) -> int:
    """Return the side of a diamond by color and direction, which must not be its axis."""
    return 2 * color + (direction - axis - 1) % AXES


@kernel
def way_onto(side: int, direction: int, axis: int) -> int:
    """Return the way to attach a diamond with an axis to a side with a direction."""
    return TURNS * side + (direction - axis - 1) % AXES
