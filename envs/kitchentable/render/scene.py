"""A view of a table together with the picture that it is drawn into."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from kitchentable.render.cards import CARD_RATIO, Face, draw_card, draw_card_back
from kitchentable.render.letters import LEADING, Line, text_width
from kitchentable.render.phrases import seen_by
from kitchentable.render.picture import Align, Circle, Picture, Point, Polygon, Rectangle
from kitchentable.render.view import P, S, View

BETWEEN_SIGNS = 28
"""From what is said of a mark to the next mark of a legend."""


class Palette(NamedTuple):
    """The colours of a game's table, and how round its boxes are."""

    table: str
    panel: str
    """Of a seat."""
    strip: str
    """Of the box that says what is going on."""
    empty: str
    """Of places where nothing lies."""
    light: str
    """Of what is said."""
    muted: str
    """Of captions and what matters less."""
    accent: str
    """Of what may be chosen."""
    corner: float = 16
    """Radius of the corners of boxes."""


GREEN = Palette(
    table="#10312f",
    panel="#1a4542",
    strip="#0b2524",
    empty="#2c5a56",
    light="#f4f7f4",
    muted="#a5c2bb",
    accent="#fbbf24",
)
"""A green table, for several games."""


class Sign(NamedTuple):
    """A mark that a legend explains."""

    width: float
    """With the space behind it."""
    draw: Callable[[float, float], None]
    """Draws it from a left end on, around a height."""
    meaning: str


