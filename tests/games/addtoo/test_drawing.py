"""What a table of Add-Too looks like: nothing hidden is shown, everything visible is."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.games.addtoo.pictures import (
    FARTHEST,
    TABLES,
    chain,
    copied,
    every_form,
    every_table,
    is_shown,
    legal,
    polygons,
    position_with,
    positions,
    sample,
    shown,
    texts_in,
)
from tests.games.diddly.test_drawing import overlapping, sticking_out

from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.games.addtoo import GAME
from kitchentable.games.addtoo import state as table
from kitchentable.games.addtoo.render.grid import (
    BLUE,
    BONUS,
    CHOICE,
    LAST,
    ORANGE,
    fit_grid,
    halves,
    heart,
    outline,
)
from kitchentable.games.addtoo.render.view import (
    last_sides,
    numbers_of,
    offers,
    place_by_tile,
    tiles_of,
)
from kitchentable.games.addtoo.state import NAMES, NUM_TILES, OVER, PLACE, TILE
from kitchentable.render.picture import Polygon, Rectangle, Text
from kitchentable.render.view import View


def test_the_positions_have_every_phase_and_both_kinds_of_places():
    made = [(state, params) for params, states in map(positions, TABLES) for state in states]
    assert {int(state.phase) for state, _ in made} == {TILE, PLACE, OVER}
    assert {offer.is_bonus for state, params in made for offer in offers(state, params)} == {
        False,
        True,
    }


# --- Nothing hidden is shown ----------------------------------------------------------------------


@every_table
def test_the_order_of_the_pile_shows_to_nobody_else(name):
    params, states = sample(name, 6)
    scratch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    redealt = 0
    for i, state in enumerate(states):
        viewer = i % params.num_players
        scratch.states[0] = state
        scratch.redeal(np.array([viewer]), seed=i)
        other = copied(scratch.states[0])
        changed = not np.array_equal(other.pile, state.pile)
        redealt += changed
        assert shown(other, params, viewer) == shown(state, params, viewer)
        assert is_shown(state, other, params, NOBODY) == changed
    assert redealt > len(states) / 2  # else this would test nothing


@every_table
def test_the_pile_is_told_in_order_to_who_sees_all(name):
    params, states = sample(name, 4)
    for state in states:
        order = [NAMES[tile] for tile in state.pile[: int(state.pile_size)][::-1]]
        told = f"Pile, the next one first: {', '.join(order)}."
        for seen in texts_in(state, params, NOBODY):
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
    (orange, blue), _ = table.tables(params)
    for state in states:
        held = [tile for hand in state.hands[: params.num_players] for tile in tiles_of(hand)]
        tiles = [*place_by_tile(state), *held]
        picture = View(GAME, state, params, 0).draw()
        numbers = [text.text for text in picture.shapes if is_number(text)]
        expected = [str(n) for tile in tiles for n in (orange[tile], blue[tile])]
        assert sorted(numbers) == sorted(expected)
        for colour in (ORANGE, BLUE):
            assert len(polygons(state, params, colour)) == 1 + len(tiles)  # one is in the legend
        text, _ = texts_in(state, params, 0)
        for tile, place in place_by_tile(state).items():
            assert f"{NAMES[tile]} ({','.join(map(str, place))})" in text


def is_number(shape):
    """Whether a shape is the number of a diamond."""
    return isinstance(shape, Text) and shape.align == "middle" and shape.text.isdecimal()


@every_table
def test_numbers_stand_in_halves_of_their_color(name):
    params, states = sample(name, 5)
    for state in states:
        shapes = View(GAME, state, params, 0).draw().shapes
        for number in filter(is_number, shapes):
            papers = [
                half.fill
                for half in shapes
                if isinstance(half, Polygon)
                and half.fill in (ORANGE, BLUE)
                and encloses(half.points, number.bounds)
            ]
            (paper,) = papers
            assert (paper == BLUE) == (number.colour == "#ffffff")


def encloses(triangle, bounds):
    """Whether a box but for its outermost corners' pixels lies inside a triangle."""
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
        papers = [*polygons(state, params, ORANGE), *polygons(state, params, BLUE)]
        middles = {tuple(np.mean(half.points, axis=0).round()) for half in papers}
        assert len(middles) == len(papers)
        frames = polygons(state, params, LAST)
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
    names = table.action_names(params)
    choosing = [state for state in states if state.phase == PLACE]
    batch = Batch(GAME, 1, seed=0, autoreset=False, **TABLES[name])
    for state in choosing[:: max(1, len(choosing) // 12)]:
        found = offers(state, params)
        assert [offer.action for offer in found] == legal(state, name)
        text, written = texts_in(state, params, 0)
        last = list(place_by_tile(state))[-1]
        outlines = {
            colour: len(polygons(state, params, colour, "outline")) for colour in (CHOICE, BONUS)
        }
        bonus = sum(offer.is_bonus for offer in found)
        assert outlines == {CHOICE: 1 + len(found) - bonus, BONUS: 2 + 2 * bonus}
        for offer in found:
            where = ",".join(map(str, offer.place))
            action = names[offer.action]
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
        # One more is in the legend.
        assert len(polygons(state, params, CHOICE)) == len(possible) + 1
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
    """Where nothing lies across the outer edges of a half, in words, by their directions."""
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
    """Whether a triangle has two corners with one half of a place in common."""
    return any(len(set(half) & set(other)) == 2 for other in halves(place))


# --- Form -----------------------------------------------------------------------------------------


@every_table
def test_shapes_lie_inside_and_texts_apart_in_their_boxes(name):
    for i, (params, state) in enumerate(every_form(name)):
        picture = View(GAME, state, params, (0, NOBODY)[i % 2]).draw()
        boxes = [shape.bounds for shape in picture.shapes]
        assert min(min(left, top) for left, top, _, _ in boxes) >= 0
        assert max(right for _, _, right, _ in boxes) <= picture.width
        assert max(bottom for _, _, _, bottom in boxes) <= picture.height
        texts = [shape for shape in picture.shapes if isinstance(shape, Text)]
        rectangles = [
            shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.fill
        ]
        assert overlapping(texts) == []
        assert sticking_out(texts, rectangles) == []


@pytest.mark.parametrize("direction", FARTHEST)
def test_the_longest_layout_fits_its_box(direction):
    _, state = chain(direction, 2)
    places = list(place_by_tile(state).values())
    assert len(places) == NUM_TILES - 1
    grid = fit_grid(places, 100, 50, 800, 600, 90)
    corners = np.array([grid.at(corner) for place in places for corner in outline(place)])
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert (low >= (99.9, 49.9)).all()
    assert (high <= (900.1, 650.1)).all()
    assert np.isclose(((high - low) / (800, 600)).max(), 1)
    assert np.allclose((low + high) / 2, (500, 350))


def test_one_diamond_is_not_drawn_larger_than_wanted():
    place = (3, -2, 1, 1)
    grid = fit_grid([place], 0, 0, 800, 600, 90)
    assert grid.unit == 90
    assert np.allclose(grid.at(heart(place)), (400, 300))


@every_table
def test_pixels_have_the_size_that_the_parameters_give(name):
    params, states = sample(name, 4)
    sizes = {(p.height, p.width) for p in (View(GAME, s, params, 0).draw() for s in states)}
    ((height, width),) = sizes
    rgb = View(GAME, states[-1], params, 0).draw().to_rgb()
    assert rgb.shape == (height, width, 3)
    assert rgb.dtype == np.uint8
    assert height % 2 == width % 2 == 0  # video formats want it
    assert len(np.unique(rgb[::5, ::5] @ np.array([65536, 256, 1]))) > 100  # it is not blank


@every_table
def test_svg_is_xml_and_says_the_same(name):
    params, states = positions(name)
    picture = View(GAME, states[-1], params, 0).draw()
    root = ET.fromstring(picture.to_svg())
    assert [element.text for element in root if element.tag.endswith("text")] == picture.texts
    assert len(root) == len(picture.shapes) + 1
