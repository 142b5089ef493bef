"""The layout of the picture of Quiddler for a phone: one column, what matters most first."""

from __future__ import annotations

from kitchentable.games.quiddler.render import sentences
from kitchentable.games.quiddler.render.cards import (
    PALETTE,
    Scene,
    draw_counts,
    draw_piles,
    signs,
)
from kitchentable.games.quiddler.render.seats import SIDE, Letters, Sizes, draw_seat
from kitchentable.games.quiddler.render.view import View
from kitchentable.games.quiddler.state import Params
from kitchentable.render.cards import CARD_RATIO
from kitchentable.render.letters import wrapped
from kitchentable.render.picture import TALL, Picture

MARGIN = 12
GAP = 12
WIDTH = TALL - 2 * MARGIN
HEADER = 72
STRIP_HEIGHT = 246
SEATS = HEADER + STRIP_HEIGHT + GAP
"""Upper edge of the seats."""
LETTERS = Letters(small=16, line=20, sum=12)
COUNTS_HEIGHT = 34 + 4 * 34
"""Height of the counts, four rows, with a caption above."""
LEGEND = 100
AGAIN = 4 * 20
"""Height of the list of reshuffled cards: three lines and the margin."""
PILE = 104
"""Width of a card on the piles."""
MOST_ACROSS = 6
"""Maximum number of cards in a row of the front seat's hand."""
LARGEST = 92
"""Largest width of such a card."""


def tall(view: View) -> Picture:
    """Draw the table: the decision, the viewer's seat, the others, the discard pile."""
    front, others = _seat_sizes(view.params)
    bottom = SEATS + front.height + GAP + (view.params.num_players - 1) * (others.height + GAP)
    scene = Scene.begin(view, TALL, bottom + COUNTS_HEIGHT + LEGEND + AGAIN, PALETTE)
    _draw_header(scene)
    _draw_strip(scene)
    y: float = SEATS
    for i, player in enumerate(_order(scene)):
        sizes = others if i else front
        draw_seat(scene, player, sizes, MARGIN, y)
        y += sizes.height + GAP
    scene.label(MARGIN, y + 14, "In the discard pile", size=18)
    draw_counts(scene, MARGIN, y + 32, across=8, width=WIDTH / 8, height=34, letters=17)
    y += COUNTS_HEIGHT
    marks = signs(scene)
    scene.legend(marks, x=MARGIN + 4, y=y + 15, right=TALL - MARGIN, size=18, step=30)
    for i, line in enumerate(wrapped(sentences.reshuffled(scene.state), 16, WIDTH)):
        scene.label(MARGIN, y + LEGEND + 12 + 20 * i, line, size=16)
    return scene.picture


def _order(scene: Scene) -> list[int]:
    """Return the seats in drawing order: the viewer's or the one to act, the accused, the rest."""
    state = scene.state
    first = int(state.current_player) if scene.viewer < 0 else scene.viewer
    front, *others = scene.order_from(first)
    return [front, *sorted(others, key=lambda player: player != state.accused)]


def _seat_sizes(params: Params) -> tuple[Sizes, Sizes]:
    """Return the panel sizes of the front seat, whose cards fingers must hit, and of the others."""
    most = max(params.hand_sizes) + 1
    rows = -(-most // MOST_ACROSS)
    across = -(-most // rows)
    gap = 10
    large = min(LARGEST, (WIDTH - 2 * SIDE + gap) / across - gap)
    lines = 3 if params.challenges else 2
    others = Sizes(WIDTH, 38, 2, 14, LETTERS, lines, foot_lines=lines, tiles=True)
    front = others._replace(large_card=large, large_gap=gap, across=across, rows=rows)
    return front, others


def _draw_header(scene: Scene) -> None:
    scene.title(MARGIN, 24, 28)
    scene.label(MARGIN, 54, sentences.about(scene), size=18)
    scene.label(TALL - MARGIN, 54, scene.whose(), size=18, align="right")


def _draw_strip(scene: Scene) -> None:
    """Write the decision, and draw the two piles."""
    x = MARGIN + SIDE
    scene.strip(MARGIN, HEADER, WIDTH, STRIP_HEIGHT)
    for i, line in enumerate(wrapped(sentences.decision(scene), 22, WIDTH - 2 * SIDE)):
        at = HEADER + 24 + 26 * i
        scene.picture.text(x, at, line, size=22, color=PALETTE.accent, bold=True)
    top = HEADER + 68
    draw_piles(scene, x, top, PILE, 14, top + CARD_RATIO * PILE + 18, size=18)
    x += 2 * (PILE + 14) + 4
    y = top + 10
    for text in (sentences.note(scene), sentences.bonuses(scene)):
        for line in wrapped(text, 17, TALL - MARGIN - SIDE - x):
            scene.write(x, y, line, size=17)
            y += 21
        y += 4
