"""A small scene of shapes that any game draws its table into, whatever shows it afterwards.

A game adds shapes to a `Picture` in the order in which they cover each other. Adding them needs
nothing but this module, so a test can read what would be shown. Pillow is imported only when the
picture is turned into pixels.

Units are pixels of the finished picture, x to the right and y down. Colours are ``"#rrggbb"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Point = tuple[float, float]
Align = Literal["left", "middle", "right"]

SHARPNESS = 2
"""Pixels are drawn this many times finer and averaged, which makes edges smooth."""
CAPITAL = 0.72
"""Height of a capital letter or digit, as a part of the font's size."""
BOLD = 0.025
"""Stroke around each letter that makes it bold, as a part of the font's size."""
FONTS = "Aileron, Helvetica, Arial, sans-serif"
NEED_PILLOW = 'drawing a picture needs Pillow: pip install "kitchentable[render]"'

_SVG_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
_PILLOW_ANCHORS = {"left": "ls", "middle": "ms", "right": "rs"}


@dataclass(frozen=True)
class Rectangle:
    """A rectangle; its outline lies inside of it."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    outline: str | None = None
    line: float = 1
    radius: float = 0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def paint(self, canvas: ImageDraw, scale: int) -> None:
        """Draw it with Pillow, ``scale`` times as large."""
        left, top, right, bottom = (round(scale * edge) for edge in self.bounds)
        box = (left, top, right - 1, bottom - 1)  # Pillow draws the last pixel too
        line = round(scale * self.line)
        canvas.rounded_rectangle(box, scale * self.radius, self.fill, self.outline, line)

    def svg(self) -> str:
        """Write it as an SVG element; SVG draws half of an outline outside."""
        half = self.line / 2 if self.outline else 0
        size = f'width="{self.width - 2 * half:g}" height="{self.height - 2 * half:g}"'
        place = f'x="{self.x + half:g}" y="{self.y + half:g}" rx="{max(self.radius - half, 0):g}"'
        return f"<rect {place} {size} {_svg_paint(self.fill, self.outline, self.line)}/>"


@dataclass(frozen=True)
class Polygon:
    """A closed polygon."""

    points: tuple[Point, ...]
    fill: str | None = None
    outline: str | None = None
    line: float = 1

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def paint(self, canvas: ImageDraw, scale: int) -> None:
        """Draw it with Pillow, ``scale`` times as large."""
        points = [(scale * x, scale * y) for x, y in self.points]
        canvas.polygon(points, self.fill, self.outline, round(scale * self.line))

    def svg(self) -> str:
        """Write it as an SVG element."""
        points = " ".join(f"{x:g},{y:g}" for x, y in self.points)
        return f'<polygon points="{points}" {_svg_paint(self.fill, self.outline, self.line)}/>'


@dataclass(frozen=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    outline: str | None = None
    line: float = 1

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        r = self.radius
        return self.x - r, self.y - r, self.x + r, self.y + r

    def paint(self, canvas: ImageDraw, scale: int) -> None:
        """Draw it with Pillow, ``scale`` times as large."""
        box = [scale * edge for edge in self.bounds]
        canvas.ellipse(box, self.fill, self.outline, round(scale * self.line))

    def svg(self) -> str:
        """Write it as an SVG element."""
        place = f'cx="{self.x:g}" cy="{self.y:g}" r="{self.radius:g}"'
        return f"<circle {place} {_svg_paint(self.fill, self.outline, self.line)}/>"


@dataclass(frozen=True)
class Text:
    """One line of text; ``y`` is the middle of its capital letters."""

    x: float
    y: float
    text: str
    size: float
    colour: str
    align: Align = "left"
    bold: bool = False

    @property
    def baseline(self) -> float:
        """Where the letters stand."""
        return self.y + CAPITAL * self.size / 2

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom, as Pillow draws it.

        Raises:
            ImportError: Pillow is missing.
        """
        anchor = _PILLOW_ANCHORS[self.align]
        box = _font(round(self.size)).getbbox(self.text, anchor=anchor)
        left, top, right, bottom = box
        edge = self._stroke(1)
        low = self.baseline
        return self.x + left - edge, low + top - edge, self.x + right + edge, low + bottom + edge

    def paint(self, canvas: ImageDraw, scale: int) -> None:
        """Draw it with Pillow, ``scale`` times as large."""
        canvas.text(
            (scale * self.x, scale * self.baseline),
            self.text,
            self.colour,
            _font(round(scale * self.size)),
            anchor=_PILLOW_ANCHORS[self.align],
            stroke_width=self._stroke(scale),
        )

    def svg(self) -> str:
        """Write it as an SVG element."""
        place = f'x="{self.x:g}" y="{self.baseline:g}" text-anchor="{_SVG_ANCHORS[self.align]}"'
        weight = ' font-weight="bold"' if self.bold else ""
        style = f'font-size="{self.size:g}" fill="{self.colour}"{weight}'
        return f"<text {place} {style}>{escape(self.text)}</text>"

    def _stroke(self, scale: int) -> int:
        return max(1, round(BOLD * scale * self.size)) if self.bold else 0


