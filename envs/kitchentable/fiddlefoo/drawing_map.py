"""The map of Fiddlefoo as a picture: cells with their row and column, cards, pairs, choices."""

from __future__ import annotations

from kitchentable.fiddlefoo.cards import NO_CARD
from kitchentable.fiddlefoo.drawing_cards import (
    CHOICE,
    CHOSEN,
    FRAME,
    PAIR,
    draw_frame,
    draw_tile,
)
from kitchentable.fiddlefoo.drawing_view import Cell, Choices, Pair, cell_at, code, pair, prospects
from kitchentable.fiddlefoo.drawing_view import map_cards as cards_on_map
from kitchentable.fiddlefoo.state import NOWHERE, State
from kitchentable.picture import Picture

BOARD, CELL, LABEL = "#2e2621", "#3b322c", "#a8998c"
LIGHT = "#f5f0ea"
MARGIN = 26
"""For the numbers of rows and columns."""
SMALLEST, WHOLE = 64, 840
"""Sides of a cell and of the window, in pixels; whichever makes the cells larger."""
INSET = 5
"""Between a card and the edge of its cell."""


def cell_size(map_size: int) -> int:
    """Return the side of a cell."""
    return max(SMALLEST, WHOLE // map_size)


def draw_map(picture: Picture, state: State, choices: Choices, x: float, y: float) -> None:
    """Draw the window with the corner of its labels at (x, y)."""
    size = cell_size(int(state.map_size))
    left, top = x + MARGIN, y + MARGIN
    _draw_window(picture, int(state.map_size), left, top)
    made, cards = pair(state), cards_on_map(state)
    if made:
        _draw_line(picture, made, left, top, size)
    for (row, column), card in cards.items():
        at = (left + column * size + INSET, top + row * size + INSET)
        draw_tile(picture, *at, size - 2 * INSET, card)
    for (row, column), colour in _frames(state, choices, cards, made).items():
        at = (left + column * size + INSET, top + row * size + INSET)
        draw_frame(picture, *at, size - 2 * INSET, colour)
    _draw_last(picture, state, left, top, size)
    offers = prospects(state)
    for cell in choices.cells:
        corner = (left + cell[1] * size, top + cell[0] * size)
        _draw_offer(picture, *corner, size, offers.get(cell))


def _draw_window(picture: Picture, side: int, left: float, top: float) -> None:
    """Draw the empty cells, and what they are called."""
    size = cell_size(side)
    picture.rectangle(left - 2, top - 2, side * size + 4, side * size + 4, fill=BOARD, radius=8)
    for i in range(side):
        middle = (i + 0.5) * size
        for at in ((left + middle, top - 14), (left - 15, top + middle)):
            picture.text(*at, str(i), size=15, colour=LABEL, align="middle")
        for j in range(side):
            box = (left + j * size + 2, top + i * size + 2, size - 4, size - 4)
            picture.rectangle(*box, fill=CELL, radius=5)


def _draw_line(picture: Picture, made: Pair, left: float, top: float, size: int) -> None:
    """Draw a line from one card of the pair to the other, below the cards."""
    (row, column), (other_row, other_column) = sorted(made.cells)
    x, right = (left + (place + 0.5) * size for place in (column, other_column))
    y, bottom = (top + (place + 0.5) * size for place in (row, other_row))
    line = [(x - 3, y - 3), (right + 3, y - 3), (right + 3, bottom + 3), (x - 3, bottom + 3)]
    picture.polygon(line, fill=PAIR)


def _frames(
    state: State, choices: Choices, cards: dict[Cell, int], made: Pair | None
) -> dict[Cell, str]:
    """Return the colour of the frame of each cell that has one."""
    frames = dict.fromkeys(made.cells, PAIR) if made else {}
    frames |= {cell: CHOICE for cell, card in cards.items() if card in choices.on_map}
    if state.chosen != NO_CARD:
        frames |= {cell: CHOSEN for cell, card in cards.items() if card == state.chosen}
    return frames


def _draw_last(picture: Picture, state: State, left: float, top: float, size: int) -> None:
    """Mark the card that a play added last, if it lies on the map and is not of the pair."""
    place = int(state.places[state.last_added])
    if place == NOWHERE or state.last_added in (state.card, state.partner):
        return
    row, column = cell_at(place)
    inner = size - 2 * INSET
    box = (left + column * size + INSET - 2, top + row * size + INSET - 2, inner + 4, inner + 4)
    picture.rectangle(*box, outline=PAIR, line=1.5, radius=0.1 * inner + 2)


def _draw_offer(picture: Picture, x: float, y: float, size: int, offer: Pair | None) -> None:
    """Draw an empty cell that may be chosen, and what pair it would make."""
    edge = INSET - FRAME
    box = (x + edge, y + edge, size - 2 * edge, size - 2 * edge)
    picture.rectangle(*box, fill=BOARD, outline=CHOICE, line=2.5, radius=8)
    if offer is None:
        return
    middle, centre, letters = x + size / 2, y + size / 2, 0.19 * min(size, 72)
    song = "safe" if offer.safe else f"dist. {offer.distance}"
    lines = ((code(offer.cards[1]), LIGHT), (f"range {offer.span}", LIGHT), (song, CHOICE))
    for i, (line, colour) in enumerate(lines):
        at = centre + (i - 1) * 1.35 * letters
        picture.text(middle, at, line, size=letters, colour=colour, align="middle", bold=i == 0)
