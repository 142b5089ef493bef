"""A table of Diddly as text (see `words`) and as a picture, as one seat sees it.

Whoever draws asks `state.is_known` for every card on a board, so what the viewer cannot know never
reaches the text or the picture. The deck is only counted.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.diddly.state import (
    CARD_NAMES,
    DIDDLY,
    HALF,
    LINES,
    MAX_CARDS,
    NO_CARD,
    NUM_KINDS,
    OVER,
    PEEK,
    RECYCLE,
    SLOT,
    SWAP,
    Params,
    State,
    is_known,
)
from kitchentable.diddly.words import (
    LONG_NAMES,
    choices,
    decision,
    just_scored,
    last_board,
    note,
    num_columns,
    round_of_rounds,
    rounds_sum,
    seen_by,
    tags,
    to_text,
)
from kitchentable.picture import (
    CARD_RATIO,
    INK,
    PAPER,
    Align,
    Face,
    Picture,
    draw_card,
    draw_card_back,
    draw_eye,
)

__all__ = ["FACES", "to_picture", "to_text"]

WIDTH = 1200
MARGIN = 24
GAP = 14
HEADER = 76
STRIP = 208
PANEL_TOP, PANEL_FOOT = 74, 42

TABLE, PANEL, STRIP_COLOUR, EMPTY = "#10312f", "#1a4542", "#0b2524", "#2c5a56"
LIGHT, MUTED, ACCENT, MATCHED, TO_SWAP = "#f4f7f4", "#a5c2bb", "#fbbf24", "#34d399", "#a78bfa"


def _number_ink(kind: int) -> str:
    """Colour the cards from good (low) to bad."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min(kind // 3, 3)]


FACES = (
    *(Face(name, ink=_number_ink(kind)) for kind, name in enumerate(CARD_NAMES[:DIDDLY])),
    *(
        Face(CARD_NAMES[kind], LONG_NAMES[kind], paper, PAPER)
        for kind, paper in (
            (DIDDLY, "#0f9f74"),
            (SWAP, "#7c3aed"),
            (HALF, "#d9730d"),
            (PEEK, "#2563eb"),
            (RECYCLE, "#c2266b"),
        )
    ),
)
"""What is printed on each kind of card."""


class _Grid(NamedTuple):
    """Where the seats' panels lie."""

    across: int
    panel_width: float
    panel_height: float
    card_width: float
    gap: float

    @property
    def step(self) -> float:
        """From the top of a card to the top of the one below it."""
        return CARD_RATIO * self.card_width + self.gap


