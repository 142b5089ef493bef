"""Scoring of Diddly boards (rule sheets: Scoring)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.games.diddly.state import HALF, LINES, MAX_CARDS, POINTS


@kernel
def board_score(board: NDArray[np.int8], cards: int) -> int:
    """Return the score of a board, whose first ``cards`` entries are kinds, row by row."""
    if cards == MAX_CARDS:
        return _score_lines(board)
    columns = cards // 2
    total = 0
    for column in range(columns):
        total += column_score(board[column], board[column + columns])
    return total


@kernel
def column_score(first: int, second: int) -> int:
    """Score a column of two: equal kinds are worth zero, a Half halves the other, rounded up."""
    if first == second:
        return 0
    total = int(POINTS[first] + POINTS[second])
    return (total + 1) // 2 if first == HALF or second == HALF else total


@kernel
def _score_lines(board: NDArray[np.int8]) -> int:
    """Score nine cards: lines of three equal kinds are worth zero, other cards score once."""
    free = 0  # one bit per slot
    halved = 0
    for a, b, c in LINES:
        line = (1 << a) | (1 << b) | (1 << c)
        if board[a] == board[b] and board[b] == board[c]:
            free |= line
        if board[a] == HALF or board[b] == HALF or board[c] == HALF:
            halved |= line
    total = 0
    for slot in range(MAX_CARDS):
        points = POINTS[board[slot]]
        if (halved >> slot) & 1:
            points = (points + 1) // 2
        if not (free >> slot) & 1:
            total += points
    return total