Shape = Rectangle | Polygon | Circle | Text


class Picture:
    """A canvas with a background colour, and the shapes on it from back to front."""

    def __init__(self, width: int, height: int, background: str) -> None:
        self.width = width
        self.height = height
        self.background = background
        self.shapes: list[Shape] = []

    @property
    def texts(self) -> list[str]:
        """Everything written in the picture, in order."""
        return [shape.text for shape in self.shapes if isinstance(shape, Text)]

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        outline: str | None = None,
        line: float = 1,
        radius: float = 0,
    ) -> None:
        """Add a rectangle with round corners of ``radius``; ``line`` is the outline's width."""
        self.shapes.append(Rectangle(x, y, width, height, fill, outline, line, radius))

    def polygon(
        self,
        points: Sequence[Point],
        *,
        fill: str | None = None,
        outline: str | None = None,
        line: float = 1,
    ) -> None:
        """Add a closed polygon."""
        self.shapes.append(Polygon(tuple(points), fill, outline, line))

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str | None = None,
        outline: str | None = None,
        line: float = 1,
    ) -> None:
        """Add a circle around (x, y)."""
        self.shapes.append(Circle(x, y, radius, fill, outline, line))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        colour: str,
        align: Align = "left",
        bold: bool = False,
    ) -> None:
        """Add a line of text: its left end, middle or right end at ``x``, its middle at ``y``."""
        self.shapes.append(Text(x, y, text, size, colour, align, bold))

    def to_rgb(self) -> NDArray[np.uint8]:
        """Return the picture as pixels, shape (height, width, 3).

        Raises:
            ImportError: Pillow is missing.
        """
        try:
            from PIL import Image, ImageDraw  # noqa: PLC0415 (only who draws needs it)
        except ImportError as error:
            raise ImportError(NEED_PILLOW) from error
        size = (SHARPNESS * self.width, SHARPNESS * self.height)
        image = Image.new("RGB", size, self.background)
        canvas = ImageDraw.Draw(image)
        for shape in self.shapes:
            shape.paint(canvas, SHARPNESS)
        return np.array(image.reduce(SHARPNESS), np.uint8)

    def to_svg(self) -> str:
        """Return the picture as an SVG document."""
        size = f'width="{self.width}" height="{self.height}"'
        box = f'viewBox="0 0 {self.width} {self.height}" font-family="{FONTS}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>',
            f'<rect width="100%" height="100%" fill="{self.background}"/>',
            *(shape.svg() for shape in self.shapes),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


# --- Things that lie on many tables -------------------------------------------------------------

CARD_RATIO = 1.36
"""Height of a card, as a part of its width."""
PAPER, INK = "#fdfcf7", "#1f2937"
BACK, BACK_EDGE, BACK_PATTERN = "#33456f", "#dfe6f3", "#4b6091"


@dataclass(frozen=True)
class Face:
    """What is printed on a kind of card."""

    label: str
    """A few characters that stand for the card."""
    name: str = ""
    """Written out below the label."""
    paper: str = PAPER
    ink: str = INK
    points: str = ""
    """What the card counts, written in a corner."""


