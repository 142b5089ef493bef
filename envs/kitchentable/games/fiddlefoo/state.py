"""Actions, parameters and state record of Fiddlefoo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import small, write_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import (
    Copies,
    TableParams,
    check_choice,
    check_range,
    one_line_repr,
    plain_with_copies,
    read_copies,
    read_names,
)
from kitchentable.core.piles import deck_with
from kitchentable.core.state import Bits, TableState
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.cards import NUM_BASE, WORDS

MAX_PLAYERS = 6
HAND = 8
"""Cards dealt to a seat by the rule sheet, the most that can be dealt."""
MAX_GAMES = 100
MAP_SIZES = (4, 6, 8, 10, 12, 14, 16)
SIDE = 16
"""Cells per row in the record: cell ``SIDE * row + column``, for every size of the window."""
NUM_CELLS = SIDE * SIDE
BLOCKS = NUM_CELLS // 64
"""64-bit words in a set of cells; a cell is bit ``cell & 63`` of word ``cell >> 6``."""
ALL_COLORS = c.NUM_COLORS
"""Index of the cells of all cards in ``State.boards``, after the colors."""
NOWHERE = -1
WORST_HAND = int(c.NOTES.sum()) + 2 * c.MOST_NOTES
"""An upper bound on the cost of a hand: all cards, and one card counted double."""
BASE_DECK = dict.fromkeys(c.CARD_NAMES[:NUM_BASE], 1)
"""Copies of each base card in the real deck, by name."""
FULL_PILE = 10
"""Music notes in a full pile (sheet: Variant Cooperative)."""
LONGEST = 3
"""The largest distance at which other seats may throw (sheet: Gameplay)."""
MOST_SWAPS = 3
MOST_REMOVALS = 3
MOST_DRAWS = 4
"""More cards that must still be drawn are shown as this many."""

# The decision of the current player; `RUNNING` occurs only between two decisions.
(
    CARD, CELL, THROW, DISCARD, MOVE, MOVE_CELL, REMOVE, AGAIN, SWAP_CARD, SWAP_MAP, OVER, RUNNING,
) = range(12)  # fmt: skip
PHASES = (
    "choose a card to play",
    "choose a cell for it",
    "throw",
    "take a card out of the game",
    "choose a card to move",
    "choose a cell to move it to",
    "remove cards from the map",
    "play again",
    "choose a hand card to swap",
    "choose a map card to swap it with",
    "over",
)

# `State.stage`: what comes next in a play, after it, or in the game.
EFFECTS, SONG, THROWS, PLAY_ON, PLAYED, TURN, DEAL = range(7)

# `State.thrown`: what the seat that is asked to throw has thrown at this pair.
NOTHING, RANGE_CARDS, DONE = range(3)

# Indices into `State.outer`, named after the fields that are saved there.
(
    OUTER_STAGE, OUTER_PLAYER, OUTER_CARD, OUTER_PARTNER, OUTER_CELL, OUTER_PARTNER_CELL,
    OUTER_LOW, OUTER_HIGH, OUTER_DISTANCE, OUTER_COLOR, OUTER_SAFE, OUTER_AGAIN,
    OUTER_THROWER, OUTER_THROWN, OUTER_DRAWER, OUTER_DRAWS,
) = range(16)  # fmt: skip

ANY_COLOR = c.NUM_COLORS
"""Color of a pair at which range cards of every color may be thrown."""


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """Parameters of a game of Fiddlefoo.

    Raises:
        ValueError: a value is not possible; the message says what is.
    """

    num_players: int = cast("int", None)
    """Number of seats, 2 to 6. The default is 2, or 4 with ``cooperative``."""
    games: int = 1
    """Number of games played one after another, 1 to 100."""
    map_size: int = 12
    """Rows and columns of the map: 8, 10, 12, 14 or 16; or 4 or 6 in small variants of the game
    for exact computations."""
    wildcard: bool = False
    """Whether purple counts as any color; not allowed with ``cooperative``."""
    cooperative: bool = False
    """Whether all seats are one team that fills a pile of each color."""
    talkytoot: str | tuple[str, ...] = ()
    """Names of the action cards that are shuffled into the deck, or ``"all"``."""
    hand: int = HAND
    """Cards dealt to a seat, 1 to 8. The rule sheet says 8."""
    copies: Mapping[str, int] | Copies | None = None
    """The base cards of a shortened deck, such as ``{"Y3": 1, "R7": 1}``; None for all. Colors that
    are left out are not in the block either."""

    def __post_init__(self) -> None:
        if cast("int | None", self.num_players) is None:
            object.__setattr__(self, "num_players", 4 if self.cooperative else 2)
        check_range("fiddlefoo", "num_players", self.num_players, 2, MAX_PLAYERS)
        check_range("fiddlefoo", "games", self.games, 1, MAX_GAMES)
        check_choice("fiddlefoo", "map_size", self.map_size, MAP_SIZES)
        names = list(c.ACTION_CARDS)
        talkytoot = read_names("fiddlefoo", "talkytoot", self.talkytoot, names, "action card")
        object.__setattr__(self, "talkytoot", talkytoot)
        if self.wildcard and self.cooperative:
            raise ValueError(
                "fiddlefoo: wildcard=True is not possible with cooperative=True: the rules do not "
                "say on which pile a purple card of any color may go; choose one of the two"
            )
        check_range("fiddlefoo", "hand", self.hand, 1, HAND)
        copies = read_copies("fiddlefoo", self.copies, BASE_DECK, 1, "the block")
        object.__setattr__(self, "copies", copies)
        self._check_deck()

    def _check_deck(self) -> None:
        """Raise `ValueError` if there are too few cards for the block and the hands."""
        in_deck = [name for name, number in deck(self).items() if number]
        block = len({name[0] for name in in_deck if name in BASE_DECK})
        needed = block + self.num_players * self.hand
        if len(in_deck) < needed:
            raise ValueError(
                f"fiddlefoo: copies={one_line_repr(self.copies)} has too few cards: a block of "
                f"{block} and {self.num_players} hands of {self.hand} need {needed}, and the deck "
                f"has {len(in_deck)}"
            )

    def plain(self) -> dict[str, Any]:
        """Return the parameters as JSON-compatible values, without ``copies`` for the real deck."""
        return plain_with_copies(self.as_dict() | {"talkytoot": list(self.talkytoot)})


class State(TableState):
    """The full state of one game."""

    # Parameters.
    games: Annotated[int, np.int8]
    map_size: Annotated[int, np.int16]
    wildcard: Annotated[bool, np.bool_]
    cooperative: Annotated[bool, np.bool_]
    hand: Annotated[int, np.int8]
    num_cards: Annotated[int, np.int16]
    """Number of cards that actions and observations list: all base cards, and the action cards that
    are shuffled in."""
    at_throw: Annotated[int, np.int16]
    """Index of the first action ``throw:``; so for the next three. ``card:`` begins at 0."""
    at_pass: Annotated[int, np.int16]
    at_pile: Annotated[int, np.int16]
    at_map: Annotated[int, np.int16]
    in_play: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """The cards of the deck; of the base cards those in the parameter ``copies``."""
    # The game.
    games_done: Annotated[int, np.int8]
    games_won: Annotated[int, np.int8]
    """Cooperative: number of games in which every pile was full."""
    starter: Annotated[int, np.int8]
    """The seat that began the current game."""
    # The decision.
    phase: Annotated[int, np.int8]
    chosen: Annotated[int, np.int8]
    """The card that is about to be played, moved or swapped, or `NO_CARD`; still in its place."""
    turn: Annotated[int, np.int8]
    """The seat whose turn it is."""
    turn_color: Annotated[int, np.int8]
    """The color of the first card played in this turn, or `NOWHERE`."""
    blocked: Annotated[int, np.int8]
    """Consecutive turns without a play or a draw."""
    last_added: Annotated[int, np.int8]
    """The card that a play added to the map last; at first the fourth card of the block."""
    # The play: one card added to the map, and everything that follows from it.
    player: Annotated[int, np.int8]
    """The active seat, which adds the card."""
    card: Annotated[int, np.int8]
    """The card added, or `NO_CARD` before a card has been played."""
    partner: Annotated[int, np.int8]
    """The other card of the counted pair."""
    cell: Annotated[int, np.int16]
    partner_cell: Annotated[int, np.int16]
    low: Annotated[int, np.int8]
    """The lower number of the pair."""
    high: Annotated[int, np.int8]
    distance: Annotated[int, np.int8]
    """Cells between the two cards."""
    color: Annotated[int, np.int8]
    """The color of the pair, or `ANY_COLOR`."""
    safe: Annotated[bool, np.bool_]
    """Whether the pair is a Safe Song."""
    stage: Annotated[int, np.int8]
    """What comes next, `EFFECTS` to `DEAL`."""
    effects: Annotated[NDArray[np.int8], np.int8, (2,)]
    """Cards of the pair whose effects have not been resolved yet, or `NO_CARD`."""
    removals: Annotated[int, np.int8]
    """Cards that may still be removed from the map."""
    again: Annotated[bool, np.bool_]
    """Whether the active seat may play another card after the throws."""
    thrower: Annotated[int, np.int8]
    """The seat that is asked to throw."""
    thrown: Annotated[int, np.int8]
    """What that seat has thrown at this pair: `NOTHING`, `RANGE_CARDS` or `DONE`."""
    drawer: Annotated[int, np.int8]
    draws: Annotated[int, np.int8]
    """Cards that the seat ``drawer`` must still draw."""
    swaps: Annotated[int, np.int8]
    """Remaining swaps of a hand card with a map card."""
    nested: Annotated[bool, np.bool_]
    """Whether another turn or play was interrupted by this play of a card that had to be played at
    once; ``outer`` then holds the interrupted one."""
    outer: Annotated[NDArray[np.int16], np.int16, (OUTER_DRAWS + 1,)]
    """The saved fields of the interrupted turn or play, by ``OUTER_...``."""
    fits_range: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards that may be thrown at this pair as range cards, by any seat."""
    fits_notes: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards that may be thrown only for their notes."""
    received: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards received in this turn."""
    swapped: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards swapped by the current effect, both those given and those taken."""
    playable: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Hand cards that the active seat may play."""
    legal: Annotated[NDArray[np.uint64], np.uint64, (BLOCKS,)]
    """Legal cells for the chosen card."""
    # The table.
    deck_size: Annotated[int, np.int8]
    hands: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS, WORDS)]
    known: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS, WORDS)]
    """Cards in ``hands`` that all seats know of."""
    on_map: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    removed: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards removed from the game."""
    on_piles: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    pile_tops: Annotated[NDArray[np.int8], np.int8, (c.NUM_COLORS,)]
    """Cooperative: the highest number on each pile; 0 if the pile is empty."""
    pile_notes: Annotated[NDArray[np.int8], np.int8, (c.NUM_COLORS,)]
    boards: Annotated[NDArray[np.uint64], np.uint64, (c.NUM_COLORS + 1, BLOCKS)]
    """The cells that cards of each color occupy; last the cells of all cards."""
    places: Annotated[NDArray[np.int16], np.int16, (c.NUM_CARDS,)]
    """The cell of each card, or `NOWHERE`."""
    cells: Annotated[NDArray[np.int8], np.int8, (NUM_CELLS,)]
    """The card in each cell, or `NO_CARD`."""
    deck: Annotated[NDArray[np.int8], np.int8, (c.NUM_CARDS,)]
    """The draw pile: the first ``deck_size`` entries, of which the last is drawn next."""
    action_cards: Annotated[NDArray[np.int8], np.int8, (c.NUM_ACTIONS,)]
    """The action cards in play, in index order."""
    action_places: Annotated[NDArray[np.int8], np.int8, (c.NUM_ACTIONS,)]
    """The position of each action card in ``action_cards``, or `NOWHERE`."""
    # The history.
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Penalty points of the finished games; cooperative: full piles, the same for all seats."""
    last_scores: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    """Points of the last finished game."""
    last_hands: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS, WORDS)]
    """Hands at the end of the last finished game."""
    last_pile_notes: Annotated[NDArray[np.int8], np.int8, (c.NUM_COLORS,)]
    hand_points: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS, MAX_GAMES)]


