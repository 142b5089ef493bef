"""Drawing functions that several games share."""

import pytest

from kitchentable.core.state import ALL_SEEING
from kitchentable.engine.batch import Batch
from kitchentable.games.diddly import GAME
from kitchentable.games.diddly.render.cards import PALETTE
from kitchentable.render.letters import LEADING, Line, height_of, lines_of, text_width, wrapped
from kitchentable.render.phrases import GLUE
from kitchentable.render.picture import Text
from kitchentable.render.scene import Scene, in_rows
from kitchentable.render.view import View


@pytest.fixture
def scene():
    batch = Batch(GAME, 1, seed=1, num_players=3)
    view = View(GAME, batch.states[0], batch.params, ALL_SEEING)
    return Scene.begin(view, 400, 301, PALETTE)


def texts(scene):
    return [shape for shape in scene.picture.shapes if isinstance(shape, Text)]


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


def test_the_seat_to_act_stands_out(scene):
    acting = int(scene.state.current_player)
    for player in range(3):
        scene.picture.shapes.clear()
        scene.seat_panel(player, 0, 0, 100, 50)
        scene.seat_name(player, 5, 5, 20)
        panel, name = scene.picture.shapes
        assert (panel.outline == PALETTE.accent) == (player == acting)
        assert (name.color == PALETTE.accent) == (player == acting)


def test_widths_of_text_are_those_of_the_font():
    for text in ("player_0 may throw", "score minus conditional", "Y16 B4 P10 R9", "WAM (=) {}~"):
        for size in (9, 13, 20, 34):
            left, _, right, _ = Text(0, 0, text, size, "#000000", bold=True).bounds
            assert right - left <= text_width(text, size) <= 1.15 * (right - left) + 3


def test_other_letters_than_those_of_ascii_have_a_width():
    assert text_width("Müller", 20) > text_width("Mller", 20)
