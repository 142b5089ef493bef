"""The cards of Fiddlefoo as pictures, and the marks on them.

A card has a color of its own that also differs in lightness, and its letter, so that who cannot
tell the colors apart reads it. An action card has its name on a light plate.
"""

from __future__ import annotations

from kitchentable.fiddlefoo.cards import (
    BLUE,
    CARD_NAMES,
    COLOR,
    NOTES,
    NUM_BASE,
    PURPLE,
    RED,
    YELLOW,
)
from kitchentable.fiddlefoo.drawing_view import Held, code
from kitchentable.letters import compact, text_width
from kitchentable.picture import Picture, draw_eye

PAPERS = {YELLOW: "#f5c531", RED: "#d63a2f", BLUE: "#2456a6", PURPLE: "#cfa6ee"}
DARK, WHITE, PLATE = "#1c1917", "#ffffff", "#fdfcf7"
INKS = {YELLOW: DARK, RED: WHITE, BLUE: WHITE, PURPLE: DARK}
BACK, BACK_EDGE, BACK_PATTERN = "#4a4440", "#a8a29e", "#6b635d"

CHOICE, BY_NOTES, CHOSEN, PAIR = "#fbbf24", "#67e8f9", "#f472b6", "#ffffff"
"""Frames around what may be chosen, may be thrown for its notes, is chosen, and makes the pair."""
FRAME = 4
"""From a card to the outer edge of its frame."""
NAME_LINES = 3
LEADING = 1.5
"""From one line of a name to the next, in pixels more than the letters' size."""
LARGEST = 0.25
"""Size of the letters of a short name, as a part of the plate's width."""


def draw_tile(picture: Picture, x: float, y: float, size: float, card: int) -> None:
    """Draw a face-up card, a square with its top left corner at (x, y)."""
    paper, ink = PAPERS[int(COLOR[card])], INKS[int(COLOR[card])]
    picture.rectangle(x, y, size, size, fill=paper, radius=0.1 * size)
    if card < NUM_BASE:
        at = (x + size / 2, y + 0.41 * size)
        picture.text(*at, code(card), size=int(0.42 * size), colour=ink, align="middle", bold=True)
        draw_notes(picture, x + size / 2, y + 0.87 * size, 0.06 * size, int(NOTES[card]), ink)
        return
    at = (x + max(3, 0.07 * size), y + 0.13 * size)
    picture.text(*at, code(card), size=int(0.22 * size), colour=ink, bold=True)
    draw_notes(picture, x + size / 2, y + 0.955 * size, 0.035 * size, int(NOTES[card]), ink)
    _draw_name(picture, x, y + 0.24 * size, size, CARD_NAMES[card])


def _draw_name(picture: Picture, x: float, y: float, size: float, name: str) -> None:
    """Write an action card's name on its plate, as large as it fits."""
    height = 0.57 * size
    picture.rectangle(x + 2, y, size - 4, height, fill=PLATE, radius=0.04 * size)
    letters, lines = max(
        _letters(compact(name.replace("_", " "), count), size - 2, height)
        for count in range(1, NAME_LINES + 1)
    )
    for i, line in enumerate(lines):
        at = y + height / 2 - 1 + (i - (len(lines) - 1) / 2) * (letters + LEADING)
        picture.text(x + size / 2, at, line, size=letters, colour=DARK, align="middle")


def _letters(lines: list[str], width: float, height: float) -> tuple[int, list[str]]:
    """Return the largest size of letters in which these lines fit, and the lines."""
    size = int(min(LARGEST * width, (height - 2) / len(lines) - LEADING))
    while size > 1 and max(text_width(line, size) for line in lines) > width:
        size -= 1
    return size, lines


def draw_notes(
    picture: Picture, x: float, y: float, radius: float, count: int, colour: str
) -> None:
    """Draw music notes in a row whose heads have their middle at (x, y)."""
    step = 3.2 * radius
    for i in range(count):
        at = x + (i - (count - 1) / 2) * step - 0.4 * radius
        stem, top = at + 0.55 * radius, y - 2.9 * radius
        picture.circle(at, y, radius, fill=colour)
        picture.rectangle(stem, top, max(1, 0.5 * radius), y - top, fill=colour)
        flag = [(stem, top), (stem + 1.5 * radius, top + 1.1 * radius), (stem, top + 1.1 * radius)]
        picture.polygon(flag, fill=colour)


def draw_back(picture: Picture, x: float, y: float, size: float) -> None:
    """Draw a face-down card."""
    line = max(1.5, 0.035 * size)
    box = (x, y, size, size)
    picture.rectangle(*box, fill=BACK, outline=BACK_EDGE, line=line, radius=0.1 * size)
    draw_notes(picture, x + size / 2, y + 0.62 * size, 0.11 * size, 1, BACK_PATTERN)


def draw_held(picture: Picture, x: float, y: float, size: float, held: Held) -> None:
    """Draw a card of a hand: an eye says that everybody knows it, an arrow that it is new."""
    if held.card < 0:
        draw_back(picture, x, y, size)
        return
    draw_tile(picture, x, y, size, held.card)
    paper, ink = PAPERS[int(COLOR[held.card])], INKS[int(COLOR[held.card])]
    if held.known:
        draw_eye(picture, x + 0.87 * size, y + 0.13 * size, 0.11 * size, ink, paper)
    if held.received:
        draw_arrow(picture, x + 0.62 * size, y + 0.13 * size, 0.08 * size, ink)


def draw_frame(picture: Picture, x: float, y: float, size: float, colour: str) -> None:
    """Draw a frame around a card, with a little space between."""
    box = (x - FRAME, y - FRAME, size + 2 * FRAME, size + 2 * FRAME)
    picture.rectangle(*box, outline=colour, line=2.5, radius=0.1 * size + FRAME)


def draw_arrow(picture: Picture, x: float, y: float, reach: float, colour: str) -> None:
    """Draw an arrow that points down: a card received in this turn."""
    picture.polygon([(x - reach, y - reach), (x + reach, y - reach), (x, y + reach)], fill=colour)


def draw_pile_mark(picture: Picture, x: float, y: float, reach: float, colour: str) -> None:
    """Draw three bars, as of cards lying on each other: a card that may go on its pile."""
    for i in range(3):
        top = y - reach + i * 0.75 * reach
        picture.rectangle(x - reach, top, 2 * reach, 0.45 * reach, fill=colour)
