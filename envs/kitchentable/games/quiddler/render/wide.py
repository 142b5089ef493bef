"""The layout of the picture of Quiddler for a wide screen."""

from __future__ import annotations

from kitchentable.games.quiddler.render import sentences
from kitchentable.games.quiddler.render.cards import (
    FACES,
    PALETTE,
    Scene,
    draw_counts,
    draw_piles,
    signs,
)
from kitchentable.games.quiddler.render.seats import SIDE, Letters, Sizes, draw_seat
from kitchentable.games.quiddler.render.view import View
from kitchentable.games.quiddler.state import Params
from kitchentable.render.cards import draw_card_back
from kitchentable.render.picture import Picture
from kitchentable.render.scene import Sign, in_rows

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP_HEIGHT = 212
SEATS = HEADER + STRIP_HEIGHT + GAP
"""Upper edge of the seats."""
LETTERS = Letters(small=14, line=17, sum=24)


def wide(view: View) -> Picture:
    """Draw the table."""
    seats = view.params.num_players
    sizes, across = _seat_sizes(view.params), _across(view.params)
    bottom = SEATS + -(-seats // across) * (sizes.height + GAP) - GAP
    scene = Scene.begin(view, WIDTH, bottom + 48, PALETTE)
    about = sentences.about(scene)
    scene.header(about, margin=MARGIN, y=HEADER / 2, size=34, indent=170)
    _draw_strip(scene)
    corners = in_rows(seats, across, (sizes.width, sizes.height), GAP, WIDTH / 2, SEATS)
    for player, corner in enumerate(corners):
        draw_seat(scene, player, sizes, *corner)
    _draw_legend(scene, scene.picture.height - 24)
    return scene.picture


def _across(params: Params) -> int:
    """Return how many seats are side by side."""
    return 1 if params.num_players == 2 else 2


def _seat_sizes(params: Params) -> Sizes:
    """Return the sizes of the panels: two seats are stacked, more are in two columns.

    A panel has room for the largest hand after drawing, laid in as many words as possible.
    """
    across = _across(params)
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    most = max(params.hand_sizes)
    gap, wide_gap = (6, 26) if across == 1 else (3, 15)
    room = width - 2 * SIDE - most * gap - (most // 2) * (wide_gap - gap)
    card = min((84, 60)[across - 1], room / (most + 1))
    lines = 3 if params.challenges else 2
    return Sizes(width, card, gap, wide_gap, LETTERS, lines, foot_lines=across)


def _draw_strip(scene: Scene) -> None:
    """Draw the two piles, and write the decision beside them."""
    state, width, gap = scene.state, 96, 24
    scene.strip(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP_HEIGHT)
    left = MARGIN + gap
    draw_piles(scene, left, HEADER + 20, width, gap, HEADER + STRIP_HEIGHT - 26, size=15)
    x = left + 2 * (width + gap) + 16
    text = sentences.decision(scene)
    scene.picture.text(x, HEADER + 32, text, size=26, color=PALETTE.accent, bold=True)
    notes = filter(None, (sentences.note(scene), sentences.bonuses(scene)))
    for i, line in enumerate(notes):
        scene.write(x, HEADER + 63 + 25 * i, line, size=17)
    step = (WIDTH - MARGIN - 24 - x) / 16
    draw_counts(scene, x, HEADER + 112, across=16, width=step, height=32, letters=15)
    scene.label(x, HEADER + 183, "In the discard pile", size=14)
    scene.label(x, HEADER + 200, sentences.reshuffled(state), size=14)


def _draw_legend(scene: Scene, y: float) -> None:
    def draw_back(x: float, y: float) -> None:
        draw_card_back(scene.picture, x, y - 20, 30, known=FACES[0], looked=False)

    marks = signs(scene)
    marks.append(Sign(38, draw_back, "another's, seen to be picked up"))
    scene.legend(marks, x=MARGIN + 4, y=y, right=WIDTH - MARGIN, size=15, step=0)
