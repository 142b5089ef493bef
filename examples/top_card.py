"""Top Card, a whole game in one file: a template to copy for a game of your own.

Two to four seats play tricks for points; `rulebook` has the rules for people. Everything else is
what a game needs at least, which is enough to play, learn and test it.
`docs/guides/adding_a_game.md` describes the optional parts of a game.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.game import Game, Render, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams, check_range
from kitchentable.core.piles import stack, take_top
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import advance, shuffle_hidden, start_game, start_stream
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, IntArray, TableState
from kitchentable.render.rulebook import Sections

# --- Cards, parameters and state ------------------------------------------------------------------

KINDS, COPIES = 9, 4
"""The numbers of kinds and of copies of each; kind 0 is the card 1, kind 8 the card 9."""
NUM_CARDS = KINDS * COPIES
NO_CARD = -1
HAND = 3
"""The number of cards of a seat, and so of tricks."""
MAX_PLAYERS = 4
WORST_HAND = HAND + 1


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    """The parameters, which are only those that every game has."""

    def __post_init__(self) -> None:
        check_range("top_card", "num_players", self.num_players, 2, MAX_PLAYERS)


VARIANTS = ({}, {"num_players": 3, "reward": "margin"}, {"num_players": 4})


class State(TableState):
    """The complete state of one game."""

    deck: Annotated[NDArray[np.int8], np.int8, (NUM_CARDS,)]
    """The kinds of the first ``deck_size`` cards; the last of them is drawn next."""
    deck_size: Annotated[int, np.int8]
    hands: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, KINDS)]
    """The number of cards of each kind by seat."""
    trick: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """The kind that each seat has played in the current trick, or `NO_CARD`."""
    seen: Annotated[NDArray[np.int8], np.int8, (KINDS,)]
    """The number of cards of each kind that were played in earlier tricks."""
    points: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    tricks_done: Annotated[int, np.int8]


def action_names(params: Params) -> tuple[str, ...]:
    """Return the names of the actions."""
    del params
    return tuple(f"play:{kind + 1}" for kind in range(KINDS))


def deck(params: Params) -> dict[str, int]:
    """Return the number of copies of each card by its name."""
    del params
    return {f"{kind + 1}": COPIES for kind in range(KINDS)}


# --- The rules ------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8]) -> None:
    """Deal a new game; ``top`` are the first cards of the deck, and the rest is shuffled."""
    start_game(state)
    start_stream(state, 0)
    for i in range(NUM_CARDS):
        state.deck[i] = i // COPIES
    stack(state, NUM_CARDS, top)
    state.hands[:] = 0
    for _ in range(HAND):
        for player in range(state.num_players):
            state.hands[player, take_top(state)] += 1
    state.trick[:] = NO_CARD
    state.seen[:] = 0
    state.points[:] = 0
    state.tricks_done = 0
    state.current_player = 0


@kernel
def legal_action_mask(state: State, mask: BoolArray) -> None:
    """Mark the cards in the hand of the seat to move."""
    for kind in range(KINDS):
        mask[kind] = state.hands[state.current_player, kind] > 0


@kernel
def step(state: State, action: int) -> None:
    """Play a card; score the trick if it is complete."""
    player = state.current_player
    state.hands[player, action] -= 1
    state.trick[player] = action
    state.current_player = (player + 1) % state.num_players
    if state.trick[state.current_player] != NO_CARD:
        _end_trick(state)


@kernel
def _end_trick(state: State) -> None:
    """Give a point to the highest card that only one seat has played, if there is one."""
    winner = NOBODY
    for kind in range(KINDS):
        count, player = 0, NOBODY
        for seat in range(state.num_players):
            if state.trick[seat] == kind:
                count += 1
                player = seat
        state.seen[kind] += count
        if count == 1:
            winner = player  # the highest one so far, as kinds are in ascending order
    if winner != NOBODY:
        state.points[winner] += 1
        state.current_player = winner
    state.trick[:] = NO_CARD
    state.tricks_done += 1
    state.terminated = state.tricks_done == HAND
    state.hand_over = state.terminated


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write the rewards of the last step; all rewards are paid at the end."""
    if state.terminated and state.reward == MARGIN:
        pay_margins(state.points, state.num_players, 1, out)
    elif state.terminated:
        ranks(state, out)
        pay_winners(out, state.num_players)


@kernel
def scores(state: State, out: IntArray) -> None:
    """Write the points; high points win."""
    for player in range(state.num_players):
        out[player] = state.points[player]


@kernel
def ranks(state: State, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by points; seats with equal points share a rank."""
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += state.points[other] > state.points[player]


# --- Observations ---------------------------------------------------------------------------------

CARD_PARTS = ("hand", "trick", "seen")


def observation_layout(params: Params) -> dict[str, int]:
    """Return the length of each part by name, in order; seats are counted from the viewer."""
    seats = params.num_players
    return {
        "to_act": seats,  # one-hot
        "hand": KINDS,  # cards of each kind, of all copies
        "trick": seats * KINDS,  # one-hot each: what lies in this trick
        "seen": KINDS,  # cards of each kind played in earlier tricks, of all copies
        "points": seats,  # of all tricks
    }


@kernel
def observe(state: State, viewer: int, out: FloatArray) -> None:
    """Write what seat ``viewer`` sees into ``out``, which is zero on entry."""
    at, seats = state.at, int(state.num_players)  # `at`: where each part of the layout begins
    out[at.to_act + int(state.current_player - viewer) % seats] = 1.0
    for i in range(seats):
        player = (viewer + i) % seats
        if state.trick[player] != NO_CARD:
            out[at.trick + i * KINDS + int(state.trick[player])] = 1.0
        out[at.points + i] = state.points[player] / HAND
    for kind in range(KINDS):
        out[at.hand + kind] = state.hands[viewer, kind] / COPIES
        out[at.seen + kind] = state.seen[kind] / COPIES


@kernel
def redeal(state: State, viewer: int) -> None:
    """Redeal the deck and the hands of all seats except ``viewer``, using ``state.rng``."""
    for player in range(state.num_players):
        if player != viewer:
            for kind in range(KINDS):
                for _ in range(state.hands[player, kind]):
                    state.deck[state.deck_size] = kind
                    state.deck_size += 1
                state.hands[player, kind] = 0
    shuffle_hidden(state, state.deck, 0, state.deck_size)
    state.seed = advance(state.rng)  # the seed of later deals
    for player in range(state.num_players):
        if player != viewer:
            has_played = state.trick[player] != NO_CARD
            for _ in range(HAND - state.tricks_done - int(has_played)):
                state.hands[player, take_top(state)] += 1


# --- Optional: the rules for people ---------------------------------------------------------------


def rulebook(params: Params) -> Sections:
    """Return the rules by section, with the numbers of the parameters."""
    return {
        "Components": [
            f"{NUM_CARDS} cards: the numbers 1 to {KINDS}, {COPIES} of each. "
            f"{params.num_players} players."
        ],
        "Set-up": [f"Each player is dealt {HAND} cards."],
        "A trick": [
            "Each player in turn plays one card, face up. The highest card that nobody else has "
            "played takes a point, and its player leads the next trick."
        ],
        "End of the game": [f"After {HAND} tricks the most points win."],
    }


GAME = Game(
    name="top_card",
    version=0,
    title="Top Card",
    about="Play the highest card that nobody else plays.",
    rules=Rules.of(sys.modules[__name__]),
    render=Render(rulebook=rulebook),
)
