"""The cards of Fiddlefoo as pictures, and the signs on them.

A card has a color of its own that also differs in lightness, and its letter, so that who cannot
tell the colors apart reads it. An action card has its name on a light plate, or its mark of two
letters where the name would be too small to read. Frames differ by a badge, besides their color.
"""

from __future__ import annotations

from functools import cache

from kitchentable.games.fiddlefoo.cards import (
    BLUE,
    CARD_NAMES,
    COLOR,
    NOTES,
    NUM_BASE,
    PURPLE,
    RED,
    YELLOW,
)
from kitchentable.games.fiddlefoo.render.view import Held, code
from kitchentable.render.cards import draw_eye
from kitchentable.render.letters import compact, text_width
from kitchentable.render.picture import Picture, Rectangle

PAPERS = {YELLOW: "#f5c531", RED: "#d63a2f", BLUE: "#2456a6", PURPLE: "#cfa6ee"}
DARK, WHITE, PLATE = "#1c1917", "#ffffff", "#fdfcf7"
INKS = {YELLOW: DARK, RED: WHITE, BLUE: WHITE, PURPLE: DARK}
BACK, BACK_EDGE, BACK_PATTERN = "#4a4440", "#a8a29e", "#6b635d"

CHOICE, BY_NOTES, CHOSEN, PAIR = "#fbbf24", "#67e8f9", "#f472b6", "#ffffff"
"""Frames around what may be chosen, may be thrown for its notes, is chosen, and makes the pair."""
FRAME = 4
"""From a card to the outer edge of its frame."""
BADGE = 7
"""Radius of a frame's badge."""
NAME_LINES = 3
LEADING = 1.5
"""From one line of a name to the next, in pixels more than the letters' size."""
LARGEST = 0.25
"""Size of the letters of a short name, as a part of the plate's width."""
PLATE_HEIGHT = 0.57
"""Height of the plate with the name, as a part of the card's."""
MARKS = {
    "discard": "DI",
    "move": "MO",
    "play_again": "PA",
    "remove_cards": "RC",
    "wildcard_pair": "WP",
    "throw_other_colors": "TO",
    "safety_rule_disable": "SR",
    "range_limit": "RL",
    "distance_limit": "DL",
    "draw": "DR",
    "notes_match_penalty": "NP",
    "notes_match_forbid": "NF",
    "wildcard_throw": "WT",
    "cant_throw": "CT",
    "instaplay": "IP",
    "reveal_to_all": "RA",
    "swap_map": "SM",
    "hand_match_penalty": "HP",
    "hand_match_note_penalty": "HN",
    "score_double_worst": "DW",
    "score_minus_conditional": "MC",
}
"""What an action card is called where its name has no room."""


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
    paper, ink = PAPERS[int(COLOR[card])], INKS[int(COLOR[card])]
    picture.rectangle(x, y, size, size, fill=paper, radius=0.1 * size)
    if card < NUM_BASE:
        _draw_code(picture, x + size / 2, y + 0.41 * size, size, card, max(letters, 0.42 * size))
        draw_notes(picture, x + size / 2, y + 0.87 * size, 0.06 * size, int(NOTES[card]), ink)
    elif is_marked(card, size, letters):
        _draw_code(picture, x + size / 2, y + 0.26 * size, size, card, max(letters, 0.3 * size))
        _draw_mark(picture, x, y + 0.5 * size, size, card, max(letters, int(0.3 * size)))
    else:
        at = (x + max(3, 0.07 * size), y + 0.13 * size)
        picture.text(*at, code(card), size=max(letters, int(0.22 * size)), colour=ink, bold=True)
        draw_notes(picture, x + size / 2, y + 0.955 * size, 0.035 * size, int(NOTES[card]), ink)
        _draw_name(picture, x, y + 0.24 * size, size, CARD_NAMES[card])


def is_marked(card: int, size: float, letters: int) -> bool:
    """Whether a card of a size has its mark in place of its name, which has no room."""
    return card >= NUM_BASE and _name_lines(CARD_NAMES[card], size)[0] < letters


def _draw_code(
    picture: Picture, x: float, y: float, size: float, card: int, letters: float
) -> None:
    """Write color and number around (x, y), bold where the card is wide enough."""
    ink, letters = INKS[int(COLOR[card])], int(letters)
    bold = text_width(code(card), letters) <= size
    picture.text(x, y, code(card), size=letters, colour=ink, align="middle", bold=bold)


def _draw_mark(picture: Picture, x: float, y: float, size: float, card: int, letters: int) -> None:
    """Write an action card's mark on its plate, whose top is at ``y``."""
    height = 0.47 * size
    picture.rectangle(x + 1, y, size - 2, height, fill=PLATE, radius=0.04 * size)
    at = (x + size / 2, y + height / 2)
    picture.text(*at, MARKS[CARD_NAMES[card]], size=letters, colour=DARK, align="middle")


def _draw_name(picture: Picture, x: float, y: float, size: float, name: str) -> None:
    """Write an action card's name on its plate, as large as it fits."""
    height = PLATE_HEIGHT * size
    picture.rectangle(x + 2, y, size - 4, height, fill=PLATE, radius=0.04 * size)
    letters, lines = _name_lines(name, size)
    for i, line in enumerate(lines):
        at = y + height / 2 - 1 + (i - (len(lines) - 1) / 2) * (letters + LEADING)
        picture.text(x + size / 2, at, line, size=letters, colour=DARK, align="middle")


@cache
def _name_lines(name: str, size: float) -> tuple[int, list[str]]:
    """Return the largest letters in which a name fits on the plate of a card, and its lines."""
    return max(
        _letters(compact(name.replace("_", " "), count), size - 2, PLATE_HEIGHT * size)
        for count in range(1, NAME_LINES + 1)
    )


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


def draw_held(
    picture: Picture, x: float, y: float, size: float, held: Held, letters: int = 0
) -> None:
    """Draw a card of a hand: an eye says that everybody knows it, an arrow that it is new."""
    if held.card < 0:
        draw_back(picture, x, y, size)
        return
    draw_tile(picture, x, y, size, held.card, letters)
    paper, ink = PAPERS[int(COLOR[held.card])], INKS[int(COLOR[held.card])]
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
