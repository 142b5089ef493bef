"""What the pictures of Add-Too show, where they can be clicked, and what a phone shows of them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.games.addtoo.pictures import (
    FARTHEST,
    TABLES,
    chain,
    choosing,
    copied,
    crowded,
    every_table,
    games,
    is_shown,
    legal,
    look,
    polygons,
    position_with,
    positions,
    sample,
    texts_in,
)

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo.geometry import WAYS
from kitchentable.games.addtoo.render import diamonds
from kitchentable.games.addtoo.render.grid import (
    Grid,
    fit_grid,
    halves,
    heart,
    inner_edge,
    is_inside,
    outline,
    part_grid,
    place_to_click,
)
from kitchentable.games.addtoo.render.tall import LEAST, PART
from kitchentable.games.addtoo.render.view import (
    last_sides,
    numbers_of,
    offers,
    place_by_tile,
    tiles_of,
)
from kitchentable.games.addtoo.state import AT_SPOT, NAMES, NUM_TILES, OVER, PLACE, TILE, tables
from kitchentable.render.picture import Polygon, Rectangle, Text

both_layouts = pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
UNIT = 60


def covers(shape, point):
    """Return whether a point lies inside a convex polygon or a rectangle, not on its edge."""
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


def test_the_positions_have_every_phase_and_both_kinds_of_places():
    made = [(state, params) for params, states in map(positions, TABLES) for state in states]
    assert {int(state.phase) for state, _ in made} == {TILE, PLACE, OVER}
    assert {offer.is_bonus for state, params in made for offer in offers(look(state, params))} == {
        False,
        True,
    }


# --- Nothing hidden is shown ----------------------------------------------------------------------


@every_table
def test_only_an_onlooker_sees_the_order_of_the_pile(name):
    params, states = sample(name, 4)
    for state in states:
        order = [NAMES[tile] for tile in state.pile[: int(state.pile_size)][::-1]]
        told = f"Pile, the next one first: {', '.join(order)}."
        for seen in texts_in(state, params, ALL_SEEING):
            assert (told in seen) == bool(order)
        assert not any("next one first" in seen for seen in texts_in(state, params, 0))


# --- Everything visible is shown ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("totals", lambda state: state.totals + 1),
        ("points", lambda state: state.points + 5),
        ("last_scores", lambda state: state.last_scores + 5),
        ("hands_done", lambda state: state.hands_done - 1),
        ("starter", lambda state: (state.starter + 1) % 6),
        ("current_player", lambda state: (state.current_player + 1) % 6),
        ("hands", lambda state: np.roll(state.hands, 1)),
        ("pile_size", lambda state: state.pile_size - 1),
        ("passes", lambda state: state.passes + 1),
        ("hand_over", lambda state: not state.hand_over),
        ("num_laid", lambda state: state.num_laid - 1),
        ("laid", lambda state: np.roll(state.laid, 1)),
        ("xs", lambda state: 2 * state.xs),
        ("axes", lambda state: (state.axes + 1) % 3),
        ("flips", lambda state: 1 - state.flips),
        ("room", lambda state: 0 * state.room),
        ("num_spots", lambda _: 0),
        ("last_tiles", lambda state: 0 * state.last_tiles),
        ("chosen", lambda _: NUM_TILES - 1),
        ("phase", lambda _: TILE),
    ],
)
def test_what_is_public_is_shown(field, change):
    def is_plain(state):
        return state.phase == PLACE and state.hands_done == 1 and state.num_spots > 0

    params, state = position_with("six", is_plain)
    other = copied(state)
    other[field] = change(state)
    assert is_shown(state, other, params, int(state.current_player))


@every_table
def test_every_seat_total_and_hand_is_shown(name):
    params, states = sample(name, 6)
    for state in states:
        text, written = texts_in(state, params, 0)
        for player in range(params.num_players):
            assert f"player_{player} {state.totals[player]} points" in text
            assert f"player_{player}" in written
            assert str(state.totals[player]) in written
            if state.phase != OVER:
                assert f"this hand {state.points[player]}" in text
                assert f"this hand {state.points[player]}" in written


@every_table
def test_every_diamond_on_the_table_is_drawn_with_its_numbers(name):
    params, states = sample(name, 6)
    (orange, blue), _ = tables(params)
    for state in states:
        held = [tile for hand in state.hands[: params.num_players] for tile in tiles_of(hand)]
        tiles = [*place_by_tile(state), *held]
        picture = look(state, params).draw()
        numbers = [text.text for text in picture.shapes if is_number(text)]
        expected = [str(n) for tile in tiles for n in (orange[tile], blue[tile])]
        assert sorted(numbers) == sorted(expected)
        for colour in (diamonds.ORANGE, diamonds.BLUE):
            assert len(polygons(state, params, colour)) == 1 + len(tiles)  # one is in the legend
        text, _ = texts_in(state, params, 0)
        for tile, place in place_by_tile(state).items():
            assert f"{NAMES[tile]} ({','.join(map(str, place))})" in text


def is_number(shape):
    """Return whether a shape is the number of a diamond."""
    return isinstance(shape, Text) and shape.align == "middle" and shape.text.isdecimal()


@every_table
def test_numbers_stand_in_halves_of_their_color(name):
    params, states = sample(name, 5)
    for state in states:
        shapes = look(state, params).draw().shapes
        for number in filter(is_number, shapes):
            papers = [
                half.fill
                for half in shapes
                if isinstance(half, Polygon)
                and half.fill in (diamonds.ORANGE, diamonds.BLUE)
                and encloses(half.points, number.bounds)
            ]
            (paper,) = papers
            assert (paper == diamonds.BLUE) == (number.colour == "#ffffff")


def encloses(triangle, bounds):
    """Return whether a box, except for the pixels at its corners, lies inside a triangle."""
    left, top, right, bottom = bounds
    box = [(x, y) for x in (left + 1, right - 1) for y in (top + 1, bottom - 1)]
    turns = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(triangle, [*triangle[1:], triangle[0]], strict=True)
        for x, y in box
    ]
    return min(turns) > 0 or max(turns) < 0


@every_table
def test_diamonds_lie_apart_and_the_last_one_is_framed(name):
    params, states = sample(name, 8)
    for state in states:
        papers = [
            *polygons(state, params, diamonds.ORANGE),
            *polygons(state, params, diamonds.BLUE),
        ]
        middles = {tuple(np.mean(half.points, axis=0).round()) for half in papers}
        assert len(middles) == len(papers)
        frames = polygons(state, params, diamonds.LAST)
        assert len(frames) == 1 + (state.num_laid > 0)  # one is in the legend
        if state.num_laid > 0:
            inside = [half for half in papers if encloses_rhombus(frames[0], half)]
            assert len(inside) == 2


def encloses_rhombus(frame, half):
    (left, top, right, bottom), (x, y) = frame.bounds, np.mean(half.points, axis=0)
    middle = ((left + right) / 2, (top + bottom) / 2)
    return np.hypot(x - middle[0], y - middle[1]) < 0.3 * max(right - left, bottom - top)


@every_table
def test_the_places_for_the_chosen_diamond_are_the_legal_ones_with_what_they_score(name):
    params, states = positions(name)
    choosing = [state for state in states if state.phase == PLACE]
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    for state in choosing[:: max(1, len(choosing) // 12)]:
        found = offers(look(state, params))
        assert [offer.action for offer in found] == legal(state, name)
        text, written = texts_in(state, params, 0)
        last = list(place_by_tile(state))[-1]
        outlines = {
            colour: len(polygons(state, params, colour, "outline"))
            for colour in (diamonds.CHOICE, diamonds.BONUS)
        }
        bonus = sum(offer.is_bonus for offer in found)
        assert outlines == {diamonds.CHOICE: 1 + len(found) - bonus, diamonds.BONUS: 2 + 2 * bonus}
        for offer in found:
            where = ",".join(map(str, offer.place))
            action = offer.name
            assert f"{offer.letter} {action} ({where}) {offer.points}" in text
            orange, blue = (str(number) for number in numbers_of(params)[:, last])
            beside = [f"orange {orange}", f"blue {blue}"][action.partition(":")[2] >= "2"]
            what = "bonus play" if offer.is_bonus else beside
            assert f"{offer.letter} {what}  +{offer.points}" in written
            batch.states[0] = state
            batch.look()
            batch.step(np.array([offer.action]))
            after = batch.states[0]
            if not after.hand_over:
                player = state.current_player
                assert after.points[player] - state.points[player] == offer.points
                assert place_by_tile(after)[int(state.chosen)] == offer.place


@every_table
def test_what_may_be_chosen_is_framed_and_told(name):
    params, states = positions(name)
    choosing = [state for state in states if state.phase == TILE]
    for state in choosing[:: max(1, len(choosing) // 8)]:
        possible = legal(state, name)
        # The legend has one more.
        assert len(polygons(state, params, diamonds.CHOICE)) == len(possible) + 1
        for seen in texts_in(state, params, 0):
            for tile in possible if state.num_laid else ():
                assert f"{NAMES[tile]} (" in seen.replace("\N{NO-BREAK SPACE}", " ")


@every_table
def test_open_sides_of_the_last_diamond_are_those_that_nothing_touches(name):
    params, states = positions(name)
    for state in [state for state in states if state.num_laid > 1 and state.phase == TILE][::5]:
        sides = last_sides(state)
        *others, last = place_by_tile(state).values()
        touched = sum(shares_an_edge(half, last) for place in others for half in halves(place))
        assert sum(not side.is_open for side in sides) == touched
        assert all(side.is_open for side in sides if side.has_room)
        for seen in texts_in(state, params, 0):
            for color, half in zip(("orange", "blue"), halves(last), strict=True):
                said = re.search(rf"{color} \d+ takes [^()]+ \(([^()]*)\)", seen)
                told = re.split(", | and |; ", re.sub(r"(open|without room): ", "", said[1]))
                (other,) = (side for side in halves(last) if side != half)
                assert sorted(told) == (open_ways(half, other, others) or ["closed"])


def open_ways(half, other, lying):
    """Return the directions in which nothing lies across the outer edges of a half."""
    taken = [other, *(one for place in lying for one in halves(place))]
    corners = np.array(half) @ np.array([[1, 0], [0.5, 0.75**0.5]])
    ways = []
    for i in range(3):
        edge = {half[j] for j in range(3) if j != i}
        if not any(edge <= set(one) for one in taken):
            x, y = corners.mean(axis=0) - corners[i]
            upright = ("above" if y > 0 else "below", "upper" if y > 0 else "lower")
            side = "right" if x > 0 else "left"
            ways.append(upright[0] if abs(x) < 0.1 else f"{upright[1]} {side}")
    return sorted(ways)


def shares_an_edge(half, place):
    """Return whether a triangle shares two corners with one half of a place."""
    return any(len(set(half) & set(other)) == 2 for other in halves(place))


# --- Form -----------------------------------------------------------------------------------------


@every_table
def test_the_fullest_tables_keep_texts_apart_and_in_their_boxes(name):
    params, states = sample(name, 5)
    games.check_fits(params, [crowded(state) for state in states])
    for direction in FARTHEST:
        params, state = chain(direction, params.num_players)
        games.check_fits(params, [state])


@pytest.mark.parametrize("direction", FARTHEST)
def test_the_longest_layout_fits_its_box(direction):
    _, state = chain(direction, 2)
    places = list(place_by_tile(state).values())
    assert len(places) == NUM_TILES - 1
    grid = fit_grid(places, Rectangle(100, 50, 800, 600), 90)
    corners = np.array([grid.at(corner) for place in places for corner in outline(place)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert (low >= (99.9, 49.9)).all()
    assert (high <= (900.1, 650.1)).all()
    assert np.isclose(((high - low) / (800, 600)).max(), 1)
    assert np.allclose((low + high) / 2, (500, 350))


def test_one_diamond_is_not_drawn_larger_than_wanted():
    place = (3, -2, 1, 1)
    grid = fit_grid([place], Rectangle(0, 0, 800, 600), 90)
    assert grid.unit == 90
    assert np.allclose(grid.at(heart(place)), (400, 300))


# --- Clicks ---------------------------------------------------------------------------------------


@every_table
@both_layouts
def test_a_diamond_is_clicked_where_its_numbers_are(name, tall):
    params, states = choosing(name, TILE)
    for state in states:
        picture = look(state, params, int(state.current_player)).draw(tall=tall)
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
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    for state in states:
        picture = look(state, params, int(state.current_player)).draw(tall=tall)
        by_action = {spot.actions[0]: spot.shape for spot in picture.spots}
        edges = [s for s in picture.shapes if isinstance(s, Polygon) and s.outline]
        first = {t.text: t for t in reversed(picture.shapes) if isinstance(t, Text)}
        for offer in offers(look(state, params)):
            shape, letter = by_action[offer.name], first[offer.letter]
            assert [a for a, s in by_action.items() if covers(s, (letter.x, letter.y))] == [
                offer.name
            ]
            assert covers(shape, middle(shape))  # where a browser test clicks
            around = [edge for edge in edges if np.allclose(middle(edge), (letter.x, letter.y))]
            assert {edge.outline for edge in around} == {
                diamonds.BONUS if offer.is_bonus else diamonds.CHOICE
            }
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
        places = [offer.place for offer in offers(look(state, params))]
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
        shapes = look(state, params).draw(tall=tall).shapes
        polygons = [shape for shape in shapes if isinstance(shape, Polygon)]
        for blue, orange, light in (
            (diamonds.BLUE, diamonds.ORANGE, diamonds.TIPS),
            (diamonds.PALE_BLUE, diamonds.PALE_ORANGE, diamonds.PALE_TIPS),
        ):
            tips = [np.mean(shape.points, axis=0) for shape in polygons if shape.fill == light]
            halves = [shape for shape in polygons if shape.fill == blue]
            assert len(tips) == 3 * len(halves)
            if blue == diamonds.BLUE:  # places of different colors may overlap
                assert all(sum(covers(half, tip) for half in halves) == 1 for tip in tips)
                others = [shape for shape in polygons if shape.fill == orange]
                assert not any(covers(half, tip) for half in others for tip in tips)
        assert "orange, and blue with light corners" in [
            s.text for s in shapes if isinstance(s, Text)
        ]


# --- A phone --------------------------------------------------------------------------------------


@every_table
def test_a_tall_picture_shows_hands_points_and_the_viewer_first(name):
    params, states = sample(name, 2)
    for state in states:
        for viewer in {0, params.num_players - 1}:
            picture = look(state, params, viewer).draw(tall=True)
            written = " ".join(picture.texts)
            seats = [text for text in picture.texts if re.fullmatch(r"player_\d", text)]
            order = [(viewer + step) % params.num_players for step in range(params.num_players)]
            assert seats == [f"player_{player}" for player in order]
            for player in order:
                assert str(state.totals[player]) in picture.texts
                assert f"hand {state.points[player]}" in written
            held = sum(len(tiles_of(hand)) for hand in state.hands[: params.num_players])
            blue = [s for s in picture.shapes if isinstance(s, Polygon) and s.fill == diamonds.BLUE]
            assert len(blue) == held + int(state.num_laid) + 1  # one is in the legend


@every_table
def test_a_tall_picture_lists_places_with_their_points(name):
    params, states = choosing(name, PLACE)
    for state in states:
        texts = look(state, params).draw(tall=True).texts
        for offer in offers(look(state, params)):
            at = len(texts) - 1 - texts[::-1].index(offer.letter)
            assert texts[at + 1] == f"{offer.points:+}{' bonus' if offer.is_bonus else ''}"


@pytest.mark.parametrize("direction", FARTHEST)
def test_a_phone_shows_the_part_of_a_long_layout_that_has_the_places(direction):
    params, state = chain(direction, 2)
    picture = look(state, params, int(state.current_player)).draw(tall=True)
    assert PART in picture.texts
    on_map = [spot for spot in picture.spots if isinstance(spot.shape, Polygon)]
    assert sorted(spot.actions[0] for spot in on_map) == sorted(
        offer.name for offer in offers(look(state, params))
    )
    blue = [s for s in picture.shapes if isinstance(s, Polygon) and s.fill == diamonds.BLUE]
    assert 8 < len(blue) < state.num_laid


def test_a_place_out_of_sight_is_clicked_in_the_list():
    """It is far from the last diamond, which is at the other end of a long row."""
    params, state = chain("right", 2)
    state = copied(state)
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
    assert [covers(listed.shape, (text.x, text.y)) for text in written] == [True]


def test_a_part_of_a_layout_is_centered_on_its_focus_without_an_empty_edge():
    row = [(x, 0, 0, 0) for x in range(30)]
    box = Rectangle(10, 20, 500, 300)

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