UNRECORDED = ("talkytoot", "copies")


def derive(state: State, params: Params) -> None:
    """Write the cards in play and the numbers of the actions into a record."""
    chosen = [list(c.ACTION_CARDS).index(name) for name in params.talkytoot]
    state.num_cards = c.NUM_BASE + len(chosen)
    state.action_cards[:] = c.NO_CARD
    state.action_places[:] = NOWHERE
    for place, effect in enumerate(chosen):
        state.action_cards[place] = c.NUM_BASE + effect
        state.action_places[effect] = place
    state.in_play[:] = c.set_of(
        c.CARD_NAMES.index(name) for name, number in deck(params).items() if number
    )
    state.at_throw = int(state.num_cards) + params.map_size**2
    state.at_pass = state.at_throw + state.num_cards
    state.at_pile = state.at_pass + 1
    state.at_map = state.at_pile + (state.num_cards if params.cooperative else 0)


def moves_map_cards(params: Params) -> bool:
    """Return whether an action card in play lets a seat choose a map card."""
    movers = {c.CARD_NAMES[card] for card in (c.MOVE_CARD, c.REMOVE_CARDS, c.SWAP_MAP_CARD)}
    return bool(movers & set(params.talkytoot))


def action_names(params: Params) -> tuple[str, ...]:
    """Return the name of each action, by index."""
    cards = list(deck(params))
    side = range(params.map_size)
    return (
        *(f"card:{name}" for name in cards),
        *(f"cell:{row},{column}" for row in side for column in side),
        *(f"throw:{name}" for name in cards),
        "pass",
        *(f"pile:{name}" for name in cards if params.cooperative),
        *(f"map:{name}" for name in cards if moves_map_cards(params)),
    )


