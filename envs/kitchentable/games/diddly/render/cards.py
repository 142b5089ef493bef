"""The cards of Diddly as they are drawn, the marks on them, and the colours of the table."""

from __future__ import annotations

from kitchentable.games.diddly.render.text import LONG_NAMES
from kitchentable.games.diddly.state import CARD_NAMES, DIDDLY, HALF, PEEK, RECYCLE, SWAP
from kitchentable.render.cards import (
    BACK,
    BACK_EDGE,
    CARD_RATIO,
    INK,
    PAPER,
    Face,
    draw_card,
    draw_card_back,
    draw_eye,
)
from kitchentable.render.picture import Align, Picture

TABLE, PANEL, STRIP_COLOUR, EMPTY = "#10312f", "#1a4542", "#0b2524", "#2c5a56"
LIGHT, MUTED, ACCENT, MATCHED, TO_SWAP = "#f4f7f4", "#a5c2bb", "#fbbf24", "#34d399", "#a78bfa"

LEAST_LETTERS = 16
"""Size of the smallest letters on small cards."""


def _number_ink(kind: int) -> str:
    """Colour the cards from good (low) to bad."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min(kind // 3, 3)]


FACES = (
    *(Face(name, ink=_number_ink(kind)) for kind, name in enumerate(CARD_NAMES[:DIDDLY])),
    *(
        Face(CARD_NAMES[kind], LONG_NAMES[kind], paper, PAPER)
        for kind, paper in (
            (DIDDLY, "#0f9f74"),
            (SWAP, "#7c3aed"),
            (HALF, "#d9730d"),
            (PEEK, "#2563eb"),
            (RECYCLE, "#c2266b"),
        )
    ),
)
"""What is printed on each kind of card."""

# --- Small cards ----------------------------------------------------------------------------------


def draw_small_card(picture: Picture, x: float, y: float, width: float, face: Face) -> None:
    """Draw a face-up card with nothing but its label, which is large enough for a phone."""
    height = CARD_RATIO * width
    edge = "#c9ccd2" if face.paper == PAPER else PAPER
    picture.rectangle(x, y, width, height, fill=face.paper, outline=edge, radius=0.1 * width)
    _write_label(picture, x + width / 2, y + height / 2, 0.5 * width, face)


def draw_small_back(
    picture: Picture, x: float, y: float, width: float, *, known: Face | None, looked: bool
) -> None:
    """Draw a face-down card as `draw_card_back` does, its marks large enough for a phone."""
    draw_card_back(picture, x, y, width, known=None, looked=False)
    middle, height = x + width / 2, CARD_RATIO * width
    if known:
        side = 0.62 * width
        centre = y + 0.46 * height
        corner = (middle - side / 2, centre - side / 2)
        picture.rectangle(*corner, side, side, fill=known.paper, radius=0.08 * width)
        _write_label(picture, middle, centre, 0.34 * width, known)
    if looked:
        draw_eye(picture, middle, y + 0.85 * height, 0.17 * width, BACK_EDGE, BACK)


def _write_label(picture: Picture, x: float, y: float, size: float, face: Face) -> None:
    large = max(round(size, 1), LEAST_LETTERS)
    picture.text(x, y, face.label, size=large, colour=face.ink, align="middle", bold=True)


# --- Places for cards, and marks ------------------------------------------------------------------


def draw_place(picture: Picture, x: float, y: float, width: float, face: Face | None) -> None:
    """Draw a card, or where one would lie."""
    if face:
        draw_card(picture, x, y, width, face)
    else:
        box = (x, y, width, CARD_RATIO * width)
        picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * width)


def draw_frame(picture: Picture, x: float, y: float, width: float, colour: str) -> None:
    """Draw what shows around a card that is drawn onto it."""
    edge = 3.5
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=colour, radius=0.1 * width + edge)


def draw_nought(picture: Picture, x: float, y: float, letters: float = 15) -> None:
    """Mark a card that is worth nothing."""
    picture.circle(x, y, letters - 4, fill=MATCHED, outline=PANEL, line=2)
    picture.text(x, y, "0", size=letters, colour=INK, align="middle", bold=True)


def draw_swap_mark(picture: Picture, x: float, y: float) -> None:
    """Mark a card that is about to be swapped: an arrow with two heads."""
    picture.circle(x, y, 12, fill=TO_SWAP, outline=PANEL, line=2)
    half = [(-8, 0), (-3, -5), (-3, -1.5), (3, -1.5), (3, -5)]
    arrow = [*half, *((-dx, -dy) for dx, dy in half)]
    picture.polygon([(x + dx, y + dy) for dx, dy in arrow], fill=INK)


def label(
    picture: Picture, x: float, y: float, text: str, *, size: float, align: Align = "left"
) -> None:
    """Write what something is."""
    picture.text(x, y, text, size=size, colour=MUTED, align=align)
