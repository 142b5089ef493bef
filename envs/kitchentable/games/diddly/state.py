"""The cards, actions, parameters and state record of Diddly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import (
    Copies,
    TableParams,
    check_choice,
    check_range,
    plain_with_copies,
    read_copies,
)
from kitchentable.core.piles import deck_with
from kitchentable.core.state import ALL_SEEING, TableState

# --- Components (sheet: Contents) ---------------------------------------------------------------

# Kinds of cards: 0 to 9 are the number cards 1 to 10.
DIDDLY, SWAP, HALF, PEEK, RECYCLE = range(10, 15)
NUM_KINDS = 15
UNKNOWN = NUM_KINDS
"""The kind of a card that a seat does not know; it follows the real kinds."""
NO_CARD = -1
CARD_NAMES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "D", "S", "H", "P", "R")
COPIES = np.array([8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4])
POINTS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 10, 10])
NUM_CARDS = int(COPIES.sum())
DECK = dict(zip(CARD_NAMES, COPIES.tolist(), strict=True))
"""Copies of each kind in the real deck, by name."""
MOST_POINTS = int(POINTS.max())

FEWEST_SEATS = 2
MOST_SEATS = {2: 8, 6: 8, 8: 6, 9: 6}
"""Maximum number of seats, by the number of cards on a board."""
LAYOUTS = tuple(MOST_SEATS)
MAX_PLAYERS = max(MOST_SEATS.values())
MIN_CARDS, MAX_CARDS = min(LAYOUTS), max(LAYOUTS)
MAX_ROUNDS = 100
MAX_TURNS = 10_000
MAX_FLIPS = 3
WORST_HAND = MOST_POINTS * MAX_CARDS

# Lines of three on the nine-card board: rows, columns and long diagonals.
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip

# --- Actions ------------------------------------------------------------------------------------

DRAW = 0
TAKE = 1
RECYCLE_KIND = 2  # + kind
PASS = RECYCLE_KIND + NUM_KINDS
SLOT = PASS + 1  # + slot

# Phases: what the current player decides.
FLIP, USE_PEEK, SWAP_FIRST, SWAP_SECOND, SOURCE, PLACE, OVER = range(7)
PHASES = ("flip", "peek", "swap first", "swap second", "source", "place", "over")

# Where the obtained card came from.
FROM_NOWHERE, FROM_DECK, FROM_PILE, FROM_RECYCLING = range(4)


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Diddly.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """

    num_players: int = 2
    """Number of seats, 2 to 8 with 2 or 6 cards on a board, else 2 to 6."""
    cards: int = 6
    """Cards on a board: 6 (2 rows x 3 columns), 8 (2 x 4) or 9 (3 x 3); or 2 (2 x 1), which is not
    in the rule sheets but a small variant for exact computations, where a seat flips one card at
    set-up."""
    rounds: int = 5
    """Number of rounds, 1 to 100."""
    turn_limit: int = 100
    """Maximum turns of a seat in one round, 1 to 10,000; one more truncates the game."""
    copies: Mapping[str, int] | Copies | None = None
    """Copies of each kind in a shortened deck, such as ``{"1": 3, "5": 3}`` with ``cards=2``; None
    for the real deck."""

    def __post_init__(self) -> None:
        check_choice("diddly", "cards", self.cards, LAYOUTS)
        most, with_cards = MOST_SEATS[self.cards], f" with cards={self.cards}"
        check_range("diddly", "num_players", self.num_players, FEWEST_SEATS, most, with_cards)
        check_range("diddly", "rounds", self.rounds, 1, MAX_ROUNDS)
        check_range("diddly", "turn_limit", self.turn_limit, 1, MAX_TURNS)
        needed = self.num_players * self.cards + 2
        what_for = "the boards, the first discard and one card to draw"
        copies = read_copies("diddly", self.copies, DECK, needed, what_for)
        object.__setattr__(self, "copies", copies)

    def plain(self) -> dict[str, Any]:
        """Return the parameters as JSON-compatible values, without ``copies`` for the real deck."""
        return plain_with_copies(self.as_dict())


