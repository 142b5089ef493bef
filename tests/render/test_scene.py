"""Drawing functions that several games share."""

from __future__ import annotations

import pytest

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.render.cards import PALETTE
from kitchentable.render.letters import LEADING, Line, height_of, lines_of, text_width, wrapped
from kitchentable.render.phrases import GLUE
from kitchentable.render.picture import Rectangle, Text
from kitchentable.render.scene import Scene, Sign, in_rows
from kitchentable.render.view import View


@pytest.fixture
def scene():
    batch = Batch(GAME, 1, seed=1, num_players=3)
    view = View(GAME, batch.states[0], batch.params, ALL_SEEING)
    return Scene.begin(view, 400, 301, PALETTE)


def texts(scene):
    return [shape for shape in scene.picture.shapes if isinstance(shape, Text)]


def test_a_picture_has_an_even_height(scene):
    assert (scene.picture.width, scene.picture.height) == (400, 300)


def test_lines_are_no_wider_than_their_box_and_keep_glued_words_together():
    text = f"of these words some go together: one{GLUE}two{GLUE}three, four"
    for width in (100, 150, 200):
        lines = wrapped(text, 12, width)
        assert all(text_width(line, 12) <= width for line in lines)
        assert sum("one two three," in line for line in lines) == 1
        assert " ".join(lines) == text.replace(GLUE, " ")
    assert wrapped("", 12, 100) == []


def test_lines_are_as_high_as_is_said(scene):
    told = [Line("a few words that are broken", 20, "#ffffff", bold=True), Line("7", 10, "#ffffff")]
    lines = lines_of(told, 120)
    assert len(lines) > 2
    assert scene.lines(5, 30, lines) == pytest.approx(30 + height_of(lines))
    assert [text.bold for text in texts(scene)] == [line.bold for line in lines]
    assert [text.y for text in texts(scene)][:2] == [30 + LEADING * 10, 30 + LEADING * 30]


def test_panels_of_a_row_lie_around_its_middle():
    assert in_rows(3, 2, (100, 50), 10, 200, 7) == [(95, 7), (205, 7), (150, 67)]


def test_a_legend_goes_on_in_the_next_line(scene):
    drawn = []
    signs = [Sign(20, lambda x, y: drawn.append((x, y)), "its meaning")] * 4
    bottom = scene.legend(signs, x=10, y=20, right=390, size=14, step=25)
    assert [text.text for text in texts(scene)] == ["its meaning"] * 4
    assert [y for _, y in drawn][-1] == bottom > 20
    assert drawn[0] == (10, 20)
    for text in texts(scene):
        assert text.x + text_width(text.text, text.size) <= 390


def test_tags_lie_in_pills_apart(scene):
    scene.tags(10, 20, ["you", "dealer"], size=14, height=22)
    first, second = (shape for shape in scene.picture.shapes if isinstance(shape, Rectangle))
    assert first.x == 10
    assert first.x + first.width < second.x
    assert [text.x for text in texts(scene)] == [first.middle[0], second.middle[0]]


def test_the_seat_to_act_stands_out(scene):
    acting = int(scene.state.current_player)
    for player in range(3):
        scene.picture.shapes.clear()
        scene.seat_panel(player, 0, 0, 100, 50)
        scene.seat_name(player, 5, 5, 20)
        panel, name = scene.picture.shapes
        assert (panel.outline == PALETTE.accent) == (player == acting)
        assert (name.color == PALETTE.accent) == (player == acting)
