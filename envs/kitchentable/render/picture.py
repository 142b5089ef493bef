"""Pictures made of shapes, into which games draw their tables.

A game adds shapes to a `Picture` from back to front. This needs no other module, so tests can read
what a picture would show. Pillow is only imported to turn a picture into pixels.

Units are pixels of the finished picture, x to the right and y down. Colors are ``"#rrggbb"``.
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

TALL = 560
"""Width of a picture for a phone, in pixels."""
NOTEBOOK = 720
"""Width of a picture in a notebook, in pixels: Jupyter does not shrink SVG to the page."""
SHARPNESS = 2
"""Factor by which pictures are drawn larger and then averaged, which smooths edges."""
CAPITAL = 0.72
"""Height of a capital letter or digit, relative to the font size."""
BOLD = 0.025
"""Width of the stroke that makes a letter bold, relative to the font size."""
FONTS = "Aileron, Helvetica, Arial, 'DejaVu Sans Condensed', sans-serif"
"""Fonts of about the same width for SVG; with the wider DejaVu Sans, texts would overlap."""
NEED_PILLOW = 'drawing a picture needs Pillow: pip install "kitchentable[render]"'

_SVG_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
_PILLOW_ANCHORS = {"left": "ls", "middle": "ms", "right": "rs"}


@dataclass(frozen=True)
class Rectangle:
    """A rectangle, whose outline is inside its bounds."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    outline: str | None = None
    line: float = 1
    radius: float = 0

    @property
    def place(self) -> tuple[float, float, float, float]:
        """Left, top, width, height."""
        return self.x, self.y, self.width, self.height

    @property
    def middle(self) -> Point:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def paint(self, canvas: ImageDraw, scale: int) -> None:
        """Draw the shape with Pillow, enlarged by ``scale``."""
        left, top, right, bottom = (round(scale * edge) for edge in self.bounds)
        box = (left, top, right - 1, bottom - 1)  # Pillow draws the last pixel too
        line = round(scale * self.line)
        canvas.rounded_rectangle(box, scale * self.radius, self.fill, self.outline, line)

    def svg(self) -> str:
        """Return an SVG element, made smaller because SVG draws half of an outline outside."""
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
        """Draw the shape with Pillow, enlarged by ``scale``."""
        points = [(scale * x, scale * y) for x, y in self.points]
        canvas.polygon(points, self.fill, self.outline, round(scale * self.line))

    def svg(self) -> str:
        """Return the shape as an SVG element."""
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
        """Draw the shape with Pillow, enlarged by ``scale``."""
        box = [scale * edge for edge in self.bounds]
        canvas.ellipse(box, self.fill, self.outline, round(scale * self.line))

    def svg(self) -> str:
        """Return the shape as an SVG element."""
        place = f'cx="{self.x:g}" cy="{self.y:g}" r="{self.radius:g}"'
        return f"<circle {place} {_svg_paint(self.fill, self.outline, self.line)}/>"


@dataclass(frozen=True)
class Text:
    """A line of text; ``y`` is the middle of its capital letters."""

    x: float
    y: float
    text: str
    size: float
    color: str
    align: Align = "left"
    bold: bool = False
    room: float = 0
    """The width to which SVG squeezes a longer text; 0: it is as wide as its letters."""

    @property
    def baseline(self) -> float:
        """The y coordinate on which the letters stand."""
        return self.y + CAPITAL * self.size / 2

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom, as Pillow draws the text.

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
        """Draw the shape with Pillow, enlarged by ``scale``."""
        canvas.text(
            (scale * self.x, scale * self.baseline),
            self.text,
            self.color,
            _font(round(scale * self.size)),
            anchor=_PILLOW_ANCHORS[self.align],
            stroke_width=self._stroke(scale),
        )

    def svg(self) -> str:
        """Return the shape as an SVG element."""
        place = f'x="{self.x:g}" y="{self.baseline:g}" text-anchor="{_SVG_ANCHORS[self.align]}"'
        # A bold font would be wider, by a tenth with DejaVu Sans.
        edge = f'stroke="{self.color}" stroke-width="{2 * BOLD * self.size:g}"'
        extra = f" {edge}" if self.bold else ""
        if self.room:
            extra += f' textLength="{self.room:g}" lengthAdjust="spacingAndGlyphs"'
        style = f'font-size="{self.size:g}" fill="{self.color}"{extra}'
        return f"<text {place} {style}>{escape(self.text)}</text>"

    def _stroke(self, scale: int) -> int:
        return max(1, round(BOLD * scale * self.size)) if self.bold else 0


Shape = Rectangle | Polygon | Circle | Text


