"""What is said of a turn of Add-Too to who learns it, and of each action."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.games.addtoo.pictures import TABLES, copied, every_table, legal, positions
from tests.games.addtoo.play import Table
from tests.games.addtoo.test_pages import choosing

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.render.grid import Grid, heart
from kitchentable.games.addtoo.render.spots import place_to_click
from kitchentable.games.addtoo.render.view import last_sides, numbers_of, offers, place_by_tile
from kitchentable.games.addtoo.state import NAMES, OVER, PLACE, TILE, action_names
from kitchentable.render.view import View

# --- Sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params", [{"fifth_draw_plays": False}, {"turned": False, "num_players": 3}]
)
def test_who_laid_the_last_diamond_and_who_passed_is_told(params):
    batch = Batch(GAME, 1, seed=2, autoreset=False, max_hands=3, **params)
    passed = 0
    while not batch.dones[0]:
        state = batch.states[0]
        if state.phase == PLACE:
            layer, tile = int(state.current_player), NAMES[state.chosen]
        batch.step(batch.sample_actions())
        state = batch.states[0]
        if state.phase != TILE or state.hand_over or state.num_laid < 2:
            continue
        told = View(GAME, state, batch.params, 0).situation()
        said = re.match(r"player_(\d) laid (\S+)[.;] ", told)
        assert bool(said) == bool(state.fifth_draw_plays)
        if said:
            assert (int(said[1]), said[2]) == (layer, tile)
            between = range(layer + 1, layer + 1 + int(state.passes))
            names = [f"player_{seat % batch.num_players}" for seat in between]
            assert ("passed" in told) == bool(names)
            assert not names or f"{' and '.join(names)} could not play and passed." in told
            passed += bool(names)
        assert f"player_{state.current_player} c" in told
    assert passed > 0 or state.turned  # else nobody passed


@every_table
def test_situations_are_short_and_say_what_it_is_about(name):
    params, states = positions(name)
    for state in states[::5]:
        told = View(GAME, state, params, 0).situation()
        assert 1 <= len(re.findall(r"\.(?: |$)", told)) <= 4
        assert told.isascii()
        if state.phase == PLACE:
            for offer in offers(state, params):
                assert re.search(rf"\b{offer.letter}\b.* {offer.points or 'no'} point", told)
            assert ("bonus play" in told) == any(o.is_bonus for o in offers(state, params))
        elif state.phase == TILE and state.num_laid:
            last = list(place_by_tile(state))[-1]
            orange, blue = numbers_of(params)[:, last]
            rooms = [side.has_room for side in last_sides(state)]
            assert (f"its orange {orange} takes" in told) == any(rooms[:2])
            assert (f"its blue {blue} takes" in told) == any(rooms[2:])


def test_the_beginning_of_a_hand_and_the_end_of_a_game_are_told():
    for name in TABLES:
        params, states = positions(name)
        assert "begins hand 1" in View(GAME, states[0], params, 0).situation()
        over = next(state for state in states if state.hand_over and state.phase != OVER)
        told = View(GAME, over, params, 0).situation()
        assert told.startswith(f"Hand {over.hands_done} is over and scored: ")
        for player in range(params.num_players):
            assert f"{over.last_scores[player]} for player_{player}" in told
        end = View(GAME, states[-1], params, 0).situation()
        assert ("wins with" in end) != ("share the win with" in end)
        assert ("the game stops" in end) == bool(states[-1].truncated)


def test_a_win_by_the_last_hand_and_a_shared_one_are_told():
    params, states = positions("six")
    state = copied(states[-1])
    state.totals[:] = (3, 9, 9, 7, 8, 6)
    state.last_scores[:] = (0, 1, 2, 3, 4, 5)
    won = View(GAME, state, params, 0).situation()
    assert won.startswith("player_2 wins with 9 points and the better last hand.")
    state.last_scores[:] = 0
    assert (
        "player_1 and player_2 share the win with 9 points."
        in View(GAME, state, params, 0).situation()
    )


# --- Words for each action ------------------------------------------------------------------------


def figure_5():
    """The rules page's Figure 5, where 9-10 may make a bonus play; its note has no 3-4."""
    lying = "1-9@0,0,0,0 1-10@-1,0,0,1 3-10@-1,-1,0,0 3-4@-2,-1,0,1"
    return Table.at(lying, "9-10 5-6", "1-2 1-3", park=False)


def test_actions_are_explained_by_letter_place_and_points():
    game = figure_5()
    params = game.env._batch.params
    assert View(GAME, game.state, params, NOBODY).explain("tile:9-10") == (
        "lay 9-10: 1 place, 30 points as a bonus play"
    )
    assert "9-10 could make a bonus play" in View(GAME, game.state, params, 0).situation()
    game.play("9-10")
    told = View(GAME, game.state, params, NOBODY).explain("on:1-9,1,1")
    assert told == "A: bonus play at 1-9 and 3-10, 30 points"
    with pytest.raises(ValueError, match="'tile:5-6' is not possible now; choose from on:1-9,1,1"):
        View(GAME, game.state, params, NOBODY).explain("tile:5-6")


@every_table
def test_what_is_said_of_a_place_is_where_it_is(name):
    params, states = choosing(name, PLACE)
    names, grid = action_names(params), Grid(0, 0, 1)
    said = set()
    for state in states:
        last = list(place_by_tile(state).values())[-1]
        here = np.array(grid.at(heart(last)))
        for offer in offers(state, params):
            told = View(GAME, state, params, NOBODY).explain(names[offer.action])
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
            told = View(GAME, state, params, NOBODY).explain(names[tile])
            if state.num_laid == 0:
                assert told == f"begin the hand with {NAMES[tile]}; it scores nothing"
                continue
            batch.states[0] = state
            batch.look()
            batch.step(np.array([tile]))
            found = offers(batch.states[0], params)
            best = max(offer.points for offer in found)
            assert told.startswith(f"lay {NAMES[tile]}: {len(found)} place")
            by_bonus = all(offer.is_bonus for offer in found if offer.points == best)
            as_bonus = " as a bonus play" if by_bonus else ""
            assert told.endswith(f"{best or 'no'} points{as_bonus}")


@pytest.mark.parametrize("params", GAME.rules.variants)
def test_what_is_said_of_actions_differs_and_tells_no_secret(params):
    batch = Batch(GAME, 1, seed=4, autoreset=False, **params)
    for turn in range(60):
        if batch.dones[0]:
            break
        names = [batch.action_names[i] for i in np.flatnonzero(batch.masks[0])]
        state, other = batch.states[0], copied(batch.states[0])
        told = [View(GAME, state, batch.params, NOBODY).explain(name) for name in names]
        assert len(set(told)) == len(names)
        assert max(map(len, told)) <= 60
        scratch = Batch(GAME, 1, seed=0, autoreset=False, **params)
        scratch.states[0] = other
        scratch.redeal(np.array([int(state.current_player)]), seed=turn)
        assert told == [
            View(GAME, scratch.states[0], batch.params, NOBODY).explain(name) for name in names
        ]
        batch.step(batch.sample_actions())
    assert turn > 20
    with pytest.raises(ValueError, match="'tile:1-1' is not possible now; choose from "):
        View(GAME, copied(batch.states[0]), batch.params, NOBODY).explain("tile:1-1")
