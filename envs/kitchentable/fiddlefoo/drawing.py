"""A table of Fiddlefoo as text (see `wording`) and as a picture, as one seat sees it.

All that depends on who looks comes from `drawing_view` and `sentences`. The draw pile is only
counted. The map is on the left; on the right are what is going on, the piles, and the hands below
each other, in cards as large as all hands have room for.
"""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.fiddlefoo.cards import COLOR, COLORS, NO_CARD, NUM_COLORS
from kitchentable.fiddlefoo.drawing_cards import (
    BY_NOTES,
    CHOICE,
    CHOSEN,
    INKS,
    PAIR,
    PAPERS,
    draw_arrow,
    draw_back,
    draw_frame,
    draw_held,
    draw_pile_mark,
    draw_tile,
)
from kitchentable.fiddlefoo.drawing_map import MARGIN as MAP_MARGIN
from kitchentable.fiddlefoo.drawing_map import cell_size, draw_map
from kitchentable.fiddlefoo.drawing_view import Choices, Held, cards_of, choices, code, hand
from kitchentable.fiddlefoo.sentences import (
    about_pair,
    decision,
    game_of_games,
    games_sum,
    last_hand,
    last_piles,
    notes,
    out_of_game,
    progress,
    seen_by,
    tags,
    unit,
    variants,
)
from kitchentable.fiddlefoo.state import FULL_PILE, OVER, THROW, Params, State
from kitchentable.fiddlefoo.wording import to_text
from kitchentable.letters import text_width, wrapped
from kitchentable.picture import Picture, draw_eye

__all__ = ["to_picture", "to_text"]

SIDE = 700
"""Width of the right side."""
MARGIN = 24
GAP = 12
HEADER = 66
FOOTER = 46
INNER = 16
"""Between a box and what it holds."""
PILE = 64
"""Side of the draw pile."""
DECISION, SMALL, FOOT = 20, 15, 13
"""Sizes of letters."""
LINE = 1.36
"""From one line to the next, as a part of the letters' size."""
NAME = 36
"""Height of a seat's first line."""
SPACE = 9
"""Between the cards of a hand."""
LARGEST, LEAST = 100, 16
"""Sides of the cards of a hand."""
PILE_STRIP = 74
"""Height of a pile of the cooperative variant without the lines below its top."""

TABLE, PANEL, STATUS = "#211b17", "#332a24", "#16110e"
LIGHT, MUTED = "#f5f0ea", "#b8aa9d"


