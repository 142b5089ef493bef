"""The greedy scripted player of Diddly."""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable.core.state import NOBODY, BoolArray, Stream
from kitchentable.games.diddly.knowledge import Knowledge
from kitchentable.games.diddly.players.boards import Board, score_with
from kitchentable.games.diddly.scoring import board_score
from kitchentable.games.diddly.state import (
    DRAW,
    NUM_KINDS,
    PASS,
    PLACE,
    RECYCLE,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
)

CLEARLY = 3.0
"""Points that a known card must save at once to be preferred to an unknown one from the deck."""


@kernel
def greedy(known: Knowledge, mask: BoolArray, _rng: Stream) -> int:
    """Return the action that lowers the score of the player's own board most at once.

    Unknown cards count as average ones. It counts no cards and ignores the boards of the others.
    """
    board = known.boards[0, : known.cards]
    if known.phase == SOURCE:
        return _greedy_source(known, mask, board)
    if known.phase in (SWAP_FIRST, SWAP_SECOND):
        return _greedy_swap(board, known.swap_slot)
    best, action = np.inf, NOBODY
    for slot in range(known.cards):
        if mask[SLOT + slot]:
            score = score_with(board, slot, known.held) if known.phase == PLACE else 0.0
            if score < best:
                best, action = score, SLOT + slot
    return action


@kernel
def _greedy_source(known: Knowledge, mask: BoolArray, board: Board) -> int:
    best = board_score(board) - CLEARLY if mask[DRAW] else np.inf
    action = DRAW
    for slot in range(known.cards):
        if mask[TAKE]:
            score = score_with(board, slot, known.top)
            if score <= best:
                best, action = score, TAKE
        if board[slot] == RECYCLE and known.face_up[0, slot]:
            for kind in range(NUM_KINDS):
                if known.pile_counts[kind] > 0:
                    score = score_with(board, slot, kind)
                    if score < best:
                        best, action = score, RECYCLE_KIND + kind
    return action


@kernel
def _greedy_swap(board: Board, first: int) -> int:
    """Choose a slot of the best swap, or pass; ``first`` is the first slot, or `NOBODY`."""
    best = np.inf if first != NOBODY else board_score(board)
    action = PASS
    for i in range(board.shape[0]):
        for j in range(board.shape[0]):
            if i != j and first in (NOBODY, i):
                board[i], board[j] = board[j], board[i]
                score = board_score(board)
                board[i], board[j] = board[j], board[i]
                if score < best:
                    best, action = score, SLOT + (i if first == NOBODY else j)
    return action
