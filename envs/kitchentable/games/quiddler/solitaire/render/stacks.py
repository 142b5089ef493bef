"""What lies on a table of Quiddler Solitaire, drawn.

Face-down cards are asked for by `words.hidden` alone, so what the viewer cannot know never reaches
the text or the picture.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.solitaire.render.text import (
    face_down,
    hidden,
    may_follow,
    points,
    spelling,
    used,
    words_made,
    written,
)
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import MAX_WORDS, NUM_DEALT, NUM_STACKS, State
from kitchentable.render.cards import CARD_RATIO, INK, Face, draw_card, draw_card_back
from kitchentable.render.picture import Align, Picture, Point, Rectangle

CARD = 104
FAN = 17
"""From the top of a face-down card to the top of the one on it."""

TABLE, PANEL, STRIP, EMPTY = "#10312f", "#1a4542", "#0b2524", "#2c5a56"
LIGHT, MUTED, ACCENT, CHOSEN = "#f4f7f4", "#a5c2bb", "#fbbf24", "#a78bfa"


def _ink(value: int) -> str:
    """Colour the cards from few points to many."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min((value - 1) // 4, 3)]


FACES = tuple(
    Face(name, f"{value} points", ink=_ink(value))
    for name, value in zip(CARD_NAMES, VALUES.tolist(), strict=True)
)
"""What is printed on each kind of card."""
TILES = tuple(
    dataclasses.replace(face, name="", points=str(value))
    for face, value in zip(FACES, VALUES.tolist(), strict=True)
)
"""Likewise, on small cards."""


def draw_spelled(
    picture: Picture, state: State, at: Point, card: float, gap: float, faces: Sequence[Face]
) -> None:
    """Draw the word being spelled, and places for as many cards as there can be.

    Args:
        picture: to draw on.
        state: the table.
        at: top left corner.
        card: width of a card.
        gap: between cards.
        faces: what is printed on each kind.
    """
    left, top = at
    word = spelling(state)
    for i in range(NUM_STACKS):
        x = left + i * (card + gap)
        if i < len(word):
            draw_card(picture, x, top, card, faces[word[i]])
        else:
            box = (x, top, card, CARD_RATIO * card)
            picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * card)
    if state.may_end:
        used_up = len(word) * (card + gap) - gap
        picture.spot(["word"], Rectangle(left, top, used_up, CARD_RATIO * card))


def draw_progress(
    picture: Picture, state: State, x: float, ys: tuple[float, float, float], width: float
) -> None:
    """Show how far the game has come, and what is being spelled.

    Args:
        picture: to draw on.
        state: the table.
        x: left edge.
        ys: of the number of cards used (middle), of the bar (top) and of the word (middle).
        width: of the bar.
    """
    told, bar, below = ys
    picture.text(x, told, used(state), size=20, colour=LIGHT, bold=True)
    picture.rectangle(x, bar, width, 14, fill=EMPTY, radius=7)
    if state.used:
        share = max(14.0, width * int(state.used) / NUM_DEALT)
        picture.rectangle(x, bar, share, 14, fill=ACCENT, radius=7)
    word = spelling(state)
    text = f"{written(word)}: {points(word)} points" if word else "no word begun"
    label(picture, x, below, text, size=18)


def draw_stacks(
    picture: Picture,
    state: State,
    viewer: int,
    box: tuple[float, float, float, float],
    *,
    rows: int,
    letters: float,
) -> None:
    """Draw the stacks in a panel.

    Args:
        picture: to draw on.
        state: the table.
        viewer: the seat whose knowledge is shown, or `NOBODY`.
        box: left, top, width and height of the panel.
        rows: of stacks.
        letters: their size.
    """
    left, top, width, height = box
    picture.rectangle(*box, fill=PANEL, radius=16)
    across = NUM_STACKS // rows
    step, high = width / across, height / rows
    gap = "  " if rows == 1 else " "
    for stack in range(NUM_STACKS):
        row, column = divmod(stack, across)
        x, y = left + step * column + (step - CARD) / 2, top + row * high
        _draw_stack(picture, state, stack, x, y, letters)
        told = (f"{face_down(state, stack)} face down", gap.join(hidden(state, viewer, stack)))
        for text, up in zip(told, (48, 22), strict=True):
            middle, foot = x + CARD / 2, y + high - up
            label(picture, middle, foot, text, size=letters, align="middle")


def _draw_stack(
    picture: Picture, state: State, stack: int, x: float, top: float, letters: float
) -> None:
    """Draw the cards of a stack, the open one in front; frame it if it may be chosen or is."""
    y = top + 36
    label(picture, x + CARD / 2, top + 18, f"stack {stack}", size=letters, align="middle")
    if state.heights[stack] == 0:
        box = (x, y, CARD, CARD_RATIO * CARD)
        picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * CARD)
        return
    for _ in range(face_down(state, stack)):
        draw_card_back(picture, x, y, CARD, known=None, looked=False)
        y += FAN
    place = state.placed.tolist().index(stack) + 1 if stack in state.placed else 0
    follows = may_follow(state, stack)
    if place or follows:
        _draw_frame(picture, x, y, CARD, CHOSEN if place else ACCENT)
    draw_card(picture, x, y, CARD, FACES[open_card(state, stack)])
    if place:
        _draw_place(picture, x + CARD - 8, y + 8, str(place))
    if follows:
        picture.spot([f"place:{stack}"], Rectangle(x, y, CARD, CARD_RATIO * CARD))


def _draw_frame(picture: Picture, x: float, y: float, width: float, colour: str) -> None:
    edge = 4
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=colour, radius=0.1 * width + edge)


def _draw_place(picture: Picture, x: float, y: float, place: str) -> None:
    picture.circle(x, y, 13, fill=CHOSEN, outline=PANEL, line=2)
    picture.text(x, y, place, size=16, colour=INK, align="middle", bold=True)


def draw_words(
    picture: Picture,
    state: State,
    at: Point,
    width: float,
    *,
    columns: int,
    letters: tuple[float, float],
) -> None:
    """Write the words made, in columns from top to bottom.

    Args:
        picture: to draw on.
        state: the table.
        at: left edge and middle of the first word.
        width: of all columns.
        columns: how many.
        letters: size of the words' numbers, and of the words.
    """
    left, top = at
    rows, step = -(-MAX_WORDS // columns), width / columns
    small, large = letters
    for i, word in enumerate(words_made(state)):
        column, row = divmod(i, rows)
        x, y = left + column * step, top + 30 * row
        picture.text(x, y, f"{i + 1}", size=small, colour=MUTED)
        picture.text(x + 28, y, word, size=large, colour=LIGHT, bold=True)
    if not state.num_words:
        label(picture, left, top, "The words made will stand here.", size=max(15, small))


def draw_legend(picture: Picture, places: tuple[Point, Point], letters: float) -> None:
    """Explain the marks; ``places`` are where the frame and the number stand."""
    (x, y), (right, low) = places
    _draw_frame(picture, x, y - 8, 12, ACCENT)
    picture.rectangle(x, y - 8, 12, 12 * CARD_RATIO, fill=TABLE, radius=2)
    label(picture, x + 28, y, "may be added to the word", size=letters)
    _draw_place(picture, right, low, "1")
    label(picture, right + 22, low, "its place in the word", size=letters)


def label(
    picture: Picture, x: float, y: float, text: str, *, size: float, align: Align = "left"
) -> None:
    """Write a caption."""
    picture.text(x, y, text, size=size, colour=MUTED, align=align)
