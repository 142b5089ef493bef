"""Colors and sizes of Fiddlefoo's pictures, drawings of its cards, frames and signs, the legend.

Colors also differ in lightness, and each card shows its color's letter, for viewers who cannot tell
the colors apart. An action card shows its name on a light plate, or a two-letter mark if the name
would be too small to read. Frames differ in color and in a badge.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.cards import BLUE, PURPLE, RED, YELLOW
from kitchentable.games.fiddlefoo.render.action_cards import (
    EFFECTS,
    MARKS,
    about_marks,
    in_full,
    words,
)
from kitchentable.games.fiddlefoo.render.view import Held, code
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render import scene as shared
from kitchentable.render.cards import draw_eye
from kitchentable.render.letters import LEADING, compact, text_width, wrapped
from kitchentable.render.picture import Picture, Rectangle
from kitchentable.render.scene import Sign

Scene = shared.Scene[State, Params]

CHOICE, BY_NOTES, CHOSEN, PAIR = "#fbbf24", "#67e8f9", "#f472b6", "#ffffff"
"""Frame colors: may be chosen, may be thrown for its notes, is chosen, is part of the pair."""
PALETTE = shared.Palette(
    table="#211b17",
    panel="#332a24",
    strip="#16110e",
    empty="#332a24",
    light="#f5f0ea",
    muted="#b8aa9d",
    accent=CHOICE,
    corner=14,
)
PAPERS = {YELLOW: "#f5c531", RED: "#d63a2f", BLUE: "#2456a6", PURPLE: "#cfa6ee"}
DARK, WHITE, PLATE = "#1c1917", "#ffffff", "#fdfcf7"
INKS = {YELLOW: DARK, RED: WHITE, BLUE: WHITE, PURPLE: DARK}
BACK, BACK_EDGE, BACK_PATTERN = "#4a4440", "#a8a29e", "#6b635d"

MARGIN = 24
GAP = 12
"""Space between boxes."""
INNER = 16
"""Space between a box and its contents."""
NAME = 36
"""Height of the first line of a seat."""


class Look(NamedTuple):
    """The settings in which the two pictures differ; sizes are in pixels."""

    width: float
    """Width of a box."""
    decision: int
    """Letter size of the sentence on the decision; likewise for the next three fields."""
    text: int
    foot: int
    name: int
    space: int
    """Space between the cards of a hand."""
    largest: int
    """Largest side of a hand card; ``smallest`` is the smallest one."""
    smallest: int
    others: float
    """Size of cards in other hands, as a fraction of those in the viewer's hand."""
    letters: int
    """Minimum letter size on a card; names that do not fit become two-letter marks."""
    compact: bool
    """Whether hidden cards, piles and possible pairs are abbreviated."""

    @property
    def room(self) -> float:
        """Width of the contents of a box."""
        return self.width - 2 * INNER

    def across(self, size: int) -> int:
        """Return how many cards of a given size fit side by side."""
        return int((self.room + self.space) // (size + self.space))


WIDE = Look(520, 20, 16, 14, 18, 8, 100, 30, 0.7, 14, compact=False)
TALL = Look(544, 20, 18, 16, 20, 8, 96, 31, 0.5, 16, compact=True)


# --- Cards ----------------------------------------------------------------------------------------

FRAME = 4
"""Distance from a card to the outer edge of its frame, in pixels."""
BADGE = 7
"""Radius of the badge of a frame, in pixels."""
NAME_LINES = 3
NAME_LEADING = 1.5
"""Distance between the lines of a name, in pixels, beyond the letter size."""
LARGEST = 0.25
"""Largest letter size of a name, as a fraction of the plate's width."""
PLATE_HEIGHT = 0.57
"""Height of the name plate, as a fraction of the card's height."""


def draw_tile(
    picture: Picture, x: float, y: float, size: float, card: int, letters: int = 0
) -> None:
    """Draw a face-up card, a square with its top left corner at (x, y).

    Args:
        picture: the picture to draw on.
        x: left edge.
        y: top edge.
        size: side of the card.
        card: the card.
        letters: minimum letter size.
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
        picture.text(*at, code(card), size=max(letters, int(0.22 * size)), color=ink, bold=True)
        draw_notes(picture, x + size / 2, y + 0.955 * size, 0.035 * size, int(c.NOTES[card]), ink)
        _draw_name(picture, x, y + 0.24 * size, size, c.CARD_NAMES[card])


def explain_card(picture: Picture, x: float, y: float, size: float, card: int) -> None:
    """Add what an action card does to its place in the picture."""
    if card >= c.NUM_BASE:
        text = f"{in_full(card)}: {EFFECTS[c.CARD_NAMES[card]]}"
        picture.note(text[:1].upper() + text[1:], Rectangle(x, y, size, size))


def is_marked(card: int, size: float, letters: int) -> bool:
    """Return whether an action card shows its mark, because its name does not fit."""
    return card >= c.NUM_BASE and _name_lines(c.CARD_NAMES[card], size)[0] < letters


def _draw_code(
    picture: Picture, x: float, y: float, size: float, card: int, letters: float
) -> None:
    """Write color and number centered at (x, y), in bold if the card is wide enough."""
    ink, letters = INKS[int(c.COLOR[card])], int(letters)
    bold = text_width(code(card), letters) <= size
    picture.text(x, y, code(card), size=letters, color=ink, align="middle", bold=bold)


def _draw_mark(picture: Picture, x: float, y: float, size: float, card: int, letters: int) -> None:
    """Write an action card's mark on its plate, whose top is at ``y``."""
    height = 0.47 * size
    picture.rectangle(x + 1, y, size - 2, height, fill=PLATE, radius=0.04 * size)
    at = (x + size / 2, y + height / 2)
    picture.text(*at, MARKS[c.CARD_NAMES[card]], size=letters, color=DARK, align="middle")


def _draw_name(picture: Picture, x: float, y: float, size: float, name: str) -> None:
    """Write an action card's name on its plate, as large as possible."""
    height = PLATE_HEIGHT * size
    picture.rectangle(x + 2, y, size - 4, height, fill=PLATE, radius=0.04 * size)
    letters, lines = _name_lines(name, size)
    for i, line in enumerate(lines):
        at = y + height / 2 - 1 + (i - (len(lines) - 1) / 2) * (letters + NAME_LEADING)
        picture.text(x + size / 2, at, line, size=letters, color=DARK, align="middle")


@cache
def _name_lines(name: str, size: float) -> tuple[int, list[str]]:
    """Return the largest letter size at which a name fits on a card's plate, and the lines."""
    return max(
        _letters(compact(words(name), count), size - 4, PLATE_HEIGHT * size)
        for count in range(1, NAME_LINES + 1)
    )


def _letters(lines: list[str], width: float, height: float) -> tuple[int, list[str]]:
    """Return the largest letter size at which these lines fit, and the lines."""
    size = int(min(LARGEST * width, (height - 2) / len(lines) - NAME_LEADING))
    while size > 1 and max(text_width(line, size) for line in lines) > width:
        size -= 1
    return size, lines


def draw_notes(picture: Picture, x: float, y: float, radius: float, count: int, color: str) -> None:
    """Draw a row of music notes with their heads centered at (x, y)."""
    step = 3.2 * radius
    for i in range(count):
        at = x + (i - (count - 1) / 2) * step - 0.4 * radius
        stem, top = at + 0.55 * radius, y - 2.9 * radius
        picture.circle(at, y, radius, fill=color)
        picture.rectangle(stem, top, max(1, 0.5 * radius), y - top, fill=color)
        flag = [(stem, top), (stem + 1.5 * radius, top + 1.1 * radius), (stem, top + 1.1 * radius)]
        picture.polygon(flag, fill=color)


def draw_back(picture: Picture, x: float, y: float, size: float) -> None:
    """Draw a face-down card."""
    line = max(1.5, 0.035 * size)
    box = (x, y, size, size)
    picture.rectangle(*box, fill=BACK, outline=BACK_EDGE, line=line, radius=0.1 * size)
    draw_notes(picture, x + size / 2, y + 0.62 * size, 0.11 * size, 1, BACK_PATTERN)


def draw_held(
    picture: Picture, x: float, y: float, size: float, held: Held, letters: int = 0
) -> None:
    """Draw a hand card: an eye marks cards known to all, an arrow those received this turn."""
    if held.card < 0:
        draw_back(picture, x, y, size)
        return
    draw_tile(picture, x, y, size, held.card, letters)
    explain_card(picture, x, y, size, held.card)
    paper, ink = PAPERS[int(c.COLOR[held.card])], INKS[int(c.COLOR[held.card])]
    eye, arrow, height = 0.87, 0.62, 0.13
    if is_marked(held.card, size, letters):  # then there is space only beside the mark
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
    picture: Picture, x: float, y: float, size: float, color: str, reach: float = FRAME
) -> None:
    """Draw a frame around a card, with a gap between them, and the badge of the frame."""
    box = frame_box(x, y, size, reach)
    picture.rectangle(*box.place, outline=color, line=2.5, radius=box.radius)
    draw_badge(picture, x + size - 1, y + size - 1, color)


