"""A view of a table together with the picture into which it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from kitchentable.render.cards import CARD_RATIO, Face, draw_card, draw_card_back
from kitchentable.render.letters import LEADING, Line, text_width
from kitchentable.render.picture import Align, Circle, Picture, Point, Polygon, Rectangle
from kitchentable.render.view import P, S, View

BETWEEN_SIGNS = 28
"""Distance in pixels between the entries of a legend."""


class Palette(NamedTuple):
    """The colors of a game's table, and the corner radius of its boxes."""

    table: str
    panel: str
    """The panel of a seat."""
    strip: str
    """The box that describes the situation."""
    empty: str
    """The outlines of empty places."""
    light: str
    """Main text."""
    muted: str
    """Captions and minor text."""
    accent: str
    """The seat to act, and what may be chosen."""
    corner: float = 16
    """The radius of the corners of boxes."""


GREEN = Palette(
    table="#10312f",
    panel="#1a4542",
    strip="#0b2524",
    empty="#2c5a56",
    light="#f4f7f4",
    muted="#a5c2bb",
    accent="#fbbf24",
)
"""The colors of a green table, which several games use."""


class Sign(NamedTuple):
    """A mark that a legend explains."""

    width: float
    """The width of the mark, including the space after it."""
    draw: Callable[[float, float], None]
    """``(x, y)``: draw the mark with its left end at ``x`` and its middle at ``y``."""
    meaning: str


