"""What only Add-Too shows: layouts of diamonds, places with their points, and why hands end."""

import re
from functools import cache

import numpy as np
import pytest
from tests.contract.test_shown import holds
from tests.games.addtoo.play import Table
from tests.games.positions import Positions, both_layouts

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo import state as table
from kitchentable.games.addtoo.board import attached, lay
from kitchentable.games.addtoo.geometry import WAYS
from kitchentable.games.addtoo.render.tall import PART
from kitchentable.games.addtoo.render.view import offers, place_by_tile, tiles_of
from kitchentable.games.addtoo.state import AT_SPOT, NAMES, NUM_TILES, OVER, PLACE, TILE
from kitchentable.render.picture import Polygon, Rectangle, Text
from kitchentable.render.rulebook import Rulebook

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
FARTHEST = {"right": lambda place: place[0] + place[1] / 2, "up": lambda place: place[1]}
"""By direction in the picture: how a chain of diamonds grows that way."""

games = Positions(GAME, lambda name: {"seed": 3, **TABLES[name]})
copied, look, positions, texts_in = games.copied, games.look, games.positions, games.texts_in


@cache
def choosing(name, phase):
    """Return parameters and some positions in which a diamond or a place is to be chosen."""
    params, states = positions(name)
    found = [state for state in states if state.phase == phase]
    most = sorted(found, key=lambda state: len(offers(look(state, params))))[-2:]
    return params, [*found[:: max(1, len(found) // 4)], *most]


def chain(direction):
    """Return parameters and a table whose layout is one row of the largest possible length."""
    batch = Batch(GAME, 1, seed=5, autoreset=False)
    state, held = batch.states[0], NUM_TILES - 1
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
    return batch.params, copied(state)


def crowded(state):
    """Return a copy with the longest possible texts."""
    state = copied(state)
    state.totals[:] = 10_000
    state.points[:] = 1_000
    state.last_scores[:] = -1_000
    state.hand_points[:] = -999
    state.starter, state.passes = state.current_player, 5
    state.room[:] = 0
    if state.phase != OVER:
        state.hand_over = True
        state.hands[:], state.playable = 0b11111, (1 << NUM_TILES) - 1
        state.pile[:] = np.arange(NUM_TILES)
        state.pile_size = NUM_TILES
    return state


# --- In words -------------------------------------------------------------------------------------


def test_the_text_of_a_table_and_its_bonus_play():
    """The booklet's Figure 5: 9-10 between 1-9 and 1-10 or 3-10, away from the last, 3-4."""
    lying = "1-9@0,0,0,0 1-10@-1,0,0,1 3-10@-1,-1,0,0 3-4@-2,-1,0,1"
    game = Table.at(lying, "9-10 5-6", "1-2 1-3", park=False)
    params = game.batch.params
    assert look(game.state, params, ALL_SEEING).explain("tile:9-10") == (
        "lay 9-10: 1 place, 30 points as a bonus play"
    )
    assert "9-10 could make a bonus play" in look(game.state, params).situation()
    game.play("9-10")
    assert look(game.state, params, ALL_SEEING).explain("on:1-9,1,1") == (
        "A: bonus play at 1-9 and 3-10, 30 points"
    )
    assert "Unless this ends the hand, " in look(game.state, params).situation()
    last = Table.at(lying, "9-10", "1-2 1-3", park=False).play("9-10")
    assert "last diamond, so the hand ends" in look(last.state, params).situation()
    rules = " ".join(Rulebook(GAME, params).text().split())
    assert "touches 1-9 with its 9" in rules
    assert "and 3-10 with its 10" in rules
    assert look(game.state, params, 1).text().splitlines()[:-3] == [
        "Add-Too, hand 1 of at most 50, to 200 points, as player_1 sees it",
        "player_0 chooses a place for 9-10",
        "Last played: 3-4, orange 3 takes 2, 3 or 7 (open: above), blue 4 takes 1, 4 or 6",
        "  (open: upper left and below).",
        "Places for bonus plays: 1; somebody has a diamond for 1.",
        "Bonus plays: on:1-9,1,1 (0,-1,0,1): player_0's 9-10.",
        "37 in the pile, face down.",
        "",
        "                  ------- -------",
        "               /b10 o1 /o9  b1 /",
        "      ####### ------- -------",
        "   #b4  o3 #o3  b10/   A",
        "  ####### -------",
        "",
        "Laid in this order: 1-9 (0,0,0,0), 1-10 (-1,0,0,1), 3-10 (-1,-1,0,0),",
        "  3-4 (-2,-1,0,1).",
        "Places for 9-10, and points: A on:1-9,1,1 (0,-1,0,1) 30.",
        "",
        "> player_0 0 points  this hand 0  [began]",
        "    hand  o5-b6  o9-b10",
        "  player_1 0 points  this hand 0",
        "    hand  o1-b2  b1-o3",
    ]


@pytest.mark.parametrize("direction", FARTHEST)
def test_a_layout_that_is_too_wide_is_cut_around_the_last_diamond(direction):
    params, state = chain(direction)
    lines = look(state, params).text().splitlines()
    end = lines.index("  (The layout is wider: this is the part around the last diamond.)")
    drawn = lines[lines.index("") + 1 : end - 1]
    assert 3 <= len(drawn) < 48
    for told in ("o10", "b8", "#", *(offer.letter for offer in offers(look(state, params)))):
        assert any(told in line for line in drawn)


def test_finished_hands_and_games_are_told_with_their_sums():
    params, states = positions("two")
    over = next(state for state in states if state.hand_over and state.phase != OVER)
    assert look(over, params).situation().startswith("Hand 1 is over and scored: ")
    for seen in texts_in(over, params, 0):
        assert f"hand 1: {over.last_scores[1]}" in seen
    state = copied(states[-1])
    state.hands_done = 4
    state.hand_points[0, :4] = (-10, 25, 130, 0)
    for seen in texts_in(state, params, 0):
        assert "-10+25+130+0" in seen
        for player in range(2):
            left = len(tiles_of(state.hands[player]))
            lost = f" - {10 * left} = {state.last_scores[player]}" if left else ""
            assert f"last hand {state.points[player]}{lost}" in seen
    state.terminated, state.truncated = False, True
    assert all("the target not reached" in seen for seen in texts_in(state, params, 0))


def test_who_laid_the_last_diamond_and_who_passed_is_told():
    hands = ["1-2 2-5 2-7 6-7 5-6", "5-10 7-10 2-9 6-9 5-7"]
    told = Table(*hands, then="1-9").play("1-2").view(0).situation()
    assert told.startswith("player_0 laid 1-2; player_1 could not play and passed.")


def test_why_the_last_hand_ended_is_told():
    params, states = positions("two")
    state = copied(states[-1])
    state.hands[0], state.hands[1] = 1, 0
    state.room[:] = 1
    for changes, reason in (
        ({}, "player_1 has laid all diamonds"),
        ({"hands": 2}, "nobody can play"),
        ({"room": 0}, "no room at the last diamond"),
        ({"sealed_ends_hand": False}, "nobody can play"),
        ({"grid": 0}, "touched on all sides"),
    ):
        for name, value in changes.items():
            state[name] = value
        assert all(reason in told for told in texts_in(state, params, 0))


# --- Diamonds and places --------------------------------------------------------------------------


@every_table
@both_layouts
def test_a_diamond_is_clicked_where_its_numbers_are(name, tall):
    params, states = choosing(name, TILE)
    for state in states:
        picture = look(state, params, int(state.current_player)).draw(tall=tall)
        for spot in picture.spots:
            (action,) = spot.actions
            on_it = [
                s for s in picture.shapes if isinstance(s, Text) and holds(spot.shape, s.x, s.y)
            ]
            assert f"tile:{'-'.join(sorted((s.text for s in on_it), key=int))}" == action


@every_table
def test_places_are_told_with_what_they_score_and_clicked_at_their_letters(name):
    params, states = choosing(name, PLACE)
    for state in states:
        here = look(state, params, int(state.current_player))
        text, situation = " ".join(here.text().split()), here.situation()
        for tall in (False, True):
            picture = here.draw(tall=tall)
            by_action = {spot.actions[0]: spot.shape for spot in picture.spots}
            first = {t.text: t for t in reversed(picture.shapes) if isinstance(t, Text)}
            for offer in offers(here):
                letter = first[offer.letter]
                clicked = [a for a, shape in by_action.items() if holds(shape, letter.x, letter.y)]
                assert clicked == [offer.name]
        for offer in offers(here):
            where = ",".join(map(str, offer.place))
            assert f"{offer.letter} {offer.name} ({where}) {offer.points}" in text
            assert re.search(rf"\b{offer.letter}\b.* {offer.points or 'no'} point", situation)
            told = here.explain(offer.name)
            assert told.startswith(f"{offer.letter}: ")
            assert told.endswith(f"{offer.points or 'no'} points")
            assert ("bonus play" in told) == offer.is_bonus
            then = games.after(state, params, offer.name)
            if not then.hand_over:
                assert list(place_by_tile(then).items())[-1] == (int(state.chosen), offer.place)
                assert then.points[here.viewer] - state.points[here.viewer] == offer.points


# --- Room -----------------------------------------------------------------------------------------


@every_table
def test_the_fullest_tables_keep_texts_apart_and_in_their_boxes(name):
    params, states = games.last(name)
    games.check_fits(params, map(crowded, [positions(name)[1][0], *states]))


@pytest.mark.parametrize("direction", FARTHEST)
def test_a_phone_shows_the_part_of_a_long_layout_that_has_the_places(direction):
    params, state = chain(direction)
    games.check_fits(params, [state])
    picture = look(state, params, int(state.current_player)).draw(tall=True)
    assert PART in picture.texts
    on_map = [spot for spot in picture.spots if isinstance(spot.shape, Polygon)]
    assert sorted(spot.actions[0] for spot in on_map) == sorted(
        offer.name for offer in offers(look(state, params))
    )


def test_a_place_out_of_sight_is_clicked_in_the_list():
    """It is far from the last diamond, which is at the other end of a long row."""
    params, state = chain("right")
    far = next(tile for tile, place in place_by_tile(state).items() if place == (0, 0, 0, 0))
    state.num_spots = 1
    # Pretend that a bonus play is possible at the first diamond.
    state.spot_actions[0] = AT_SPOT + WAYS * far
    state.spot_tiles[0] = 1 << int(state.chosen)
    picture = look(state, params, int(state.current_player)).draw(tall=True)
    (listed,) = [spot for spot in picture.spots if isinstance(spot.shape, Rectangle)]
    assert listed.actions == (f"on:{NAMES[far]},0,0",)
    letter = offers(look(state, params))[-1].letter
    written = [s for s in picture.shapes if isinstance(s, Text) and s.text == letter]
    assert [holds(listed.shape, text.x, text.y) for text in written] == [True]
