"""Drawing of Add-Too diamonds and of the places where one may be laid; colors and the legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

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
from kitchentable.games.addtoo.render.view import Offer, offers
from kitchentable.games.addtoo.state import Params, State
from kitchentable.render import scene
from kitchentable.render.picture import Picture, Point
from kitchentable.render.scene import Palette, Sign

INSIDE = HEIGHT / 3
"""Radius of the inscribed circle of a triangle with side 1; for a diamond it is `HEIGHT` / 2."""

ORANGE, BLUE = "#f0862d", "#2563c9"
ORANGE_INK, BLUE_INK = "#2b1200", "#ffffff"
EDGE = "#0b1512"
"""Color between diamonds, and between the halves of a diamond."""
PALE_ORANGE, PALE_BLUE = "#6b4423", "#27436f"
"""Colors of a place where a diamond may be laid."""
TIPS, PALE_TIPS = "#cfe2ff", "#8fb0e0"
"""Light corners mark the blue half of a diamond and of a place for those who cannot see colors."""
TIP = 0.19
"""Length of such a corner along the sides of its half, as a fraction of a triangle's side."""
LAST, CHOICE, TURNED, BONUS = "#ffffff", "#fde047", "#f9a8d4", "#4ade80"
"""The last diamond; what may be chosen, and places parallel to the last diamond; places turned
against it; places for bonus plays."""
PALETTE = Palette(
    table="#16241f",
    panel="#243a32",
    strip="#0e1a16",
    empty="#1d3029",
    light="#f2f5f3",
    muted="#a3b8ae",
    accent=CHOICE,
    corner=14,
)

LARGEST = 110
"""Maximum side length of a triangle in the layout, in pixels."""
NUMBERS = (0.44, 0.35)
"""Font size of numbers with one and with two digits, as a fraction of a triangle's side."""
TOWARDS_EDGE = 0.14
"""Fraction by which a number is moved from the center of its half to the horizontal edge."""
SMALLEST = 14
"""Minimum font size of numbers, in pixels, as far as they fit."""
SMALLEST_BOLD = 11
"""Minimum font size of bold letters, in pixels; smaller ones would blur."""
RIM = 0.04
"""Width of the rim around a diamond, as a fraction of a triangle's side."""
PLACE_RIM = 0.05
"""The same around a place where a diamond may be laid."""
CUT = 0.008
"""The same on both sides of the inner edge."""


def draw_diamond(
    picture: Picture, grid: Grid, place: Place, numbers: Iterable[int], frame: str | None = None
) -> None:
    """Draw a diamond.

    Args:
        picture: the picture to draw on.
        grid: the grid of the picture.
        place: the place of the diamond.
        numbers: the orange number and the blue number.
        frame: the color of a frame around it, if any.
    """
    if frame:
        draw_frame(picture, grid, place, frame)
    picture.polygon(grid.points(outline(place)), fill=EDGE)
    draw_colors(picture, grid, place)
    inks = (ORANGE_INK, BLUE_INK)
    for corners, number, ink in zip(halves(place), numbers, inks, strict=True):
        x, y = _in_half(grid, corners)
        size = round(max(min(SMALLEST, 0.4 * grid.unit), NUMBERS[number > 9] * grid.unit), 1)
        is_bold = size >= SMALLEST_BOLD
        picture.text(x, y, str(number), size=size, color=ink, align="middle", bold=is_bold)


def _in_half(grid: Grid, corners: Sequence[Corner]) -> Point:
    """Return the position of a half's number: toward the horizontal edge, where it is wider."""
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
    """Fill both halves, but leave a rim around them and a thin line between them free.

    Args:
        picture: the picture to draw on.
        grid: the grid of the picture.
        place: the place on the grid.
        rim: the width of the rim, as a fraction of a triangle's side.
        papers: the colors of the orange and the blue half.
        tips: the color of the corners of the blue half.
    """
    middle = heart(place)
    inside = 1 - rim / (HEIGHT / 2)
    inset: list[Corner] = []
    for corners, paper in zip(halves(place), papers, strict=True):
        inset = scaled(towards(corners, middle, inside), 1 - CUT / INSIDE)
        picture.polygon(grid.points(inset), fill=paper)
    for tip in inset:  # of the blue half, which comes last
        picture.polygon(grid.points(towards(inset, tip, TIP)), fill=tips)


