"""The diamonds, actions, parameters and state record of Add-Too."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.parameters import (
    TableParams,
    check_range,
    is_whole,
    one_line_repr,
    read_names,
)
from kitchentable.core.state import Tables, TableState
from kitchentable.games.addtoo.geometry import NUM_TRIANGLES, SIDES, TURNS, WAYS

Numbers = NDArray[np.int8]
Fits = NDArray[np.uint64]

# --- Diamonds (booklet: Object of the Game) -----------------------------------------------------

HIGHEST = 10
PAIRS = tuple(combinations(range(1, HIGHEST + 1), 2))
"""The two numbers of each diamond by id, the lower number first."""
NAMES = tuple(f"{low}-{high}" for low, high in PAIRS)
NUM_TILES = len(PAIRS)
NO_TILES = np.uint64(0)
ONE = np.uint64(1)
TOTALS = np.array([low + high for low, high in PAIRS])
NO_TILE = -1
ORANGE, BLUE = range(2)

HAND = 5
"""Diamonds dealt to a seat according to the booklet, and the maximum it draws up to."""
LEFT_PENALTY = 10
"""Points lost for each diamond left in a hand."""
BONUS = 5
"""Points for each touching side of a bonus play, in addition to the sums."""
MULTIPLE = 5
"""A sum scores if it is a multiple of this number."""
SCORING = tuple(range(MULTIPLE, 2 * HIGHEST + 1, MULTIPLE))
"""The sums of two numbers that score."""

MAX_PLAYERS = 6
MAX_TARGET = 10_000
MAX_HANDS = 100
WORST_HAND = 2 * int(TOTALS.sum()) + BONUS * 2 * NUM_TILES + HAND * LEFT_PENALTY
"""An upper bound on the points that a seat can win or lose in a hand.

Every number lies on two sides, so the sums of a hand add up to at most twice all numbers. Each
contact takes two sides, so there are at most two contacts per diamond. A whole hand may be left.
"""
MAX_SPOTS = 2 * NUM_TILES + 2
"""Maximum number of spots for bonus plays at a time.

Each diamond but the first touches another one, so at most four sides of each, less two for each of
these contacts, are free. A free side belongs to at most two places, and a spot touches two or more.
"""

# --- Actions ------------------------------------------------------------------------------------

AT_LAST = NUM_TILES
"""Index of the first action ``last:``; add the way. Actions ``tile:`` begin at 0; add the id."""
AT_SPOT = AT_LAST + WAYS
"""Index of the first action ``on:``; add 8 * id + way."""
_WAY_NAMES = [f"{side},{turn}" for side in range(SIDES) for turn in range(TURNS)]
ACTION_NAMES = (
    *(f"tile:{name}" for name in NAMES),
    *(f"last:{way}" for way in _WAY_NAMES),
    *(f"on:{name},{way}" for name in NAMES for way in _WAY_NAMES),
)

# Phases: what the current player decides.
TILE, PLACE, OVER = range(3)
PHASES = ("choose a diamond", "choose a place for it", "over")


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Add-Too.

    Raises:
        ValueError: a parameter is invalid; the message says what is possible.
    """

    num_players: int = 2
    """Number of seats, 2 to 6."""
    target: int = 200
    """Points that end the game, 1 to 10,000."""
    max_hands: int = 50
    """Hands after which the game is truncated, 1 to 100."""
    turned: bool = True
    """Whether diamonds may lie turned relative to each other, and not only parallel."""
    strict_colors: bool = False
    """Whether all touching sides of an ordinary play must match in color."""
    fifth_draw_plays: bool = True
    """Whether a drawn diamond that fills the hand may be played at once."""
    sealed_ends_hand: bool = True
    """Whether the hand ends when there is no room for a diamond at the last one."""
    orange: str | tuple[int, ...] = "parity"
    """The orange number of each diamond, by id; ``"parity"``: the lower number if the sum is odd,
    else the higher."""
    diamonds: str | tuple[str, ...] = "all"
    """Names of the diamonds in play, or ``"all"`` for all 45. Fewer make a small variant of the
    game for exact computations."""
    hand: int = HAND
    """Diamonds dealt to a seat and the maximum it draws up to, 1 to 5. The booklet says 5."""

    def __post_init__(self) -> None:
        check_range("addtoo", "num_players", self.num_players, 2, MAX_PLAYERS)
        check_range("addtoo", "target", self.target, 1, MAX_TARGET)
        check_range("addtoo", "max_hands", self.max_hands, 1, MAX_HANDS)
        object.__setattr__(self, "orange", _read_orange(self.orange))
        check_range("addtoo", "hand", self.hand, 1, HAND)
        diamonds = read_names("addtoo", "diamonds", self.diamonds, NAMES, "diamond")
        object.__setattr__(self, "diamonds", "all" if diamonds == NAMES else diamonds)
        if self.in_play.bit_count() < self.hand * self.num_players:
            raise ValueError(
                f"addtoo: diamonds: {self.in_play.bit_count()} are too few; {self.num_players} "
                f"hands of {self.hand} need {self.hand * self.num_players} or more"
            )

    @property
    def in_play(self) -> int:
        """The diamonds in play as a bit set: bit ``id`` of an integer."""
        names = NAMES if self.diamonds == "all" else self.diamonds
        return sum(1 << NAMES.index(name) for name in names)


