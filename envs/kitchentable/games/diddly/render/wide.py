"""A table of Diddly, drawn for a wide screen: the middle above, all seats alike below."""

from __future__ import annotations

from kitchentable.core.state import NOBODY
from kitchentable.games.diddly.render.cards import (
    ACCENT,
    LIGHT,
    MUTED,
    PANEL,
    STRIP_COLOUR,
    TABLE,
    draw_frame,
    draw_nought,
    draw_swap_mark,
    label,
)
from kitchentable.games.diddly.render.middle import Piles, draw_header, draw_kind, draw_piles
from kitchentable.games.diddly.render.seats import Style, draw_seat, measure
from kitchentable.games.diddly.render.text import decision, note
from kitchentable.games.diddly.render.view import View
from kitchentable.games.diddly.state import MAX_CARDS, NUM_KINDS
from kitchentable.render.cards import CARD_RATIO, Face, draw_card_back, draw_eye
from kitchentable.render.picture import Picture

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP = 208
LEGEND = 48
LETTERS = 15


def wide(view: View) -> Picture:
    """Draw the table for a screen that is wider than high."""
    seats = view.params.num_players
    across = _across(seats)
    panel = _panel(view, across)
    top = HEADER + STRIP + GAP
    rows = -(-seats // across)
    # Even, because video formats want it so.
    height = 2 * round((top + rows * (panel.height + GAP) - GAP + LEGEND) / 2)
    picture = Picture(WIDTH, height, TABLE)
    draw_header(picture, view, MARGIN, HEADER / 2, 34)
    _draw_strip(picture, view)
    for player in range(seats):
        row, column = divmod(player, across)
        in_row = min(across, seats - row * across)
        used = in_row * (panel.width + GAP) - GAP
        x = (WIDTH - used) / 2 + column * (panel.width + GAP)
        draw_seat(picture, view, player, panel, x, top + row * (panel.height + GAP))
    _draw_legend(picture, view, height - LEGEND / 2)
    return picture


def _across(seats: int) -> int:
    """Return how many panels lie beside each other: up to four, alike many in each row."""
    return seats if seats <= 4 else (seats + 1) // 2


def _panel(view: View, across: int) -> Style:
    """Measure the panels, which are all alike."""
    many = view.params.num_players > 4
    largest = (92, 64)[many] if view.params.cards == MAX_CARDS else (116, 88)[many]
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    return measure(
        view, width, largest, gap=10, foot=42, letters=14, line_length=WIDTH, small=False
    )


def _draw_strip(picture: Picture, view: View) -> None:
    """Draw what lies in the middle of the table, and say what is going on."""
    width = 92
    picture.rectangle(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP, fill=STRIP_COLOUR, radius=16)
    left, step = MARGIN + 24, width + 22
    draw_piles(picture, view, Piles(left, HEADER + 20, step, width, HEADER + STRIP - 24, LETTERS))
    _draw_news(picture, view, left + 3 * step + 18)


def _draw_news(picture: Picture, view: View, x: float) -> None:
    """Say who decides what, and count the discard pile by kind."""
    picture.text(x, HEADER + 42, decision(view.state), size=26, colour=ACCENT, bold=True)
    picture.text(x, HEADER + 76, note(view.state), size=18, colour=LIGHT)
    picture.text(x, HEADER + 112, "In the discard pile", size=LETTERS, colour=MUTED)
    width = (WIDTH - MARGIN - 24 - x) / NUM_KINDS
    for kind in range(NUM_KINDS):
        draw_kind(picture, view, kind, x + kind * width, HEADER + 130, width - 8, LETTERS)


def _draw_legend(picture: Picture, view: View, y: float) -> None:
    draw_frame(picture, MARGIN + 4, y - 8, 12, ACCENT)
    picture.rectangle(MARGIN + 4, y - 8, 12, 12 * CARD_RATIO, fill=PANEL, radius=2)
    label(picture, MARGIN + 30, y, "may be chosen", size=LETTERS)
    draw_card_back(picture, MARGIN + 161, y - 15, 22, known=Face("7"), looked=False)
    label(picture, MARGIN + 194, y, "face down, but known here", size=LETTERS)
    draw_eye(picture, MARGIN + 414, y, 12)
    label(picture, MARGIN + 435, y, "its owner has looked at it", size=LETTERS)
    draw_nought(picture, MARGIN + 654, y)
    label(picture, MARGIN + 674, y, "worth nothing: it matches", size=LETTERS)
    if view.state.swap_slot != NOBODY:
        draw_swap_mark(picture, MARGIN + 894, y)
        label(picture, MARGIN + 914, y, "to be swapped", size=LETTERS)