def draw_badge(picture: Picture, x: float, y: float, color: str) -> None:
    """Draw the badge of a frame's color: a note, a tick or two bars; none for `CHOICE`."""
    if color == CHOICE:
        return
    picture.circle(x, y, BADGE, fill=DARK, outline=color, line=1.5)
    if color == BY_NOTES:
        draw_notes(picture, x - 0.5, y + 2.5, 1.8, 1, color)
    elif color == CHOSEN:
        tick = [(-4, 0), (-2.5, -1.5), (-1, 0), (3, -4), (4.5, -2.5), (-1, 3)]
        picture.polygon([(x + dx, y + dy + 0.5) for dx, dy in tick], fill=color)
    else:
        for top in (-3, 1):
            picture.rectangle(x - 3.5, y + top, 7, 2, fill=color)


def draw_arrow(picture: Picture, x: float, y: float, reach: float, color: str) -> None:
    """Draw an arrow that points down, the sign of a card received in this turn."""
    picture.polygon([(x - reach, y - reach), (x + reach, y - reach), (x, y + reach)], fill=color)


def draw_pile_mark(picture: Picture, x: float, y: float, reach: float, color: str) -> None:
    """Draw three stacked bars, the sign of a card that may go on its pile."""
    for i in range(3):
        top = y - reach + i * 0.75 * reach
        picture.rectangle(x - reach, top, 2 * reach, 0.45 * reach, fill=color)


