"""The cards of Fiddlefoo as pictures, the signs on them, and what these mean.

A card has a color of its own that also differs in lightness, and its letter, so that who cannot
tell the colors apart reads it. An action card has its name on a light plate, or its mark of two
letters where the name would be too small to read. Frames differ by a badge, besides their color.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render.action_cards import MARKS
from kitchentable.games.fiddlefoo.render.look import (
    BACK,
    BACK_EDGE,
    BACK_PATTERN,
    BY_NOTES,
    CHOICE,
    CHOSEN,
    DARK,
    INKS,
    PAIR,
    PALETTE,
    PAPERS,
    PLATE,
    Look,
    Scene,
)
from kitchentable.games.fiddlefoo.render.view import Held, code
from kitchentable.render.cards import draw_eye
from kitchentable.render.letters import LEADING, compact, text_width, wrapped
from kitchentable.render.picture import Picture, Rectangle
from kitchentable.render.scene import Sign

FRAME = 4
"""From a card to the outer edge of its frame."""
BADGE = 7
"""Radius of a frame's badge."""
NAME_LINES = 3
NAME_LEADING = 1.5
"""From one line of a name to the next, in pixels more than the letters' size."""
LARGEST = 0.25
"""Size of the letters of a short name, as a part of the plate's width."""
PLATE_HEIGHT = 0.57
"""Height of the plate with the name, as a part of the card's."""


def draw_tile(
    picture: Picture, x: float, y: float, size: float, card: int, letters: int = 0
) -> None:
    """Draw a face-up card, a square with its top left corner at (x, y).

    Args:
        picture: to draw on.
        x: left edge.
        y: top edge.
        size: of the card.
        card: which one.
        letters: the smallest size of letters that may be used.
    """
    paper, ink = PAPERS[int(c.COLOR[card])], INKS[int(c.COLOR[card])]
    picture.rectangle(x, y, size, size, fill=paper, radius=0.1 * size)
    if card < c.NUM_BASE:
        _draw_code(picture, x + size / 2, y + 0.41 * size, size, card, max(letters, 0.42 * size))
        draw_notes(picture, x + size / 2, y + 0.87 * size, 0.06 * size, int(c.NOTES[card]), ink)
    elif is_marked(card, size, letters):
        _draw_code(picture, x + size / 2, y + 0.26 * size, size, card, max(letters, 0.3 * size))
        _draw_mark(picture, x, y + 0.5 * size, size, card, max(letters, int(0.3 * size)))
    else:
        at = (x + max(3, 0.07 * size), y + 0.13 * size)
        picture.text(*at, code(card), size=max(letters, int(0.22 * size)), colour=ink, bold=True)
        draw_notes(picture, x + size / 2, y + 0.955 * size, 0.035 * size, int(c.NOTES[card]), ink)
        _draw_name(picture, x, y + 0.24 * size, size, c.CARD_NAMES[card])


def is_marked(card: int, size: float, letters: int) -> bool:
    """Whether a card of a size has its mark in place of its name, which has no room."""
    return card >= c.NUM_BASE and _name_lines(c.CARD_NAMES[card], size)[0] < letters


def _draw_code(
    picture: Picture, x: float, y: float, size: float, card: int, letters: float
) -> None:
    """Write color and number around (x, y), bold where the card is wide enough."""
    ink, letters = INKS[int(c.COLOR[card])], int(letters)
    bold = text_width(code(card), letters) <= size
    picture.text(x, y, code(card), size=letters, colour=ink, align="middle", bold=bold)


def _draw_mark(picture: Picture, x: float, y: float, size: float, card: int, letters: int) -> None:
    """Write an action card's mark on its plate, whose top is at ``y``."""
    height = 0.47 * size
    picture.rectangle(x + 1, y, size - 2, height, fill=PLATE, radius=0.04 * size)
    at = (x + size / 2, y + height / 2)
    picture.text(*at, MARKS[c.CARD_NAMES[card]], size=letters, colour=DARK, align="middle")


def _draw_name(picture: Picture, x: float, y: float, size: float, name: str) -> None:
    """Write an action card's name on its plate, as large as it fits."""
    height = PLATE_HEIGHT * size
    picture.rectangle(x + 2, y, size - 4, height, fill=PLATE, radius=0.04 * size)
    letters, lines = _name_lines(name, size)
    for i, line in enumerate(lines):
        at = y + height / 2 - 1 + (i - (len(lines) - 1) / 2) * (letters + NAME_LEADING)
        picture.text(x + size / 2, at, line, size=letters, colour=DARK, align="middle")


@cache
def _name_lines(name: str, size: float) -> tuple[int, list[str]]:
    """Return the largest letters in which a name fits on the plate of a card, and its lines."""
    return max(
        _letters(compact(name.replace("_", " "), count), size - 4, PLATE_HEIGHT * size)
        for count in range(1, NAME_LINES + 1)
    )


