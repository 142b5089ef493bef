"""The search of Add-Too's players, as tests call it, and the tables on which they try plays."""

from functools import cache

import numpy as np
from tests.games.addtoo.layout import DIAMONDS

from kitchentable.core.kernels import subroutine
from kitchentable.core.state import for_loops
from kitchentable.engine.batch import Batch
from kitchentable.engine.compiling import loop
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.players.lookahead import (
    lay_out,
    make_buffers,
    parts_of,
    search,
    table_in,
)
from kitchentable.games.addtoo.rules import legal_action_mask


@subroutine
def think_on(buffers, known, depth, every, plays, values, numbers, fits):
    lay_out(known, table_in(buffers.words), numbers, fits)
    best = search(buffers, depth, every, numbers, fits)
    for i in range(buffers.counts[0]):
        plays[i] = parts_of(buffers.plays[0, i])
        values[i] = buffers.values[i]
    return best, buffers.counts[0]


def think(known, depth, every, plays, values, numbers, fits):
    buffers = make_buffers(depth)
    return think_on(buffers, known[0], depth, every, plays, values, numbers, fits)


@cache
def thinker():
    return loop(think, game=GAME, name="test-search", allocates=True)


def found_by_search(batch: Batch, i: int, depth: int, *, every: bool):
    """Return diamond, action, points and value of each play, and the index of the best.

    The diamond and the action are names.
    """
    rows, values = np.zeros((1000, 3), np.int64), np.zeros(1000)
    known = for_loops(batch.know(batch.current_player)[i : i + 1])
    best, count = thinker()(known, depth, every, rows, values, *batch.tables)
    plays = [(DIAMONDS[row[0]], batch.action_names[row[1]], int(row[2])) for row in rows[:count]]
    return plays, values[:count].tolist(), int(best)


def lay_all_out(known, tables, masks, numbers, fits):
    """Lay out what is known in each game, and write the legal actions there."""
    for i in range(known.shape[0]):
        lay_out(known[i], tables[i], numbers, fits)
        masks[i, :] = False
        legal_action_mask(tables[i], masks[i], numbers, fits)


@cache
def layer():
    return loop(lay_all_out, game=GAME, name="test-layout", allocates=True)
