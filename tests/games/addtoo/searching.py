"""The search of Add-Too's players, as tests call it, and what they read of an observation."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from tests.games.addtoo.layout import DIAMONDS

from kitchentable.core.kernels import subroutine
from kitchentable.engine.compiling import loop
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.players.lookahead import make_paper, search
from kitchentable.games.addtoo.players.reading import read
from kitchentable.games.addtoo.rules import legal_action_mask

if TYPE_CHECKING:
    from kitchentable.engine.batch import Batch


@subroutine
def think_on(paper, observation, variant, depth, every, plays, values, numbers, fits):
    read(observation, variant, numbers, fits, paper.tables[0])
    best = search(paper, depth, every, numbers, fits)
    for i in range(paper.counts[0]):
        values[i] = paper.values[i]
        for column in range(3):
            plays[i, column] = paper.plays[0, i, column]
    return best, paper.counts[0]


def think(observation, variant, depth, every, plays, values, numbers, fits):
    paper = make_paper(depth)
    return think_on(paper, observation, variant, depth, every, plays, values, numbers, fits)


@cache
def thinker():
    return loop(think, game=GAME, name="test-search", allocates=True)


def found_by_search(batch: Batch, i: int, depth: int, *, every: bool):
    """Return diamond, action, points and value of each play, and the index of the best.

    The diamond and the action are names.
    """
    rows, values = np.zeros((1000, 3), np.int64), np.zeros(1000)
    seen = batch.observations[i], batch.variant
    best, count = thinker()(*seen, depth, every, rows, values, *batch.tables)
    plays = [(DIAMONDS[row[0]], batch.action_names[row[1]], int(row[2])) for row in rows[:count]]
    return plays, values[:count].tolist(), int(best)


def read_all(observations, variant, records, masks, numbers, fits):
    """Read every observation into a record, and write the legal actions there."""
    for i in range(observations.shape[0]):
        read(observations[i], variant, numbers, fits, records[i])
        masks[i, :] = False
        legal_action_mask(records[i], masks[i], numbers, fits)


@cache
def reader():
    return loop(read_all, game=GAME, name="test-reading", allocates=True)