def _letters(lines: list[str], width: float, height: float) -> tuple[int, list[str]]:
    """Return the largest size of letters in which these lines fit, and the lines."""
    size = int(min(LARGEST * width, (height - 2) / len(lines) - NAME_LEADING))
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


def draw_held(
    picture: Picture, x: float, y: float, size: float, held: Held, letters: int = 0
) -> None:
    """Draw a card of a hand: an eye says that everybody knows it, an arrow that it is new."""
    if held.card < 0:
        draw_back(picture, x, y, size)
        return
    draw_tile(picture, x, y, size, held.card, letters)
    paper, ink = PAPERS[int(c.COLOR[held.card])], INKS[int(c.COLOR[held.card])]
    eye, arrow, height = 0.87, 0.62, 0.13
    if is_marked(held.card, size, letters):  # the room is beside the mark then
        paper, ink = PLATE, DARK
        eye, arrow, height = 0.86, 0.12, 0.85
    if held.known:
        draw_eye(picture, x + eye * size, y + height * size, 0.11 * size, ink, paper)
    if held.received:
        draw_arrow(picture, x + arrow * size, y + height * size, 0.08 * size, ink)


# --- Frames ---------------------------------------------------------------------------------------


def frame_box(x: float, y: float, size: float, reach: float = FRAME) -> Rectangle:
    """Return the outline of the frame around a card."""
    side = size + 2 * reach
    return Rectangle(x - reach, y - reach, side, side, radius=0.1 * size + reach)


def draw_frame(
    picture: Picture, x: float, y: float, size: float, colour: str, reach: float = FRAME
) -> None:
    """Draw a frame around a card, with a little space between, and the badge that names it."""
    box = frame_box(x, y, size, reach)
    picture.rectangle(
        box.x, box.y, box.width, box.height, outline=colour, line=2.5, radius=box.radius
    )
    draw_badge(picture, x + size - 1, y + size - 1, colour)


def draw_badge(picture: Picture, x: float, y: float, colour: str) -> None:
    """Draw what tells one frame from another: a note, a tick, two bars; a plain choice has none."""
    if colour == CHOICE:
        return
    picture.circle(x, y, BADGE, fill=DARK, outline=colour, line=1.5)
    if colour == BY_NOTES:
        draw_notes(picture, x - 0.5, y + 2.5, 1.8, 1, colour)
    elif colour == CHOSEN:
        tick = [(-4, 0), (-2.5, -1.5), (-1, 0), (3, -4), (4.5, -2.5), (-1, 3)]
        picture.polygon([(x + dx, y + dy + 0.5) for dx, dy in tick], fill=colour)
    else:
        for top in (-3, 1):
            picture.rectangle(x - 3.5, y + top, 7, 2, fill=colour)


def draw_arrow(picture: Picture, x: float, y: float, reach: float, colour: str) -> None:
    """Draw an arrow that points down: a card received in this turn."""
    picture.polygon([(x - reach, y - reach), (x + reach, y - reach), (x, y + reach)], fill=colour)


def draw_pile_mark(picture: Picture, x: float, y: float, reach: float, colour: str) -> None:
    """Draw three bars, as of cards lying on each other: a card that may go on its pile."""
    for i in range(3):
        top = y - reach + i * 0.75 * reach
        picture.rectangle(x - reach, top, 2 * reach, 0.45 * reach, fill=colour)


# --- What the signs mean --------------------------------------------------------------------------

OFFERS = "Where a card may go: r numbers in range, d distance, S distance of a Safe Song"
"""What is told in compact pictures only."""


def draw_legend(scene: Scene, look: Look, x: float, y: float, right: float) -> None:
    """Explain the signs, in lines between ``x`` and ``right``, the first of them around ``y``."""
    step = LEADING * look.text
    y = scene.legend(_signs(scene), x=x, y=y, right=right, size=look.text, step=step)
    if look.compact:
        for line in wrapped(OFFERS, look.text, right - x):
            y += step
            scene.label(x, y, line, size=look.text)


def _signs(scene: Scene) -> list[Sign]:
    picture, light = scene.picture, PALETTE.light

    def frame(colour: str) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            picture.rectangle(x, y - 8, 16, 16, outline=colour, line=2.5, radius=4)
            draw_badge(picture, x + 14, y + 6, colour)

        return draw

    def eye(x: float, y: float) -> None:
        draw_eye(picture, x + 9, y, 10, light, PALETTE.table)

    def arrow(x: float, y: float) -> None:
        draw_arrow(picture, x + 6, y, 6, light)

    def pile(x: float, y: float) -> None:
        draw_pile_mark(picture, x + 7, y, 7, light)

    signs = [
        Sign(24, frame(CHOICE), "may be chosen"),
        Sign(30, frame(BY_NOTES), "may be thrown for its notes, alone"),
        Sign(30, frame(CHOSEN), "chosen"),
        Sign(30, frame(PAIR), "the pair (thin: added last)"),
        Sign(27, eye, "everybody knows it"),
        Sign(20, arrow, "received in this turn"),
    ]
    return signs + [Sign(22, pile, "may go on its pile")] * scene.params.cooperative
