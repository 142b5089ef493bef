"""The cards of Quiddler as they are drawn, the marks on them, and the colours of the table."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.state import BY_ITSELF, Params, State
from kitchentable.render import scene
from kitchentable.render.cards import CARD_RATIO, PAPER, Face, draw_card
from kitchentable.render.picture import Picture

Scene = scene.Scene[State, Params]

PALETTE = scene.Palette(
    table="#12233f",
    panel="#1d3557",
    strip="#0c1a30",
    empty="#35507a",
    light="#f3f6fb",
    muted="#a9bcd6",
    accent="#fbbf24",
)
GOOD, BAD = "#4ade80", "#fb7185"
FRAME = 2.5
"""How wide a frame shows around a card that may be discarded."""


def _ink(points: int) -> str:
    """Colour the cards from common to rare."""
    return ("#0f766e", "#1d4ed8", "#7e22ce", "#b91c1c")[min((points - 2) // 3, 3)]


FACES = tuple(
    Face(name, points=str(points), ink=_ink(int(points)))
    for name, points in zip(CARD_NAMES, VALUES, strict=True)
)
"""What is printed on each kind of card."""


def draw_face(picture: Picture, x: float, y: float, width: float, kind: int, *, tile: bool) -> None:
    """Draw a face-up card, or a tile with its letters alone, with the top left corner at (x, y)."""
    face = FACES[kind]
    if not tile:
        draw_card(picture, x, y, width, face)
        return
    height = CARD_RATIO * width
    picture.rectangle(x, y, width, height, fill=PAPER, radius=0.1 * width)
    middle, size = (x + width / 2, y + height / 2), (0.6 if len(face.label) == 1 else 0.5) * width
    picture.text(*middle, face.label, size=size, colour=face.ink, align="middle", bold=True)


def draw_framed(scene: Scene, x: float, y: float, fill: str) -> None:
    """Draw a small card with the frame of one that may be discarded, for a legend."""
    scene.card_frame(x, y, 12, edge=FRAME)
    scene.picture.rectangle(x, y, 12, 12 * CARD_RATIO, fill=fill, radius=2)


def meaning_of_arrow(scene: Scene) -> str:
    """Say what the mark below a card means, for a legend."""
    if scene.state.meld == BY_ITSELF:
        return "its discard lays words (below: worth)"
    return "may be spelled next"


def draw_arrow(picture: Picture, x: float, y: float, reach: float = 7) -> None:
    """Draw the mark of a card that may be spelled, around (x, y); ``reach`` is half its width."""
    low = reach * 5 / 7
    picture.polygon([(x, y - reach * 6 / 7), (x + reach, y + low), (x - reach, y + low)], fill=GOOD)
