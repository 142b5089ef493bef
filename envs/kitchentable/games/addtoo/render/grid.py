"""Diamonds of Add-Too as shapes: where the triangular grid lies in a picture, and what is on it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from kitchentable.games.addtoo.board import Place
from kitchentable.render.picture import Picture, Point

HEIGHT = sqrt(3) / 2
"""Height of a triangle whose side is 1."""
INSIDE = HEIGHT / 3
"""Radius of the circle in such a triangle; that in a diamond is `HEIGHT` / 2."""

ORANGE, BLUE = "#f0862d", "#2563c9"
ORANGE_INK, BLUE_INK = "#2b1200", "#ffffff"
EDGE = "#0b1512"
"""Between diamonds, and between the halves of one."""
PALE_ORANGE, PALE_BLUE = "#6b4423", "#27436f"
"""Of a place where a diamond may be laid."""
TIPS, PALE_TIPS = "#cfe2ff", "#8fb0e0"
"""The corners of a blue half are light, so that nobody needs the colors; and of a blue place."""
TIP = 0.19
"""How far such a corner goes along the sides of its half, as a part of a triangle's side."""
LAST, CHOICE, BONUS = "#ffffff", "#fde047", "#4ade80"

NUMBERS = (0.44, 0.35)
"""Size of a number with one digit and with two, as a part of a triangle's side."""
TOWARDS_EDGE = 0.14
"""How far a number stands from the middle of its half to the level edge."""
SMALLEST_BOLD = 11
"""Of letters in pixels; smaller ones would blur."""
RIM = 0.04
"""Around a diamond, likewise."""
PLACE_RIM = 0.05
"""Around a place where a diamond may be laid, likewise."""
CUT = 0.008
"""On both sides of the inner edge, likewise."""

EXACT = 0.01
"""Pixels by which what is worked out may be wrong."""

Corner = tuple[float, float]
"""In steps along e1 and e2 (see `geometry`)."""


class Box(NamedTuple):
    """A part of a picture, in pixels."""

    x: float
    y: float
    width: float
    height: float


class Grid(NamedTuple):
    """Where the grid lies in a picture."""

    x: float
    """Of the corner (0, 0), in pixels."""
    y: float
    unit: float
    """Side of a triangle, in pixels."""

    def at(self, corner: Corner) -> Point:
        """Return where a corner is drawn; rows go upwards."""
        column, row = corner
        return self.x + self.unit * (column + row / 2), self.y - self.unit * HEIGHT * row

    def points(self, corners: Sequence[Corner]) -> list[Point]:
        """Return where corners are drawn."""
        return [self.at(corner) for corner in corners]


def fit_grid(
    places: Sequence[Place], x: float, y: float, width: float, height: float, largest: float
) -> Grid:
    """Return the largest grid with all places in a box, in its middle.

    Args:
        places: which are to be seen.
        x: left edge of the box, in pixels.
        y: its top edge.
        width: of the box.
        height: of the box.
        largest: the most pixels that a triangle's side is drawn with.
    """
    xs, ys = _along(Grid(0, 0, 1), places)
    unit = min(largest, width / (max(xs) - min(xs)), height / (max(ys) - min(ys)))
    middle = x + width / 2, y + height / 2
    left = middle[0] - unit * (min(xs) + max(xs)) / 2
    return Grid(left, middle[1] - unit * (min(ys) + max(ys)) / 2, unit)


def part_grid(places: Sequence[Place], focus: Sequence[Place], box: Box, unit: float) -> Grid:
    """Return a grid of a given size with the part of the places in a box that matters most.

    Args:
        places: all that would be seen if there were room.
        focus: which come into the middle, as far as the box then shows no more empty table than it
            must.
        box: where to.
        unit: side of a triangle, in pixels.
    """
    grid = Grid(0, 0, unit)
    (xs, ys), (near_xs, near_ys) = _along(grid, places), _along(grid, focus)
    x = _shift(xs, near_xs, box.x, box.width)
    return Grid(x, _shift(ys, near_ys, box.y, box.height), unit)


def _shift(every: list[float], focus: list[float], start: float, room: float) -> float:
    """Return what to move the places by in one direction."""
    low, high = start - min(every), start + room - max(every)
    if high >= low:
        return (low + high) / 2
    wanted = start + (room - min(focus) - max(focus)) / 2
    return min(max(wanted, high), low)


def _along(grid: Grid, places: Sequence[Place]) -> tuple[list[float], list[float]]:
    """Return where the corners of places are, to the right and down."""
    points = [point for place in places for point in grid.points(outline(place))]
    return [x for x, _ in points], [y for _, y in points]


def is_inside(grid: Grid, place: Place, window: Box | None) -> bool:
    """Whether a whole place lies in a part of the picture; None is all of it."""
    if window is None:
        return True
    (xs, ys), (x, y, width, height) = _along(grid, [place]), window
    inside_x = x - EXACT <= min(xs) and max(xs) <= x + width + EXACT
    return inside_x and y - EXACT <= min(ys) and max(ys) <= y + height + EXACT


# --- Corners ------------------------------------------------------------------------------------


def halves(place: Place) -> tuple[list[Corner], list[Corner]]:
    """Return the corners of the orange and the blue half of a place."""
    x, y, axis, flip = place
    up: list[Corner] = [(x, y), (x + 1, y), (x, y + 1)]
    across, above = x - (axis == 1), y - (axis == 2)
    down: list[Corner] = [(across + 1, above), (across + 1, above + 1), (across, above + 1)]
    return (up, down) if flip == 0 else (down, up)