@dataclass(frozen=True)
class Spot:
    """A clickable place in a picture, and the actions that the seat to act may choose there."""

    actions: tuple[str, ...]
    shape: Rectangle | Polygon | Circle
    """The outline of the place; without colors."""
    whole: Polygon | None = None
    """What is shown of the place when it is pointed at, if it is more than can be clicked."""

    def svg(self, note: str = "") -> str:
        """Return an invisible SVG element, which the browser page makes clickable.

        Args:
            note: what explains the place, if anything does.
        """
        attribute = f' data-note="{escape(note)}"' if note else ""
        whole = (
            f'<g class="whole" pointer-events="none">{self.whole.svg()}</g>' if self.whole else ""
        )
        return (
            f'<g class="spot" data-actions="{escape(" ".join(self.actions))}"{attribute} '
            f'pointer-events="all">{self.shape.svg()}{whole}</g>'
        )


@dataclass(frozen=True)
class Note:
    """A part of a picture that has an explanation, which the browser page shows on request."""

    text: str
    shape: Rectangle

    def svg(self) -> str:
        """Return an invisible SVG element with the explanation."""
        attribute = f'data-note="{escape(self.text)}" pointer-events="all"'
        return f'<g class="note" {attribute}>{self.shape.svg()}</g>'

    def explains(self, spot: Spot) -> bool:
        """Return whether a clickable place is this part of the picture."""
        left, top, right, bottom = spot.shape.bounds
        x, y = (left + right) / 2, (top + bottom) / 2
        left, top, right, bottom = self.shape.bounds
        return left < x < right and top < y < bottom


class Picture:
    """A picture: a background color, shapes from back to front, and clickable places."""

    def __init__(self, width: int, height: int, background: str) -> None:
        self.width = width
        self.height = height
        self.background = background
        self.shapes: list[Shape] = []
        self.spots: list[Spot] = []
        self.notes: list[Note] = []

    @property
    def texts(self) -> list[str]:
        """All texts in the picture, in order."""
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
        """Add a rectangle; ``radius`` is that of its corners, ``line`` the outline's width."""
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
        color: str,
        align: Align = "left",
        bold: bool = False,
        room: float = 0,
    ) -> None:
        """Add a line of text whose left end, middle or right end is at ``x``, see `Text`."""
        self.shapes.append(Text(x, y, text, size, color, align, bold, room))

    def spot(
        self,
        actions: Sequence[str],
        shape: Rectangle | Polygon | Circle,
        whole: Polygon | None = None,
    ) -> None:
        """Add a clickable place above earlier ones; nothing is drawn.

        Args:
            actions: the names of the actions to choose there, all of them legal.
            shape: the outline of the place; without colors.
            whole: what is shown of the place when it is pointed at, if it is more than ``shape``.
        """
        self.spots.append(Spot(tuple(actions), shape, whole))

    def note(self, text: str, shape: Rectangle) -> None:
        """Explain a part of the picture; nothing is drawn."""
        self.notes.append(Note(text, shape))

    def to_rgb(self) -> NDArray[np.uint8]:
        """Return the picture as pixels; uint8, shape (height, width, 3).

        Raises:
            ImportError: Pillow is missing.
        """
        try:
            from PIL import Image, ImageDraw  # noqa: PLC0415 (Pillow is optional)
        except ImportError as error:
            raise ImportError(NEED_PILLOW) from error
        size = (SHARPNESS * self.width, SHARPNESS * self.height)
        image = Image.new("RGB", size, self.background)
        canvas = ImageDraw.Draw(image)
        for shape in self.shapes:
            shape.paint(canvas, SHARPNESS)
        return np.array(image.reduce(SHARPNESS), np.uint8)

    def to_svg(self, *, spots: bool = False, width: float | None = None) -> str:
        """Return the picture as an SVG document.

        Args:
            spots: whether to include the clickable places, as groups of the class ``spot`` with the
                names of their actions in ``data-actions``, and the explanations of parts, as groups
                of the class ``note``; of both, ``data-note`` is the explanation.
            width: the width in pixels at which it is shown; by default the picture's own.
        """
        scale = 1 if width is None else width / self.width
        size = f'width="{self.width * scale:g}" height="{self.height * scale:g}"'
        box = f'viewBox="0 0 {self.width} {self.height}" font-family="{FONTS}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>',
            f'<rect width="100%" height="100%" fill="{self.background}"/>',
            *(shape.svg() for shape in self.shapes),
            *(note.svg() for note in self.notes if spots),
            *(spot.svg(self._note(spot)) for spot in self.spots if spots),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _repr_svg_(self) -> str:
        """Return what a notebook shows."""
        return self.to_svg(width=NOTEBOOK)

    def _note(self, spot: Spot) -> str:
        return next((note.text for note in self.notes if note.explains(spot)), "")


def _svg_paint(fill: str | None, outline: str | None, line: float) -> str:
    edge = f' stroke="{outline}" stroke-width="{line:g}"' if outline else ""
    return f'fill="{fill or "none"}"{edge}'


@cache
def _font(size: int) -> FreeTypeFont | ImageFont:
    """Return Pillow's built-in font, which needs no font file."""
    try:
        from PIL import ImageFont  # noqa: PLC0415 (Pillow is optional)
    except ImportError as error:
        raise ImportError(NEED_PILLOW) from error
    return ImageFont.load_default(size)