def deck(params: Params) -> dict[str, int]:
    """Return the number of copies of each card, by name: at most one (rules page: Cards)."""
    return {**deck_with(params.copies, BASE_DECK), **dict.fromkeys(params.talkytoot, 1)}


@kernel
def index_of(state: Any, card: int) -> int:
    """Return the position of a card among those in play, in a `State` or a `Knowledge`."""
    if card < c.NUM_BASE:
        return int(card)
    return c.NUM_BASE + int(state.action_places[card - c.NUM_BASE])


@kernel
def card_at(state: Any, index: int) -> int:
    """Return the card at a position among those in play."""
    if index < c.NUM_BASE:
        return int(index)
    return int(state.action_cards[index - c.NUM_BASE])


@kernel
def cell_at(state: Any, index: int) -> int:
    """Return the cell at a position in the window, row by row."""
    return int(SIDE * (index // state.map_size) + index % state.map_size)


@kernel
def cell_action(state: Any, cell: int) -> int:
    """Return the action that chooses a cell."""
    return int(state.num_cards + (cell // SIDE) * state.map_size + cell % SIDE)


@kernel
def write_cards(state: Any, cards: Bits, out: Any, at: int) -> None:
    """Write a set of cards from ``out[at]`` on: 1 or 0 for each card in play, in order."""
    write_bits(cards[0], NUM_BASE, out, at)
    for index in range(NUM_BASE, small(state.num_cards)):
        out[at + index] = c.has(cards, card_at(state, index))


def cooperative(params: Params) -> bool:
    """Return whether all seats win or lose together."""
    return params.cooperative
