"""Picture of a Diddly table for a wide screen: the middle above equal panels of all seats."""

from __future__ import annotations

from kitchentable.games.diddly.render.cards import (
    PALETTE,
    Scene,
    draw_kind,
    draw_piles,
    signs,
)
from kitchentable.games.diddly.render.seats import Style, draw_seat, measure
from kitchentable.games.diddly.render.sentences import about, decision, note
from kitchentable.games.diddly.render.view import View
from kitchentable.games.diddly.state import MAX_CARDS, NUM_KINDS
from kitchentable.render.picture import Picture
from kitchentable.render.scene import in_rows

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP = 208
LEGEND = 48
LETTERS = 15


def wide(view: View) -> Picture:
    """Draw the table for a screen that is wider than it is high."""
    seats = view.params.num_players
    across = _across(seats)
    panel = _panel(view, across)
    top = HEADER + STRIP + GAP
    rows = -(-seats // across)
    height = top + rows * (panel.height + GAP) - GAP + LEGEND
    scene = Scene.begin(view, WIDTH, height, PALETTE)
    scene.header(about(view), margin=MARGIN, y=HEADER / 2, size=34, indent=138)
    _draw_strip(scene)
    corners = in_rows(seats, across, (panel.width, panel.height), GAP, WIDTH / 2, top)
    for player, corner in enumerate(corners):
        draw_seat(scene, player, panel, corner)
    marks, y = signs(scene, LETTERS), scene.picture.height - LEGEND / 2
    scene.legend(marks, x=MARGIN + 4, y=y, right=WIDTH - MARGIN, size=LETTERS, step=0)
    return scene.picture


def _across(seats: int) -> int:
    """Return the number of panels per row; more than four seats take two rows."""
    return seats if seats <= 4 else (seats + 1) // 2


def _panel(view: View, across: int) -> Style:
    """Return the measures of a panel, the same for all seats."""
    many = view.params.num_players > 4
    largest = (92, 64)[many] if view.params.cards == MAX_CARDS else (116, 88)[many]
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    return measure(view, width, largest, 14)


def _draw_strip(scene: Scene) -> None:
    """Draw the middle of the table and describe the situation."""
    width = 92
    scene.strip(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP)
    left, step = MARGIN + 24, width + 22
    draw_piles(scene, left, HEADER + 20, step, width, HEADER + STRIP - 24, LETTERS)
    _draw_news(scene, left + 3 * step + 18)


def _draw_news(scene: Scene, x: float) -> None:
    """Write who decides what, and draw the discards counted by kind."""
    text = decision(scene)
    scene.picture.text(x, HEADER + 42, text, size=26, color=PALETTE.accent, bold=True)
    scene.write(x, HEADER + 76, note(scene), size=18)
    scene.label(x, HEADER + 112, "In the discard pile", size=LETTERS)
    width = (WIDTH - MARGIN - 24 - x) / NUM_KINDS
    for kind in range(NUM_KINDS):
        draw_kind(scene, kind, x + kind * width, HEADER + 130, width - 8, LETTERS)
