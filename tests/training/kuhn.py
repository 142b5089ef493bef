"""Kuhn poker as a game of the engine: two seats, six deals or more, and no illegal action.

Each seat antes one stake and is dealt one of three cards or more; a bet is another stake (Kuhn, "A
simplified two-person poker", 1950). It is small enough to be solved on paper.
"""

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kitchentable.core.game import Game, Players, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams, check_choice, check_range
from kitchentable.core.rewards import MARGIN, REWARDS, pay_margins, pay_winners
from kitchentable.core.rng import advance, shuffle, shuffle_hidden, start_stream
from kitchentable.core.state import ALL_SEEING, NOBODY, TableState

CARDS = 3
MOST_CARDS = 13
SEATS = 2
PASS, BET = range(2)
MOST_PLAYS = 3
STAKE = 5
"""Points: what one seat wins and the other loses is 10 of margin, and pays 1."""


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    reshuffles: bool = False
    """Whether the cards are dealt anew after each decision, which adds chance after the deal."""
    cards: int = CARDS
    """Cards in the deck, 3 to 13; two are dealt."""

    def __post_init__(self):
        check_range("kuhn", "num_players", self.num_players, SEATS, SEATS)
        check_choice("kuhn", "reward", self.reward, REWARDS)
        check_choice("kuhn", "reshuffles", self.reshuffles, (False, True))
        check_range("kuhn", "cards", self.cards, CARDS, MOST_CARDS)


class State(TableState):
    reshuffles: Annotated[bool, np.bool_]
    cards: Annotated[int, np.int8]
    deck: Annotated[np.ndarray, np.int8, (MOST_CARDS,)]
    plays: Annotated[np.ndarray, np.int8, (MOST_PLAYS,)]
    num_plays: Annotated[int, np.int8]
    points: Annotated[np.ndarray, np.int32, (SEATS,)]


@kernel
def init(state, top):
    state.current_player = state.num_plays = 0
    state.plays[:] = 0
    state.points[:] = 0
    state.hand_over = state.terminated = state.truncated = False
    state.seed = advance(state.seed)
    start_stream(state, 0)
    for i in range(MOST_CARDS):
        state.deck[i] = i
    for i in range(top.shape[0]):
        j = i
        while state.deck[j] != top[i]:
            j += 1
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    shuffle(state, state.deck, top.shape[0], state.cards)


@kernel
def legal_action_mask(state, mask):
    mask[:] = True


@kernel
def step(state, action):
    state.plays[state.num_plays] = action
    state.num_plays += 1
    state.current_player = 1 - state.current_player
    n = state.num_plays
    if n >= 2 and (action == state.plays[n - 2] or state.plays[n - 2] == BET):
        _end(state)
    elif state.reshuffles:
        shuffle(state, state.deck, 0, state.cards)


@kernel
def _end(state):
    n = state.num_plays
    last, before = state.plays[n - 1], state.plays[n - 2]
    won = STAKE
    if last == PASS and before == BET:
        winner = n % 2  # the other seat has folded
    else:
        winner = 0 if state.deck[0] > state.deck[1] else 1
        won += STAKE * last
    state.points[winner] = won
    state.points[1 - winner] = -won
    state.terminated = state.hand_over = True


@kernel
def rewards(state, out):
    if state.terminated and state.reward == MARGIN:
        pay_margins(state.points, SEATS, 1, out)
    elif state.terminated:
        ranks(state, out)
        pay_winners(out, SEATS)


@kernel
def scores(state, out):
    for player in range(SEATS):
        out[player] = state.points[player]


@kernel
def ranks(state, out):
    for player in range(SEATS):
        out[player] = 1 if state.points[player] >= state.points[1 - player] else 2


@kernel
def redeal(state, viewer):
    """Deal hidden cards again; after a showdown, so that the same seat has won."""
    seat = max(viewer, 0)
    state.deck[0], state.deck[seat] = state.deck[seat], state.deck[0]
    shuffle_hidden(state, state.deck, _num_known(viewer), state.cards)
    state.deck[0], state.deck[seat] = state.deck[seat], state.deck[0]
    n = state.num_plays
    if state.terminated and state.plays[n - 1] == state.plays[n - 2]:
        theirs, j = 1 - seat, SEATS - 1
        while (state.deck[seat] > state.deck[theirs]) != (state.points[seat] > 0):
            if viewer == NOBODY:
                state.deck[0], state.deck[1] = state.deck[1], state.deck[0]
            else:
                j += 1
                state.deck[theirs], state.deck[j] = state.deck[j], state.deck[theirs]
    state.seed = advance(state.rng)


@kernel
def _num_known(viewer):
    """Return how many cards at the front a viewer knows, if the own one is the first."""
    if viewer == NOBODY:
        return 0
    return SEATS if viewer == ALL_SEEING else 1


@kernel
def observe(state, viewer, out):
    out[state.deck[viewer]] = 1.0
    for i in range(state.num_plays):
        out[state.cards + 2 * i + state.plays[i]] = 1.0


@kernel
def cautious(observation, mask, variant, rng):
    """Bet with the best card only."""
    return BET if observation[CARDS - 1] > 0 else PASS


KUHN = Game(
    name="kuhn",
    version=0,
    title="Kuhn poker",
    about="A game of the tests.",
    rules=Rules.of(
        sys.modules[__name__],
        worst_hand=4 * STAKE,
        action_names=lambda _: ("pass", "bet"),
        deck=lambda params: dict.fromkeys(["J", "Q", "K", *"ABCDEFGHIL"][: params.cards], 1),
        observation_layout=lambda params: {"card": params.cards, "plays": 2 * MOST_PLAYS},
        variants=({}, {"reward": "margin"}, {"reshuffles": True}),
    ),
    players=Players(scripted={"cautious": cautious}),
)
