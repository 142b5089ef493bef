"""What a page needs of every game: places to click, drawings for phones, and secrets kept."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest

from kitchentable import find_game, games
from kitchentable.engine import Batch
from kitchentable.game import NOBODY
from kitchentable.picture import TALL, Circle, Polygon, Text
from kitchentable.rng import seeds_for

TABLES = [(name, i) for name in games() for i in range(len(find_game(name).variants))]
every_table = pytest.mark.parametrize(("name", "variant"), TABLES)
every_game = pytest.mark.parametrize("name", list(games()))
SAMPLES = 4
BLIND_CHOICES = {("diddly", "slot")}
"""Made before all eyes, but it may be that nothing changes that a seat knows of: two cards are
swapped that nobody has looked at."""
LEAST_TEXT = 16
"""Size of letters that can still be read on a phone, 390 pixels wide, of `TALL` units."""


def copied(records):
    return records.copy().view(np.recarray)


@cache
def played(name, variant):
    """A batch, and the records before each decision of a random game, with the action played."""
    game = find_game(name)
    batch = Batch(game, 1, seed=variant, autoreset=False, **game.variants[variant])
    history = []
    while not batch.dones[0]:
        action = int(batch.sample_actions()[0])
        history.append((copied(batch.states[:1]), action))
        batch.step(action)
    return batch, [*history, (copied(batch.states[:1]), -1)]


def sample(name, variant, count=SAMPLES):
    batch, history = played(name, variant)
    *before, end = history
    return batch, [*before[:: max(1, len(before) // count)], end]


def legal(batch, records):
    """Names of the legal actions; none of a game that is over."""
    state = records[0]
    mask = np.zeros(len(batch.action_names), np.bool_)
    if not (state.terminated or state.truncated):
        batch.game.legal_action_mask(state, mask, *batch.tables)
    return [batch.action_names[i] for i in np.flatnonzero(mask)]


def seen(batch, records, viewer):
    out = np.zeros(batch.observations.shape[1], np.float32)
    batch.game.observe(records[0], viewer, out, *batch.tables)
    return out.tobytes()


def redealt(batch, records, viewer, seed):
    other = copied(records)
    other[0].rng = seeds_for(seed, 1)[0]
    batch.game.redeal(other[0], viewer, *batch.tables)
    return other


def holds(shape, x, y):
    """Whether a point lies in a shape."""
    left, top, right, bottom = shape.bounds
    if isinstance(shape, Circle):
        return np.hypot(x - shape.x, y - shape.y) < shape.radius
    if not isinstance(shape, Polygon):
        return left < x < right and top < y < bottom
    crossed = False
    for (ax, ay), (bx, by) in zip(shape.points, (*shape.points[1:], shape.points[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed = not crossed
    return crossed


# --- Places to click ------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
def test_places_to_click_are_legal_inside_and_apart(name, variant, tall):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        state, possible = records[0], legal(batch, records)
        for viewer in (int(state.current_player), NOBODY):
            picture = batch.game.to_picture(state, batch.params, viewer, tall=tall)
            shapes = [spot.shape for spot in picture.spots]
            named = [action for spot in picture.spots for action in spot.actions]
            assert set(named) <= set(possible)
            assert len(named) == len(set(named)), "an action has one place"
            for i, shape in enumerate(shapes):
                left, top, right, bottom = shape.bounds
                assert left >= 0
                assert top >= 0
                assert left < right
                assert top < bottom
                assert right <= picture.width
                assert bottom <= picture.height
                middle = (left + right) / 2, (top + bottom) / 2
                assert [holds(other, *middle) for other in shapes[i:]] == [True] + [False] * (
                    len(shapes) - i - 1
                ), "a click in its middle is a click on it"


@every_table
def test_nobody_else_sees_what_the_seat_to_act_may_choose(name, variant):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        for viewer in range(batch.num_players):
            if viewer != records[0].current_player:
                assert not batch.game.to_picture(records[0], batch.params, viewer).spots


@every_game
def test_most_decisions_can_be_made_by_clicking(name):
    batch, history = played(name, 0)
    by_click = 0
    for records, _ in history[:-1]:
        mover = int(records[0].current_player)
        picture = batch.game.to_picture(records[0], batch.params, mover)
        by_click += bool(picture.spots)
    assert by_click > 0.9 * (len(history) - 1)


# --- Drawings for phones --------------------------------------------------------------------------


@every_table
def test_a_tall_picture_is_narrow_with_large_letters_and_hides_as_much(name, variant):
    batch, moments = sample(name, variant)
    sizes = set()
    for i, (records, _) in enumerate(moments):
        state = records[0]
        viewer = i % batch.num_players
        picture = batch.game.to_picture(state, batch.params, viewer, tall=True)
        sizes.add((picture.width, picture.height))
        letters = [shape.size for shape in picture.shapes if isinstance(shape, Text)]
        assert min(letters) >= LEAST_TEXT
        for shape in picture.shapes:
            left, top, right, bottom = shape.bounds
            assert left >= -1
            assert top >= -1
            assert right <= picture.width + 1
            assert bottom <= picture.height + 1
        other = redealt(batch, records, viewer, i)[0]
        assert batch.game.to_picture(other, batch.params, viewer, tall=True).to_svg(
            spots=True
        ) == picture.to_svg(spots=True)
    assert len(sizes) == 1, "its size depends on the parameters alone"
    assert sizes.pop()[0] == TALL


# --- Words ----------------------------------------------------------------------------------------


@every_table
def test_the_situation_is_told_and_tells_no_secrets(name, variant):
    batch, moments = sample(name, variant)
    for i, (records, _) in enumerate(moments):
        for viewer in range(batch.num_players):
            told = batch.game.situation(records[0], batch.params, viewer)
            assert len(told) > 10
            other = redealt(batch, records, viewer, i)[0]
            assert batch.game.situation(other, batch.params, viewer) == told


@every_table
def test_choices_are_made_before_all_eyes(name, variant):
    """What else could have been played that would look the same to another seat? Nothing, so that
    decisions may be told by name to all: in logs, on pages."""
    batch, moments = sample(name, variant, 15)
    for i, (records, action) in enumerate(moments[:-1]):
        mover = int(records[0].current_player)
        kind = batch.action_names[action].partition(":")[0]
        after = copied(records)
        batch.game.step(after[0], action, *batch.tables)
        if after[0].hand_over or (name, kind) in BLIND_CHOICES:
            continue  # what led there is swept from the table; or nothing is to be seen
        for viewer in set(range(batch.num_players)) - {mover}:
            known = seen(batch, after, viewer)
            world = redealt(batch, records, viewer, i)
            for other in legal(batch, world):
                if other == batch.action_names[action] or other.partition(":")[0] != kind:
                    continue
                thought = copied(world)
                batch.game.step(thought[0], batch.action_names.index(other), *batch.tables)
                assert seen(batch, thought, viewer) != known, (kind, other)


# --- Forms ----------------------------------------------------------------------------------------


@every_game
def test_every_parameter_can_be_asked_for(name):
    game = find_game(name)
    defaults = {
        f.name: getattr(game.make_params(), f.name) for f in dataclasses.fields(game.params)
    }
    assert set(game.param_infos) == set(defaults) - {"reward"}
    for param, info in game.param_infos.items():
        assert bool(info.values) != bool(info.span)
        if info.span:
            assert info.span[0] <= defaults[param] <= info.span[1]
            for value in info.span:
                assert getattr(game.make_params(**{param: value}), param) == value
            for value in (info.span[0] - 1, info.span[1] + 1):
                with pytest.raises(ValueError, match=param):
                    game.make_params(**{param: value})
        else:
            assert defaults[param] in [
                getattr(game.make_params(**{param: value}), param) for value in info.values
            ]