def to_picture(state: State, params: Params, viewer: int) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show every card.
    """
    board = MAP_MARGIN + params.map_size * cell_size(params.map_size)
    side = MARGIN + board + MARGIN
    # Even, because video formats want it so.
    width, height = (2 * round(n / 2) for n in (side + SIDE + MARGIN, HEADER + board + FOOTER))
    picture = Picture(width, height, TABLE)
    _draw_header(picture, state, params, viewer)
    may = choices(state, params, viewer)
    draw_map(picture, state, may, MARGIN, HEADER)
    top = _draw_status(picture, state, side, HEADER + MAP_MARGIN)
    if params.cooperative:
        top = _draw_piles(picture, state, side, top + GAP)
    _draw_seats(picture, state, viewer, may, side, top + GAP, HEADER + board)
    _draw_legend(picture, params, height - FOOTER / 2 + 2)
    return picture


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    y = (HEADER + MAP_MARGIN) / 2 - 10
    picture.text(MARGIN, y, "Fiddlefoo", size=34, colour=LIGHT, bold=True)
    about = ", ".join(filter(None, (game_of_games(state, params), variants(params))))
    picture.text(MARGIN + 190, y + 4, about, size=18, colour=MUTED)
    right = picture.width - MARGIN
    picture.text(right, y + 4, seen_by(viewer), size=18, colour=MUTED, align="right")


# --- What is going on ---------------------------------------------------------------------------


def _draw_status(picture: Picture, state: State, x: float, y: float) -> float:
    """Draw the pile and say what is going on; return where the box ends."""
    left = x + INNER + PILE + 18
    room = x + SIDE - INNER - left
    lines = [(line, DECISION, CHOICE) for line in wrapped(decision(state), DECISION, room)]
    for text, colour in (
        (about_pair(state), LIGHT),
        (" ".join(notes(state)), MUTED),
        (last_piles(state), MUTED),
        (out_of_game(state), MUTED),
    ):
        lines += [(line, SMALL, colour) for line in wrapped(text, SMALL, room)]
    least = PILE + 2 * INNER + 22
    height = max(least, 2 * INNER + sum(LINE * size for _, size, _ in lines))
    picture.rectangle(x, y, SIDE, height, fill=STATUS, radius=14)
    _draw_pile(picture, state, x + INNER, y + INNER)
    at = y + INNER
    for line, size, colour in lines:
        at += LINE * size / 2
        picture.text(left, at, line, size=size, colour=colour, bold=size == DECISION)
        at += LINE * size / 2
    return y + height


def _draw_pile(picture: Picture, state: State, x: float, y: float) -> None:
    """Draw the draw pile and how many cards it has."""
    if state.deck_size:
        draw_back(picture, x, y, PILE)
    else:
        picture.rectangle(x, y, PILE, PILE, outline=PANEL, line=2, radius=0.1 * PILE)
    count = f"{state.deck_size} cards" if state.deck_size != 1 else "1 card"
    at = (x + PILE / 2, y + PILE + 15)
    picture.text(*at, count, size=SMALL, colour=MUTED, align="middle")


def _draw_piles(picture: Picture, state: State, x: float, y: float) -> float:
    """Draw the piles of the cooperative variant; return where they end."""
    width = (SIDE - (NUM_COLORS - 1) * GAP) / NUM_COLORS
    cards = cards_of(state.on_piles)
    piles = [[card for card in cards if COLOR[card] == color] for color in range(NUM_COLORS)]
    below = [wrapped(" ".join(code(c)[1:] for c in pile), FOOT, width - 20) for pile in piles]
    height = PILE_STRIP + LINE * FOOT * max(1, *map(len, below))
    for color in range(NUM_COLORS):
        left = x + color * (width + GAP)
        picture.rectangle(left, y, width, height, fill=STATUS, radius=14)
        _draw_color(picture, state, color, piles[color], left, y)
        for i, line in enumerate(below[color]):
            at = (left + 10, y + PILE_STRIP + i * LINE * FOOT)
            picture.text(*at, line, size=FOOT, colour=MUTED)
    return y + height


def _draw_color(
    picture: Picture, state: State, color: int, pile: list[int], x: float, y: float
) -> None:
    """Draw the top of one pile, and its music notes."""
    size = 52
    if pile:
        draw_tile(picture, x + 10, y + 10, size, pile[-1])
    else:
        picture.rectangle(x + 10, y + 10, size, size, outline=PAPERS[color], line=2, radius=5)
    held = int(state.pile_notes[color])
    right = x + size + 20
    picture.text(right, y + 24, f"{held}/{FULL_PILE}", size=20, colour=LIGHT, bold=True)
    said = "full" if held == FULL_PILE else "too many" if held > FULL_PILE else COLORS[color]
    picture.text(right, y + 48, said, size=FOOT, colour=CHOICE if held >= FULL_PILE else MUTED)


# --- The seats ----------------------------------------------------------------------------------


class _Seat(NamedTuple):
    """What a seat's panel holds."""

    player: int
    cards: list[Held]
    foot: list[str]
    """What the seat was left with in the game that has just finished."""

    def rows(self, size: int) -> int:
        """Return how many rows the cards take."""
        across = int((SIDE - 2 * INNER + SPACE) // (size + SPACE))
        return max(1, -(-len(self.cards) // across))

    def height(self, size: int) -> float:
        """Return how high the panel must be for cards of a size."""
        foot = LINE * FOOT * len(self.foot) + 10 * bool(self.foot)
        return NAME + self.rows(size) * (size + SPACE) + 4 + foot


def _draw_seats(
    picture: Picture,
    state: State,
    viewer: int,
    may: Choices,
    x: float,
    top: float,
    bottom: float,
) -> None:
    """Draw all seats in cards of one size, the largest that fits."""
    room = SIDE - 2 * INNER
    seats = [
        _Seat(player, hand(state, viewer, player), wrapped(last_hand(state, player), FOOT, room))
        for player in range(int(state.num_players))
    ]
    free = bottom - top - (len(seats) - 1) * GAP
    size = LARGEST
    while size > LEAST and sum(seat.height(size) for seat in seats) > free:
        size -= 1
    spare = (free - sum(seat.height(size) for seat in seats)) / len(seats)
    for seat in seats:
        height = seat.height(size) + spare
        acts = state.phase != OVER and seat.player == state.current_player
        outline = CHOICE if acts else None
        picture.rectangle(x, top, SIDE, height, fill=PANEL, outline=outline, line=3, radius=14)
        _draw_name(picture, state, viewer, seat.player, x, top + NAME / 2)
        _draw_hand(picture, state, seat, may if acts else Choices(), size, x + INNER, top + NAME)
        at = top + height - 16 - LINE * FOOT * (len(seat.foot) - 1)
        for i, line in enumerate(seat.foot):
            picture.text(x + INNER, at + i * LINE * FOOT, line, size=FOOT, colour=MUTED)
        top += height + GAP


def _draw_name(
    picture: Picture, state: State, viewer: int, player: int, x: float, y: float
) -> None:
    """Write a seat's name, marks, cards and points."""
    acts = state.phase != OVER and player == state.current_player
    at, right = x + INNER, x + SIDE - INNER
    name = f"player_{player}"
    picture.text(at, y, name, size=18, colour=CHOICE if acts else LIGHT, bold=True)
    at += text_width(name, 18) + 12
    for tag in tags(state, viewer, player):
        width = 14 + text_width(tag, FOOT)
        picture.rectangle(at, y - 10, width, 20, outline=MUTED, line=1.5, radius=10)
        picture.text(at + width / 2, y, tag, size=FOOT, colour=LIGHT, align="middle")
        at += width + 6
    added = games_sum(state, player, 16)
    about = "   ".join(filter(None, (progress(state, viewer, player), added and f"{added} =")))
    for text, size, colour in (
        (unit(state), FOOT, MUTED),
        (str(state.totals[player]), 22, LIGHT),
        (about, FOOT, MUTED),
    ):
        picture.text(right, y, text, size=size, colour=colour, align="right", bold=size > FOOT)
        right -= text_width(text, size) + 7


def _draw_hand(
    picture: Picture, state: State, seat: _Seat, may: Choices, size: int, x: float, y: float
) -> None:
    """Draw a hand, and frame what may be done with its cards."""
    across = int((SIDE - 2 * INNER + SPACE) // (size + SPACE))
    fits = set(cards_of(state.fits_notes)) if state.phase == THROW else set()
    for i, held in enumerate(seat.cards):
        row, column = divmod(i, across)
        at = (x + column * (size + SPACE), y + row * (size + SPACE))
        draw_held(picture, *at, size, held)
        if held.card == NO_CARD:
            continue
        if held.card == state.chosen:
            draw_frame(picture, *at, size, CHOSEN)
        elif held.card in may.hand:
            draw_frame(picture, *at, size, BY_NOTES if held.card in fits else CHOICE)
        if held.card in may.piles:
            corner = (at[0] + 0.63 * size, at[1] + 0.14 * size)
            draw_pile_mark(picture, *corner, 0.085 * size, INKS[int(COLOR[held.card])])


# --- What the marks mean ------------------------------------------------------------------------


def _draw_legend(picture: Picture, params: Params, y: float) -> None:
    x = float(MARGIN + MAP_MARGIN)
    for colour, label in (
        (CHOICE, "may be chosen"),
        (BY_NOTES, "may be thrown for its notes, alone"),
        (CHOSEN, "chosen"),
        (PAIR, "the pair (thin: played last)"),
    ):
        picture.rectangle(x, y - 8, 16, 16, outline=colour, line=2.5, radius=4)
        x = _label(picture, x + 24, y, label)
    draw_eye(picture, x + 9, y, 10, LIGHT, TABLE)
    x = _label(picture, x + 27, y, "everybody knows it")
    draw_arrow(picture, x + 6, y, 6, LIGHT)
    x = _label(picture, x + 20, y, "received in this turn")
    if params.cooperative:
        draw_pile_mark(picture, x + 7, y, 7, LIGHT)
        _label(picture, x + 22, y, "may go on its pile")


def _label(picture: Picture, x: float, y: float, text: str) -> float:
    """Write a label and return where the next one goes."""
    picture.text(x, y, text, size=SMALL, colour=MUTED)
    return x + text_width(text, SMALL) + 28
