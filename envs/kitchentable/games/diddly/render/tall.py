"""Picture of a Diddly table for a phone: the middle, the viewer's cards, then the other seats."""

from __future__ import annotations

from kitchentable.games.diddly.render.cards import (
    FACES,
    KIND_HEIGHT,
    PALETTE,
    Scene,
    draw_kind,
    draw_piles,
    signs,
)
from kitchentable.games.diddly.render.seats import Style, draw_seat, measure
from kitchentable.games.diddly.render.sentences import LONG_NAMES, about, decision, note
from kitchentable.games.diddly.render.view import View
from kitchentable.games.diddly.state import MAX_CARDS, NUM_KINDS
from kitchentable.render.cards import CARD_RATIO
from kitchentable.render.letters import Line, lines_of
from kitchentable.render.picture import TALL, Picture

MARGIN = 16
GAP = 12
HEADER = 60
STRIP = 436
LEGEND = 156
LETTERS = 16
INNER = 12
"""Padding of the strip."""
ACROSS = 2
"""Number of other seats per row."""


def tall(view: View) -> Picture:
    """Draw the table for a phone.

    The viewer has the large panel and the others follow in turn order. If all cards are shown,
    player_0 always comes first: boards that do not move make changes easy to see.
    """
    first, *others = view.order_from(max(view.viewer, 0))
    own, other = _panels(view)
    top = HEADER + STRIP + GAP
    below = top + own.height + GAP
    rows = -(-len(others) // ACROSS)
    scene = Scene.begin(view, TALL, below + rows * (other.height + GAP) + LEGEND, PALETTE)
    scene.header(about(view), margin=MARGIN, y=HEADER / 2 - 2, size=30, indent=122)
    _draw_strip(scene)
    draw_seat(scene, first, own, (MARGIN, top))
    for i, player in enumerate(others):
        row, column = divmod(i, ACROSS)
        x = MARGIN + column * (other.width + GAP)
        draw_seat(scene, player, other, (x, below + row * (other.height + GAP)))
    _draw_legend(scene, scene.picture.height - LEGEND)
    return scene.picture


def _panels(view: View) -> tuple[Style, Style]:
    """Return the measures of the large panel, and of the others'; a single one is as wide."""
    room, across = TALL - 2 * MARGIN, (TALL - 2 * MARGIN - (ACROSS - 1) * GAP) / ACROSS
    own = measure(view, room, 104 if view.params.cards == MAX_CARDS else 124, LETTERS)
    if view.params.num_players == 2:
        return own, measure(view, room, 92, LETTERS)
    return own, measure(view, across, 66, LETTERS, small=True)


def _draw_strip(scene: Scene) -> None:
    """Describe the situation, and draw the middle of the table."""
    width = TALL - 2 * MARGIN
    scene.strip(MARGIN, HEADER, width, STRIP)
    left = MARGIN + INNER
    paragraphs = [
        Line(decision(scene), 20, PALETTE.accent, bold=True),
        Line(note(scene), 18, PALETTE.light),
    ]
    scene.lines(left, HEADER + 12, lines_of(paragraphs, width - 2 * INNER))
    card, step = 100, (width - 2 * INNER) / 3
    top = HEADER + 100
    caption = top + CARD_RATIO * card + 20
    x = left + (step - card) / 2
    draw_piles(scene, x, top, step, card, caption, 18)
    _draw_kinds(scene, left, caption + 34)


def _draw_kinds(scene: Scene, x: float, y: float) -> None:
    """Draw the discards counted by kind, in two rows."""
    scene.label(x, y, "In the discard pile", size=LETTERS)
    in_row = (NUM_KINDS + 1) // 2
    width = (TALL - 2 * x + 8) / in_row
    for kind in range(NUM_KINDS):
        row, column = divmod(kind, in_row)
        top = y + 16 + row * (KIND_HEIGHT + 6)
        draw_kind(scene, kind, x + column * width, top, width - 8, LETTERS)


def _draw_legend(scene: Scene, y: float) -> None:
    """Draw the legend of the marks and the card labels."""
    x, marks = MARGIN + 4, signs(scene, LETTERS)
    last = scene.legend(marks, x=x, y=y + 26, right=TALL - MARGIN, size=LETTERS, step=37)
    names = ", ".join(f"{FACES[kind].label} {name}" for kind, name in LONG_NAMES.items())
    scene.label(x, last + 36, names, size=LETTERS)
