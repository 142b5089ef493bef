"""Drawing of Fiddlefoo's map: cells, row and column numbers, cards, pairs and choices."""

from __future__ import annotations

from typing import Any, NamedTuple

from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.render.cards import (
    CHOICE,
    CHOSEN,
    FRAME,
    PAIR,
    PALETTE,
    Scene,
    draw_frame,
    draw_tile,
    explain_card,
    frame_box,
)
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
WHOLE, TALL_WHOLE = 582, TALL - TALL_MARGIN - 2
"""Sides of the square for the cells, in pixels, of the wide and of the tall picture."""
LARGEST = 104
"""Maximum side of a cell, in pixels."""
FEWEST = 5
"""Minimum number of cells in a row of the window, if the map has so many."""
ROOMY = 76
"""Side from which on a cell has room for a pair in words, in pixels."""


class Window(NamedTuple):
    """The part of the map that is used, its place in a picture, and how it is drawn.

    Sizes are in pixels.
    """

    first: Cell
    """Row and column of the first cell that is shown."""
    side: int
    """Number of cells in a row and in a column."""

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
        row, column = cell[0] - self.first[0], cell[1] - self.first[1]
        return self.left + column * self.size + self.inset, self.top + row * self.size + self.inset


def used_part(state: State) -> tuple[Cell, int]:
    """Return the first cell and the side of the smallest square with all cards and their neighbors.

    No card can be put anywhere else.
    """
    last = int(state.map_size) - 1
    spans = [
        (max(0, min(along) - 1), min(last, max(along) + 1))
        for along in zip(*map_cards(state), strict=True)
    ]
    side = min(last + 1, max(FEWEST, *(high - low + 1 for low, high in spans)))
    first = [min(max(0, (low + high + 1 - side) // 2), last + 1 - side) for low, high in spans]
    return (first[0], first[1]), side


def fit_window(
    state: State, corner: tuple[float, float], whole: float, *, labels: int, letters: int
) -> Window:
    """Return the window with the largest cells that fit in a square of side ``whole``.

    Row and column numbers lie to the left of and above the square, whose top left corner is given.
    """
    first, side = used_part(state)
    size = min(LARGEST, int(whole // side))
    left, top = (start + (whole - size * side) / 2 for start in corner)
    inset = 1 if size < 2 * letters + 8 else 3 if size < ROOMY else 5
    return Window(first, side, left, top, size, inset, labels, letters, size < ROOMY)


def draw_map(scene: Scene, window: Window) -> None:
    """Draw the window and register what can be clicked in it."""
    picture, state, may = scene.picture, scene.state, possible(scene)
    _draw_window(picture, window)
    pair_made, cards = pair(state), map_cards(state)
    if pair_made:
        _draw_line(picture, pair_made, window)
    for cell, card in cards.items():
        draw_tile(picture, *window.corner(cell), window.tile, card, window.letters)
        explain_card(picture, *window.corner(cell), window.tile, card)
    choosable = {cell: f"map:{c.CARD_NAMES[card]}" for cell, card in cards.items()}
    choosable = {cell: action for cell, action in choosable.items() if action in may}
    frames = dict.fromkeys(pair_made.cells, PAIR) if pair_made else {}
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


def _draw_window(picture: Picture, window: Window) -> None:
    """Draw the empty cells with row and column numbers."""
    left, top, size, side = window.left, window.top, window.size, window.side
    edge = min(2, window.inset)
    picture.rectangle(left - 2, top - 2, side * size + 4, side * size + 4, fill=BOARD, radius=8)
    for i in range(side):
        middle = (i + 0.5) * size
        row, column = str(window.first[0] + i), str(window.first[1] + i)
        look: Any = {"size": window.labels, "color": LABEL}
        picture.text(left + middle, top - 14, column, align="middle", **look)
        picture.text(left - 15, top + middle, row, align="middle", **look)
        for j in range(side):
            box = (left + j * size + edge, top + i * size + edge, size - 2 * edge, size - 2 * edge)
            picture.rectangle(*box, fill=CELL, radius=5)


def _draw_line(picture: Picture, pair_made: Pair, window: Window) -> None:
    """Draw a line from one card of the pair to the other, beneath the cards."""
    (row, column), (other_row, other_column) = sorted(pair_made.cells)
    half = window.tile / 2
    (x, y), (right, bottom) = (
        (left + half, top + half)
        for left, top in map(window.corner, ((row, column), (other_row, other_column)))
    )
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
    picture.rectangle(*box.place, fill=BOARD, outline=CHOICE, line=2.5, radius=8)
    if offer is not None:
        lines = _short_offer(offer) if window.short else _long_offer(offer)
        _write_offer(picture, box, lines, window.letters)


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
    middle, center = box.middle
    step = 1.35 * letters if len(lines) > 2 else min(0.95 * letters, (box.height - 5) / 2)
    for i, (line, color) in enumerate(lines):
        at = (middle, center + (i - (len(lines) - 1) / 2) * step)
        bold = i == 0 and len(lines) > 2
        picture.text(*at, line, size=letters, color=color, align="middle", bold=bold)
