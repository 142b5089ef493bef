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
def num_hidden(known: Knowledge, seat: int) -> int:
    """Return the number of face-down cards of a seat."""
    count = 0
    for slot in range(known.cards):
        count += int(known.face_up[seat, slot] == 0)
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
