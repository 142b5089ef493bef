"""Drawings of cards, the same for every game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kitchentable.render.picture import Picture, Point

CARD_RATIO = 1.36
"""Height of a card, relative to its width."""
PAPER, INK = "#fdfcf7", "#1f2937"
BACK, BACK_EDGE, BACK_PATTERN = "#33456f", "#dfe6f3", "#4b6091"
SMALLEST_BOLD = 18
"""Smallest font size of bold letters, in pixels; below it, the dot of an i would touch its stem."""


SMALLEST = 14
"""Smallest letters on a card: what would be smaller is left out, as the label says which it is."""


@dataclass(frozen=True)
class Face:
    """The print on a kind of card."""

    label: str
    """A few characters that identify the card."""
    name: str = ""
    """The card's full name, written below the label."""
    paper: str = PAPER
    ink: str = INK
    points: str = ""
    """The points of the card, written in a corner."""


def draw_card(picture: Picture, x: float, y: float, width: float, face: Face) -> None:
    """Draw a face-up card with its top left corner at (x, y)."""
    height = CARD_RATIO * width
    edge = "#c9ccd2" if face.paper == PAPER else PAPER
    line = max(1, 0.02 * width)
    box = (x, y, width, height)
    picture.rectangle(*box, fill=face.paper, outline=edge, line=line, radius=0.1 * width)
    middle = x + width / 2
    if face.points and 0.28 * width >= SMALLEST:
        size = (0.58 if len(face.label) == 1 else 0.5) * width
        _write(picture, (middle, y + 0.4 * height), face.label, size, face.ink)
        corner = (x + (0.89 - 0.08 * len(face.points)) * width, y + 0.83 * height)
        _write(picture, corner, face.points, 0.28 * width, face.ink)
        return
    if face.name and 0.18 * width >= SMALLEST:
        _write(picture, (middle, y + 0.42 * height), face.label, 0.5 * width, face.ink)
        _write(picture, (middle, y + 0.79 * height), face.name, 0.18 * width, face.ink)
        return
    _write(picture, (middle, y + 0.5 * height), face.label, max(SMALLEST, 0.52 * width), face.ink)
    if face.points or face.name or 0.18 * width < SMALLEST:
        return
    side = 0.13 + 0.05 * len(face.label)
    for dx, dy in ((side, 0.14), (1 - side, 0.86)):
        _write(picture, (x + dx * width, y + dy * height), face.label, 0.18 * width, face.ink)


def draw_card_back(
    picture: Picture, x: float, y: float, width: float, *, known: Face | None, looked: bool
) -> None:
    """Draw a face-down card with its top left corner at (x, y).

    Args:
        picture: the picture to draw on.
        x: the left edge.
        y: the top edge.
        width: the width of the card.
        known: the face of the card if the viewer knows it; it is drawn small on the back.
        looked: whether to mark the card as one that its owner has looked at.
    """
    height = CARD_RATIO * width
    picture.rectangle(
        x, y, width, height, fill=BACK, outline=BACK_EDGE, line=0.035 * width, radius=0.1 * width
    )
    inset = 0.11 * width
    inner = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    picture.rectangle(*inner, outline=BACK_PATTERN, line=max(1, 0.02 * width), radius=0.05 * width)
    middle, center = x + width / 2, y + height / 2
    if known is None:
        for reach in (0.3, 0.16):
            picture.polygon(
                _diamond(middle, center, reach * width), outline=BACK_PATTERN, line=0.02 * width
            )
    elif known.points:
        draw_card(picture, x + 0.15 * width, y + 0.15 * height, 0.7 * width, known)
    else:
        side = 0.44 * width
        corner = (middle - side / 2, center - side / 2)
        picture.rectangle(*corner, side, side, fill=known.paper, radius=0.08 * width)
        _write(picture, (middle, center), known.label, max(SMALLEST, 0.28 * width), known.ink)
    if looked:
        draw_eye(picture, middle, y + 0.87 * height, 0.13 * width)


def draw_eye(
    picture: Picture, x: float, y: float, reach: float, white: str = BACK_EDGE, pupil: str = BACK
) -> None:
    """Draw an eye around (x, y), the mark of a seen card; ``reach`` is half its width."""
    turn = np.linspace(-1, 1, 9)
    lid = [(x + reach * t, y - 0.6 * reach * (1 - t * t)) for t in turn.tolist()]
    lower = [(px, 2 * y - py) for px, py in reversed(lid)]
    picture.polygon(lid + lower[1:-1], fill=white)
    picture.circle(x, y, 0.32 * reach, fill=pupil)


def _write(picture: Picture, middle: Point, text: str, size: float, color: str) -> None:
    bold = text.isdigit() or size >= SMALLEST_BOLD
    picture.text(*middle, text, size=round(size, 1), color=color, align="middle", bold=bold)


def _diamond(x: float, y: float, reach: float) -> list[Point]:
    high = CARD_RATIO * reach
    return [(x, y - high), (x + reach, y), (x, y + high), (x - reach, y)]
