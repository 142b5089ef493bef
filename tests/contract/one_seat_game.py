"""A tiny one-seat game, for tests of what differs where there are no opponents.

Luck: draw cards of 1 to 6, and keep or burn each (at most two burns); stop at a lucky sum to win.
More than 12 ends the game. Every kept card is a hand of its own. Unlike Diddly, the game has lookup
tables, facts for the infos and a tuple among its parameters.
"""

import sys
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kitchentable.core.game import Game, Players, Render, Rules
from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import TableParams, check_choice, check_range
from kitchentable.core.rewards import MARGIN, REWARDS
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.state import TableState
from kitchentable.render.picture import Picture

KINDS, COPIES, MOST, BURNS = 6, 3, 12, 2
DRAW, STOP, KEEP, BURN = range(4)


@dataclass(frozen=True, kw_only=True)
class Params(TableParams):
    num_players: int = 1
    lucky: tuple[int, ...] = (9, 10, 11)

    def __post_init__(self):
        check_range("luck", "num_players", self.num_players, 1, 1)
        check_choice("luck", "reward", self.reward, REWARDS)
        object.__setattr__(self, "lucky", tuple(self.lucky))


class State(TableState):
    deck: Annotated[np.ndarray, np.int8, (KINDS * COPIES,)]
    drawn: Annotated[int, np.int8]
    held: Annotated[int, np.int8]
    total: Annotated[int, np.int8]
    kept: Annotated[np.ndarray, np.int8, (KINDS * COPIES,)]
    num_kept: Annotated[int, np.int8]
    burns: Annotated[int, np.int8]
    won: Annotated[bool, np.bool_]


def tables(params):
    """Return the value of each kind of card, and whether each sum is lucky."""
    lucky = np.zeros(MOST + KINDS + 1, np.uint8)
    lucky[list(params.lucky)] = 1
    return np.arange(1, KINDS + 1), lucky


@kernel
def init(state, top, values, lucky):
    state.current_player = state.drawn = state.total = state.burns = state.num_kept = 0
    state.kept[:] = 0
    state.hand_over = state.terminated = state.truncated = state.won = False
    state.held = -1
    state.seed += np.uint64(1)
    start_stream(state, 0)
    for i in range(KINDS * COPIES):
        state.deck[i] = i // COPIES
    for i in range(top.shape[0]):
        j = i
        while state.deck[j] != top[i]:
            j += 1
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    shuffle(state, state.deck, top.shape[0], KINDS * COPIES)


@kernel
def legal_action_mask(state, mask, values, lucky):
    mask[KEEP] = state.held >= 0
    mask[BURN] = (state.held >= 0) & (state.burns < BURNS)
    mask[DRAW] = state.held < 0
    mask[STOP] = (state.held < 0) & (state.total > 0)


@kernel
def step(state, action, values, lucky):
    state.hand_over = False
    if action == DRAW:
        state.held = state.deck[state.drawn]
        state.drawn += 1
        return
    if action == BURN:
        state.burns += 1
    if action == KEEP:
        state.total += values[state.held]
        state.kept[state.num_kept] = values[state.held]
        state.num_kept += 1
    state.held = -1
    over = (action == STOP) | (state.total > MOST)
    state.hand_over = over | (action == KEEP)
    state.terminated = over
    state.won = over & (lucky[state.total] != 0)


@kernel
def rewards(state, out):
    if state.terminated:
        share = state.total / MOST if state.total <= MOST else 0.0
        out[0] = share if state.reward == MARGIN else state.won


@kernel
def scores(state, out):
    out[0] = state.total


@kernel
def ranks(state, out):
    out[0] = 1 if state.won else 2


def hand_scores(state, player):
    return state.kept[: state.num_kept].tolist()


@kernel
def observe(state, viewer, out, values, lucky):
    for i in range(state.drawn):
        out[state.deck[i]] += 1.0 / COPIES
    if state.held >= 0:
        out[KINDS + state.held] = 1.0
    out[2 * KINDS] = state.total / (MOST + KINDS)
    out[2 * KINDS + 1] = (BURNS - state.burns) / BURNS


@kernel
def observe_state(state, out, values, lucky):
    observe(state, 0, out, values, lucky)
    for i in range(KINDS * COPIES):
        out[2 * KINDS + 2 + i] = state.deck[i] / KINDS


@kernel
def redeal(state, viewer, values, lucky):
    shuffle(state, state.deck, state.drawn, KINDS * COPIES)


@kernel
def greedy(observation, mask, variant, rng, values, lucky):
    """Keep every card and stop at a lucky sum, which only the lookup tables tell."""
    total = round(observation[2 * KINDS] * (MOST + KINDS))
    if mask[KEEP]:
        return KEEP
    return STOP if lucky[total] else DRAW


@kernel
def careful(observation, mask, variant, rng, values, lucky):
    """Play like `greedy`, but burn a card that would exceed the limit."""
    total = round(observation[2 * KINDS] * (MOST + KINDS))
    for kind in range(KINDS):
        if observation[KINDS + kind] > 0 and total + values[kind] > MOST and mask[BURN]:
            return BURN
    return greedy(observation, mask, variant, rng, values, lucky)


def text(view):
    state = view.state
    return f"Luck: {state.total} points, {state.burns} burnt, lucky are {view.params.lucky}"


def wide(view):
    picture = Picture(200, 100, "#ffffff")
    picture.text(10, 50, str(view.state.total), size=20, colour="#000000")
    return picture


LUCK = Game(
    name="luck",
    version=0,
    title="Luck",
    about="A game of the tests.",
    rules=Rules.of(
        sys.modules[__name__],
        worst_hand=10,
        action_names=lambda _: ("draw", "stop", "keep", "burn"),
        deck=lambda _: dict.fromkeys("123456", COPIES),
        observation_layout=lambda _: {"seen": KINDS, "held": KINDS, "total": 1, "left": 1},
        card_parts=("seen", "held"),
        state_layout=lambda _: {"observation": 2 * KINDS + 2, "deck": KINDS * COPIES},
        info=lambda _: {"motto": "fortune favours the brave"},
        unrecorded=("lucky",),
        variants=({}, {"reward": "margin"}, {"lucky": [12]}),
    ),
    players=Players(scripted={"greedy": greedy, "careful": careful}),
    render=Render.of(sys.modules[__name__]),
)
