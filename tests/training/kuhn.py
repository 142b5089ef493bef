"""Kuhn poker as a game of the engine: small enough to be solved on paper.

Each seat antes 1 and is dealt one of three cards; a bet is 1 (Kuhn, "A simplified two-person
poker", 1950).
"""

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kitchentable.core.game import Game, Players, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import TableState

CARDS = 3
PASS, BET = range(2)
MOST_PLAYS = 3


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    reshuffles: bool = False
    """Whether the third card is shuffled in again, which adds chance after the deal."""


class State(TableState):
    reshuffles: Annotated[bool, np.bool_]
    deck: Annotated[np.ndarray, np.int8, (CARDS,)]
    plays: Annotated[np.ndarray, np.int8, (MOST_PLAYS,)]
    num_plays: Annotated[int, np.int8]


@kernel
def init(state, top):
    state.current_player = state.num_plays = 0
    state.hand_over = state.terminated = state.truncated = False
    state.seed += np.uint64(1)
    start_stream(state, 0)
    for i in range(CARDS):
        state.deck[i] = i
    for i in range(top.shape[0]):
        j = i
        while state.deck[j] != top[i]:
            j += 1
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    shuffle(state, state.deck, top.shape[0], CARDS)


@kernel
def legal_action_mask(state, mask):
    mask[:] = True


@kernel
def step(state, action):
    state.plays[state.num_plays] = action
    state.num_plays += 1
    state.current_player = 1 - state.current_player
    n = state.num_plays
    called = n >= 2 and (action == state.plays[n - 2] or state.plays[n - 2] == BET)
    state.terminated = state.hand_over = called
    if state.reshuffles and not called:
        shuffle(state, state.deck, 0, CARDS)


@kernel
def rewards(state, out):
    if not state.terminated:
        return
    n = state.num_plays
    last, before = state.plays[n - 1], state.plays[n - 2]
    if last == PASS and before == BET:  # folded
        winner, won = n % 2, 1.0
    else:
        winner = 0 if state.deck[0] > state.deck[1] else 1
        won = 2.0 if last == BET else 1.0
    out[winner], out[1 - winner] = won, -won


@kernel
def scores(state, out):
    out[:] = 0


@kernel
def ranks(state, out):
    out[:] = 1


@kernel
def observe(state, viewer, out):
    out[state.deck[viewer]] = 1.0
    for i in range(state.num_plays):
        out[CARDS + 2 * i + state.plays[i]] = 1.0


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
        worst_hand=2,
        action_names=lambda _: ("pass", "bet"),
        deck=lambda _: {"J": 1, "Q": 1, "K": 1},
        observation_layout=lambda _: {"card": CARDS, "plays": 2 * MOST_PLAYS},
    ),
    players=Players(scripted={"cautious": cautious}),
)
