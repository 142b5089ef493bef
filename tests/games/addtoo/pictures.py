"""Positions of Add-Too for the tests of texts and pictures, and helpers that read the pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.games.addtoo.play import Table
from tests.games.positions import Positions

from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo import state as table
from kitchentable.games.addtoo.board import attached, lay
from kitchentable.games.addtoo.geometry import WAYS
from kitchentable.games.addtoo.render.view import offers
from kitchentable.games.addtoo.state import NUM_TILES, OVER, PLACE
from kitchentable.render.picture import Polygon

TABLES = {
    "two": {"max_hands": 4},
    "parallel": {"num_players": 3, "turned": False, "strict_colors": True, "target": 60},
    "six": {
        "num_players": 6,
        "max_hands": 2,
        "fifth_draw_plays": False,
        "sealed_ends_hand": False,
        "orange": tuple(high for _, high in table.PAIRS),
    },
}
every_table = pytest.mark.parametrize("name", TABLES)
FARTHEST = {
    "right": lambda place: place[0] + place[1] / 2,
    "up": lambda place: place[1],
    "down": lambda place: -place[1],
}
"""By direction in the picture: how a chain of diamonds grows that way."""


games = Positions(GAME, lambda name: {"seed": 3, **TABLES[name]})
copied, look, positions, sample = games.copied, games.look, games.positions, games.sample
position_with, is_shown, texts_in = games.position_with, games.is_shown, games.texts_in


@cache
def choosing(name, phase):
    """Return parameters and some positions in which a diamond or a place is to be chosen."""
    params, states = positions(name)
    found = [state for state in states if state.phase == phase]
    most = sorted(found, key=lambda state: len(offers(look(state, params))))[-3:]
    return params, [*found[:: max(1, len(found) // 4)], *most]


def figure_5():
    """Return the booklet's Figure 5: 9-10 between 1-9 and 1-10 or 3-10, away from the last, 3-4."""
    lying = "1-9@0,0,0,0 1-10@-1,0,0,1 3-10@-1,-1,0,0 3-4@-2,-1,0,1"
    return Table.at(lying, "9-10 5-6", "1-2 1-3", park=False)


def chain(direction, seats):
    """Return parameters and a table whose layout is one row of the largest possible length."""
    params = GAME.make_params(num_players=seats)
    batch = Batch(GAME, 1, seed=5, autoreset=False, num_players=seats)
    state = batch.states[0]
    held = NUM_TILES - 1
    state.hands[:] = 0
    state.hands[state.current_player] = 1 << held
    state.pile_size = 0
    for tile in range(held):
        places = [attached(state, tile - 1, way) for way in range(WAYS) if state.room[way]]
        place = max(places, key=FARTHEST[direction]) if places else (0, 0, 0, 0)
        lay(state, tile, place, *batch.tables)
    # Lay it whether it fits or not.
    state.last_tiles[:] = state.room * np.uint64(1 << held)
    state.chosen, state.phase = held, PLACE
    return params, copied(state)


def polygons(state, params, colour, what="fill"):
    shapes = look(state, params).draw().shapes
    return [s for s in shapes if isinstance(s, Polygon) and getattr(s, what) == colour]


def legal(state, name):
    """Return the indices of the legal actions."""
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    batch.states[0] = state
    batch.look()
    return np.flatnonzero(batch.masks[0]).tolist()


def crowded(state):
    """Return a copy with the longest possible texts."""
    state = copied(state)
    state.totals[:] = 10_000
    state.points[:] = 1_000
    state.last_scores[:] = -1_000
    state.hand_points[:] = -999
    state.starter = state.current_player
    state.passes = 5
    state.room[:] = 0
    if state.phase != OVER:
        state.hand_over = True
        state.hands[:] = table.ALL_TILES ^ (table.ALL_TILES << np.uint64(5)) & table.ALL_TILES
        state.playable = table.ALL_TILES
        state.pile[:] = np.arange(NUM_TILES)
        state.pile_size = NUM_TILES
    return state
