"""A table of Quiddler Solitaire as text (see `words`) and as a picture.

Where things lie is written here, for a wide screen and for a phone; what they look like in
`drawing_parts`.
"""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.render.parts import (
    ACCENT,
    FACES,
    LIGHT,
    STRIP,
    TABLE,
    TILES,
    draw_legend,
    draw_progress,
    draw_spelled,
    draw_stacks,
    draw_words,
    label,
)
from kitchentable.games.quiddler.solitaire.render.text import decision, seen_by
from kitchentable.games.quiddler.solitaire.render.view import View
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS
from kitchentable.render.cards import CARD_RATIO
from kitchentable.render.picture import TALL, Picture


def wide(view: View) -> Picture:
    """Draw the table for a screen."""
    state, viewer = view.state, view.viewer
    width, height, margin, header = 1200, 832, 24, 76
    inside, strip, stacks = width - 2 * margin, 168, 336
    picture = Picture(width, height, TABLE)
    y = header / 2
    picture.text(margin, y, "Quiddler Solitaire", size=34, colour=LIGHT, bold=True)
    label(picture, width - margin, y + 4, seen_by(viewer), size=18, align="right")

    picture.rectangle(margin, header, inside, strip, fill=STRIP, radius=16)
    left, top, card = margin + 24, header + 60, 72
    picture.text(left, header + 34, decision(state), size=26, colour=ACCENT, bold=True)
    draw_spelled(picture, state, (left, top), card, 10, FACES)
    x = left + NUM_STACKS * (card + 10) + 26
    draw_progress(picture, state, x, (top + 20, top + 40, top + 78), width - margin - 24 - x)

    top = header + strip + 16
    draw_stacks(picture, state, viewer, (margin, top, inside, stacks), rows=1, letters=15)
    draw_words(picture, state, (margin + 8, top + stacks + 32), inside, columns=6, letters=(14, 20))
    places = ((margin + 8, height - 26), (margin + 276, height - 26))
    draw_legend(picture, places, letters=15)
    return picture


def tall(view: View) -> Picture:
    """Draw the table for a phone."""
    state, viewer = view.state, view.viewer
    margin, header, strip, stacks = 12, 72, 206, 672
    inside, bottom = TALL - 2 * margin, 1404
    picture = Picture(TALL, bottom, TABLE)
    picture.text(margin, 24, "Quiddler Solitaire", size=28, colour=LIGHT, bold=True)
    label(picture, margin, 54, seen_by(viewer), size=18)

    picture.rectangle(margin, header, inside, strip, fill=STRIP, radius=16)
    left, top, card, gap = margin + 14, header + 46, 58, 6
    picture.text(left, header + 24, decision(state), size=22, colour=ACCENT, bold=True)
    draw_spelled(picture, state, (left, top), card, gap, TILES)
    below = top + CARD_RATIO * card + 22
    draw_progress(picture, state, left, (below, below + 42, below + 22), inside - 28)

    top = header + strip + 12
    draw_stacks(picture, state, viewer, (margin, top, inside, stacks), rows=2, letters=18)
    y = top + stacks + 24
    draw_legend(picture, ((margin + 8, y), (margin + 278, y)), letters=18)
    draw_words(picture, state, (margin + 8, y + 44), inside, columns=2, letters=(16, 20))
    return picture
