"""Boards of Diddly as a player knows them: which cards are hidden, and what the boards score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.games.diddly.knowledge import UNKNOWN, Knowledge
from kitchentable.games.diddly.state import COPIES, HALF, LINES, MAX_CARDS, NUM_KINDS, POINTS

Board = NDArray[np.int8]
"""The kinds of the cards of one seat, or `UNKNOWN`; shape (cards,).

Players try placements in it."""


@kernel
def is_hidden(known: Knowledge, seat: int, slot: int) -> bool:
    """Return whether a card lies face down."""
    return bool(known.face_up[seat, slot] == 0)


@kernel
def num_hidden(known: Knowledge, seat: int) -> int:
    """Return the number of face-down cards of a seat."""
    count = 0
    for slot in range(known.cards):
        count += int(is_hidden(known, seat, slot))
    return count


@kernel
def num_unseen(known: Knowledge) -> int:
    """Return the number of cards that the player has not seen."""
    count = 0
    for kind in range(NUM_KINDS):
        count += known.unseen[kind]
    return count


AVERAGE = float((COPIES * POINTS).sum() / COPIES.sum())
"""Average points of a card in the real deck."""


@kernel
def score_with(board: Board, slot: int, kind: int) -> float:
    """Return the score of the board with another card in a slot."""
    before = board[slot]
    board[slot] = kind
    score = plain_score(board)
    board[slot] = before
    return score


@kernel
def exchange(known: Knowledge, i: int, j: int) -> None:
    """Swap two of the player's own cards in place; a second call undoes the first."""
    board, face_up = known.boards[0], known.face_up[0]
    board[i], board[j] = board[j], board[i]
    face_up[i], face_up[j] = face_up[j], face_up[i]


@subroutine
def plain_score(board: Board) -> float:
    """Return the score of a board as it lies; unknown cards are average and match nothing."""
    total = 0.0
    if board.shape[0] == MAX_CARDS:
        for slot in range(MAX_CARDS):
            total += _plain_points(board, slot)
        return total
    columns = board.shape[0] // 2
    for column in range(columns):
        first, second = board[column], board[column + columns]
        if first != second or first == UNKNOWN:
            points = _points(first) + _points(second)
            total += (points + 1.0) // 2.0 if HALF in (first, second) else points
    return total


@kernel
def _plain_points(board: Board, slot: int) -> float:
    """Return the points of one of nine cards."""
    points = _points(board[slot])
    halved = False
    for a, b, c in LINES:
        if slot in (a, b, c):
            if board[a] == board[b] and board[b] == board[c] and board[a] != UNKNOWN:
                return 0.0
            halved |= board[a] == HALF or board[b] == HALF or board[c] == HALF
    return (points + 1.0) // 2.0 if halved else points


@kernel
def _points(kind: int) -> float:
    return AVERAGE if kind == UNKNOWN else float(POINTS[kind])
