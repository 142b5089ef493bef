"""Boards of Diddly as a player knows them: which cards are hidden, and what changes score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.games.diddly.knowledge import Knowledge
from kitchentable.games.diddly.scoring import board_score
from kitchentable.games.diddly.state import NUM_KINDS

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


@kernel
def score_with(board: Board, slot: int, kind: int) -> float:
    """Return the score of the board with another card in a slot."""
    before = board[slot]
    board[slot] = kind
    score = board_score(board)
    board[slot] = before
    return score


@kernel
def exchange(known: Knowledge, i: int, j: int) -> None:
    """Swap two of the player's own cards in place; a second call undoes the first."""
    board, face_up = known.boards[0], known.face_up[0]
    board[i], board[j] = board[j], board[i]
    face_up[i], face_up[j] = face_up[j], face_up[i]
