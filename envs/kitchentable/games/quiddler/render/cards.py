"""Drawing the cards of Quiddler, the marks on them and the piles; the colors of the table."""

from __future__ import annotations

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.render.view import ALPHABETICAL
from kitchentable.games.quiddler.state import BY_ITSELF, Params, State
from kitchentable.render import scene
from kitchentable.render.cards import CARD_RATIO, PAPER, Face, draw_card, draw_eye
from kitchentable.render.picture import Picture, Rectangle
from kitchentable.render.scene import Sign

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
"""Width of the frame around a card that may be chosen."""


def _ink(points: int) -> str:
    """Return the color of a card by its points, from common to rare cards."""
    return ("#0f766e", "#1d4ed8", "#7e22ce", "#b91c1c")[min((points - 2) // 3, 3)]


FACES = tuple(
    Face(name, points=str(points), ink=_ink(int(points)))
    for name, points in zip(CARD_NAMES, VALUES, strict=True)
)
"""What is printed on each kind of card."""


def draw_face(picture: Picture, x: float, y: float, width: float, kind: int, *, tile: bool) -> None:
    """Draw a face-up card, or a tile with only its letters, its top left corner at (x, y)."""
    face = FACES[kind]
    if not tile:
        draw_card(picture, x, y, width, face)
        return
    height = CARD_RATIO * width
    picture.rectangle(x, y, width, height, fill=PAPER, radius=0.1 * width)
    middle, size = (x + width / 2, y + height / 2), (0.6 if len(face.label) == 1 else 0.5) * width
    picture.text(*middle, face.label, size=size, color=face.ink, align="middle", bold=True)


def draw_arrow(picture: Picture, x: float, y: float, reach: float = 7) -> None:
    """Draw the mark of a card that may be spelled, around (x, y); ``reach`` is half its width."""
    low = reach * 5 / 7
    picture.polygon([(x, y - reach * 6 / 7), (x + reach, y + low), (x - reach, y + low)], fill=GOOD)


def signs(scene: Scene) -> list[Sign]:
    """Return the marks on cards that the legend explains."""
    by_itself = scene.state.meld == BY_ITSELF
    lays = "its discard lays words (below: worth)" if by_itself else "may be spelled next"
    seen = "everybody has seen it picked up"
    picture, within = scene.picture, scene.palette.table
    return [
        Sign(24, lambda x, y: scene.card_frame_sign(x, y, within), "may be chosen"),
        Sign(20, lambda x, y: draw_arrow(picture, x + 6, y), lays),
        Sign(32, lambda x, y: draw_eye(picture, x + 12, y, 12), seen),
    ]


# --- The middle of the table ----------------------------------------------------------------------


def draw_piles(
    scene: Scene, x: float, top: float, width: float, gap: float, caption_y: float, size: float
) -> None:
    """Draw the draw pile and the discard pile side by side, with their sizes below."""
    state = scene.state
    piles = (("Draw", "draw", int(state.deck_size)), ("Discards", "take", int(state.pile_size)))
    for i, (caption, action, count) in enumerate(piles):
        left = x + i * (width + gap)
        face = FACES[state.pile[state.pile_size - 1]] if count else None
        scene.pile(left, top, width, face, action, hidden=action == "draw" and count > 0)
        text = f"{caption} {count}"
        scene.label(left + width / 2, caption_y, text, size=size, align="middle")


def draw_counts(
    scene: Scene, x: float, y: float, *, across: int, width: float, height: float, letters: float
) -> None:
    """Draw the number of discards of each kind, from (x, y) on, in rows of small boxes.

    ``width`` and ``height`` are the distances from one box and from one row to the next.
    """
    for i, kind in enumerate(ALPHABETICAL):
        row, column = divmod(i, across)
        count, face = int(scene.state.pile_counts[kind]), FACES[kind]
        box = Rectangle(x + column * width, y + row * height, width - 5, height - 6)
        text = f"{face.label} x{count}" if count else face.label
        scene.kind_chip(box, face, text, size=letters, is_there=count > 0)
