"""What is shown of every game: text, pictures, clickable places, sentences."""

import re
from dataclasses import fields, replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from tests.conftest import FEW_VARIANTS, VARIANTS
from tests.contract.pictures import check_pixels, check_places, check_svg

from kitchentable import all_games, find_game
from kitchentable.core.game import Render
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.render.letters import text_width
from kitchentable.render.picture import TALL, Circle, Polygon, Text
from kitchentable.render.view import View
from kitchentable.render.voice import Voice

every_table = pytest.mark.parametrize(("name", "variant"), FEW_VARIANTS)
OTHERS = [pytest.param(*one, marks=pytest.mark.slow) for one in VARIANTS if one not in FEW_VARIANTS]
every_variant = pytest.mark.parametrize(("name", "variant"), [*FEW_VARIANTS, *OTHERS])
"""What depends on where seats have room."""
every_game = pytest.mark.parametrize("name", list(all_games()))
NOT_TO_YOU = re.compile(
    r"player_\d|[Yy]ou (is|has|was|its?|\w+[^s]s)\b|\b(of|at|by|for) You\b|[a-z,] You\b|\. you\b"
)
"""What no sentence says to a reader who is called "you"."""
SAMPLES = 3
BLIND_CHOICES = {("diddly", "slot")}
"""Actions chosen in public that may change nothing a seat can see: a swap of two cards that no one
has looked at."""
NOT_SHOWN = {"diddly": {"turns", "reshuffled", "deck"}}
"""Fields that a seat observes and no person is shown: in Diddly the turns before the limit, and
which cards have been shuffled into the deck."""
DERIVED = {"addtoo": {"lying"}, "fiddlefoo": {"boards", "on_map"}, "quiddler": {"ends"}}
DERIVED |= {"quiddler_solitaire": {"left"}}
"""Fields that repeat others, which are shown."""
MOST_SENTENCES = 8
LONGEST_EXPLANATION = 100
"""Characters of a text beside a button: it takes at most two lines."""
LEAST_TEXT = 16
"""Smallest readable letters on a phone, 390 pixels wide, in units of `TALL`."""
SHOWN, READABLE = 944, 11
"""Width of a wide picture in a window of 1280 pixels, and the smallest readable letters there."""


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


def without_colors(picture):
    """Return the shapes as they look without any difference between colors."""

    def gray(shape):
        names = {"fill", "outline", "color"} & {field.name for field in fields(shape)}
        return replace(shape, **{name: getattr(shape, name) is not None for name in names})

    return [gray(shape) for shape in picture.shapes]


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


@every_variant
def test_places_to_click_are_legal_inside_and_apart(name, variant):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        mover, possible = int(records[0].current_player), legal(batch, records)
        for viewer, tall in product((mover, ALL_SEEING), (False, True)):
            picture = view(batch, records, viewer).draw(tall=tall)
            shapes = [spot.shape for spot in picture.spots]
            named = [action for spot in picture.spots for action in spot.actions]
            assert set(named) <= set(possible)
            assert len(named) == len(set(named)), "an action has one place"
            for i, shape in enumerate(shapes):
                left, top, right, bottom = shape.bounds
                assert 0 <= left < right <= picture.width
                assert 0 <= top < bottom <= picture.height
                middle = (left + right) / 2, (top + bottom) / 2
                hit = [holds(other, *middle) for other in shapes[i:]]
                assert hit[0], "a click in its middle is a click on it"
                assert not any(hit[1:]), "a click in its middle is a click on it alone"


@every_table
def test_whatever_is_legal_but_to_pass_can_be_clicked_by_the_seat_to_act(name, variant):
    batch, moments = every_kind(name, variant)
    for i, (records, _) in enumerate(moments):
        mover = int(records[0].current_player)
        spots = view(batch, records, mover).draw(tall=i % 2 == 0).spots
        offered = {action for spot in spots for action in spot.actions}
        assert offered - {"pass"} == set(legal(batch, records)) - {"pass"}
        other = (mover + 1 + i) % batch.num_players
        assert other == mover or not view(batch, records, other).draw().spots


# --- Texts and pictures ---------------------------------------------------------------------------


