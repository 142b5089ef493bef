"""Scoring of Diddly boards (rule sheets: Scoring), also of boards with unknown cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.games.diddly.state import COPIES, HALF, LINES, MAX_CARDS, POINTS, UNKNOWN

AVERAGE = float((COPIES * POINTS).sum() / COPIES.sum())
"""Average points of a card in the real deck."""
WORTH = np.append(POINTS, AVERAGE)
"""Points of each kind; those of an `UNKNOWN` card are the average."""


@subroutine
def board_score(board: NDArray[np.int8]) -> float:
    """Return the score of a board, row by row; unknown cards are average and match nothing."""
    if board.shape[0] == MAX_CARDS:
        return _score_lines(board)
    columns = board.shape[0] // 2
    total = 0.0
    for column in range(columns):
        total += column_score(board[column], board[column + columns])
    return total


@kernel
def column_score(first: int, second: int) -> float:
    """Score a column of two: equal kinds are worth zero, a Half halves the other, rounded up."""
    if first == second and first != UNKNOWN:
        return 0.0
    total = float(WORTH[first] + WORTH[second])
    return (total + 1.0) // 2.0 if first == HALF or second == HALF else total


@kernel
def _score_lines(board: NDArray[np.int8]) -> float:
    """Score nine cards: lines of three equal kinds are worth zero, other cards score once."""
    free, halved = line_slots(board)
    total = 0.0
    for slot in range(MAX_CARDS):
        points = WORTH[board[slot]]
        if (halved >> slot) & 1:
            points = (points + 1.0) // 2.0
        if not (free >> slot) & 1:
            total += points
    return total


@kernel
def line_slots(board: NDArray[np.int8]) -> tuple[int, int]:
    """Return the slots of lines of three equal kinds, and of lines with a Half: a bit per slot."""
    free, halved = 0, 0
    for a, b, c in LINES:
        line = (1 << a) | (1 << b) | (1 << c)
        if board[a] == board[b] and board[b] == board[c] and board[a] != UNKNOWN:
            free |= line
        if board[a] == HALF or board[b] == HALF or board[c] == HALF:
            halved |= line
    return free, halved
