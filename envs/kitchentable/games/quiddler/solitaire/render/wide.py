"""The layout of the picture of Quiddler Solitaire for a wide screen."""

from __future__ import annotations

from kitchentable.games.quiddler.solitaire.render.cards import FACES, Scene
from kitchentable.games.quiddler.solitaire.render.sentences import decision
from kitchentable.games.quiddler.solitaire.render.stacks import draw_stacks, signs
from kitchentable.games.quiddler.solitaire.render.view import View
from kitchentable.games.quiddler.solitaire.render.words import (
    draw_progress,
    draw_spelled,
    draw_words,
)
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS
from kitchentable.render.picture import Picture
from kitchentable.render.scene import GREEN

WIDTH, HEIGHT = 1200, 832
MARGIN = 24
INSIDE = WIDTH - 2 * MARGIN
HEADER, STRIP, STACKS = 76, 168, 336
"""Heights from top to bottom."""


def wide(view: View) -> Picture:
    """Draw the table."""
    scene = Scene.begin(view, WIDTH, HEIGHT, GREEN)
    scene.header("", margin=MARGIN, y=HEADER / 2, size=34, indent=0)

    scene.strip(MARGIN, HEADER, INSIDE, STRIP)
    left, top, card = MARGIN + 24, HEADER + 60, 72
    told = decision(scene)
    scene.picture.text(left, HEADER + 34, told, size=26, color=GREEN.accent, bold=True)
    draw_spelled(scene, (left, top), card, 10, FACES)
    x = left + NUM_STACKS * (card + 10) + 26
    draw_progress(scene, x, (top + 20, top + 40, top + 78), WIDTH - MARGIN - 24 - x)

    top = HEADER + STRIP + 16
    draw_stacks(scene, (MARGIN, top, INSIDE, STACKS), rows=1, letters=15)
    x, y = MARGIN + 8, HEIGHT - 26
    draw_words(scene, (x, top + STACKS + 32), INSIDE, columns=6, letters=(14, 20))
    scene.legend(signs(scene), x=x, y=y, right=WIDTH - MARGIN, size=15, step=0)
    return scene.picture
