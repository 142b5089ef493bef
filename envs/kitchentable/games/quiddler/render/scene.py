"""What all parts of a picture of Quiddler share: whose view it is, colors, faces, small marks."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, NamedTuple

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.render.view import legal_names
from kitchentable.games.quiddler.state import Params, State
from kitchentable.render.cards import CARD_RATIO, Face
from kitchentable.render.picture import Align, Circle, Picture, Polygon, Rectangle

if TYPE_CHECKING:
    from collections.abc import Iterable

TABLE, PANEL, STRIP, EMPTY = "#12233f", "#1d3557", "#0c1a30", "#35507a"
LIGHT, MUTED, ACCENT, GOOD, BAD = "#f3f6fb", "#a9bcd6", "#fbbf24", "#4ade80", "#fb7185"

_LETTER = 6.7 / 14
"""The average letter is not wider, as a part of the font's size."""


def _ink(points: int) -> str:
    """Colour the cards from common to rare."""
    return ("#0f766e", "#1d4ed8", "#7e22ce", "#b91c1c")[min((points - 2) // 3, 3)]


FACES = tuple(
    Face(name, points=str(points), ink=_ink(int(points)))
    for name, points in zip(CARD_NAMES, VALUES, strict=True)
)
"""What is printed on each kind of card."""


class Scene(NamedTuple):
    """A picture, and the table in it as one seat sees it."""

    picture: Picture
    state: State
    params: Params
    viewer: int
    legal: frozenset[str]
    """What may be chosen now, by whoever looks."""

    def offer(self, actions: Iterable[str], shape: Rectangle | Polygon | Circle) -> None:
        """Make a place to click for those of some actions that are legal, if any is."""
        legal = [action for action in actions if action in self.legal]
        if legal:
            self.picture.spot(legal, shape)


def begin(width: int, height: float, state: State, params: Params, viewer: int) -> Scene:
    """Begin a picture; its height becomes even, because video formats want it so."""
    picture = Picture(width, 2 * round(height / 2), TABLE)
    return Scene(picture, state, params, viewer, frozenset(legal_names(state, params, viewer)))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Break a text into lines that are not wider than ``width``."""
    return textwrap.wrap(text, int(width / (_LETTER * size)))


def label(
    picture: Picture, x: float, y: float, text: str, *, size: float = 15, align: Align = "left"
) -> None:
    """Write a caption."""
    picture.text(x, y, text, size=size, colour=MUTED, align=align)


def draw_frame(picture: Picture, x: float, y: float, width: float, edge: float = 2.5) -> None:
    """Draw what stands out around a card that may be discarded; the card comes on top."""
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=ACCENT, radius=0.1 * width + edge)


def draw_arrow(picture: Picture, x: float, y: float, reach: float = 7) -> None:
    """Draw the mark of a card that may be spelled, around (x, y); ``reach`` is half its width."""
    low = reach * 5 / 7
    picture.polygon([(x, y - reach * 6 / 7), (x + reach, y + low), (x - reach, y + low)], fill=GOOD)