def inner_edge(place: Place) -> tuple[Corner, Corner]:
    """Return the two corners that both halves of a place have."""
    orange, blue = halves(place)
    first, second = (corner for corner in orange if corner in blue)
    return first, second


def outline(place: Place) -> list[Corner]:
    """Return the four corners of a place, going around."""
    orange, blue = halves(place)
    first, second = inner_edge(place)
    tips = [corner for corner in (*orange, *blue) if corner not in (first, second)]
    return [tips[0], first, tips[1], second]


def heart(place: Place) -> Corner:
    """Return the middle of a place, which no other place has."""
    first, second = inner_edge(place)
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def scaled(corners: Sequence[Corner], part: float) -> list[Corner]:
    """Return corners moved to or from their middle."""
    x, y = (sum(along) / len(corners) for along in zip(*corners, strict=True))
    return _towards(corners, (x, y), part)


def _towards(corners: Sequence[Corner], middle: Corner, part: float) -> list[Corner]:
    x, y = middle
    return [(x + part * (column - x), y + part * (row - y)) for column, row in corners]


# --- Shapes -------------------------------------------------------------------------------------


def draw_diamond(
    picture: Picture, grid: Grid, place: Place, numbers: tuple[int, int], frame: str | None = None
) -> None:
    """Draw a diamond.

    Args:
        picture: to draw on.
        grid: where to.
        place: on the grid.
        numbers: the orange and the blue one.
        frame: colour of a frame around it, if any.
    """
    if frame:
        draw_frame(picture, grid, place, frame)
    picture.polygon(grid.points(outline(place)), fill=EDGE)
    draw_halves(picture, grid, place, RIM, (ORANGE, BLUE), TIPS)
    inks = (ORANGE_INK, BLUE_INK)
    for corners, number, ink in zip(halves(place), numbers, inks, strict=True):
        x, y = _in_half(grid, corners)
        size = round(NUMBERS[number > 9] * grid.unit, 1)
        is_bold = size >= SMALLEST_BOLD
        picture.text(x, y, str(number), size=size, colour=ink, align="middle", bold=is_bold)


def _in_half(grid: Grid, corners: Sequence[Corner]) -> Point:
    """Return where the number of a half stands: towards its level edge, where it is wider."""
    points = grid.points(corners)
    x, y = (sum(along) / len(points) for along in zip(*points, strict=True))
    level = sorted(below for _, below in points)[1]
    return x, y + TOWARDS_EDGE * (level - y)


def draw_halves(
    picture: Picture, grid: Grid, place: Place, rim: float, papers: tuple[str, str], tips: str
) -> None:
    """Paint both halves, with a thin line between them and a rim around them left free.

    Args:
        picture: to draw on.
        grid: where to.
        place: on the grid.
        rim: how wide the rim is, as a part of a triangle's side.
        papers: colour of the orange and the blue half.
        tips: colour of the corners of the blue half.
    """
    middle = heart(place)
    inside = 1 - rim / (HEIGHT / 2)
    inset: list[Corner] = []
    for corners, paper in zip(halves(place), papers, strict=True):
        inset = scaled(_towards(corners, middle, inside), 1 - CUT / INSIDE)
        picture.polygon(grid.points(inset), fill=paper)
    for tip in inset:  # of the blue half, which comes last
        picture.polygon(grid.points(_towards(inset, tip, TIP)), fill=tips)


def draw_frame(picture: Picture, grid: Grid, place: Place, colour: str) -> None:
    """Draw what shows around a diamond that is drawn on top of it."""
    reach = max(0.075, 3 / grid.unit)
    wide = scaled(outline(place), 1 + reach / (HEIGHT / 2))
    picture.polygon(grid.points(wide), fill=colour)


def draw_back(picture: Picture, grid: Grid, place: Place, paper: str, edge: str) -> None:
    """Draw a diamond that lies face down."""
    picture.polygon(grid.points(outline(place)), fill=edge)
    inside = scaled(outline(place), 1 - 0.05 / (HEIGHT / 2))
    picture.polygon(grid.points(inside), fill=paper)


def draw_place(picture: Picture, grid: Grid, place: Place) -> None:
    """Draw the colors in which a diamond would lie somewhere."""
    draw_halves(picture, grid, place, PLACE_RIM, (PALE_ORANGE, PALE_BLUE), PALE_TIPS)


def draw_outline(picture: Picture, grid: Grid, place: Place, *, is_bonus: bool) -> None:
    """Draw the edges of a place: one line at the last diamond, two for a bonus play."""
    line = max(1.5, 0.045 * grid.unit)
    for inset in (PLACE_RIM, PLACE_RIM + 0.1) if is_bonus else (PLACE_RIM,):
        corners = scaled(outline(place), 1 - inset / (HEIGHT / 2))
        colour = BONUS if is_bonus else CHOICE
        picture.polygon(grid.points(corners), outline=colour, line=line)


def draw_letter(
    picture: Picture, grid: Grid, place: Place, letter: str, least: float, *, is_bonus: bool
) -> None:
    """Write the letter that stands for a place into its middle, in no less than a size."""
    x, y = grid.at(heart(place))
    size = round(max(least, min(0.26 * grid.unit, 20)), 1)
    picture.circle(x, y, 0.72 * size, fill=BONUS if is_bonus else CHOICE)
    is_bold = size >= SMALLEST_BOLD
    picture.text(x, y, letter, size=size, colour=EDGE, align="middle", bold=is_bold)