# --- What the signs mean --------------------------------------------------------------------------

OFFERS = "Where a card may go: r numbers in range, d distance, S distance of a Safe Song"
"""Line of the legend on the pairs that cells tell in short."""


def draw_legend(scene: Scene, look: Look, x: float, y: float, right: float, *, short: bool) -> None:
    """Draw the legend in lines from ``x`` to ``right``, the first one centered at ``y``.

    It names the action cards drawn with marks; a compact picture names them elsewhere.

    Args:
        scene: the picture.
        look: the sizes.
        x: left edge.
        y: the middle of the first line.
        right: right edge.
        short: whether the cells tell pairs in letters, which the legend then explains.
    """
    step = LEADING * look.text
    y = scene.legend(_signs(scene), x=x, y=y, right=right, size=look.text, step=step)
    marks = "" if look.compact else about_marks(_marked(scene.picture))
    for text in (OFFERS if short else "", marks):
        for line in wrapped(text, look.text, right - x):
            y += step
            scene.label(x, y, line, size=look.text)


def _marked(picture: Picture) -> list[int]:
    """Return the action cards that show their mark instead of their name."""
    texts = set(picture.texts)
    return [c.CARD_NAMES.index(name) for name, mark in MARKS.items() if mark in texts]


def _signs(scene: Scene) -> list[Sign]:
    picture, light = scene.picture, PALETTE.light

    def frame(color: str) -> Callable[[float, float], None]:
        def draw(x: float, y: float) -> None:
            picture.rectangle(x, y - 8, 16, 16, outline=color, line=2.5, radius=4)
            draw_badge(picture, x + 14, y + 6, color)

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
