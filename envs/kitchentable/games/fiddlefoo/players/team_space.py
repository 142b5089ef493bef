"""Room on the map for Safe Songs, by which a team draws the cards that it still needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.games.fiddlefoo.board import NOT_FIRST, NOT_LAST, find_cells, lift, put
from kitchentable.games.fiddlefoo.cards import HIGHEST, NUM_COLORS, ONE, Bits
from kitchentable.games.fiddlefoo.players.reading import Ints
from kitchentable.games.fiddlefoo.players.view import View
from kitchentable.games.fiddlefoo.state import ALL_COLORS, BLOCKS, LONGEST, SIDE

FEW_CELLS = 0.5
"""How much of the doubt is left with each cell more at which a color can make a Safe Song."""
BITS = 64


@subroutine
def space_after(view: Any, card: int, cell: int, paper: Bits) -> float:
    """Return in how many colors a Safe Song will be possible whatever the number, about.

    Args:
        view: the table.
        card: the card to be added.
        cell: where.
        paper: shape (2, BLOCKS); overwritten.
    """
    put(view, card, cell)
    legal, close = paper[0], paper[1]
    found = 0.0
    for color in range(NUM_COLORS):
        find_cells(view, color * HIGHEST, legal)
        find_close(view.boards[color], close)
        cells = 0
        for block in range(BLOCKS):
            cells += count_bits(legal[block] & ~close[block])
        found += 1.0 - FEW_CELLS**cells
    lift(view, card)
    return found


@subroutine
def find_close(cells: Bits, close: Bits) -> None:
    """Write the cells in line with a set of cells, up to the distance at which throws end."""
    for block in range(BLOCKS):
        right = left = close[block] = cells[block]
        for _ in range(LONGEST + 1):
            right = (right << ONE) & NOT_FIRST
            left = (left >> ONE) & NOT_LAST
            close[block] |= right | left
    for block in range(BLOCKS):
        for step in range(1, LONGEST + 1):
            near, over = np.uint64(SIDE * step), np.uint64(BITS - SIDE * step)
            close[block] |= (cells[block] << near) | (cells[block] >> near)
            if block > 0:
                close[block] |= cells[block - 1] >> over
            if block < BLOCKS - 1:
                close[block] |= cells[block + 1] << over
        # A block has as many rows as the reach is long: the whole blocks beside it are the rest.
        if block > 0:
            close[block] |= cells[block - 1]
        if block < BLOCKS - 1:
            close[block] |= cells[block + 1]


@subroutine
def extent(view: View, box: Ints) -> None:
    """Write the lowest and highest row and column of the map; shape (4,)."""
    box[0] = box[2] = SIDE
    box[1] = box[3] = 0
    for block in range(BLOCKS):
        rest = view.boards[ALL_COLORS, block]
        while rest != 0:
            cell = BITS * block + lowest_bit(rest)
            rest &= rest - ONE
            box[0], box[1] = min(box[0], cell >> 4), max(box[1], cell >> 4)
            box[2], box[3] = min(box[2], cell & 15), max(box[3], cell & 15)


@kernel
def growth(box: Ints, cell: int) -> float:
    """Return by how many rows and columns a card makes the map longer."""
    row, column = cell >> 4, cell & 15
    rows = max(0, box[0] - row) + max(0, row - box[1])
    return float(rows + max(0, box[2] - column) + max(0, column - box[3]))
