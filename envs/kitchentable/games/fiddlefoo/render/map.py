"""Drawing of Fiddlefoo's map: cells, row and column numbers, cards, pairs and choices."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render.cards import FRAME, draw_frame, draw_tile, frame_box
from kitchentable.games.fiddlefoo.render.look import CHOICE, CHOSEN, PAIR, PALETTE, Scene
from kitchentable.games.fiddlefoo.render.view import (
    Cell,
    Pair,
    cell_at,
    code,
    map_cards,
    pair,
    possible,
    prospects,
)
from kitchentable.games.fiddlefoo.state import NOWHERE, State
from kitchentable.render.picture import TALL, Picture, Rectangle

BOARD, CELL, LABEL = "#2e2621", "#3b322c", "#a8998c"
MARGIN, TALL_MARGIN = 26, 24
"""Width of the margin for the row and column numbers, in pixels."""
SMALLEST, WHOLE = 64, 840
"""Minimum sides of a cell and of the window, in pixels; whichever gives the larger cells."""


class Window(NamedTuple):
    """Position of the window of cells in a picture, and how it is drawn; sizes in pixels."""

    left: float
    """Left edge of the cells, without the row numbers."""
    top: float
    size: int
    """Side of a cell."""
    inset: float
    """Space between a card and the edge of its cell."""
    labels: int
    """Letter size of the row and column numbers."""
    letters: int
    """Minimum letter size on a card."""
    short: bool
    """Whether possible pairs are abbreviated."""

    @property
    def tile(self) -> float:
        """Side of a card."""
        return self.size - 2 * self.inset

    @property
    def reach(self) -> float:
        """Distance from a card to the outer edge of its frame."""
        return min(FRAME, self.inset)

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the top left corner of the card in a cell."""
        row, column = cell
        return self.left + column * self.size + self.inset, self.top + row * self.size + self.inset


def cell_size(map_size: int) -> int:
    """Return the side of a cell in the wide picture, in pixels."""
    return max(SMALLEST, WHOLE // map_size)


def wide_window(map_size: int, x: float, y: float) -> Window:
    """Return the window of the wide picture; (x, y) is its top left corner, margins included."""
    return Window(x + MARGIN, y + MARGIN, cell_size(map_size), 5, 15, 0, short=False)


def tall_window(map_size: int, y: float, letters: int) -> Window:
    """Return the window of the tall picture, in full width, its column numbers below ``y``."""
    size = (TALL - TALL_MARGIN - 2) // map_size
    left = TALL_MARGIN + (TALL - TALL_MARGIN - 2 - size * map_size) / 2
    inset = 1 if size < 2 * letters + 8 else 3
    return Window(left, y + TALL_MARGIN, size, inset, letters, letters, short=True)


def draw_map(scene: Scene, window: Window) -> None:
    """Draw the window and register what can be clicked in it."""
    picture, state, may = scene.picture, scene.state, possible(scene)
    _draw_window(picture, int(state.map_size), window)
    made, cards = pair(state), map_cards(state)
    if made:
        _draw_line(picture, made, window)
    for cell, card in cards.items():
        draw_tile(picture, *window.corner(cell), window.tile, card, window.letters)
    choosable = {cell: f"map:{c.CARD_NAMES[card]}" for cell, card in cards.items()}
    choosable = {cell: action for cell, action in choosable.items() if action in may}
    frames = dict.fromkeys(made.cells, PAIR) if made else {}
    frames |= dict.fromkeys(choosable, CHOICE)
    frames |= {cell: CHOSEN for cell, card in cards.items() if card == state.chosen}
    for cell, color in frames.items():
        draw_frame(picture, *window.corner(cell), window.tile, color, window.reach)
    _draw_last(picture, state, window)
    offers, side = prospects(state), range(int(state.map_size))
    for cell in ((row, column) for row in side for column in side):
        action = "cell:{},{}".format(*cell)
        if action in may:
            _draw_offer(picture, cell, window, offers.get(cell))
            choosable[cell] = action
    for cell, action in sorted(choosable.items()):
        scene.offer([action], frame_box(*window.corner(cell), window.tile, window.reach))


def _draw_window(picture: Picture, side: int, window: Window) -> None:
    """Draw the empty cells with row and column numbers."""
    left, top, size = window.left, window.top, window.size
    edge = min(2, window.inset)
    picture.rectangle(left - 2, top - 2, side * size + 4, side * size + 4, fill=BOARD, radius=8)
    for i in range(side):
        middle = (i + 0.5) * size
        for at in ((left + middle, top - 14), (left - 15, top + middle)):
            picture.text(*at, str(i), size=window.labels, color=LABEL, align="middle")
        for j in range(side):
            box = (left + j * size + edge, top + i * size + edge, size - 2 * edge, size - 2 * edge)
            picture.rectangle(*box, fill=CELL, radius=5)


def _draw_line(picture: Picture, made: Pair, window: Window) -> None:
    """Draw a line from one card of the pair to the other, beneath the cards."""
    (row, column), (other_row, other_column) = sorted(made.cells)
    x, right = (window.left + (place + 0.5) * window.size for place in (column, other_column))
    y, bottom = (window.top + (place + 0.5) * window.size for place in (row, other_row))
    line = [(x - 3, y - 3), (right + 3, y - 3), (right + 3, bottom + 3), (x - 3, bottom + 3)]
    picture.polygon(line, fill=PAIR)


def _draw_last(picture: Picture, state: State, window: Window) -> None:
    """Mark the card that a play added last, if it is on the map and not part of the pair."""
    place = int(state.places[state.last_added])
    if place == NOWHERE or state.last_added in (state.card, state.partner):
        return
    (x, y), inner = window.corner(cell_at(place)), window.tile
    out = min(2, window.inset)
    box = (x - out, y - out, inner + 2 * out, inner + 2 * out)
    picture.rectangle(*box, outline=PAIR, line=1.5, radius=0.1 * inner + out)


def _draw_offer(picture: Picture, cell: Cell, window: Window, offer: Pair | None) -> None:
    """Draw an empty cell that may be chosen, with the pair that the card would make there."""
    box = frame_box(*window.corner(cell), window.tile, window.reach)
    picture.rectangle(
        box.x, box.y, box.width, box.height, fill=BOARD, outline=CHOICE, line=2.5, radius=8
    )
    if offer is not None:
        lines = _short_offer(offer) if window.short else _long_offer(offer)
        letters = window.letters if window.short else 0.19 * min(window.size, 72)
        _write_offer(picture, box, lines, letters)


def _long_offer(offer: Pair) -> list[tuple[str, str]]:
    song = "safe" if offer.safe else f"dist. {offer.distance}"
    return [
        (code(offer.cards[1]), PALETTE.light),
        (f"range {offer.span}", PALETTE.light),
        (song, CHOICE),
    ]


def _short_offer(offer: Pair) -> list[tuple[str, str]]:
    """Return abbreviated range and distance; the legend explains the letters."""
    song = f"{'S' if offer.safe else 'd'}{offer.distance}"
    return [(f"r{offer.span}", PALETTE.light), (song, CHOICE)]


def _write_offer(
    picture: Picture, box: Rectangle, lines: list[tuple[str, str]], letters: float
) -> None:
    middle, center = box.x + box.width / 2, box.y + box.height / 2
    step = 1.35 * letters if len(lines) > 2 else min(0.95 * letters, (box.height - 5) / 2)
    for i, (line, color) in enumerate(lines):
        at = (middle, center + (i - (len(lines) - 1) / 2) * step)
        bold = i == 0 and len(lines) > 2
        picture.text(*at, line, size=letters, color=color, align="middle", bold=bold)
