"""What a page needs of Add-Too: clicks that go where they look, a layout for phones, sentences."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from tests.contract.pictures import check_pixels, check_places, check_svg
from tests.games.addtoo.pictures import (
    FARTHEST,
    TABLES,
    chain,
    copied,
    every_form,
    every_table,
    legal,
    positions,
    sample,
)

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.render.grid import (
    BLUE,
    BONUS,
    CHOICE,
    ORANGE,
    PALE_BLUE,
    PALE_ORANGE,
    PALE_TIPS,
    TIPS,
    Box,
    Grid,
    heart,
    inner_edge,
    is_inside,
    outline,
    part_grid,
)
from kitchentable.games.addtoo.render.spots import place_to_click
from kitchentable.games.addtoo.render.tall import LEAST, PART
from kitchentable.games.addtoo.render.view import offers, place_by_tile, tiles_of
from kitchentable.games.addtoo.state import NAMES, OVER, PLACE, TILE, action_names
from kitchentable.render.picture import Polygon, Rectangle, Text
from kitchentable.render.view import View

both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
UNIT = 60


def covers(shape, point):
    """Whether a point lies inside a convex polygon or a rectangle, not on its edge."""
    x, y = point
    if isinstance(shape, Rectangle):
        left, top, right, bottom = shape.bounds
        return left < x < right and top < y < bottom
    ahead = [*shape.points[1:], shape.points[0]]
    turns = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(shape.points, ahead, strict=True)
    ]
    return min(turns) > 0 or max(turns) < 0


def middle(shape):
    left, top, right, bottom = shape.bounds
    return (left + right) / 2, (top + bottom) / 2


@cache
def choosing(name, phase):
    """Parameters and some positions in which a diamond or a place is chosen."""
    params, states = positions(name)
    found = [state for state in states if state.phase == phase]
    most = sorted(found, key=lambda state: len(offers(state, params)))[-3:]
    return params, [*found[:: max(1, len(found) // 4)], *most]


# --- Clicks ---------------------------------------------------------------------------------------


@every_table
@both_layouts
def test_whatever_is_legal_can_be_clicked_by_who_may_do_it(name, tall):
    params, states = sample(name, 4)
    names = action_names(params)
    for state in states:
        possible = sorted(names[i] for i in legal(state, name)) if state.phase != OVER else []
        mover = int(state.current_player)
        for viewer in (NOBODY, mover, (mover + 1) % params.num_players):
            picture = View(GAME, state, params, viewer).draw(tall=tall)
            clicked = [action for spot in picture.spots for action in spot.actions]
            may = viewer in (NOBODY, mover)
            assert sorted(clicked) == (possible if may else [])


@every_table
@both_layouts
def test_a_diamond_is_clicked_where_its_numbers_are(name, tall):
    params, states = choosing(name, TILE)
    for state in states:
        picture = View(GAME, state, params, int(state.current_player)).draw(tall=tall)
        assert picture.spots
        for spot in picture.spots:
            (action,) = spot.actions
            on_it = [
                s for s in picture.shapes if isinstance(s, Text) and covers(spot.shape, (s.x, s.y))
            ]
            assert f"tile:{'-'.join(sorted((s.text for s in on_it), key=int))}" == action


@every_table
@both_layouts
def test_a_place_is_clicked_at_its_letter_and_lays_the_diamond_there(name, tall):
    params, states = choosing(name, PLACE)
    names = action_names(params)
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    for state in states:
        picture = View(GAME, state, params, int(state.current_player)).draw(tall=tall)
        by_action = {spot.actions[0]: spot.shape for spot in picture.spots}
        edges = [s for s in picture.shapes if isinstance(s, Polygon) and s.outline]
        first = {t.text: t for t in reversed(picture.shapes) if isinstance(t, Text)}
        for offer in offers(state, params):
            shape, letter = by_action[names[offer.action]], first[offer.letter]
            assert [a for a, s in by_action.items() if covers(s, (letter.x, letter.y))] == [
                names[offer.action]
            ]
            assert covers(shape, middle(shape))  # where a browser's test clicks
            around = [edge for edge in edges if np.allclose(middle(edge), (letter.x, letter.y))]
            assert {edge.outline for edge in around} == {BONUS if offer.is_bonus else CHOICE}
            batch.states[0] = state
            batch.look()
            batch.step(np.array([offer.action]))
            if not batch.states[0].hand_over:
                laid = list(place_by_tile(batch.states[0]).items())[-1]
                assert laid == (int(state.chosen), offer.place)


@every_table
def test_each_point_of_the_places_chooses_one_that_covers_it(name):
    params, states = choosing(name, PLACE)
    grid = Grid(0, 0, UNIT)
    points = np.random.default_rng(1).random((20, 2)) - 0.5
    shared = 0
    for state in states:
        places = [offer.place for offer in offers(state, params)]
        parts = [place_to_click(grid, place, places) for place in places]
        whole = [Polygon(tuple(grid.points(outline(place)))) for place in places]
        for place in places:
            first, _, opposite, _ = (np.array(p) for p in grid.points(outline(place)))
            across = np.array(grid.at(inner_edge(place)[0])) - np.array(grid.at(heart(place)))
            for along, aside in points:
                point = (first + opposite) / 2 + along * (opposite - first) + aside * across
                on = [i for i, part in enumerate(parts) if covers(part, point)]
                under = [i for i, polygon in enumerate(whole) if covers(polygon, point)]
                shared += len(under) > 1
                assert len(on) == bool(under)
                assert set(on) <= set(under)
    assert shared > 50 or not params.turned


# --- Color is not the only sign -------------------------------------------------------------------


@every_table
@both_layouts
def test_blue_halves_have_light_corners_and_orange_ones_none(name, tall):
    params, states = sample(name, 3)
    for state in states:
        shapes = View(GAME, state, params, 0).draw(tall=tall).shapes
        polygons = [shape for shape in shapes if isinstance(shape, Polygon)]
        for blue, orange, light in ((BLUE, ORANGE, TIPS), (PALE_BLUE, PALE_ORANGE, PALE_TIPS)):
            tips = [np.mean(shape.points, axis=0) for shape in polygons if shape.fill == light]
            halves = [shape for shape in polygons if shape.fill == blue]
            assert len(tips) == 3 * len(halves)
            if blue == BLUE:  # places may lie above each other in different colors
                assert all(sum(covers(half, tip) for half in halves) == 1 for tip in tips)
                others = [shape for shape in polygons if shape.fill == orange]
                assert not any(covers(half, tip) for half in others for tip in tips)
        assert "orange, and blue with light corners" in [
            s.text for s in shapes if isinstance(s, Text)
        ]


# --- A phone --------------------------------------------------------------------------------------


@every_table
def test_a_tall_picture_keeps_texts_apart_and_in_their_boxes(name):
    pictures = []
    for i, (params, state) in enumerate(every_form(name)):
        pictures.append(View(GAME, state, params, (0, NOBODY)[i % 2]).draw(tall=True))
        check_places(pictures[-1], outlined=False)
    params, states = sample(name, 1)
    alike = [View(GAME, state, params, 0).draw(tall=True) for state in states[:3]]
    check_pixels(alike)
    check_svg(alike[0])


@every_table
def test_a_tall_picture_shows_hands_points_and_the_viewer_first(name):
    params, states = sample(name, 2)
    for state in states:
        for viewer in {0, params.num_players - 1}:
            picture = View(GAME, state, params, viewer).draw(tall=True)
            written = " ".join(picture.texts)
            seats = [text for text in picture.texts if re.fullmatch(r"player_\d", text)]
            order = [(viewer + step) % params.num_players for step in range(params.num_players)]
            assert seats == [f"player_{player}" for player in order]
            for player in order:
                assert str(state.totals[player]) in picture.texts
                assert f"hand {state.points[player]}" in written
            held = sum(len(tiles_of(hand)) for hand in state.hands[: params.num_players])
            blue = [s for s in picture.shapes if isinstance(s, Polygon) and s.fill == BLUE]
            assert len(blue) == held + int(state.num_laid) + 1  # one is in the legend


@every_table
def test_a_tall_picture_lists_places_with_their_points(name):
    params, states = choosing(name, PLACE)
    for state in states:
        texts = View(GAME, state, params, 0).draw(tall=True).texts
        for offer in offers(state, params):
            at = len(texts) - 1 - texts[::-1].index(offer.letter)
            assert texts[at + 1] == f"{offer.points:+}{' bonus' if offer.is_bonus else ''}"


@pytest.mark.parametrize("direction", FARTHEST)
def test_of_a_long_layout_the_part_with_the_places_is_shown_to_phones(direction):
    params, state = chain(direction, 2)
    picture = View(GAME, state, params, int(state.current_player)).draw(tall=True)
    assert PART in picture.texts
    names = action_names(params)
    on_map = [spot for spot in picture.spots if isinstance(spot.shape, Polygon)]
    assert sorted(spot.actions[0] for spot in on_map) == sorted(
        names[offer.action] for offer in offers(state, params)
    )
    blue = [s for s in picture.shapes if isinstance(s, Polygon) and s.fill == BLUE]
    assert 8 < len(blue) < state.num_laid


def test_a_place_out_of_sight_is_clicked_in_the_list():
    """Far from the last diamond, which is at the other end of a long row."""
    params, state = chain("right", 2)
    state = copied(state)
    far = next(tile for tile, place in place_by_tile(state).items() if place == (0, 0, 0, 0))
    state.num_spots = 1
    state.spot_actions[0] = 53 + 8 * far  # as if there were a place at the first diamond
    state.spot_tiles[0] = 1 << int(state.chosen)
    picture = View(GAME, state, params, int(state.current_player)).draw(tall=True)
    (listed,) = [spot for spot in picture.spots if isinstance(spot.shape, Rectangle)]
    assert listed.actions == (f"on:{NAMES[far]},0,0",)
    letter = offers(state, params)[-1].letter
    written = [s for s in picture.shapes if isinstance(s, Text) and s.text == letter]
    assert [covers(listed.shape, (text.x, text.y)) for text in written] == [True]


def test_a_part_of_a_layout_has_what_matters_in_its_middle_and_no_empty_edge():
    row = [(x, 0, 0, 0) for x in range(30)]
    box = Box(10, 20, 500, 300)

    def shown(focus):
        grid = part_grid(row, [row[focus]], box, LEAST)
        assert grid.unit == LEAST
        return grid, [i for i, place in enumerate(row) if is_inside(grid, place, box)]

    _, at_the_left = shown(0)
    grid, in_the_middle = shown(15)
    _, at_the_right = shown(29)
    assert at_the_left[0] == 0
    assert at_the_right[-1] == 29
    assert min(len(at_the_left), len(at_the_right), len(in_the_middle)) >= 8
    x, y = grid.at(heart(row[15]))
    assert (x, y) == pytest.approx((260, 170))
    assert is_inside(grid, row[15], None)
