"""Drawing of a Diddly seat: its name, tags, total, cards and rounds."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.core.state import just_scored
from kitchentable.games.diddly.render.cards import (
    FACES,
    TO_SWAP,
    Scene,
    draw_nought,
    draw_small_back,
    draw_swap_mark,
)
from kitchentable.games.diddly.render.sentences import last_board, tags
from kitchentable.games.diddly.render.view import View, matched, num_columns, num_rows
from kitchentable.games.diddly.state import is_known
from kitchentable.render.cards import CARD_RATIO, draw_card, draw_card_back
from kitchentable.render.letters import wrapped
from kitchentable.render.phrases import units
from kitchentable.render.picture import Point
from kitchentable.render.scene import card_box

PANEL_TOP = 74
"""Distance from the top of a panel to its cards."""
SIDE = 18
"""Horizontal padding of a panel."""
LONGEST_SUM = 30
"""Maximum number of characters for the finished rounds."""
DIGIT = 0.65
"""Width of a digit with spacing, as a fraction of the font size."""


class Style(NamedTuple):
    """Size and content of a seat's panel."""

    width: float
    height: float
    card_width: float
    gap: float
    """Space between cards."""
    foot: float
    """Height of the area below the cards."""
    letters: float
    """Minimum font size."""
    small: bool
    """Whether the cards are so small that the marks on their backs have to be large."""


def measure(view: View, width: float, card: float, letters: float, *, small: bool = False) -> Style:
    """Return the measures of a panel of a given width; ``card`` is the maximum width of a card."""
    gap, foot = (8, 48) if small else (10, 42)
    columns, rows = num_columns(view.state), num_rows(view.state)
    card = min(card, (width - 2 * SIDE - (columns - 1) * gap) / columns)
    height = PANEL_TOP + rows * (CARD_RATIO * card + gap) - gap + foot
    return Style(width, height, card, gap, foot, letters, small)


def draw_seat(scene: Scene, player: int, style: Style, corner: Point) -> None:
    """Draw a seat's panel with its top left corner at ``corner``."""
    x, y = corner
    scene.seat_panel(player, x, y, style.width, style.height)
    left, right = x + SIDE, x + style.width - SIDE
    scene.seat_name(player, left, y + 26, 20)
    total = int(scene.state.totals[player])
    scene.write(right, y + 26, str(total), size=26, align="right", bold=True)
    scene.label(right, y + 52, units(total, "point"), size=style.letters, align="right")
    letters = style.letters
    scene.tags(left, y + 53, tags(scene, player), size=letters, height=letters + 8)
    columns = num_columns(scene.state)
    used = columns * (style.card_width + style.gap) - style.gap
    _draw_board(scene, player, style, (x + (style.width - used) / 2, y + PANEL_TOP))
    _draw_rounds(scene, player, style, corner)


def _draw_rounds(scene: Scene, player: int, style: Style, corner: Point) -> None:
    """Write the result of the round just scored, or the sum of the rounds, below the cards."""
    if just_scored(scene.state):
        news = last_board(scene.state, player)
    else:
        length = int(style.width / (DIGIT * style.letters))
        news = scene.hands_sum(player, min(LONGEST_SUM, length))
    lines = wrapped(news, style.letters, style.width - 2 * SIDE)
    x = corner[0] + style.width / 2
    step = style.letters + 4
    y = corner[1] + style.height - style.foot / 2 - (len(lines) - 1) * step / 2
    for i, line in enumerate(lines):
        scene.label(x, y + i * step, line, size=style.letters, align="middle")


def _draw_board(scene: Scene, player: int, style: Style, corner: Point) -> None:
    """Draw a seat's cards; frame those that can be chosen and mark those worth nothing."""
    state, width = scene.state, style.card_width
    acts, noughts = scene.acts(player), matched(state, player)
    for slot in range(int(state.cards)):
        row, column = divmod(slot, num_columns(state))
        x = corner[0] + column * (width + style.gap)
        y = corner[1] + row * (CARD_RATIO * width + style.gap)
        action, swapped = f"slot:{slot}", acts and slot == state.swap_slot
        if swapped or (acts and action in scene.legal):
            scene.card_frame(x, y, width, TO_SWAP if swapped else None)
        _draw_slot(scene, player, slot, (x, y), style)
        if slot in noughts:
            draw_nought(scene.picture, x + width - 8, y + 8, max(15, style.letters))
        if swapped:
            draw_swap_mark(scene.picture, x + 8, y + CARD_RATIO * width - 8)
        if acts:
            scene.offer([action], card_box(x, y, width))


def _draw_slot(scene: Scene, player: int, slot: int, corner: Point, style: Style) -> None:
    """Draw one card of a seat as the viewer knows it."""
    state = scene.state
    known = is_known(state, scene.viewer, player, slot)
    face = FACES[state.boards[player, slot]] if known else None
    place = (scene.picture, *corner, style.card_width)
    if state.face_up[player, slot] and face:
        draw_card(*place, face)
    else:
        draw = draw_small_back if style.small else draw_card_back
        draw(*place, known=face, looked=bool(state.peeked[player, slot]))
