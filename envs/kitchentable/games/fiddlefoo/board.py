"""The map of Fiddlefoo as sets of cells: where a card may go, and which pair it makes there.

A set of cells is four numbers of 64 bits, four rows of 16 cells each, so that whole rows are
shifted and joined at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.state import BLOCKS, State

LANES = np.uint64(0x0001000100010001)
"""The first cell of each of four rows."""
ROW = np.uint64(0xFFFF)
NOT_LAST = np.uint64(0x7FFF7FFF7FFF7FFF)
NOT_FIRST = np.uint64(0xFFFEFFFEFFFEFFFE)
ROWS_UP = np.uint64(48)
ONE_ROW = np.uint64(16)
TWO_ROWS = np.uint64(32)
TO_FIRST = np.uint64(15)

MIN_RANGE = 4
"""Numbers in range that `RANGE_LIMIT` asks for."""
MAX_DISTANCE = 2
"""Cells between the cards that `DISTANCE_LIMIT` allows."""

# A pair is compared by one number: first the larger range, then the smaller distance, then the
# direction in which it lies. Distances and directions take 6 bits together.
UP, RIGHT, DOWN, LEFT = range(4)
BY_RANGE, BY_DISTANCE = 64, 4


def _windows() -> Bits:
    """Return the set of cells of a window of each size; shape (17, 4)."""
    windows = np.zeros((s.SIDE + 1, BLOCKS), np.uint64)
    for size in range(s.SIDE + 1):
        for row in range(size):
            bits = ((1 << size) - 1) << (s.SIDE * (row % 4))
            windows[size, row // 4] |= np.uint64(bits)
    return windows


WINDOWS = _windows()


# --- Cards on the map -----------------------------------------------------------------------------


@kernel
def put(state: State, card: int, cell: int) -> None:
    """Lay a card on an empty cell of the map."""
    block, place = cell >> 6, c.bit(cell & 63)
    state.cells[cell] = card
    state.places[card] = cell
    state.boards[c.COLOR[card], block] |= place
    state.boards[s.ALL_COLORS, block] |= place
    c.add(state.on_map, card)


@kernel
def lift(state: State, card: int) -> int:
    """Take a card off the map and return the cell that it leaves empty."""
    cell = int(state.places[card])
    block, place = cell >> 6, c.bit(cell & 63)
    state.cells[cell] = c.NO_CARD
    state.places[card] = s.NOWHERE
    state.boards[c.COLOR[card], block] &= ~place
    state.boards[s.ALL_COLORS, block] &= ~place
    c.drop(state.on_map, card)
    return cell


# --- Sets of cells --------------------------------------------------------------------------------


@kernel
def near(cells: Bits, block: int) -> np.uint64:
    """Return a block of the orthogonal neighbours of a set of cells."""
    own = cells[block]
    around = ((own << c.ONE) & NOT_FIRST) | ((own >> c.ONE) & NOT_LAST)
    around |= (own << ONE_ROW) | (own >> ONE_ROW)
    if block > 0:
        around |= cells[block - 1] >> ROWS_UP
    if block < BLOCKS - 1:
        around |= cells[block + 1] << ROWS_UP
    return np.uint64(around)


@kernel
def columns_of(cells: Bits) -> np.uint64:
    """Return the columns that a set of cells has cells in, in each of four rows."""
    together = cells[0] | cells[1] | cells[2] | cells[3]
    together |= together >> TWO_ROWS
    together |= together >> ONE_ROW
    return np.uint64((together & ROW) * LANES)


@kernel
def rows_of(block: np.uint64) -> np.uint64:
    """Return all cells of those rows of a block that have a cell in it."""
    # A row that is not empty carries into its last cell, or has it.
    last = (((block & NOT_LAST) + NOT_LAST) | block) & ~NOT_LAST
    return np.uint64((last >> TO_FIRST) * ROW)


@kernel
def any_cell(cells: Bits) -> bool:
    """Whether a set of cells has any."""
    return bool((cells[0] | cells[1] | cells[2] | cells[3]) != 0)


@subroutine
def find_extent(cells: Bits, box: NDArray[np.int64]) -> None:
    """Write the lowest and highest row and column of a set of cells; shape (4,)."""
    box[0] = box[2] = s.SIDE
    box[1] = box[3] = 0
    for block in range(BLOCKS):
        rest = cells[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            box[0], box[1] = min(box[0], cell >> 4), max(box[1], cell >> 4)
            box[2], box[3] = min(box[2], cell & 15), max(box[3], cell & 15)


@kernel
def growth(box: NDArray[np.int64], cell: int) -> float:
    """Return by how many rows and columns a cell lies outside the box of `find_extent`."""
    row, column = cell >> 4, cell & 15
    rows = max(0, box[0] - row) + max(0, row - box[1])
    return float(rows + max(0, box[2] - column) + max(0, column - box[3]))


# --- Placement (sheet: Gameplay) ------------------------------------------------------------------


@kernel
def is_wild(state: State, card: int) -> bool:
    """Whether a card pairs with any other."""
    return card == c.WILDCARD_PAIR or bool(state.wildcard and c.COLOR[card] == c.PURPLE)


@kernel
def has_wild(state: State) -> bool:
    """Whether cards of two colors can make a pair at this table."""
    return bool(state.wildcard) or c.has(state.in_play, c.WILDCARD_PAIR)


@kernel
def fill_matches(state: State, card: int, matches: Bits) -> None:
    """Write the cells of the map cards that a card may make a pair with, wherever it goes."""
    own = s.ALL_COLORS if is_wild(state, card) else int(c.COLOR[card])
    for block in range(BLOCKS):
        matches[block] = state.boards[own, block]
        if state.wildcard:
            matches[block] |= state.boards[c.PURPLE, block]
    if c.has(state.on_map, c.WILDCARD_PAIR):
        cell = int(state.places[c.WILDCARD_PAIR])
        matches[cell >> 6] |= c.bit(cell & 63)


@kernel
def find_pair(state: State, card: int, cell: int, matches: Bits) -> int:
    """Return the counted pair of a card in a cell (rules page: The pair).

    Args:
        state: the table.
        card: the card to be added.
        cell: an empty cell.
        matches: where the cards lie that may make a pair with it.

    Returns:
        ``key * 256 + cell`` of the other card; the key grows with the range, falls with the
        distance, then follows the direction. `NOWHERE` if there is no pair.
    """
    row, column = cell >> 4, cell & 15
    number = c.NUMBER[card]
    best = s.NOWHERE
    # The neighbours are left out: they make no pair.
    line = (matches[cell >> 6] >> np.uint64(s.SIDE * (row & 3))) & ROW
    line &= ~((c.ONE << np.uint64(column + 1)) | ((c.ONE << np.uint64(column)) >> c.ONE))
    while line != 0:
        other = lowest_bit(line)
        line &= line - c.ONE
        key = (
            4 * (column - other - 1) + LEFT if other < column else 4 * (other - column - 1) + RIGHT
        )
        place = s.SIDE * row + other
        span = max(abs(number - c.NUMBER[state.cells[place]]) - 1, 0)
        best = max(best, (BY_RANGE * span + BY_RANGE - 1 - key) * 256 + place)
    for block in range(BLOCKS):
        line = (matches[block] >> np.uint64(column)) & LANES
        while line != 0:
            other = 4 * block + (lowest_bit(line) >> 4)
            line &= line - c.ONE
            key = 4 * (row - other - 1) + UP if other < row else 4 * (other - row - 1) + DOWN
            if abs(row - other) > 1:
                place = s.SIDE * other + column
                span = max(abs(number - c.NUMBER[state.cells[place]]) - 1, 0)
                best = max(best, (BY_RANGE * span + BY_RANGE - 1 - key) * 256 + place)
    return int(best)


@kernel
def pair_cell(pair: int) -> int:
    """Return the cell of the other card of a pair from `find_pair`."""
    return pair & 255


@kernel
def pair_range(pair: int) -> int:
    """Return how many whole numbers lie strictly between the two cards of a pair."""
    return (pair >> 8) // BY_RANGE


@kernel
def pair_distance(pair: int) -> int:
    """Return how many cells lie strictly between the two cards of a pair."""
    return (BY_RANGE - 1 - (pair >> 8) % BY_RANGE) // BY_DISTANCE


@kernel
def breaks_limit(state: State, card: int, pair: int) -> bool:
    """Whether a card of a pair forbids it."""
    other = state.cells[pair_cell(pair)]
    if (card == c.RANGE_LIMIT or other == c.RANGE_LIMIT) and pair_range(pair) < MIN_RANGE:
        return True
    limited = card == c.DISTANCE_LIMIT or other == c.DISTANCE_LIMIT
    return bool(limited and pair_distance(pair) > MAX_DISTANCE)


@subroutine
def find_cells(state: State, card: int, legal: Bits) -> None:
    """Write the cells where a card may be added to the map."""
    matches = scratch_bits(BLOCKS)
    fill_matches(state, card, matches)
    columns = columns_of(matches)
    for block in range(BLOCKS):
        cells = near(state.boards[s.ALL_COLORS], block) & ~state.boards[s.ALL_COLORS, block]
        cells &= (rows_of(matches[block]) | columns) & WINDOWS[state.map_size, block]
        legal[block] = cells & ~near(state.boards[c.COLOR[card]], block)
    limited = c.has(state.in_play, c.RANGE_LIMIT) or c.has(state.in_play, c.DISTANCE_LIMIT)
    if limited or has_wild(state):
        _check_pairs(state, card, matches, legal)


@subroutine
def count_song_cells(state: State, color: int) -> int:
    """Count the cells where a card of a color makes a Safe Song, whatever its number.

    These are far enough from all cards of the color. What action cards change is left out, but for
    the limits that `find_cells` knows, which are taken as for the color's lowest number.
    """
    legal, close = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    find_cells(state, color * c.HIGHEST, legal)
    _find_close(state.boards[color], close)
    cells = 0
    for block in range(BLOCKS):
        cells += count_bits(legal[block] & ~close[block])
    return cells


@subroutine
def _find_close(cells: Bits, close: Bits) -> None:
    """Write the cells in line with a set of cells, up to the distance at which throws end."""
    for block in range(BLOCKS):
        right = left = close[block] = cells[block]
        for _ in range(s.LONGEST + 1):
            right = (right << c.ONE) & NOT_FIRST
            left = (left >> c.ONE) & NOT_LAST
            close[block] |= right | left
    for block in range(BLOCKS):
        for step in range(1, s.LONGEST + 1):
            near, over = np.uint64(s.SIDE * step), np.uint64(64 - s.SIDE * step)
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
def open_cells(state: State, card: int) -> bool:
    """Let ``state.legal`` be the cells where a card may be added; return whether there is any."""
    legal = scratch_bits(BLOCKS)
    find_cells(state, card, legal)
    for block in range(BLOCKS):
        state.legal[block] = legal[block]
    return any_cell(legal)


@kernel
def _check_pairs(state: State, card: int, matches: Bits, legal: Bits) -> None:
    """Take out the cells where only a neighbour matches, and those whose pair breaks a limit."""
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            place = lowest_bit(rest)
            rest &= rest - c.ONE
            pair = find_pair(state, card, 64 * block + place, matches)
            if pair == s.NOWHERE or breaks_limit(state, card, pair):
                legal[block] &= ~c.bit(place)
