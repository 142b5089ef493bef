"""Widths of text are computed without the font, and match the font."""

from kitchentable.render.letters import text_width
from kitchentable.render.picture import Text


def test_widths_of_text_are_those_of_the_font():
    for text in ("player_0 may throw", "score minus conditional", "Y16 B4 P10 R9", "WAM (=) {}~"):
        for size in (9, 13, 20, 34):
            left, _, right, _ = Text(0, 0, text, size, "#000000", bold=True).bounds
            assert right - left <= text_width(text, size) <= 1.15 * (right - left) + 3


def test_other_letters_than_those_of_ascii_have_a_width():
    assert text_width("Müller", 20) > text_width("Mller", 20)