def draw_frame(picture: Picture, grid: Grid, place: Place, color: str) -> None:
    """Draw a frame for a diamond, which is drawn on top of it."""
    reach = max(0.075, 3 / grid.unit)
    wide = scaled(outline(place), 1 + reach / (HEIGHT / 2))
    picture.polygon(grid.points(wide), fill=color)


def draw_back(picture: Picture, grid: Grid, place: Place, paper: str, edge: str) -> None:
    """Draw a face-down diamond."""
    picture.polygon(grid.points(outline(place)), fill=edge)
    inside = scaled(outline(place), 1 - 0.05 / (HEIGHT / 2))
    picture.polygon(grid.points(inside), fill=paper)


def draw_place(picture: Picture, grid: Grid, place: Place) -> None:
    """Draw the two halves of a place where a diamond may be laid."""
    _draw_halves(picture, grid, place, PLACE_RIM, (PALE_ORANGE, PALE_BLUE), PALE_TIPS)


def draw_outline(picture: Picture, grid: Grid, place: Place, color: str) -> None:
    """Draw the outline of a place: one line at the last diamond, two for a bonus play."""
    line = max(1.5, 0.045 * grid.unit)
    for inset in (PLACE_RIM, PLACE_RIM + 0.1) if color == BONUS else (PLACE_RIM,):
        corners = scaled(outline(place), 1 - inset / (HEIGHT / 2))
        picture.polygon(grid.points(corners), outline=color, line=line)


def draw_letter(
    picture: Picture, grid: Grid, place: Place, letter: str, least: float, color: str
) -> None:
    """Write the letter of a place at its center; ``least`` is the minimum font size."""
    size = round(max(least, min(0.26 * grid.unit, 20)), 1)
    draw_disc(picture, grid.at(heart(place)), 0.72 * size, letter, size, color)


def draw_disc(
    picture: Picture, middle: Point, radius: float, letter: str, size: float, color: str
) -> None:
    """Write the letter of a place on a disc."""
    picture.circle(*middle, radius, fill=color)
    is_bold = size >= SMALLEST_BOLD
    picture.text(*middle, letter, size=size, color=EDGE, align="middle", bold=is_bold)


class Scene(scene.Scene[State, Params]):
    """A picture of a table, with the places for the chosen diamond."""

    @cached_property
    def found(self) -> list[Offer]:
        """The places for the chosen diamond."""
        return offers(self)


# --- The legend -----------------------------------------------------------------------------------

_SAMPLE: Place = (0, 0, 0, 0)
_UNIT = 22
"""Side length of a triangle."""


def signs(scene: Scene) -> list[Sign]:
    """Return the marks of the legend."""
    width = 1.5 * _UNIT + 10

    def grid(x: float, y: float) -> Grid:
        return Grid(x, y + HEIGHT * _UNIT / 2, _UNIT)

    def framed(color: str, meaning: str) -> Sign:
        def draw(x: float, y: float) -> None:
            draw_frame(scene.picture, grid(x, y), _SAMPLE, color)
            sample = (_SAMPLE, PALETTE.panel, EDGE)
            draw_back(scene.picture, grid(x, y), *sample)

        return Sign(width, draw, meaning)

    def outlined(meaning: str, color: str) -> Sign:
        def draw(x: float, y: float) -> None:
            draw_outline(scene.picture, grid(x, y), _SAMPLE, color)

        return Sign(width, draw, meaning)

    def colored(x: float, y: float) -> None:
        draw_colors(scene.picture, grid(x, y), _SAMPLE)

    return [
        framed(LAST, "last played"),
        framed(CHOICE, "may be chosen, or chosen (lifted)"),
        outlined("place parallel to the last diamond", CHOICE),
        outlined("place turned against it", TURNED),
        outlined("place for a bonus play", BONUS),
        Sign(width, colored, "orange, and blue with light corners"),
    ]
