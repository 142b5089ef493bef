"""The layout of the picture of Quiddler Solitaire for a phone."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.render.cards import TILES, Scene
from kitchentable.games.quiddler.solitaire.render.sentences import decision
from kitchentable.games.quiddler.solitaire.render.stacks import draw_stacks, signs
from kitchentable.games.quiddler.solitaire.render.view import View
from kitchentable.games.quiddler.solitaire.render.words import (
    draw_progress,
    draw_spelled,
    draw_words,
)
from kitchentable.render.cards import CARD_RATIO
from kitchentable.render.picture import TALL, Picture
from kitchentable.render.scene import GREEN

HEIGHT = 1404
MARGIN = 12
INSIDE = TALL - 2 * MARGIN
HEADER, STRIP, STACKS = 72, 206, 672
"""Heights from top to bottom."""


def tall(view: View) -> Picture:
    """Draw the table."""
    scene = Scene.begin(view, TALL, HEIGHT, GREEN)
    scene.title(MARGIN, 24, 28)
    scene.label(MARGIN, 54, scene.whose(), size=18)

    scene.strip(MARGIN, HEADER, INSIDE, STRIP)
    left, top, card = MARGIN + 14, HEADER + 46, 58
    told = decision(scene)
    scene.picture.text(left, HEADER + 24, told, size=22, color=GREEN.accent, bold=True)
    draw_spelled(scene, (left, top), card, 6, TILES)
    below = top + CARD_RATIO * card + 22
    draw_progress(scene, left, (below, below + 42, below + 22), INSIDE - 28)

    top = HEADER + STRIP + 12
    draw_stacks(scene, (MARGIN, top, INSIDE, STACKS), rows=2, letters=18)
    x, y = MARGIN + 8, top + STACKS + 24
    scene.legend(signs(scene), x=x, y=y, right=TALL - MARGIN, size=18, step=0)
    draw_words(scene, (x, y + 44), INSIDE, columns=2, letters=(16, 20))
    return scene.picture
