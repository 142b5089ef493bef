"""Where a click on the layout of Add-Too lays the chosen diamond.

Places for one diamond overlap: the two ways at a side share the half that touches it. What two
places share belongs to the one whose letter, in its middle, is nearer. So every point of a place
chooses some place that covers it, whatever lies around a letter chooses that letter, and since no
two places have the same middle, no two actions go to the same point.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.grid import Grid, halves, heart, outline
from kitchentable.render.picture import Point, Polygon


def place_to_click(grid: Grid, place: Place, places: Sequence[Place]) -> Polygon:
    """Return the part of a place that is nearer to its letter than to those of others.

    Args:
        grid: where the layout lies.
        place: what a click chooses.
        places: all that are to choose from.
    """
    corners = grid.points(outline(place))
    middle = grid.at(heart(place))
    for other in places:
        if other != place and _overlap(place, other):
            corners = _nearer(corners, middle, grid.at(heart(other)))
    return Polygon(tuple(corners))


def _overlap(place: Place, other: Place) -> bool:
    """Whether two places share a half, of whatever color."""
    theirs = [set(half) for half in halves(other)]
    return any(set(half) in theirs for half in halves(place))


def _nearer(corners: Sequence[Point], middle: Point, other: Point) -> list[Point]:
    """Cut a convex polygon to what is nearer to one point than to another."""

    def excess(corner: Point) -> float:
        """Return how much nearer the other point is, as a difference of squares."""
        return round(_squared(corner, middle) - _squared(corner, other), 6)

    kept: list[Point] = []
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        here, there = excess(start), excess(end)
        if here <= 0:
            kept.append(start)
        if here * there < 0:  # the difference changes evenly along a line
            kept.append(_between(start, end, here / (here - there)))
    return kept


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _squared(point: Point, other: Point) -> float:
    return (point[0] - other[0]) ** 2 + (point[1] - other[1]) ** 2