class State(TableState):
    """The full state of one game."""

    # Parameters.
    cards: Annotated[int, np.int8]
    rounds: Annotated[int, np.int8]
    turn_limit: Annotated[int, np.int16]
    copies: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Copies of each kind in the deck."""
    # The game.
    rounds_done: Annotated[int, np.int8]
    """Number of finished rounds."""
    dealer: Annotated[int, np.int8]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    last_scores: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points by seat in the last finished round."""
    last_boards: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_CARDS)]
    """Boards by seat as they were scored in that round, for display only."""
    round_scores: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_ROUNDS)]
    # The table.
    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """Kinds; the next card to draw is at ``deck_size - 1``."""
    deck_size: Annotated[int, np.int8]
    reshuffled: Annotated[bool, np.bool_]
    """Whether the pile was reshuffled into the deck in this round, so that its kinds are known."""
    pile: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """Kinds in the discard pile; the top card is at ``pile_size - 1``."""
    pile_size: Annotated[int, np.int8]
    pile_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Number of cards of each kind in the discard pile."""
    boards: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_CARDS)]
    """Kinds by seat and slot; slots are numbered row by row."""
    face_up: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_CARDS)]
    peeked: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_CARDS)]
    """Whether the owner has looked at a face-down card, by seat and slot."""
    closer: Annotated[int, np.int8]
    """The seat whose cards were all face up first, or `NOBODY`."""
    turns: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Turns finished in this round, by seat."""
    # The decision.
    phase: Annotated[int, np.int8]
    flips_left: Annotated[int, np.int8]
    seats_to_flip: Annotated[int, np.int8]
    """Seats that have not finished the set-up, including the current one; 0 after the set-up."""
    abilities: Annotated[NDArray[np.int8], np.int8, (MAX_FLIPS,)]
    """Peeks and Swaps flipped in the set-up and not yet started, in order."""
    num_abilities: Annotated[int, np.int8]
    held: Annotated[int, np.int8]
    """The kind of the card obtained in this turn and not yet placed, or `NO_CARD`."""
    source: Annotated[int, np.int8]
    swap_slot: Annotated[int, np.int8]
    """The first slot chosen for a Swap, or `NOBODY`."""


UNRECORDED = ("copies",)


def derive(state: State, params: Params) -> None:
    """Write the deck into a state record."""
    state.copies[:] = list(deck(params).values())


def action_names(params: Params) -> tuple[str, ...]:
    """Return the name of each action, by index."""
    recycle = [f"recycle:{name}" for name in CARD_NAMES]
    return ("draw", "take", *recycle, "pass", *(f"slot:{i}" for i in range(params.cards)))


def deck(params: Params) -> Mapping[str, int]:
    """Return the number of copies of each kind, by name (sheet: Contents)."""
    return deck_with(params.copies, DECK)


@kernel
def exchange(table: Any, seat: int, i: int, j: int) -> None:
    """Swap two cards of a seat, with their facing and peeked flags; a second call undoes it."""
    board, face_up, peeked = table.boards[seat], table.face_up[seat], table.peeked[seat]
    board[i], board[j] = board[j], board[i]
    face_up[i], face_up[j] = face_up[j], face_up[i]
    peeked[i], peeked[j] = peeked[j], peeked[i]


# --- Knowledge ---------------------------------------------------------------------------------


@kernel
def is_known(state: State, viewer: int, player: int, slot: int) -> bool:
    """Return whether ``viewer`` knows the card in a slot (`ALL_SEEING` knows every card)."""
    seen = (viewer == player) & (state.peeked[player, slot] != 0)
    return bool(seen | (state.face_up[player, slot] != 0) | (viewer == ALL_SEEING))