def _read_orange(value: Any) -> str | tuple[int, ...]:
    """Validate the orange numbers and return them."""
    if isinstance(value, str) and value == "parity":
        return "parity"
    if not isinstance(value, (list, tuple)) or len(value) != NUM_TILES:
        raise ValueError(
            f"addtoo: orange={one_line_repr(value)} is not possible; give 'parity' or a list of "
            f"{NUM_TILES} numbers, the orange one of each diamond: {NAMES[0]}, {NAMES[1]}, ..., "
            f"{NAMES[-1]}"
        )
    for number, (low, high), name in zip(value, PAIRS, NAMES, strict=True):
        if not is_whole(number) or number not in (low, high):
            raise ValueError(
                f"addtoo: orange: {one_line_repr(number)} is not possible for the diamond {name}; "
                f"it has {low} and {high}"
            )
    return tuple(int(number) for number in value)


class Position(TableState):
    """The part of a game's record that plays need; players try plays on such records.

    Sets of diamonds are bit sets with bit ``id``.
    """

    # Parameters.
    turned: Annotated[bool, np.bool_]
    strict_colors: Annotated[bool, np.bool_]
    sealed_ends_hand: Annotated[bool, np.bool_]
    hand: Annotated[int, np.int8]
    in_play: Annotated[np.uint64, np.uint64]
    """Set of the diamonds in play."""
    # The decision.
    phase: Annotated[int, np.int8]
    chosen: Annotated[int, np.int8]
    """The diamond that is chosen but not yet laid, so still in its hand; or `NO_TILE`."""
    # The table.
    hands: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS,)]
    """Set of the diamonds in each hand."""
    points: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the plays in the current hand by seat; after a game, of its last hand."""
    lying: Annotated[np.uint64, np.uint64]
    """Set of the diamonds in the layout."""
    laid: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Diamonds of the layout in the order laid; the last one is at ``num_laid - 1``."""
    num_laid: Annotated[int, np.int8]
    xs: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Column of the up half of each lying diamond, by id (see `geometry`)."""
    ys: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Row of the up half, by id."""
    axes: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Direction of the inner edge, by id."""
    flips: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """0 if the up half is orange, 1 if it is blue, by id."""
    # Where diamonds can be laid now.
    playable: Annotated[np.uint64, np.uint64]
    """Set of the diamonds in play that could be laid somewhere, whoever holds them."""
    room: Annotated[NDArray[np.uint8], np.uint8, (WAYS,)]
    """Whether there is room for a diamond attached to the last one, by way."""
    last_tiles: Annotated[NDArray[np.uint64], np.uint64, (WAYS,)]
    """Set of the diamonds that can be laid in each way."""
    num_spots: Annotated[int, np.int16]
    """Number of spots: free places away from the last diamond where a bonus play is possible."""
    spot_actions: Annotated[NDArray[np.int16], np.int16, (MAX_SPOTS,)]
    """The only action of each spot."""
    spot_ups: Annotated[NDArray[np.int16], np.int16, (MAX_SPOTS,)]
    """Triangle of the up half of each spot."""
    spot_downs: Annotated[NDArray[np.int16], np.int16, (MAX_SPOTS,)]
    """Triangle of the down half of each spot."""
    spot_tiles: Annotated[NDArray[np.uint64], np.uint64, (MAX_SPOTS,)]
    """Set of the diamonds that fit each spot on every touching side."""
    grid: Annotated[NDArray[np.int8], np.int8, (NUM_TRIANGLES,)]
    """By triangle: 2 * id + color of the half that lies there, or `geometry.FREE`."""


class State(Position):
    """The full state of one game."""

    # Parameters.
    fifth_draw_plays: Annotated[bool, np.bool_]
    target: Annotated[int, np.int16]
    max_hands: Annotated[int, np.int8]
    # The game.
    hands_done: Annotated[int, np.int8]
    """Number of finished hands."""
    starter: Annotated[int, np.int8]
    """The seat that began the current hand."""
    passes: Annotated[int, np.int8]
    """Consecutive passes that count toward the end of the hand."""
    pile: Annotated[NDArray[np.int8], np.int8, (NUM_TILES,)]
    """Face-down diamonds; the next one to draw is at ``pile_size - 1``."""
    pile_size: Annotated[int, np.int8]
    # The history.
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the finished hands by seat (booklet: "not ... until a hand is completed")."""
    last_scores: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the last finished hand by seat."""
    hand_points: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS, MAX_HANDS)]


UNRECORDED = ("orange", "diamonds")
"""Parameters of `tables` and `derive`."""


def derive(state: State, params: Params) -> None:
    """Write the diamonds in play into a state record."""
    state.in_play = np.uint64(params.in_play)


def tables(params: Params) -> Tables:
    """Return the read-only arrays that rule functions and players use.

    Returns:
        The orange and the blue number of each diamond; int8, shape (2, 45). And by color and
        number, the set of diamonds in play that fit; uint64, shape (2, 11).
    """
    lower_if_odd = [low if (low + high) % 2 else high for low, high in PAIRS]
    orange = np.array(lower_if_odd if params.orange == "parity" else params.orange, np.int8)
    numbers = np.array([orange, TOTALS - orange], np.int8)
    fits = np.zeros((2, HIGHEST + 1), np.uint64)
    for color in (ORANGE, BLUE):
        for number in range(1, HIGHEST + 1):
            matches = [fit(int(numbers[color, tile]), number) for tile in range(NUM_TILES)]
            fitting = sum(1 << tile for tile, fits_there in enumerate(matches) if fits_there)
            fits[color, number] = fitting & params.in_play
    return numbers, fits


def fit(first: int, second: int) -> bool:
    """Return whether two numbers of the same color fit (booklet: Rules for the Game)."""
    return first == second or (first + second) % MULTIPLE == 0


def action_names(params: Params) -> tuple[str, ...]:
    """Return the name of each action, by index."""
    del params
    return ACTION_NAMES


def deck(params: Params) -> dict[str, int]:
    """Return the copies of each diamond by name: 1 if it is in play, else 0."""
    in_play = params.in_play
    return {name: in_play >> tile & 1 for tile, name in enumerate(NAMES)}
