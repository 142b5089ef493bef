"""Reading of a Diddly observation: the table as a player sees it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.reading import one_hot, read_number
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, Floats, Ints
from kitchentable.games.diddly.state import (
    COPIES,
    FROM_RECYCLING,
    HALF,
    LINES,
    MAX_CARDS,
    MAX_FLIPS,
    NUM_KINDS,
    OVER,
    POINTS,
    State,
)

UNKNOWN = NUM_KINDS
"""The kind of a card that the player does not know; it follows the real kinds."""


class Look(NamedTuple):
    """The table as one player sees it; seats are counted from that player, who is seat 0."""

    seats: int
    cards: int
    phase: int
    boards: Ints
    """Kinds or `UNKNOWN`; shape (seats, cards). Players try placements in it and undo them."""
    hidden: BoolArray
    """Whether a card lies face down; shape (seats, cards)."""
    odds: Floats
    """Probability of each kind for a card that the player does not know; shape (NUM_KINDS,)."""
    pile: BoolArray
    """Whether a kind lies in the discard pile; shape (NUM_KINDS,)."""
    top: int
    """The kind of the top discard, or `NOBODY`."""
    held: int
    """The kind of the card obtained and not yet placed, or `NOBODY`."""
    recycled: bool
    """Whether that card was recycled and so replaces a Recycle."""
    swap_slot: int
    """The first slot of a Swap, or `NOBODY`."""
    closer: int
    """The seat whose cards were all face up first, or `NOBODY`."""
    turn: int
    """Turns that this player has finished in this round."""


@allocating_kernel
def look_at(observation: FloatArray, variant: State) -> Look:
    """Read an observation, part by part in the order of `observation.observation_layout`.

    Args:
        observation: the observation of the seat to act.
        variant: a record with the parameters.
    """
    seats, cards = int(variant.num_players), int(variant.cards)
    turn_limit = int(variant.turn_limit)
    boards = np.empty((seats, cards), np.int64)
    hidden = np.empty((seats, cards), np.bool_)
    odds = np.empty(NUM_KINDS, np.float64)
    pile = np.empty(NUM_KINDS, np.bool_)
    at = OVER + seats
    _read_boards(observation, at, boards, hidden)
    at += seats * cards * (NUM_KINDS + 2)
    _read_piles(observation, at, odds, pile)
    top = at + 2 * NUM_KINDS
    held = top + NUM_KINDS
    swap_slot = held + NUM_KINDS + 3
    closer = swap_slot + cards + 2 * MAX_FLIPS + 2 + seats
    turns = closer + seats
    return Look(
        seats,
        cards,
        one_hot(observation, 0, OVER),
        boards,
        hidden,
        odds,
        pile,
        one_hot(observation, top, NUM_KINDS),
        one_hot(observation, held, NUM_KINDS),
        bool(observation[held + NUM_KINDS + FROM_RECYCLING - 1] > 0.0),
        one_hot(observation, swap_slot, cards),
        one_hot(observation, closer, seats),
        read_number(observation, turns, turn_limit),
    )


@kernel
def _read_boards(observation: FloatArray, at: int, boards: Ints, hidden: BoolArray) -> None:
    seats, cards = boards.shape
    face_up = at + seats * cards * NUM_KINDS
    for seat in range(seats):
        for slot in range(cards):
            kind = one_hot(observation, at, NUM_KINDS)
            boards[seat, slot] = UNKNOWN if kind == NOBODY else kind
            hidden[seat, slot] = observation[face_up] == 0.0
            at += NUM_KINDS
            face_up += 1


@kernel
def _read_piles(observation: FloatArray, at: int, odds: Floats, pile: BoolArray) -> None:
    unseen = 0.0
    for kind in range(NUM_KINDS):
        odds[kind] = float(observation[at + kind]) * COPIES[kind]
        unseen += odds[kind]
        pile[kind] = observation[at + NUM_KINDS + kind] > 0.0
    for kind in range(NUM_KINDS):
        odds[kind] /= max(unseen, 1.0)


@kernel
def num_hidden(seen: Look, seat: int) -> int:
    """Return the number of face-down cards of a seat."""
    count = 0
    for slot in range(seen.cards):
        count += int(seen.hidden[seat, slot])
    return count


# --- Boards as they lie ---------------------------------------------------------------------------

AVERAGE = float((COPIES * POINTS).sum() / COPIES.sum())
"""Average points of a card in the real deck."""


@kernel
def score_with(board: Ints, slot: int, kind: int) -> float:
    """Return the score of the board with another card in a slot."""
    before = board[slot]
    board[slot] = kind
    score = plain_score(board)
    board[slot] = before
    return score


@kernel
def exchange(seen: Look, i: int, j: int) -> None:
    """Swap two of the player's own cards in place; a second call undoes the first."""
    board, hidden = seen.boards[0], seen.hidden[0]
    board[i], board[j] = board[j], board[i]
    hidden[i], hidden[j] = hidden[j], hidden[i]


@kernel
def plain_score(board: Ints) -> float:
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
def _plain_points(board: Ints, slot: int) -> float:
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