def _grid(params: Params) -> _Grid:
    """Lay out the panels: up to four beside each other, alike many in each row."""
    seats = params.num_players
    across = seats if seats <= 4 else (seats + 1) // 2
    columns, rows = (3, 3) if params.cards == MAX_CARDS else (params.cards // 2, 2)
    width = (WIDTH - 2 * MARGIN - (across - 1) * GAP) / across
    gap = 10
    largest = (116, 88)[seats > 4] if rows == 2 else (92, 64)[seats > 4]
    card = min(largest, (width - 2 * 18 - (columns - 1) * gap) / columns)
    height = PANEL_TOP + rows * (CARD_RATIO * card + gap) - gap + PANEL_FOOT
    return _Grid(across, width, height, card, gap)


def to_picture(state: State, params: Params, viewer: int) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
    """
    grid = _grid(params)
    rows = -(-params.num_players // grid.across)
    top = HEADER + STRIP + GAP
    # Even, because video formats want it so.
    height = 2 * round((top + rows * (grid.panel_height + GAP) - GAP + 48) / 2)
    picture = Picture(WIDTH, height, TABLE)
    _draw_header(picture, state, params, viewer)
    _draw_strip(picture, state)
    for player in range(params.num_players):
        row, column = divmod(player, grid.across)
        in_row = min(grid.across, params.num_players - row * grid.across)
        used = in_row * (grid.panel_width + GAP) - GAP
        x = (WIDTH - used) / 2 + column * (grid.panel_width + GAP)
        _draw_seat(picture, state, viewer, player, grid, x, top + row * (grid.panel_height + GAP))
    _draw_legend(picture, height - 24)
    return picture


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    y = HEADER / 2
    picture.text(MARGIN, y, "Diddly", size=34, colour=LIGHT, bold=True)
    about = f"{params.cards} cards, {round_of_rounds(state, params)}"
    picture.text(MARGIN + 138, y + 4, about, size=18, colour=MUTED)
    right = WIDTH - MARGIN
    picture.text(right, y + 4, seen_by(viewer), size=18, colour=MUTED, align="right")


def _draw_strip(picture: Picture, state: State) -> None:
    """Draw what lies in the middle of the table, and say what is going on."""
    width = 92
    picture.rectangle(MARGIN, HEADER, WIDTH - 2 * MARGIN, STRIP, fill=STRIP_COLOUR, radius=16)
    top = HEADER + 20
    held, pile = int(state.held), int(state.pile_size)
    shown = (
        (f"Deck {state.deck_size}", NO_CARD),
        (f"Discards {pile}", int(state.pile[pile - 1]) if pile else NO_CARD),
        ("In hand", held),
    )
    for i, (caption, kind) in enumerate(shown):
        x = MARGIN + 24 + i * (width + 22)
        if i == 0 and state.deck_size > 0:
            draw_card_back(picture, x, top, width, known=None, looked=False)
        elif kind == NO_CARD:
            box = (x, top, width, CARD_RATIO * width)
            picture.rectangle(*box, outline=EMPTY, line=2, radius=0.1 * width)
        else:
            draw_card(picture, x, top, width, FACES[kind])
        _label(picture, x + width / 2, HEADER + STRIP - 24, caption, align="middle")
    _draw_news(picture, state, MARGIN + 24 + 3 * (width + 22) + 18)


def _draw_news(picture: Picture, state: State, x: float) -> None:
    """Say who decides what, and count the discard pile by kind."""
    picture.text(x, HEADER + 42, decision(state), size=26, colour=ACCENT, bold=True)
    picture.text(x, HEADER + 76, note(state), size=18, colour=LIGHT)
    picture.text(x, HEADER + 112, "In the discard pile", size=15, colour=MUTED)
    width = (WIDTH - MARGIN - 24 - x) / NUM_KINDS
    for kind, face in enumerate(FACES):
        count = int(state.pile_counts[kind])
        left, top = x + kind * width, HEADER + 130
        middle = left + (width - 8) / 2
        box = (left, top, width - 8, 32)
        if count:
            picture.rectangle(*box, fill=face.paper, radius=6)
        else:
            picture.rectangle(*box, outline=EMPTY, line=1.5, radius=6)
        ink = face.ink if count else EMPTY
        picture.text(middle, top + 16, face.label, size=18, colour=ink, align="middle", bold=True)
        if count:
            _label(picture, middle, top + 50, f"x{count}", align="middle")


def _draw_seat(
    picture: Picture, state: State, viewer: int, player: int, grid: _Grid, x: float, y: float
) -> None:
    """Draw a seat's panel: name, marks, total, cards, rounds."""
    acts = state.phase != OVER and player == state.current_player
    edge = ACCENT if acts else None
    box = (x, y, grid.panel_width, grid.panel_height)
    picture.rectangle(*box, fill=PANEL, outline=edge, line=3, radius=16)
    left, right = x + 18, x + grid.panel_width - 18
    name = f"player_{player}"
    picture.text(left, y + 26, name, size=20, colour=ACCENT if acts else LIGHT, bold=True)
    total = str(state.totals[player])
    picture.text(right, y + 26, total, size=26, colour=LIGHT, align="right", bold=True)
    picture.text(right, y + 52, "points", size=14, colour=MUTED, align="right")
    for tag in tags(state, viewer, player):
        width = 14 + 7.5 * len(tag)
        picture.rectangle(left, y + 42, width, 22, outline=MUTED, line=1.5, radius=11)
        picture.text(left + width / 2, y + 53, tag, size=14, colour=LIGHT, align="middle")
        left += width + 6
    columns = num_columns(state)
    used = columns * (grid.card_width + grid.gap) - grid.gap
    corner = (x + (grid.panel_width - used) / 2, y + PANEL_TOP)
    _draw_board(picture, state, viewer, player, grid, corner)
    news = last_board(state, player) if just_scored(state) else rounds_sum(state, player, 30)
    middle, foot = x + grid.panel_width / 2, y + grid.panel_height - PANEL_FOOT / 2
    picture.text(middle, foot, news, size=14, colour=MUTED, align="middle")


def _draw_board(
    picture: Picture,
    state: State,
    viewer: int,
    player: int,
    grid: _Grid,
    corner: tuple[float, float],
) -> None:
    """Draw a seat's cards; frame those that may be chosen, mark those worth nothing."""
    acts = player == state.current_player
    legal = choices(state)[SLOT:] & acts
    matched = _matched(state, player)
    for slot in range(int(state.cards)):
        row, column = divmod(slot, num_columns(state))
        x = corner[0] + column * (grid.card_width + grid.gap)
        y = corner[1] + row * grid.step
        if legal[slot] or (acts and slot == state.swap_slot):
            _draw_frame(picture, x, y, grid.card_width, ACCENT if legal[slot] else TO_SWAP)
        face = FACES[state.boards[player, slot]] if is_known(state, viewer, player, slot) else None
        if state.face_up[player, slot] and face:
            draw_card(picture, x, y, grid.card_width, face)
        else:
            looked = bool(state.peeked[player, slot])
            draw_card_back(picture, x, y, grid.card_width, known=face, looked=looked)
        if slot in matched:
            _draw_nought(picture, x + grid.card_width - 8, y + 8)


def _draw_frame(picture: Picture, x: float, y: float, width: float, colour: str) -> None:
    edge = 3.5
    box = (x - edge, y - edge, width + 2 * edge, CARD_RATIO * width + 2 * edge)
    picture.rectangle(*box, fill=colour, radius=0.1 * width + edge)


def _draw_nought(picture: Picture, x: float, y: float) -> None:
    picture.circle(x, y, 11, fill=MATCHED, outline=PANEL, line=2)
    picture.text(x, y, "0", size=15, colour=INK, align="middle", bold=True)


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


def _draw_legend(picture: Picture, y: float) -> None:
    _draw_frame(picture, MARGIN + 4, y - 8, 12, ACCENT)
    picture.rectangle(MARGIN + 4, y - 8, 12, 12 * CARD_RATIO, fill=PANEL, radius=2)
    _label(picture, MARGIN + 30, y, "may be chosen")
    draw_card_back(picture, MARGIN + 161, y - 15, 22, known=Face("7"), looked=False)
    _label(picture, MARGIN + 194, y, "face down, but known here")
    draw_eye(picture, MARGIN + 414, y, 12)
    _label(picture, MARGIN + 435, y, "its owner has looked at it")
    _draw_nought(picture, MARGIN + 654, y)
    _label(picture, MARGIN + 674, y, "worth nothing: it matches")


def _label(picture: Picture, x: float, y: float, text: str, align: Align = "left") -> None:
    picture.text(x, y, text, size=15, colour=MUTED, align=align)
