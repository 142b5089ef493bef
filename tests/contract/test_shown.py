"""What is shown of every game: text, pictures, clickable places, sentences; and no secrets."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.contract.pictures import check_pixels, check_places, check_svg
from tests.training.kuhn import KUHN

from kitchentable import all_games, find_game
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.render.phrases import outcome
from kitchentable.render.picture import TALL, Circle, Polygon, Text
from kitchentable.render.view import View

TABLES = [(name, i) for name in all_games() for i in range(len(find_game(name).rules.variants))]
every_table = pytest.mark.parametrize(("name", "variant"), TABLES)
every_game = pytest.mark.parametrize("name", list(all_games()))
SAMPLES = 3
BLIND_CHOICES = {("diddly", "slot")}
"""Actions chosen in public that may change nothing a seat can see: a swap of two cards that no one
has looked at."""
MOST_SENTENCES = 8
LONGEST_EXPLANATION = 100
"""Characters of a text beside a button: it takes at most two lines."""
LEAST_TEXT = 16
"""Smallest readable letters on a phone, 390 pixels wide, in units of `TALL`."""


def copied(records):
    return records.copy().view(np.recarray)


@cache
def played(name, variant):
    """Return a batch, and the record and the action of each decision of a random game."""
    game = find_game(name)
    batch = Batch(game, 1, seed=variant, autoreset=False, **game.rules.variants[variant])
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


def every_kind(name, variant):
    """Return positions spread over a game, and one before each kind of action."""
    batch, moments = sample(name, variant, 6)
    kinds = {
        batch.action_names[action].partition(":")[0]: (records, action)
        for records, action in played(name, variant)[1][:-1]
    }
    return batch, [*moments, *kinds.values()]


def view(batch, records, viewer):
    return View(batch.game, records[0], batch.params, viewer)


def legal(batch, records):
    """Return the names of the legal actions; empty when the game is over."""
    return list(view(batch, records, ALL_SEEING).legal)


def seen(batch, records, viewer):
    out = np.zeros(batch.observations.shape[1], np.float32)
    batch.game.rules.observe(records[0], viewer, out, *batch.tables)
    return out.tobytes()


def redealt(batch, records, viewer, seed):
    """Return copies, redealt for a viewer if the game can be."""
    other = copied(records)
    if batch.game.rules.redeal is None:
        return other
    other[0].rng = seeds_for(seed, 1)[0]
    batch.game.rules.redeal(other[0], viewer, *batch.tables)
    return other


def holds(shape, x, y):
    """Return whether a point lies in a shape."""
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
        for viewer in (int(state.current_player), ALL_SEEING):
            picture = view(batch, records, viewer).draw(tall=tall)
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
                assert not view(batch, records, viewer).draw().spots


@every_table
@pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
def test_whatever_is_legal_but_to_pass_can_be_clicked(name, variant, tall):
    batch, moments = every_kind(name, variant)
    for records, _ in moments:
        mover = int(records[0].current_player)
        spots = view(batch, records, mover).draw(tall=tall).spots
        offered = {action for spot in spots for action in spot.actions}
        assert offered - {"pass"} == set(legal(batch, records)) - {"pass"}


# --- Texts and pictures ---------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
def test_pictures_are_sound(name, variant, tall):
    """Shapes inside, texts apart, a size set by the parameters alone, and an SVG that matches."""
    batch, moments = sample(name, variant)
    pictures = [
        view(batch, records, viewer).draw(tall=tall)
        for i, (records, _) in enumerate(moments)
        for viewer in (ALL_SEEING, i % batch.num_players)
    ]
    for picture in pictures:
        check_places(picture)
    check_pixels(pictures)
    check_svg(pictures[-1])
    if tall:
        assert pictures[0].width == TALL
        letters = [shape.size for shape in pictures[-1].shapes if isinstance(shape, Text)]
        assert min(letters) >= LEAST_TEXT


@every_table
def test_texts_fit_a_terminal(name, variant):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        for viewer in (ALL_SEEING, 0):
            lines = view(batch, records, viewer).text().splitlines()
            assert max(map(len, lines)) <= 80
            assert lines == [line.rstrip() for line in lines]
            assert "\N{NO-BREAK SPACE}" not in "".join(lines)


@every_table
def test_what_a_seat_cannot_know_changes_nothing_shown(name, variant):
    """After a redeal the text, both pictures, clickable places and sentences stay the same."""
    batch, moments = sample(name, variant)
    for i, (records, _) in enumerate(moments):
        for viewer in {i % batch.num_players, int(records[0].current_player)}:
            here, there = (
                view(batch, one, viewer) for one in (records, redealt(batch, records, viewer, i))
            )
            assert there.text() == here.text()
            assert there.situation() == here.situation()
            for tall in (False, True):
                pictures = [one.draw(tall=tall).to_svg(spots=True) for one in (here, there)]
                assert pictures[0] == pictures[1]


@pytest.mark.parametrize("card_parts", [(), ("card",)])
def test_the_plain_text_names_the_cards_that_the_deck_names(card_parts):
    """The other part of the observation, six numbers about the three decisions, has none."""
    game = replace(KUHN, rules=replace(KUHN.rules, card_parts=card_parts))
    batch = Batch(game, 1)
    batch.reset(top=np.array([2, 0], np.int8))
    batch.step([0])
    told = " ".join(view(batch, batch.states, ALL_SEEING).text().split())
    assert "player_0 sees: card (K 1), plays (0 1) player_1 sees: card (J 1), plays (0 1)" in told


# --- Sentences ------------------------------------------------------------------------------------


@every_table
def test_situations_are_told_in_few_plain_sentences(name, variant):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        for viewer in (ALL_SEEING, *range(batch.num_players)):
            told = view(batch, records, viewer).situation()
            assert told.isascii()
            assert 1 <= len(re.findall(r"\.(?: |$)", told)) <= MOST_SENTENCES, told
            assert ".." not in told


@every_game
@pytest.mark.parametrize("tall", [False, True], ids=["wide", "tall"])
def test_a_loss_by_an_illegal_action_is_told_above_the_usual_text(name, tall):
    """The picture keeps its size, and nothing in it can be clicked."""
    batch, moments = sample(name, 0)
    for records, _ in moments[:-1]:
        before, ended = view(batch, records, ALL_SEEING), copied(records)
        ended[0].terminated = True
        offender = int(records[0].current_player)
        after = View(batch.game, ended[0], batch.params, ALL_SEEING, offender=offender)
        others = [player for player in range(batch.num_players) if player != offender]
        assert after.winners == others
        said = f"player_{offender} chose an illegal action and loses"
        assert after.situation() == f"{said}; {outcome(others)}." if others else f"{said}."
        assert after.text().endswith(f"\n\n{before.text()}")
        assert all(len(line) <= 80 for line in after.text().splitlines())
        old, new = before.draw(tall=tall), after.draw(tall=tall)
        assert (new.width, new.height) == (old.width, old.height)
        assert new.shapes[: len(old.shapes)] == old.shapes
        assert " ".join(new.texts[len(old.texts) :]) == after.situation()
        assert old.spots
        assert not new.spots
        assert ended[0].terminated, "the record stays as it is"


@every_table
def test_every_legal_action_is_explained_by_what_its_seat_knows(name, variant):
    batch, moments = every_kind(name, variant)
    for i, (records, _) in enumerate(moments):
        here = view(batch, records, ALL_SEEING)
        there = view(batch, redealt(batch, records, int(records[0].current_player), i), ALL_SEEING)
        told = {action: here.explain(action) for action in here.legal}
        if batch.game.render.action_help:
            assert len(set(told.values())) == len(told)
            assert all(5 < len(words) <= LONGEST_EXPLANATION for words in told.values())
        else:
            assert not any(told.values()), "it tells nothing by itself"
        assert {action: there.explain(action) for action in there.legal} == told
        wrong = next((action for action in batch.action_names if action not in told), "nothing")
        with pytest.raises(ValueError, match=rf"'{wrong}' is not possible now; choose from"):
            here.explain(wrong)


@every_game
def test_every_kind_of_action_has_help(name):
    game = find_game(name)
    for params in game.rules.variants if game.render.action_help else ():
        for action in game.rules.action_names(game.make_params(**params)):
            kind, _, what = action.partition(":")
            told = game.render.action_help[kind]
            assert ("{}" in told) == bool(what)
            assert len(told.format(what)) > 10


@every_table
def test_choices_are_public(name, variant):
    """No other legal action would look the same to another seat, so decisions may be named to all:
    in logs and on pages."""
    batch, moments = sample(name, variant, 15)
    for i, (records, action) in enumerate(moments[:-1]):
        mover = int(records[0].current_player)
        kind = batch.action_names[action].partition(":")[0]
        after = copied(records)
        batch.game.rules.step(after[0], action, *batch.tables)
        if after[0].hand_over or (name, kind) in BLIND_CHOICES:
            continue  # the hand's cards are gone by then, or the change may be invisible
        for viewer in set(range(batch.num_players)) - {mover}:
            known = seen(batch, after, viewer)
            world = redealt(batch, records, viewer, i)
            for other in legal(batch, world):
                if other == batch.action_names[action] or other.partition(":")[0] != kind:
                    continue
                thought = copied(world)
                batch.game.rules.step(thought[0], batch.action_names.index(other), *batch.tables)
                assert seen(batch, thought, viewer) != known, (kind, other)


# --- Forms ----------------------------------------------------------------------------------------


@every_game
def test_every_parameter_can_be_asked_for(name):
    game = find_game(name)
    # Optional parameters without a default value, such as a shortened deck, are for programs alone.
    defaults = {name: getattr(game.make_params(), name) for name in game.make_params().plain()}
    assert set(game.render.param_infos) in (set(defaults) - {"reward"}, set())
    for param, info in game.render.param_infos.items():
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
