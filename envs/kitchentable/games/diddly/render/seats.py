"""A seat of Diddly, drawn: its name, marks, total, cards and rounds."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from kitchentable.games.diddly.render.cards import (
    ACCENT,
    FACES,
    LIGHT,
    MUTED,
    PANEL,
    TO_SWAP,
    draw_frame,
    draw_nought,
    draw_small_back,
    draw_small_card,
    draw_swap_mark,
)
from kitchentable.games.diddly.render.text import (
    choices,
    just_scored,
    last_board,
    num_columns,
    rounds_sum,
    tags,
)
from kitchentable.games.diddly.render.view import View, offer
from kitchentable.games.diddly.state import LINES, MAX_CARDS, SLOT, State, is_known
from kitchentable.render.cards import CARD_RATIO, draw_card, draw_card_back
from kitchentable.render.picture import Picture, Point

PANEL_TOP = 74
"""From the top of a panel to its cards."""
LONGEST_SUM = 30
"""Characters of the finished rounds that are written at most."""


class Style(NamedTuple):
    """How large the panel of a seat is and what is on it."""

    width: float
    height: float
    card_width: float
    gap: float
    """Between cards."""
    foot: float
    """Height of what is below the cards."""
    letters: float
    """Size of the smallest letters."""
    line_length: int
    """Characters that fit into a line below the cards."""
    small: bool
    """Whether cards are so small that they show nothing but their label."""


def measure(
    view: View,
    width: float,
    card_width: float,
    *,
    gap: float,
    foot: float,
    letters: float,
    line_length: int,
    small: bool,
) -> Style:
    """Measure a panel of a width, with cards of at most ``card_width``."""
    columns, rows = num_columns(view.state), _num_rows(view.state)
    card = min(card_width, (width - 2 * 18 - (columns - 1) * gap) / columns)
    height = PANEL_TOP + rows * (CARD_RATIO * card + gap) - gap + foot
    return Style(width, height, card, gap, foot, letters, line_length, small)


def _num_rows(state: State) -> int:
    return int(state.cards) // num_columns(state)


def draw_seat(picture: Picture, view: View, player: int, style: Style, x: float, y: float) -> None:
    """Draw a seat's panel with its top left corner at (x, y)."""
    acts = view.acts(player)
    box = (x, y, style.width, style.height)
    picture.rectangle(*box, fill=PANEL, outline=ACCENT if acts else None, line=3, radius=16)
    left, right = x + 18, x + style.width - 18
    name = f"player_{player}"
    picture.text(left, y + 26, name, size=20, colour=ACCENT if acts else LIGHT, bold=True)
    total = str(view.state.totals[player])
    picture.text(right, y + 26, total, size=26, colour=LIGHT, align="right", bold=True)
    picture.text(right, y + 52, "points", size=style.letters, colour=MUTED, align="right")
    _draw_tags(picture, tags(view.state, view.viewer, player), left, y + 53, style.letters)
    columns = num_columns(view.state)
    used = columns * (style.card_width + style.gap) - style.gap
    _draw_board(picture, view, player, style, (x + (style.width - used) / 2, y + PANEL_TOP))
    _draw_rounds(picture, view.state, player, style, (x, y))


def _draw_tags(picture: Picture, tags: list[str], x: float, y: float, letters: float) -> None:
    height = letters + 8
    for tag in tags:
        width = 14 + letters * 7.5 / 14 * len(tag)
        box = (x, y - height / 2, width, height)
        picture.rectangle(*box, outline=MUTED, line=1.5, radius=height / 2)
        picture.text(x + width / 2, y, tag, size=letters, colour=LIGHT, align="middle")
        x += width + 6


def _draw_rounds(picture: Picture, state: State, player: int, style: Style, corner: Point) -> None:
    """Write below the cards how the round that was just scored ended, or what the total is of."""
    if just_scored(state):
        news = last_board(state, player)
    else:
        news = rounds_sum(state, player, min(LONGEST_SUM, style.line_length))
    # The score stays together with its "=".
    glued = textwrap.wrap(news.replace("= ", "=_"), style.line_length) or [""]
    lines = [line.replace("_", " ") for line in glued]
    x = corner[0] + style.width / 2
    step = style.letters + 4
    y = corner[1] + style.height - style.foot / 2 - (len(lines) - 1) * step / 2
    for i, line in enumerate(lines):
        size = style.letters
        picture.text(x, y + i * step, line, size=size, colour=MUTED, align="middle")


def _draw_board(picture: Picture, view: View, player: int, style: Style, corner: Point) -> None:
    """Draw a seat's cards; frame those that may be chosen, mark those worth nothing."""
    state, width = view.state, style.card_width
    acts = view.acts(player)
    legal = choices(state)[SLOT:] & acts
    matched = _matched(state, player)
    for slot in range(int(state.cards)):
        row, column = divmod(slot, num_columns(state))
        x = corner[0] + column * (width + style.gap)
        y = corner[1] + row * (CARD_RATIO * width + style.gap)
        swapped = acts and slot == state.swap_slot
        if legal[slot] or swapped:
            draw_frame(picture, x, y, width, TO_SWAP if swapped else ACCENT)
        _draw_slot(picture, view, player, slot, (x, y), style)
        if slot in matched:
            draw_nought(picture, x + width - 8, y + 8, max(15, style.letters))
        if swapped:
            draw_swap_mark(picture, x + 8, y + CARD_RATIO * width - 8)
        if acts:
            offer(picture, view, f"slot:{slot}", x, y, width, CARD_RATIO * width)


def _draw_slot(
    picture: Picture, view: View, player: int, slot: int, corner: Point, style: Style
) -> None:
    """Draw one card of a seat as the viewer knows it."""
    state = view.state
    known = is_known(state, view.viewer, player, slot)
    face = FACES[state.boards[player, slot]] if known else None
    place = (picture, *corner, style.card_width)
    if state.face_up[player, slot] and face:
        (draw_small_card if style.small else draw_card)(*place, face)
    else:
        draw = draw_small_back if style.small else draw_card_back
        draw(*place, known=face, looked=bool(state.peeked[player, slot]))


def _matched(state: State, player: int) -> set[int]:
    """Return the face-up cards that are worth nothing because they match."""
    columns = num_columns(state)
    lines = LINES if state.cards == MAX_CARDS else [(i, i + columns) for i in range(columns)]
    board, face_up = state.boards[player], state.face_up[player]
    return {
        slot
        for line in lines
        if all(face_up[i] and board[i] == board[line[0]] for i in line)
        for slot in line
    }
