"""A view of a table together with the picture that it is drawn into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from kitchentable.render.cards import CARD_RATIO
from kitchentable.render.picture import Align, Circle, Picture, Polygon, Rectangle
from kitchentable.render.view import P, S, View


class Palette(NamedTuple):
    """The colours of a game's table."""

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

    def label(self, x: float, y: float, text: str, *, size: float, align: Align = "left") -> None:
        """Write a caption, its middle at ``y``."""
        self.picture.text(x, y, text, size=size, colour=self.palette.muted, align=align)

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