def draw_card(picture: Picture, x: float, y: float, width: float, face: Face) -> None:
    """Draw a face-up card with its top left corner at (x, y)."""
    height = CARD_RATIO * width
    edge = "#c9ccd2" if face.paper == PAPER else PAPER
    line = max(1, 0.02 * width)
    box = (x, y, width, height)
    picture.rectangle(*box, fill=face.paper, outline=edge, line=line, radius=0.1 * width)
    middle = x + width / 2
    if face.points:
        size = (0.58 if len(face.label) == 1 else 0.5) * width
        _write(picture, (middle, y + 0.4 * height), face.label, size, face.ink)
        corner = (x + (0.89 - 0.08 * len(face.points)) * width, y + 0.83 * height)
        _write(picture, corner, face.points, 0.28 * width, face.ink)
        return
    if face.name:
        _write(picture, (middle, y + 0.42 * height), face.label, 0.5 * width, face.ink)
        _write(picture, (middle, y + 0.79 * height), face.name, 0.18 * width, face.ink)
        return
    _write(picture, (middle, y + 0.5 * height), face.label, 0.52 * width, face.ink)
    side = 0.13 + 0.05 * len(face.label)
    for dx, dy in ((side, 0.14), (1 - side, 0.86)):
        _write(picture, (x + dx * width, y + dy * height), face.label, 0.18 * width, face.ink)


def draw_card_back(
    picture: Picture, x: float, y: float, width: float, *, known: Face | None, looked: bool
) -> None:
    """Draw a face-down card with its top left corner at (x, y).

    Args:
        picture: to draw on.
        x: left edge.
        y: top edge.
        width: of the card.
        known: what the viewer knows the card to be: shown small, on the back.
        looked: whether to mark it as one that its owner has looked at.
    """
    height = CARD_RATIO * width
    picture.rectangle(
        x, y, width, height, fill=BACK, outline=BACK_EDGE, line=0.035 * width, radius=0.1 * width
    )
    inset = 0.11 * width
    inner = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    picture.rectangle(*inner, outline=BACK_PATTERN, line=max(1, 0.02 * width), radius=0.05 * width)
    middle, centre = x + width / 2, y + height / 2
    if known is None:
        for reach in (0.3, 0.16):
            picture.polygon(
                _diamond(middle, centre, reach * width), outline=BACK_PATTERN, line=0.02 * width
            )
    elif known.points:
        draw_card(picture, x + 0.15 * width, y + 0.15 * height, 0.7 * width, known)
    else:
        side = 0.44 * width
        corner = (middle - side / 2, centre - side / 2)
        picture.rectangle(*corner, side, side, fill=known.paper, radius=0.08 * width)
        _write(picture, (middle, centre), known.label, 0.28 * width, known.ink)
    if looked:
        draw_eye(picture, middle, y + 0.87 * height, 0.13 * width)


def draw_eye(
    picture: Picture, x: float, y: float, reach: float, white: str = BACK_EDGE, pupil: str = BACK
) -> None:
    """Draw an eye around (x, y): somebody has looked. ``reach`` is half its width."""
    turn = np.linspace(-1, 1, 9)
    lid = [(x + reach * t, y - 0.6 * reach * (1 - t * t)) for t in turn.tolist()]
    lower = [(px, 2 * y - py) for px, py in reversed(lid)]
    picture.polygon(lid + lower[1:-1], fill=white)
    picture.circle(x, y, 0.32 * reach, fill=pupil)


def _write(picture: Picture, middle: Point, text: str, size: float, colour: str) -> None:
    x, y = middle
    picture.text(x, y, text, size=round(size, 1), colour=colour, align="middle", bold=True)


def _diamond(x: float, y: float, reach: float) -> list[Point]:
    high = CARD_RATIO * reach
    return [(x, y - high), (x + reach, y), (x, y + high), (x - reach, y)]


def _svg_paint(fill: str | None, outline: str | None, line: float) -> str:
    edge = f' stroke="{outline}" stroke-width="{line:g}"' if outline else ""
    return f'fill="{fill or "none"}"{edge}'


@cache
def _font(size: int) -> FreeTypeFont | ImageFont:
    """Return the font that Pillow brings along, so that no file need be found."""
    try:
        from PIL import ImageFont  # noqa: PLC0415 (only who draws needs it)
    except ImportError as error:
        raise ImportError(NEED_PILLOW) from error
    return ImageFont.load_default(size)
