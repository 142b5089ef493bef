"""The sentences that explain a turn of Add-Too to beginners."""

from __future__ import annotations

import re

import pytest
from tests.games.addtoo.pictures import (
    TABLES,
    copied,
    every_table,
    look,
    positions,
)

from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.render.view import last_sides, numbers_of, offers, place_by_tile
from kitchentable.games.addtoo.state import NAMES, OVER, PLACE, TILE


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
        told = look(state, batch.params).situation()
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
        told = look(state, params).situation()
        assert 1 <= len(re.findall(r"\.(?: |$)", told)) <= 4
        assert told.isascii()
        if state.phase == PLACE:
            for offer in offers(look(state, params)):
                assert re.search(rf"\b{offer.letter}\b.* {offer.points or 'no'} point", told)
            assert ("bonus play" in told) == any(o.is_bonus for o in offers(look(state, params)))
        elif state.phase == TILE and state.num_laid:
            last = list(place_by_tile(state))[-1]
            orange, blue = numbers_of(params)[:, last]
            rooms = [side.has_room for side in last_sides(state)]
            assert (f"its orange {orange} takes" in told) == any(rooms[:2])
            assert (f"its blue {blue} takes" in told) == any(rooms[2:])


def test_the_beginning_of_a_hand_and_the_end_of_a_game_are_told():
    for name in TABLES:
        params, states = positions(name)
        assert "begins hand 1" in look(states[0], params).situation()
        over = next(state for state in states if state.hand_over and state.phase != OVER)
        told = look(over, params).situation()
        assert told.startswith(f"Hand {over.hands_done} is over and scored: ")
        for player in range(params.num_players):
            assert f"{over.last_scores[player]} for player_{player}" in told
        end = look(states[-1], params).situation()
        assert ("wins with" in end) != ("share the win with" in end)
        assert ("the game stops" in end) == bool(states[-1].truncated)


def test_a_win_by_the_last_hand_and_a_shared_one_are_told():
    params, states = positions("six")
    state = copied(states[-1])
    state.totals[:] = (3, 9, 9, 7, 8, 6)
    state.last_scores[:] = (0, 1, 2, 3, 4, 5)
    won = look(state, params).situation()
    assert won.startswith("player_2 wins with 9 points and the better last hand.")
    state.last_scores[:] = 0
    assert "player_1 and player_2 share the win with 9 points." in look(state, params).situation()
