"""Diamonds of Add-Too as shapes, and the places where one may be laid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.grid import (
    HEIGHT,
    Corner,
    Grid,
    halves,
    heart,
    outline,
    scaled,
    towards,
)
from kitchentable.render.picture import Picture, Point

INSIDE = HEIGHT / 3
"""Radius of the circle in a triangle whose side is 1; that in a diamond is `HEIGHT` / 2."""

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
"""Width of the rim around a diamond, as a part of a triangle's side."""
PLACE_RIM = 0.05
"""Likewise around a place where a diamond may be laid."""
CUT = 0.008
"""Likewise on both sides of the inner edge."""


def draw_diamond(
    picture: Picture, grid: Grid, place: Place, numbers: Iterable[int], frame: str | None = None
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
    draw_colors(picture, grid, place)
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


def draw_colors(picture: Picture, grid: Grid, place: Place) -> None:
    """Draw the two halves of a diamond, without numbers."""
    _draw_halves(picture, grid, place, RIM, (ORANGE, BLUE), TIPS)


def _draw_halves(
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
        inset = scaled(towards(corners, middle, inside), 1 - CUT / INSIDE)
        picture.polygon(grid.points(inset), fill=paper)
    for tip in inset:  # of the blue half, which comes last
        picture.polygon(grid.points(towards(inset, tip, TIP)), fill=tips)


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
    _draw_halves(picture, grid, place, PLACE_RIM, (PALE_ORANGE, PALE_BLUE), PALE_TIPS)


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
    size = round(max(least, min(0.26 * grid.unit, 20)), 1)
    draw_disc(picture, grid.at(heart(place)), 0.72 * size, letter, size, is_bonus=is_bonus)


def draw_disc(
    picture: Picture, middle: Point, radius: float, letter: str, size: float, *, is_bonus: bool
) -> None:
    """Write the letter that stands for a place onto a disc."""
    picture.circle(*middle, radius, fill=BONUS if is_bonus else CHOICE)
    is_bold = size >= SMALLEST_BOLD
    picture.text(*middle, letter, size=size, colour=EDGE, align="middle", bold=is_bold)
