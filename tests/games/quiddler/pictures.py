"""Positions of Quiddler that together show everything, for tests of text and pictures."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.positions import Positions

from kitchentable.engine.batch import Batch
from kitchentable.games.quiddler import GAME
from kitchentable.games.quiddler import state as s
from kitchentable.games.quiddler.cards import CARD_NAMES, COPIES

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
"""Seed of games with both upheld and rejected words, see `test_drawing`."""
LAYING = ("spell", "word", "longest", "most")


def eager(batch, rng):
    """Play at random, but lay a word in nine of ten cases where that is legal."""
    lays = [action.split(":")[0] in LAYING for action in batch.action_names]
    legal, laying = np.flatnonzero(batch.masks[0]), np.flatnonzero(batch.masks[0] & lays)
    return int(rng.choice(laying if laying.size and rng.random() < 0.9 else legal))


games = Positions(GAME, lambda name: {"seed": SEED, **TABLES[name]}, eager)
copied, view, positions, sample = games.copied, games.look, games.positions, games.sample
position_with, shown, is_shown = games.position_with, games.shown, games.is_shown


def crowded(state):
    """Return a copy with as many cards on the table, and the longest texts, as possible."""
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
    """Return a table where player_0 has gone out with a word, and player_1 spells its own."""
    top = ["c", "qu", "a", "i", "t", "z", "e", "x"]
    batch = Batch(GAME, 1, seed=1, autoreset=False, hand_sizes=(3, 3))
    batch.reset(top=np.array([KIND[name] for name in top], np.int8))
    moves = "draw spell:c spell:a spell:t word discard:x take spell:qu spell:i"
    return played(batch, moves)


def played(batch, moves):
    for move in moves.split():
        batch.step(batch.action_names.index(move))
    return batch
