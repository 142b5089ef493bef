"""What the signs in a picture of Fiddlefoo mean."""

from __future__ import annotations

from collections.abc import Callable

from kitchentable.games.fiddlefoo.render.cards import (
    BY_NOTES,
    CHOICE,
    CHOSEN,
    PAIR,
    draw_arrow,
    draw_badge,
    draw_pile_mark,
)
from kitchentable.games.fiddlefoo.render.look import LIGHT, LINE, MUTED, TABLE, Look
from kitchentable.games.fiddlefoo.state import Params
from kitchentable.render.cards import draw_eye
from kitchentable.render.letters import text_width, wrapped
from kitchentable.render.picture import Picture

Sign = tuple[float, Callable[[Picture, float, float], None], str]
"""Its width with the space behind it, how it is drawn at its left end, and what it means."""

FRAMES = (
    (CHOICE, "may be chosen"),
    (BY_NOTES, "may be thrown for its notes, alone"),
    (CHOSEN, "chosen"),
    (PAIR, "the pair (thin: played last)"),
)
OFFERS = "Where a card may go: r numbers in range, d distance, S distance of a Safe Song"
"""What is told in compact pictures only."""
BETWEEN = 28
"""From a label to the next sign."""


def draw_legend(
    picture: Picture, params: Params, look: Look, x: float, y: float, right: float
) -> None:
    """Explain the signs, in lines between ``x`` and ``right``, the first of them around ``y``."""
    at = x
    for width, draw, label in _signs(params):
        ends = at + width + text_width(label, look.text)
        if ends > right:
            at, y = x, y + LINE * look.text
        draw(picture, at, y)
        picture.text(at + width, y, label, size=look.text, colour=MUTED)
        at += width + text_width(label, look.text) + BETWEEN
    if look.compact:
        for line in wrapped(OFFERS, look.text, right - x):
            y += LINE * look.text
            picture.text(x, y, line, size=look.text, colour=MUTED)


def _signs(params: Params) -> list[Sign]:
    def eye(picture: Picture, x: float, y: float) -> None:
        draw_eye(picture, x + 9, y, 10, LIGHT, TABLE)

    def arrow(picture: Picture, x: float, y: float) -> None:
        draw_arrow(picture, x + 6, y, 6, LIGHT)

    def pile(picture: Picture, x: float, y: float) -> None:
        draw_pile_mark(picture, x + 7, y, 7, LIGHT)

    signs: list[Sign] = [
        (24 if colour == CHOICE else 30, _frame(colour), label) for colour, label in FRAMES
    ]
    signs += [(27, eye, "everybody knows it"), (20, arrow, "received in this turn")]
    return signs + [(22, pile, "may go on its pile")] * params.cooperative


def _frame(colour: str) -> Callable[[Picture, float, float], None]:
    def draw(picture: Picture, x: float, y: float) -> None:
        picture.rectangle(x, y - 8, 16, 16, outline=colour, line=2.5, radius=4)
        draw_badge(picture, x + 14, y + 6, colour)

    return draw
