"""The map of Fiddlefoo as sets of cells: where a card may go, and which pair it makes there.

A set of cells is four 64-bit words, called blocks, each with four rows of 16 cells. One operation
shifts or combines all cells of a block.
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
"""The first cell of each of the four rows of a block."""
ROW = np.uint64(0xFFFF)
NOT_LAST = np.uint64(0x7FFF7FFF7FFF7FFF)
NOT_FIRST = np.uint64(0xFFFEFFFEFFFEFFFE)
ROWS_UP = np.uint64(48)
ONE_ROW = np.uint64(16)
TWO_ROWS = np.uint64(32)
TO_FIRST = np.uint64(15)

MIN_RANGE = 4
"""Minimum range of a pair with `RANGE_LIMIT`."""
MAX_DISTANCE = 2
"""Maximum distance of a pair with `DISTANCE_LIMIT`."""

# One number ranks the pairs of a card: larger range first, then smaller distance, then direction.
# Distance and direction together take 6 bits.
UP, RIGHT, DOWN, LEFT = range(4)
BY_RANGE, BY_DISTANCE = 64, 4


def _windows() -> Bits:
    """Return the set of cells of the window of each size; uint64, shape (17, 4)."""
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
    """Put a card into an empty cell of the map."""
    block, place = cell >> 6, c.bit(cell & 63)
    state.cells[cell] = card
    state.places[card] = cell
    state.boards[c.COLOR[card], block] |= place
    state.boards[s.ALL_COLORS, block] |= place
    c.add(state.on_map, card)


@kernel
def lift(state: State, card: int) -> int:
    """Remove a card from the map and return its cell, which is then empty."""
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
    """Return one block of the set of orthogonal neighbours of some cells."""
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
    """Return a block with all cells of the columns in which a set has cells."""
    together = cells[0] | cells[1] | cells[2] | cells[3]
    together |= together >> TWO_ROWS
    together |= together >> ONE_ROW
    return np.uint64((together & ROW) * LANES)


@kernel
def rows_of(block: np.uint64) -> np.uint64:
    """Return a block with all cells of the rows in which ``block`` has cells."""
    # In a row that is not empty the sum carries into the last cell, or that cell itself is set.
    last = (((block & NOT_LAST) + NOT_LAST) | block) & ~NOT_LAST
    return np.uint64((last >> TO_FIRST) * ROW)


@kernel
def any_cell(cells: Bits) -> bool:
    """Return whether a set of cells is not empty."""
    return bool((cells[0] | cells[1] | cells[2] | cells[3]) != 0)


@subroutine
def find_extent(cells: Bits, box: NDArray[np.int64]) -> None:
    """Write the lowest and highest row, then the lowest and highest column, of a set of cells."""
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
    """Return how many rows and columns a cell adds to the box from `find_extent`."""
    row, column = cell >> 4, cell & 15
    rows = max(0, box[0] - row) + max(0, row - box[1])
    return float(rows + max(0, box[2] - column) + max(0, column - box[3]))


# --- Placement (sheet: Gameplay) ------------------------------------------------------------------


@kernel
def is_wild(state: State, card: int) -> bool:
    """Return whether a card pairs with cards of every color."""
    return card == c.WILDCARD_PAIR or bool(state.wildcard and c.COLOR[card] == c.PURPLE)


@kernel
def has_wild(state: State) -> bool:
    """Return whether cards of different colors can make a pair at this table."""
    return bool(state.wildcard) or c.has(state.in_play, c.WILDCARD_PAIR)


@kernel
def fill_matches(state: State, card: int, matches: Bits) -> None:
    """Write the cells of all map cards that a card can make a pair with, wherever it is put."""
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
        matches: the cells of the cards that it can make a pair with, from `fill_matches`.

    Returns:
        ``key * 256 + cell`` with the cell of the other card; the pair with the largest key counts.
        The key grows with the range, then falls with the distance, then follows the direction.
        `NOWHERE` if there is no pair.
    """
    row, column = cell >> 4, cell & 15
    number = c.NUMBER[card]
    best = s.NOWHERE
    # Neighbours never make a pair, so they are left out.
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
    """Return the cell of the other card in a result of `find_pair`."""
    return pair & 255


@kernel
def pair_range(pair: int) -> int:
    """Return how many whole numbers lie strictly between the numbers of a pair's cards."""
    return (pair >> 8) // BY_RANGE


@kernel
def pair_distance(pair: int) -> int:
    """Return how many cells lie strictly between the cards of a pair."""
    return (BY_RANGE - 1 - (pair >> 8) % BY_RANGE) // BY_DISTANCE


@kernel
def breaks_limit(state: State, card: int, pair: int) -> bool:
    """Return whether a pair breaks the limit of one of its cards."""
    other = state.cells[pair_cell(pair)]
    if (card == c.RANGE_LIMIT or other == c.RANGE_LIMIT) and pair_range(pair) < MIN_RANGE:
        return True
    limited = card == c.DISTANCE_LIMIT or other == c.DISTANCE_LIMIT
    return bool(limited and pair_distance(pair) > MAX_DISTANCE)


@subroutine
def find_cells(state: State, card: int, legal: Bits) -> None:
    """Write the legal cells of a card."""
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
    """Count the cells where every card of a color makes a Safe Song, whatever its number.

    These cells are far enough from all cards of the color. Effects of action cards are ignored,
    except the limits in `find_cells`, which are applied to the color's lowest card.
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
    """Write a set of cells and the cells in line with it at distances that allow throws."""
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
        # The remaining step, ``LONGEST + 1`` rows, is one whole block.
        if block > 0:
            close[block] |= cells[block - 1]
        if block < BLOCKS - 1:
            close[block] |= cells[block + 1]


@subroutine
def open_cells(state: State, card: int) -> bool:
    """Write the legal cells of a card into ``state.legal``; return whether there are any."""
    legal = scratch_bits(BLOCKS)
    find_cells(state, card, legal)
    for block in range(BLOCKS):
        state.legal[block] = legal[block]
    return any_cell(legal)


@kernel
def _check_pairs(state: State, card: int, matches: Bits, legal: Bits) -> None:
    """Remove cells where only neighbours match, and cells where the pair breaks a limit."""
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            place = lowest_bit(rest)
            rest &= rest - c.ONE
            pair = find_pair(state, card, 64 * block + place, matches)
            if pair == s.NOWHERE or breaks_limit(state, card, pair):
                legal[block] &= ~c.bit(place)
