"""Explanations of Add-Too's actions: where an action lays a diamond, and what it brings."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.games.addtoo.pictures import (
    TABLES,
    choosing,
    every_table,
    figure_5,
    legal,
    look,
)

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.render.grid import Grid, heart, place_to_click
from kitchentable.games.addtoo.render.view import numbers_of, offers, place_by_tile
from kitchentable.games.addtoo.state import NAMES, PLACE, TILE, action_names


def test_actions_are_explained_by_letter_place_and_points():
    game = figure_5()
    params = game.env._batch.params
    assert look(game.state, params, ALL_SEEING).explain("tile:9-10") == (
        "lay 9-10: 1 place, 30 points as a bonus play"
    )
    assert "9-10 could make a bonus play" in look(game.state, params).situation()
    game.play("9-10")
    told = look(game.state, params, ALL_SEEING).explain("on:1-9,1,1")
    assert told == "A: bonus play at 1-9 and 3-10, 30 points"
    with pytest.raises(ValueError, match="'tile:5-6' is not possible now; choose from on:1-9,1,1"):
        look(game.state, params, ALL_SEEING).explain("tile:5-6")


@every_table
def test_what_is_said_of_a_place_is_where_it_is(name):
    params, states = choosing(name, PLACE)
    grid = Grid(0, 0, 1)
    said = set()
    for state in states:
        last = list(place_by_tile(state).values())[-1]
        here = np.array(grid.at(heart(last)))
        for offer in offers(look(state, params)):
            told = look(state, params, ALL_SEEING).explain(offer.name)
            assert told.startswith(f"{offer.letter}: ")
            assert told.endswith(f"{offer.points or 'no'} points")
            assert ("bonus play" in told) == offer.is_bonus
            assert len(told) <= 60
            if not offer.is_bonus:
                _, direction, color, how, *_ = re.split(r"[:,] (?:at )?", told)
                near = place_to_click(grid, offer.place, [offer.place]).points
                x, y = np.mean(near, axis=0) - here
                assert not ("upper" in direction or direction == "above") or y < 0.3
                assert not ("lower" in direction or direction == "below") or y > -0.3
                assert not direction.endswith("left") or x < 0.3
                assert not direction.endswith("right") or x > -0.3
                is_blue = offer.action - 45 >= 4
                number = numbers_of(params)[int(is_blue), list(place_by_tile(state))[-1]]
                assert color == f"{('orange', 'blue')[is_blue]} {number}"
                assert (how == "parallel") == (offer.place[2] == last[2])
                said.add(direction)
    assert len(said) >= 4


@every_table
def test_diamonds_are_explained_by_their_places(name):
    params, states = choosing(name, TILE)
    names = action_names(params)
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    for state in states:
        for tile in legal(state, name):
            told = look(state, params, ALL_SEEING).explain(names[tile])
            if state.num_laid == 0:
                assert told == f"begin the hand with {NAMES[tile]}; it scores nothing"
                continue
            batch.states[0] = state
            batch.look()
            batch.step(np.array([tile]))
            found = offers(look(batch.states[0], params))
            best = max(offer.points for offer in found)
            assert told.startswith(f"lay {NAMES[tile]}: {len(found)} place")
            by_bonus = all(offer.is_bonus for offer in found if offer.points == best)
            as_bonus = " as a bonus play" if by_bonus else ""
            assert told.endswith(f"{best or 'no'} points{as_bonus}")
