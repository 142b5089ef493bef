"""A table of Quiddler Solitaire as text (see `words`) and as a picture.

Face-down cards are asked for by `words.hidden` alone, so what the viewer cannot know never reaches
the text or the picture.
"""

from __future__ import annotations

from kitchentable.picture import (
    CARD_RATIO,
    INK,
    Align,
    Face,
    Picture,
    draw_card,
    draw_card_back,
)
from kitchentable.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.quiddler.solitaire.rules import open_card
from kitchentable.quiddler.solitaire.state import MAX_WORDS, NUM_DEALT, NUM_STACKS, Params, State
from kitchentable.quiddler.solitaire.words import (
    decision,
    face_down,
    hidden,
    points,
    seen_by,
    spelling,
    to_text,
    used,
    words_made,
    written,
)

__all__ = ["FACES", "to_picture", "to_text"]

WIDTH, HEIGHT = 1200, 832
MARGIN = 24
HEADER = 76
STRIP = 168
STACKS_TOP = HEADER + STRIP + 16
STACKS_HEIGHT = 336
WORDS_TOP = STACKS_TOP + STACKS_HEIGHT + 16
CARD = 104
FAN = 17
"""From the top of a face-down card to the top of the one on it."""
COLUMNS = 6
"""Words written beside each other."""

TABLE, PANEL, STRIP_COLOUR, EMPTY = "#10312f", "#1a4542", "#0b2524", "#2c5a56"
LIGHT, MUTED, ACCENT, CHOSEN = "#f4f7f4", "#a5c2bb", "#fbbf24", "#a78bfa"


def _ink(value: int) -> str:
    """Colour the cards from few points to many."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min((value - 1) // 4, 3)]


FACES = tuple(
    Face(name, f"{value} points", ink=_ink(value))
    for name, value in zip(CARD_NAMES, VALUES.tolist(), strict=True)
)
"""What is printed on each kind of card."""


def to_picture(state: State, params: Params, viewer: int) -> Picture:
    """Draw the table.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
    """
    del params
    picture = Picture(WIDTH, HEIGHT, TABLE)
    y = HEADER / 2
    picture.text(MARGIN, y, "Quiddler Solitaire", size=34, colour=LIGHT, bold=True)
    _label(picture, WIDTH - MARGIN, y + 4, seen_by(viewer), size=18, align="right")
    _draw_strip(picture, state)
    _draw_stacks(picture, state, viewer)
    _draw_words(picture, state)
    _draw_legend(picture, HEIGHT - 26)
    return picture


def _draw_strip(picture: Picture, state: State) -> None:
    """Say what is going on, and show the word being spelled and how far the game has come."""
    picture.rectangle(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP, fill=STRIP_COLOUR, radius=16)
    left, width = MARGIN + 24, 72
    picture.text(left, HEADER + 34, decision(state), size=26, colour=ACCENT, bold=True)
    top = HEADER + 60
    word = spelling(state)
    for i in range(NUM_STACKS):
        x = left + i * (width + 10)
        if i < len(word):
            draw_card(picture, x, top, width, FACES[word[i]])
        else:
            picture.rectangle(
                x, top, width, CARD_RATIO * width, outline=EMPTY, line=2, radius=0.1 * width
            )
    x = left + NUM_STACKS * (width + 10) + 26
    picture.text(x, top + 20, used(state), size=20, colour=LIGHT, bold=True)
    full = WIDTH - MARGIN - 24 - x
    picture.rectangle(x, top + 40, full, 14, fill=EMPTY, radius=7)
    if state.used:
        share = max(14.0, full * int(state.used) / NUM_DEALT)
        picture.rectangle(x, top + 40, share, 14, fill=ACCENT, radius=7)
    text = f"{written(word)}: {points(word)} points" if word else "no word begun"
    _label(picture, x, top + 78, text, size=18)


def _draw_stacks(picture: Picture, state: State, viewer: int) -> None:
    box = (MARGIN, STACKS_TOP, WIDTH - 2 * MARGIN, STACKS_HEIGHT)
    picture.rectangle(*box, fill=PANEL, radius=16)
    step = (WIDTH - 2 * MARGIN) / NUM_STACKS
    for stack in range(NUM_STACKS):
        x = MARGIN + step * stack + (step - CARD) / 2
        _draw_stack(picture, state, stack, x)
        middle, foot = x + CARD / 2, STACKS_TOP + STACKS_HEIGHT
        _label(picture, middle, foot - 48, f"{face_down(state, stack)} face down", align="middle")
        _label(picture, middle, foot - 22, "  ".join(hidden(state, viewer, stack)), align="middle")


def _draw_stack(picture: Picture, state: State, stack: int, x: float) -> None:
    """Draw the cards of a stack, the open one in front; frame it if it may be chosen or is."""
    y = STACKS_TOP + 36
    _label(picture, x + CARD / 2, STACKS_TOP + 18, f"stack {stack}", align="middle")
    if state.heights[stack] == 0:
        box = (x, y, CARD, CARD_RATIO * CARD)
        picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * CARD)
        return
    for _ in range(face_down(state, stack)):
        draw_card_back(picture, x, y, CARD, known=None, looked=False)
        y += FAN
    kind = open_card(state, stack)
    place = state.placed.tolist().index(stack) + 1 if stack in state.placed else 0
    if place or (state.left >> stack & 1 and state.next_kinds >> kind & 1):
        _draw_frame(picture, x, y, CARD, CHOSEN if place else ACCENT)
    draw_card(picture, x, y, CARD, FACES[kind])
    if place:
        _draw_place(picture, x + CARD - 8, y + 8, str(place))


def _draw_frame(picture: Picture, x: float, y: float, width: float, colour: str) -> None:
    edge = 4
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=colour, radius=0.1 * width + edge)


def _draw_place(picture: Picture, x: float, y: float, place: str) -> None:
    picture.circle(x, y, 13, fill=CHOSEN, outline=PANEL, line=2)
    picture.text(x, y, place, size=16, colour=INK, align="middle", bold=True)


def _draw_words(picture: Picture, state: State) -> None:
    """Write the words made, in columns from top to bottom."""
    rows = -(-MAX_WORDS // COLUMNS)
    step = (WIDTH - 2 * MARGIN) / COLUMNS
    for i, word in enumerate(words_made(state)):
        column, row = divmod(i, rows)
        x, y = MARGIN + 8 + column * step, WORDS_TOP + 16 + 30 * row
        picture.text(x, y, f"{i + 1}", size=14, colour=MUTED)
        picture.text(x + 28, y, word, size=20, colour=LIGHT, bold=True)
    if not state.num_words:
        _label(picture, MARGIN + 8, WORDS_TOP + 16, "The words made will stand here.")


def _draw_legend(picture: Picture, y: float) -> None:
    _draw_frame(picture, MARGIN + 8, y - 8, 12, ACCENT)
    picture.rectangle(MARGIN + 8, y - 8, 12, 12 * CARD_RATIO, fill=TABLE, radius=2)
    _label(picture, MARGIN + 36, y, "may be added to the word")
    _draw_place(picture, MARGIN + 276, y, "1")
    _label(picture, MARGIN + 298, y, "its place in the word")


def _label(
    picture: Picture, x: float, y: float, text: str, *, size: float = 15, align: Align = "left"
) -> None:
    picture.text(x, y, text, size=size, colour=MUTED, align=align)