@every_variant
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
    shapes = [shape for picture in pictures for shape in picture.shapes]
    smallest = min(one.size for one in shapes if isinstance(one, Text) and one.text)
    if tall:
        assert pictures[0].width == TALL
        assert smallest >= LEAST_TEXT
    else:
        assert smallest * SHOWN / pictures[0].width >= READABLE


@every_table
def test_texts_fit_a_terminal_and_situations_are_told_in_few_plain_sentences(name, variant):
    batch, moments = sample(name, variant)
    for records, _ in moments:
        for viewer in (ALL_SEEING, *range(batch.num_players)):
            here = view(batch, records, viewer)
            lines, told = here.text().splitlines(), here.situation()
            assert max(map(len, lines)) <= 80
            assert lines == [line.rstrip() for line in lines]
            assert "\N{NO-BREAK SPACE}" not in "".join(lines)
            assert told.isascii()
            assert 1 <= len(re.findall(r"\.(?: |$)", told)) <= MOST_SENTENCES, told
            assert ".." not in told


@every_game
def test_what_a_seat_observes_is_shown_and_not_by_color_alone(name):
    """A field of the record is what it is at another moment of the game; whoever observes that is
    shown it too, at least at one of some moments."""
    observed, shown = set(), {"in words": set(), "in pictures": set()}
    last = len(find_game(name).rules.variants) - 1
    for variant in {0, last // 2, last}:
        batch, history = played(name, variant)
        rng = np.random.default_rng(variant)
        for i in rng.integers(len(history) - 1, size=12):
            records, viewer = history[i][0], int(history[i][0][0].current_player)
            before, usual = seen(batch, records, viewer), told(batch, records, viewer)
            done = set.intersection(*shown.values())
            for field, other in changed(records, [moment for moment, _ in history], rng):
                if field in done:
                    continue
                try:
                    if seen(batch, other, viewer) != before:
                        now = told(batch, other, viewer)
                        observed.add(field)
                        for how in shown:
                            shown[how] |= {field} if now[how] != usual[how] else set()
                except (IndexError, KeyError, OverflowError, ValueError):
                    continue  # the other fields do not allow this value
    assert observed
    for how, fields_shown in shown.items():
        missing = observed - fields_shown - NOT_SHOWN.get(name, set()) - DERIVED.get(name, set())
        assert not missing, how


def told(batch, records, viewer):
    """Return what a viewer is told in words, and by the shapes of the picture."""
    table = view(batch, records, viewer)
    return {
        "in words": (table.text(), table.situation()),
        "in pictures": (without_colors(table.draw()), table.situation()),
    }


def changed(records, moments, rng):
    """Yield fields and copies with their values at other moments, of the same decision if any."""
    for field in records.dtype.names:
        others = [one[0][field] for one in moments if alike(one[0], records[0], but_for=field)]
        others = [value for value in others if not np.array_equal(value, records[0][field])]
        if others:
            other = copied(records)
            other[0][field] = others[int(rng.integers(len(others)))]
            yield field, other


def alike(state, other, but_for):
    """Return whether two states ask for the same kind of decision."""
    return but_for == "phase" or getattr(state, "phase", 0) == getattr(other, "phase", 0)


@every_table
def test_every_seat_and_its_score_are_shown_the_viewers_first_on_a_phone(name, variant):
    batch, moments = sample(name, variant)
    if batch.game.render.text is None or batch.num_players == 1:
        return
    for i, (records, _) in enumerate(moments):
        viewer = i % batch.num_players
        here = view(batch, records, viewer)
        text, wide, tall = here.text(), here.draw().texts, here.draw(tall=True).texts
        seats = [text for text in tall if re.fullmatch(r"player_\d", text)][-batch.num_players :]
        assert seats[0] == f"player_{viewer}", seats
        assert sorted(seats) == [f"player_{seat}" for seat in range(batch.num_players)]
        for seat, score in enumerate(batch.game.scores(records[0]).tolist()):
            assert re.search(rf"player_{seat} {score}\b", text)
            for words in (wide, tall):
                assert str(score) in " ".join(words).split()
        if here.is_over and not batch.is_team:
            assert here.outcome in text or records[0].truncated
            assert here.outcome in " ".join(wide) or records[0].truncated


@pytest.mark.parametrize("card_parts", [(), ("hand", "shown")])
def test_the_plain_text_names_the_cards_that_the_deck_names(card_parts):
    """The other part of the observation, six numbers about the three decisions, has none."""
    kuhn = find_game("kuhn_poker")
    game = replace(kuhn, rules=replace(kuhn.rules, card_parts=card_parts), render=Render())
    batch = Batch(game, 1)
    batch.reset(top=np.array([2, 0], np.int8))
    batch.step([0])
    told = " ".join(view(batch, batch.states, ALL_SEEING).text().split())
    assert "player_0 sees: hand (K), plays (0 1) player_1 sees: hand (J), plays (0 1)" in told


# --- Sentences ------------------------------------------------------------------------------------


@every_table
def test_everything_is_told_with_names_and_you(name, variant):
    batch, moments = every_kind(name, variant)
    for records, _ in moments:
        mover = int(records[0].current_player)
        names = tuple(f"Magdalene W{seat}" for seat in range(batch.num_players))
        here = replace(view(batch, records, mover), voice=Voice(names, mover))
        pictures = [here.draw(tall=tall) for tall in (False, True)]
        drawn = [shape for one in pictures for shape in one.shapes if isinstance(shape, Text)]
        sentences = [here.situation(), *map(here.explain, here.legal)]
        assert not here.situation().startswith("you")
        assert "player_" not in here.text()
        for told in [*sentences, *(text.text for text in drawn)]:
            assert not NOT_TO_YOU.search(told), told
        for picture in pictures:
            ends = [
                shape.x + (shape.room or text_width(shape.text, shape.size))
                for shape in picture.shapes
                if isinstance(shape, Text) and shape.align == "left"
            ]
            assert max(ends) <= picture.width


@every_game
def test_actions_have_different_words_for_people_and_every_kind_has_help(name):
    game = find_game(name)
    for variant in game.rules.variants:
        params = game.make_params(**variant)
        names = game.rules.action_names(params)
        words = [game.render.called(params, one) for one in names]
        assert len({*words}) == len(words)
        assert not [one for one in words if re.search(r"[:_]|^[a-z]", one)]
        for action in names if game.render.action_help else ():
            kind, _, what = action.partition(":")
            told = game.render.action_help[kind]
            assert ("{}" in told) == bool(what)
            assert len(told.format(what)) > 10


@every_game
def test_a_loss_by_an_illegal_action_is_told_above_the_usual_text(name):
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
        assert after.situation() == f"{said}; {after.outcome}." if others else f"{said}."
        assert after.text().endswith(f"\n\n{before.text()}")
        assert all(len(line) <= 80 for line in after.text().splitlines())
        for tall in (False, True):
            old, new = before.draw(tall=tall), after.draw(tall=tall)
            assert (new.width, new.height) == (old.width, old.height)
            assert new.shapes[: len(old.shapes)] == old.shapes
            assert " ".join(new.texts[len(old.texts) :]) == after.situation()
            assert old.spots
            assert not new.spots
        assert ended[0].terminated, "the record stays as it is"


@every_table
def test_every_legal_action_is_explained(name, variant):
    batch, moments = every_kind(name, variant)
    for records, _ in moments:
        here = view(batch, records, int(records[0].current_player))
        told = {action: here.explain(action) for action in here.legal}
        if batch.game.render.action_help:
            assert len(set(told.values())) == len(told)
            assert all(5 < len(words) <= LONGEST_EXPLANATION for words in told.values())
        else:
            assert not any(told.values()), "it tells nothing by itself"
        wrong = next((action for action in batch.action_names if action not in told), "nothing")
        with pytest.raises(ValueError, match=rf"'{wrong}' is not possible now; choose from"):
            here.explain(wrong)


@every_table
def test_decisions_are_called_by_what_everybody_knows(name, variant):
    """In lists of decisions an onlooker, to whom other cards were dealt, calls them the same."""
    batch, moments = every_kind(name, variant)
    for i, (records, action) in enumerate(moments):
        if action < 0:
            continue
        worlds = (records, ALL_SEEING), (redealt(batch, records, NOBODY, i), NOBODY)
        words, others = (
            batch.game.render.called_at(view(batch, *world), batch.action_names[action])
            for world in worlds
        )
        assert re.fullmatch(r"[A-Z0-9].*[^.:;]", words)
        assert others == words


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
