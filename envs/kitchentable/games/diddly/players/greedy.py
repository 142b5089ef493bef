"""The scripted player that does the obvious."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, BoolArray, FloatArray
from kitchentable.games.diddly.players.reading import UNKNOWN, Integers, Look, look_at
from kitchentable.games.diddly.state import (
    COPIES,
    DRAW,
    HALF,
    LINES,
    MAX_CARDS,
    NUM_KINDS,
    PASS,
    PLACE,
    POINTS,
    RECYCLE,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
)

AVERAGE = float((COPIES * POINTS).sum() / COPIES.sum())
"""Points of a card that nobody has seen."""
CLEARLY = 3.0
"""Points that a card must save at once to be preferred to an unknown one from the deck."""


@allocating_kernel
def greedy(
    observation: FloatArray, mask: BoolArray, variant: Integers, _rng: NDArray[np.uint64]
) -> int:
    """Do the obvious: lower the own board as much as possible at once, unknown cards being average.

    It remembers nothing, counts no cards and does not look at the others.
    """
    seen = look_at(observation, variant)
    board = seen.boards[0]
    if seen.phase == SOURCE:
        return _greedy_source(seen, mask, board)
    if seen.phase in (SWAP_FIRST, SWAP_SECOND):
        return _greedy_swap(board, seen.swap_slot)
    best, action = np.inf, NOBODY
    for slot in range(seen.cards):
        if mask[SLOT + slot]:
            score = score_with(board, slot, seen.held) if seen.phase == PLACE else 0.0
            if score < best:
                best, action = score, SLOT + slot
    return action


@kernel
def _greedy_source(seen: Look, mask: BoolArray, board: Integers) -> int:
    best = plain_score(board) - CLEARLY if mask[DRAW] else np.inf
    action = DRAW
    for slot in range(seen.cards):
        if mask[TAKE]:
            score = score_with(board, slot, seen.top)
            if score <= best:
                best, action = score, TAKE
        if board[slot] == RECYCLE and not seen.hidden[0, slot]:
            for kind in range(NUM_KINDS):
                if seen.pile[kind]:
                    score = score_with(board, slot, kind)
                    if score < best:
                        best, action = score, RECYCLE_KIND + kind
    return action


@kernel
def _greedy_swap(board: Integers, first: int) -> int:
    """Swap what lowers the board most; ``first`` is the slot chosen before, if any."""
    best = np.inf if first != NOBODY else plain_score(board)
    action = PASS
    for i in range(board.shape[0]):
        for j in range(board.shape[0]):
            if i != j and first in (NOBODY, i):
                board[i], board[j] = board[j], board[i]
                score = plain_score(board)
                board[i], board[j] = board[j], board[i]
                if score < best:
                    best, action = score, SLOT + (i if first == NOBODY else j)
    return action


@kernel
def score_with(board: Integers, slot: int, kind: int) -> float:
    """Score the board with another card in a slot."""
    before = board[slot]
    board[slot] = kind
    score = plain_score(board)
    board[slot] = before
    return score


@kernel
def plain_score(board: Integers) -> float:
    """Score a board as it lies, unknown cards as average ones that match nothing."""
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
def _plain_points(board: Integers, slot: int) -> float:
    """Score one of nine cards."""
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
