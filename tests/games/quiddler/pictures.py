"""Positions of Quiddler that between them show everything, for tests of text and pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.contract.pictures import copied as copied_of

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES
from kitchentable.render.view import View

KIND = {name: kind for kind, name in enumerate(CARD_NAMES)}
TABLES = {
    "two": {"hand_sizes": (3, 10)},
    "three, auto": {"num_players": 3, "hand_sizes": (4, 9), "meld": "auto"},
    "four, challenges": {"num_players": 4, "hand_sizes": (3, 4, 10), "challenges": True},
    "eight": {"num_players": 8, "hand_sizes": (5, 10)},
}
every_table = pytest.mark.parametrize("name", TABLES)
both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
SEED = 0
"""Of games in which words are both upheld and rejected, see `test_drawing`."""
LAYING = ("spell", "word", "longest", "most")


def copied(state):
    return copied_of(GAME, state)


def view(state, params, viewer):
    return View(GAME, state, params, viewer)


@cache
def positions(name):
    """Parameters and positions of one game, in which whoever can lay a word mostly does."""
    batch = Batch(GAME, 1, seed=SEED, autoreset=False, **TABLES[name])
    lays = [action.split(":")[0] in LAYING for action in batch.action_names]
    rng = np.random.default_rng(1)
    states = [copied(batch.states[0])]
    while not batch.dones[0]:
        legal = np.flatnonzero(batch.masks[0])
        laying = np.flatnonzero(batch.masks[0] & lays)
        eager = laying.size and rng.random() < 0.9
        batch.step(int(rng.choice(laying if eager else legal)))
        states.append(copied(batch.states[0]))
    return batch.params, states


def sample(name, count):
    """Positions spread over a game; its last and those that end a hand among them."""
    params, states = positions(name)
    spread = states[:: max(1, len(states) // count)]
    return params, [*spread, *(state for state in states if state.hand_over)]


def position_with(name, condition):
    params, states = positions(name)
    return params, next(state for state in states if condition(state))


def crowded(state):
    """A copy with as much on the table, and to say, as there can be."""
    state = copied(state)
    state.totals[:] = 4321
    state.last_scores[:] = 150
    state.hand_points[:] = 150
    state.turns[:] = 1000
    state.lost[:] = 100
    state.pile_counts[:] = 12
    state.reshuffled, state.recycled[:] = True, COPIES
    most = int(state.largest_hand)
    pairs = most // 2
    state.last_num_words[:] = pairs
    state.last_verdicts[:] = s.UPHELD if state.challenges else s.UNCHALLENGED
    state.last_longest = state.last_most = 0
    for laid, ends in ((state.last_laid, state.last_word_ends), (state.laid, state.word_ends)):
        laid[:] = KIND["qu"]
        ends[:, :pairs] = 2 * np.arange(1, pairs + 1)
    if state.phase == s.SOURCE:
        state.hand_over, state.out, state.last_turns = False, 0, 1
        state.num_laid[:] = 2 * pairs
        state.num_words[:] = pairs
        if state.challenges:
            state.verdicts[:] = s.REJECTED
            state.verdicts[0] = s.UPHELD
        state.hands[:] = state.picked_up[:] = 0
        state.hands[:, KIND["er"]] = state.picked_up[:, KIND["er"]] = most + 1 - 2 * pairs
    elif state.phase == s.JUDGE:
        state.dealer = state.out = state.accused
    return state


def golden():
    """A hand in which player_0 has gone out with a word, and player_1 spells its own."""
    top = ["c", "qu", "a", "i", "t", "z", "e", "x"]
    batch = Batch(GAME, 1, seed=1, autoreset=False, hand_sizes=(3, 3))
    batch.reset(top=np.array([KIND[name] for name in top], np.int8))
    moves = "draw spell:c spell:a spell:t word discard:x take spell:qu spell:i"
    return played(batch, moves)


def played(batch, moves):
    for move in moves.split():
        batch.step(batch.action_names.index(move))
    return batch