@dataclass(frozen=True, eq=False)
class Scene(View[S, P]):
    """A picture, the table in it, and who looks."""

    picture: Picture
    palette: Palette

    @classmethod
    def begin(cls, view: View[S, P], width: int, height: float, palette: Palette) -> Self:
        """Begin a picture. Its height becomes even, because video formats want it so."""
        picture = Picture(width, 2 * round(height / 2), palette.table)
        return cls(view.game, view.state, view.params, view.viewer, picture, palette)

    def offer(self, actions: Iterable[str], shape: Rectangle | Polygon | Circle) -> None:
        """Make a place to click for those of some actions that the viewer may choose, if any."""
        offered = [action for action in actions if action in self.offered]
        if offered:
            self.picture.spot(offered, shape)

    # --- Words ----------------------------------------------------------------------------------

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
        """Write what matters, its middle at ``y``."""
        self.picture.text(x, y, text, size=size, colour=self.palette.light, align=align, bold=bold)

    def label(self, x: float, y: float, text: str, *, size: float, align: Align = "left") -> None:
        """Write a caption, its middle at ``y``."""
        self.picture.text(x, y, text, size=size, colour=self.palette.muted, align=align)

    def lines(self, x: float, top: float, lines: Iterable[Line]) -> float:
        """Write lines below each other; return where the last one ends."""
        for text, size, colour, bold in lines:
            middle = top + LEADING * size / 2
            self.picture.text(x, middle, text, size=size, colour=colour, bold=bold)
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
        """Write in one line which game this is, how far it has come, and who looks.

        Args:
            about: how far the game has come.
            margin: from the edges of the picture.
            y: middle of the title.
            size: of the title's letters.
            indent: from the left end of the title to that of what is said beside it.
            hidden: what is shown to viewers who see everything.
        """
        self.title(margin, y, size)
        if about:
            self.label(margin + indent, y + 4, about, size=18)
        right, seen = self.picture.width - margin, seen_by(self.viewer, hidden)
        self.label(right, y + 4, seen, size=18, align="right")

    def title(self, x: float, y: float, size: float) -> None:
        """Write the name of the game."""
        self.write(x, y, self.game.title, size=size, bold=True)

    # --- Boxes ----------------------------------------------------------------------------------

    def strip(self, x: float, y: float, width: float, height: float) -> None:
        """Draw the box that says what is going on."""
        box = (x, y, width, height)
        self.picture.rectangle(*box, fill=self.palette.strip, radius=self.palette.corner)

    def seat_panel(self, player: int, x: float, y: float, width: float, height: float) -> None:
        """Draw the panel of a seat, framed if it is to act."""
        self.picture.rectangle(
            *(x, y, width, height),
            fill=self.palette.panel,
            outline=self.palette.accent if self.acts(player) else None,
            line=3,
            radius=self.palette.corner,
        )

    def seat_name(self, player: int, x: float, y: float, size: float) -> float:
        """Write the name of a seat; return where it ends."""
        name = f"player_{player}"
        colour = self.palette.accent if self.acts(player) else self.palette.light
        self.picture.text(x, y, name, size=size, colour=colour, bold=True)
        return x + text_width(name, size)

    def tags(self, x: float, y: float, tags: Iterable[str], *, size: float, height: float) -> None:
        """Write a few short words beside each other, each in a pill around ``y``."""
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
        """Explain marks in lines between ``x`` and ``right``; return the middle of the last line.

        Args:
            signs: the marks.
            x: left end of each line.
            y: middle of the first line.
            right: where a line must end.
            size: of the letters.
            step: from one line to the next.
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
        """Draw a card (a ``hidden`` one from behind), or where one would lie."""
        if hidden:
            draw_card_back(self.picture, x, y, width, known=None, looked=False)
        elif face:
            draw_card(self.picture, x, y, width, face)
        else:
            self.card_outline(x, y, width)

    def kind_chip(
        self, box: Rectangle, face: Face, text: str, *, size: float, is_there: bool
    ) -> None:
        """Draw a small box that stands for a kind of card, and for none of it if none is there."""
        if is_there:
            self.picture.rectangle(*box.place, fill=face.paper, radius=6)
        else:
            self.picture.rectangle(*box.place, outline=self.palette.empty, line=1.5, radius=6)
        ink = face.ink if is_there else self.palette.empty
        self.picture.text(*box.middle, text, size=size, colour=ink, align="middle")

    def card_outline(self, x: float, y: float, width: float) -> None:
        """Draw where a card would lie, its top left corner at (x, y)."""
        box = (x, y, width, CARD_RATIO * width)
        self.picture.rectangle(*box, outline=self.palette.empty, line=2, radius=0.1 * width)

    def card_frame(
        self, x: float, y: float, width: float, colour: str | None = None, edge: float = 3.5
    ) -> None:
        """Draw what shows around a card that is drawn onto it, ``edge`` wide."""
        box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
        self.picture.rectangle(*box, fill=colour or self.palette.accent, radius=0.1 * width + edge)

    def card_frame_sign(self, x: float, y: float, width: float, within: str) -> None:
        """Draw a small empty card in its frame, as the sign of a card that may be chosen.

        Args:
            x: left edge of the card.
            y: its top edge.
            width: of the card.
            within: colour of the table that it lies on.
        """
        self.card_frame(x, y, width)
        self.picture.rectangle(x, y, width, CARD_RATIO * width, fill=within, radius=2)


def card_box(x: float, y: float, width: float) -> Rectangle:
    """Return the outline of a card, its top left corner at (x, y)."""
    return Rectangle(x, y, width, CARD_RATIO * width)


def in_rows(
    number: int, across: int, size: tuple[float, float], gap: float, middle: float, top: float
) -> list[Point]:
    """Arrange panels of a size in rows, each row around the same middle.

    Args:
        number: of panels.
        across: how many lie beside each other.
        size: width and height of each.
        gap: between them.
        middle: of each row.
        top: of the first row.

    Returns:
        The top left corner of each.
    """
    width, height = size
    corners = []
    for i in range(number):
        row, column = divmod(i, across)
        in_row = min(across, number - row * across)
        used = in_row * (width + gap) - gap
        corners.append((middle - used / 2 + column * (width + gap), top + row * (height + gap)))
    return corners