@dataclass(frozen=True, eq=False)
class Scene(View[S, P]):
    """A `View` and the picture into which it is drawn."""

    picture: Picture
    palette: Palette

    @classmethod
    def begin(cls, view: View[S, P], width: int, height: float, palette: Palette) -> Self:
        """Create an empty picture; its height is rounded to an even number for video formats."""
        picture = Picture(width, 2 * round(height / 2), palette.table)
        place = (view.game, view.state, view.params, view.viewer)
        return cls(*place, picture, palette, voice=view.voice)

    def offer(
        self,
        actions: Iterable[str],
        shape: Rectangle | Polygon | Circle,
        whole: Polygon | None = None,
    ) -> None:
        """Add a clickable place for those of the actions that the viewer may choose, if any."""
        offered = [action for action in actions if action in self.offered]
        if offered:
            self.picture.spot(offered, shape, whole)

    # --- Text -----------------------------------------------------------------------------------

    def write(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        align: Align = "left",
        bold: bool = False,
    ) -> None:
        """Write main text with its middle at ``y``."""
        self.picture.text(x, y, text, size=size, color=self.palette.light, align=align, bold=bold)

    def label(self, x: float, y: float, text: str, *, size: float, align: Align = "left") -> None:
        """Write a caption with its middle at ``y``."""
        self.picture.text(x, y, text, size=size, color=self.palette.muted, align=align)

    def lines(self, x: float, top: float, lines: Iterable[Line]) -> float:
        """Write lines below each other, and return the bottom of the last one."""
        for text, size, color, bold in lines:
            middle = top + LEADING * size / 2
            self.picture.text(x, middle, text, size=size, color=color, bold=bold)
            top += LEADING * size
        return top

    def header(
        self,
        about: str,
        *,
        margin: float,
        y: float,
        size: float,
        indent: float,
        hidden: str = "all cards",
    ) -> None:
        """Write one line with the name of the game, its progress, and whose view this is.

        Args:
            about: the progress of the game.
            margin: the distance from the edges of the picture.
            y: the middle of the title.
            size: the font size of the title.
            indent: the distance from the left end of the title to that of ``about``.
            hidden: what is shown to viewers who see everything.
        """
        self.title(margin, y, size)
        if about:
            self.label(margin + indent, y + 4, about, size=18)
        right, seen = self.picture.width - margin, self.whose(hidden)
        self.label(right, y + 4, seen, size=18, align="right")

    def title(self, x: float, y: float, size: float) -> None:
        """Write the name of the game."""
        self.write(x, y, self.game.title, size=size, bold=True)

    # --- Boxes ----------------------------------------------------------------------------------

    def strip(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the box for the description of the situation."""
        box = (x, y, width, height)
        self.picture.rectangle(*box, fill=self.palette.strip, radius=self.palette.corner)

    def seat_panel(self, player: int, x: float, y: float, width: float, height: float) -> None:
        """Draw the panel of a seat, with a frame if the seat is to act."""
        self.picture.rectangle(
            *(x, y, width, height),
            fill=self.palette.panel,
            outline=self.palette.accent if self.acts(player) else None,
            line=3,
            radius=self.palette.corner,
        )

    def seat_name(self, player: int, x: float, y: float, size: float) -> float:
        """Write the name of a seat, and return its right end."""
        name, room = str(self.who(player)), text_width("player_0", size)
        width = text_width(name, size)
        color = self.palette.accent if self.acts(player) else self.palette.light
        squeezed = room if width > room else 0
        self.picture.text(x, y, name, size=size, color=color, bold=True, room=squeezed)
        return x + min(width, room)

    def tags(self, x: float, y: float, tags: Iterable[str], *, size: float, height: float) -> None:
        """Write short words beside each other, each in a pill with its middle at ``y``."""
        for tag in tags:
            width = 14 + text_width(tag, size)
            box = (x, y - height / 2, width, height)
            self.picture.rectangle(*box, outline=self.palette.muted, line=1.5, radius=height / 2)
            self.write(x + width / 2, y, tag, size=size, align="middle")
            x += width + 6

    def legend(
        self,
        signs: Iterable[Sign],
        *,
        x: float,
        y: float,
        right: float,
        size: float,
        step: float,
    ) -> float:
        """Draw a legend in one or more lines, and return the middle of the last line.

        Args:
            signs: the marks.
            x: the left end of each line.
            y: the middle of the first line.
            right: the right end that no line may pass.
            size: the font size.
            step: the distance from one line to the next.
        """
        at = x
        for sign in signs:
            width = sign.width + text_width(sign.meaning, size)
            if at + width > right:
                at, y = x, y + step
            sign.draw(at, y)
            self.label(at + sign.width, y, sign.meaning, size=size)
            at += width + BETWEEN_SIGNS
        return y

    # --- Cards ----------------------------------------------------------------------------------

    def card_place(
        self, x: float, y: float, width: float, face: Face | None, *, hidden: bool = False
    ) -> None:
        """Draw a card, the back of a ``hidden`` card, or the outline of an empty place."""
        if hidden:
            draw_card_back(self.picture, x, y, width, known=None, looked=False)
        elif face:
            draw_card(self.picture, x, y, width, face)
        else:
            self.card_outline(x, y, width)

    def pile(
        self, x: float, y: float, width: float, face: Face | None, action: str, *, hidden: bool
    ) -> None:
        """Draw the top card of a pile, with a frame and clickable while ``action`` can take it."""
        if action in self.legal:
            self.card_frame(x, y, width)
        self.card_place(x, y, width, face, hidden=hidden)
        self.offer([action], card_box(x, y, width))

    def kind_chip(
        self, box: Rectangle, face: Face, text: str, *, size: float, is_there: bool
    ) -> None:
        """Draw a small box for a kind of card: filled if ``is_there``, else an empty outline."""
        if is_there:
            self.picture.rectangle(*box.place, fill=face.paper, radius=6)
        else:
            self.picture.rectangle(*box.place, outline=self.palette.empty, line=1.5, radius=6)
        ink = face.ink if is_there else self.palette.empty
        self.picture.text(*box.middle, text, size=size, color=ink, align="middle")

    def card_outline(self, x: float, y: float, width: float) -> None:
        """Draw the outline of a missing card with its top left corner at (x, y)."""
        box = (x, y, width, CARD_RATIO * width)
        self.picture.rectangle(*box, outline=self.palette.empty, line=2, radius=0.1 * width)

    def card_frame(
        self, x: float, y: float, width: float, color: str | None = None, edge: float = 3.5
    ) -> None:
        """Draw a frame, ``edge`` wide, around a card that is drawn on top of it afterwards."""
        box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
        self.picture.rectangle(*box, fill=color or self.palette.accent, radius=0.1 * width + edge)

    def card_frame_sign(self, x: float, y: float, within: str) -> None:
        """Draw the legend's mark of a card that may be chosen: a framed card on ``within``."""
        width, top = 12, y - 8
        self.card_frame(x, top, width)
        self.picture.rectangle(x, top, width, CARD_RATIO * width, fill=within, radius=2)


def card_box(x: float, y: float, width: float) -> Rectangle:
    """Return the outline of a card with its top left corner at (x, y)."""
    return Rectangle(x, y, width, CARD_RATIO * width)


def in_rows(
    number: int, across: int, size: tuple[float, float], gap: float, middle: float, top: float
) -> list[Point]:
    """Arrange panels of equal size in centered rows.

    Args:
        number: the number of panels.
        across: the maximum number of panels in a row.
        size: width and height of each panel.
        gap: the distance between panels and between rows.
        middle: the horizontal middle of each row.
        top: the top of the first row.

    Returns:
        The top left corner of each panel.
    """
    width, height = size
    corners = []
    for i in range(number):
        row, column = divmod(i, across)
        in_row = min(across, number - row * across)
        used = in_row * (width + gap) - gap
        corners.append((middle - used / 2 + column * (width + gap), top + row * (height + gap)))
    return corners
