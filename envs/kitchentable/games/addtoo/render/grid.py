"""Position of the triangular grid of Add-Too in a picture, and the click areas on it.

Places for one diamond overlap: the two ways at a side share the half that touches it. A shared
point belongs to the place whose letter, in its center, is nearer. So every point of a place selects
a place that covers it, the surroundings of a letter select that letter, and no point selects two
actions, because no two places have the same center.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from kitchentable.games.addtoo.board import Place
from kitchentable.render.picture import Point, Polygon, Rectangle

HEIGHT = sqrt(3) / 2
"""Height of a triangle with side 1."""
EXACT = 0.01
"""Tolerance for rounding errors, in pixels."""

Corner = tuple[float, float]
"""Coordinates in steps along e1 and e2 (see `geometry`)."""


class Grid(NamedTuple):
    """Position and scale of the grid in a picture."""

    x: float
    """Position of the corner (0, 0), in pixels."""
    y: float
    unit: float
    """Side length of a triangle, in pixels."""

    def at(self, corner: Corner) -> Point:
        """Return the position of a corner in the picture; rows go upwards."""
        column, row = corner
        return self.x + self.unit * (column + row / 2), self.y - self.unit * HEIGHT * row

    def points(self, corners: Sequence[Corner]) -> list[Point]:
        """Return the positions of corners in the picture."""
        return [self.at(corner) for corner in corners]


def fit_grid(places: Sequence[Place], box: Rectangle, largest: float) -> Grid:
    """Return the largest grid that shows all places, centered in a box.

    Args:
        places: the places to show.
        box: the area to draw in.
        largest: the maximum side length of a triangle, in pixels.
    """
    xs, ys = _along(Grid(0, 0, 1), places)
    unit = min(largest, box.width / (max(xs) - min(xs)), box.height / (max(ys) - min(ys)))
    x, y = box.middle
    return Grid(x - unit * (min(xs) + max(xs)) / 2, y - unit * (min(ys) + max(ys)) / 2, unit)


def part_grid(places: Sequence[Place], focus: Sequence[Place], box: Rectangle, unit: float) -> Grid:
    """Return a grid of a given scale that shows the most important part of the places in a box.

    Args:
        places: all places that would be shown if there were room.
        focus: the places to center, as far as the box then shows no more empty table than
            necessary.
        box: the area to draw in.
        unit: the side length of a triangle, in pixels.
    """
    grid = Grid(0, 0, unit)
    (xs, ys), (near_xs, near_ys) = _along(grid, places), _along(grid, focus)
    x = _shift(xs, near_xs, box.x, box.width)
    return Grid(x, _shift(ys, near_ys, box.y, box.height), unit)


def _shift(coordinates: list[float], focus: list[float], start: float, room: float) -> float:
    """Return the offset of the places along one axis."""
    low, high = start - min(coordinates), start + room - max(coordinates)
    if high >= low:
        return (low + high) / 2
    centered = start + (room - min(focus) - max(focus)) / 2
    return min(max(centered, high), low)


def _along(grid: Grid, places: Sequence[Place]) -> tuple[list[float], list[float]]:
    """Return the coordinates of all corners of places, to the right and down."""
    points = [point for place in places for point in grid.points(outline(place))]
    return [x for x, _ in points], [y for _, y in points]


def is_inside(grid: Grid, place: Place, window: Rectangle | None) -> bool:
    """Return whether a whole place lies in a part of the picture; None is the whole picture."""
    if window is None:
        return True
    (xs, ys), (left, top, right, bottom) = _along(grid, [place]), window.bounds
    inside_x = left - EXACT <= min(xs) and max(xs) <= right + EXACT
    return inside_x and top - EXACT <= min(ys) and max(ys) <= bottom + EXACT


# --- Corners ------------------------------------------------------------------------------------


def halves(place: Place) -> tuple[list[Corner], list[Corner]]:
    """Return the corners of the orange and the blue half of a place."""
    x, y, axis, flip = place
    up: list[Corner] = [(x, y), (x + 1, y), (x, y + 1)]
    across, above = x - (axis == 1), y - (axis == 2)
    down: list[Corner] = [(across + 1, above), (across + 1, above + 1), (across, above + 1)]
    return (up, down) if flip == 0 else (down, up)


def inner_edge(place: Place) -> tuple[Corner, Corner]:
    """Return the two corners that both halves of a place share."""
    orange, blue = halves(place)
    first, second = (corner for corner in orange if corner in blue)
    return first, second


def outline(place: Place) -> list[Corner]:
    """Return the four corners of a place in order around it."""
    orange, blue = halves(place)
    first, second = inner_edge(place)
    tips = [corner for corner in (*orange, *blue) if corner not in (first, second)]
    return [tips[0], first, tips[1], second]


def heart(place: Place) -> Corner:
    """Return the center of a place, which no other place has."""
    first, second = inner_edge(place)
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def scaled(corners: Sequence[Corner], part: float) -> list[Corner]:
    """Return corners scaled by ``part`` about their center."""
    x, y = (sum(along) / len(corners) for along in zip(*corners, strict=True))
    return towards(corners, (x, y), part)


def towards(corners: Sequence[Corner], middle: Corner, part: float) -> list[Corner]:
    """Return corners scaled by ``part`` about a point."""
    x, y = middle
    return [(x + part * (column - x), y + part * (row - y)) for column, row in corners]


# --- Clicks --------------------------------------------------------------------------------------


def place_to_click(grid: Grid, place: Place, places: Sequence[Place]) -> Polygon:
    """Return the part of a place that is nearer to its letter than to those of other places.

    Args:
        grid: the grid of the picture.
        place: the place that a click selects.
        places: all places that can be selected.
    """
    corners = grid.points(outline(place))
    middle = grid.at(heart(place))
    for other in places:
        if other != place and _overlap(place, other):
            corners = _nearer(corners, middle, grid.at(heart(other)))
    return Polygon(tuple(corners))


def _overlap(place: Place, other: Place) -> bool:
    """Return whether two places share a half, whatever its color."""
    other_halves = [set(half) for half in halves(other)]
    return any(set(half) in other_halves for half in halves(place))


def _nearer(corners: Sequence[Point], middle: Point, other: Point) -> list[Point]:
    """Clip a convex polygon to the points nearer to ``middle`` than to ``other``."""

    def excess(corner: Point) -> float:
        """Return how much nearer the other point is, as a difference of squared distances."""
        return round(_squared(corner, middle) - _squared(corner, other), 6)

    clipped: list[Point] = []
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        start_excess, end_excess = excess(start), excess(end)
        if start_excess <= 0:
            clipped.append(start)
        if start_excess * end_excess < 0:  # the difference is linear along an edge
            clipped.append(_between(start, end, start_excess / (start_excess - end_excess)))
    return clipped


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _squared(point: Point, other: Point) -> float:
    return (point[0] - other[0]) ** 2 + (point[1] - other[1]) ** 2
