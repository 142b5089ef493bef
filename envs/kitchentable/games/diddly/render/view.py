"""Helpers for showing a Diddly table: the shape of boards and which cards match."""

from __future__ import annotations

from kitchentable.games.diddly import state as s
from kitchentable.games.diddly.state import Params, State
from kitchentable.render import view as shared

View = shared.View[State, Params]


def num_columns(state: State | Params) -> int:
    """Return the number of columns of a board."""
    return 3 if state.cards == s.MAX_CARDS else int(state.cards) // 2


def num_rows(state: State | Params) -> int:
    """Return the number of rows of a board."""
    return int(state.cards) // num_columns(state)


def place(state: State | Params, slot: int) -> str:
    """Describe the row and column of a slot."""
    row, column = divmod(slot, num_columns(state))
    return f"row {row + 1}, column {column + 1}"


def may(view: View, kind: str) -> bool:
    """Return whether an action of a kind (its name up to the colon) is legal now."""
    return any(name.partition(":")[0] == kind for name in view.legal)


def matched(state: State, player: int) -> set[int]:
    """Return the slots of the face-up cards that are worth nothing because they match."""
    columns = num_columns(state)
    lines = s.LINES if state.cards == s.MAX_CARDS else [(i, i + columns) for i in range(columns)]
    board, face_up = state.boards[player], state.face_up[player]
    return {
        slot
        for line in lines
        if all(face_up[i] and board[i] == board[line[0]] for i in line)
        for slot in line
    }
