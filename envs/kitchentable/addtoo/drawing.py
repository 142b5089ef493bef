"""A table of Add-Too as text (see `wording`) and as a picture, as one seat sees it.

The layout is on the left, as large as its box has room for; on the right are what is going on, the
places where the chosen diamond may be laid, and the hands, which lie open.
"""

from __future__ import annotations

from kitchentable.addtoo.board import Place
from kitchentable.addtoo.drawing_grid import (
    BONUS,
    CHOICE,
    EDGE,
    HEIGHT,
    LAST,
    Grid,
    draw_back,
    draw_diamond,
    draw_frame,
    draw_letter,
    draw_outline,
    draw_place,
    fit_grid,
)
from kitchentable.addtoo.drawing_view import (
    Offer,
    choosable,
    numbers_of,
    offers,
    place_by_tile,
    tiles_of,
    within_reach,
)
from kitchentable.addtoo.drawing_words import (
    about_last,
    about_pile,
    about_spots,
    decision,
    hand_of_hands,
    hands_sum,
    last_hand,
    may_choose,
    notes,
    pile_count,
    seen_by,
    tags,
    this_hand,
    variants,
)
from kitchentable.addtoo.state import OVER, PAIRS, Params, State, action_names
from kitchentable.addtoo.wording import to_text
from kitchentable.letters import text_width, wrapped
from kitchentable.picture import Picture

__all__ = ["to_picture", "to_text"]

BOARD = 860
"""Width of the layout's box."""
SIDE = 560
"""Width of the right side."""
MARGIN = 24
GAP = 10
HEADER = 66
FOOTER = 46
INNER = 16
"""Between a box and what it holds."""
STATUS = 370
"""Height of the box that says what is going on; more where there are two seats."""
PANEL = 110
"""Height of a seat's panel."""
LEAST_HEIGHT = 640
PILE = 84
"""Width of the pile, of the diamonds in it and what is written below."""
LARGEST = 110
"""The most pixels of a triangle's side in the layout."""
HELD = 58
"""Side of a triangle in a hand."""
APART = 72
"""From a diamond of a hand to the next."""
LIFT = 9
"""What the chosen diamond is lifted by."""
NAME = 36
"""Height of a seat's first line."""
ACROSS = 3
"""Places listed in a row."""
DECISION, SMALL, FOOT = 21, 15, 13
"""Sizes of letters."""
LINE = 1.36
"""From one line to the next, as a part of the letters' size."""

TABLE, BOX, STATUS_BOX, PANEL_BOX = "#16241f", "#1d3029", "#0e1a16", "#243a32"
LIGHT, MUTED = "#f2f5f3", "#a3b8ae"
BACK, BACK_EDGE = "#6f5a48", "#d9cbb8"


def to_picture(state: State, params: Params, viewer: int) -> Picture:
    """Draw the table; its size depends on the parameters alone.

    Args:
        state: the table.
        params: its parameters.
        viewer: the seat whose knowledge is shown, or `NOBODY` to show the order of the pile too.
    """
    seats = params.num_players * (PANEL + GAP)
    board = max(LEAST_HEIGHT, STATUS + seats)
    width, height = 3 * MARGIN + BOARD + SIDE, HEADER + board + FOOTER
    picture = Picture(width, height, TABLE)
    found = offers(state, params)
    _draw_header(picture, state, params, viewer)
    picture.rectangle(MARGIN, HEADER, BOARD, board, fill=BOX, radius=14)
    _draw_layout(picture, state, params, found, board)
    x = 2 * MARGIN + BOARD
    _draw_status(picture, state, params, viewer, found, x, board - seats)
    for player in range(params.num_players):
        top = HEADER + board - seats + GAP + player * (PANEL + GAP)
        _draw_seat(picture, state, params, viewer, player, x, top)
    _draw_legend(picture, height - FOOTER / 2 + 1)
    return picture


def _draw_header(picture: Picture, state: State, params: Params, viewer: int) -> None:
    y = HEADER / 2
    picture.text(MARGIN, y, "Add-Too", size=34, colour=LIGHT, bold=True)
    about = ", ".join(filter(None, (hand_of_hands(state, params), variants(params))))
    picture.text(MARGIN + 170, y + 4, about, size=18, colour=MUTED)
    right = picture.width - MARGIN
    picture.text(right, y + 4, seen_by(viewer), size=18, colour=MUTED, align="right")


# --- The layout ---------------------------------------------------------------------------------


def _draw_layout(
    picture: Picture, state: State, params: Params, found: list[Offer], height: int
) -> None:
    """Draw the lying diamonds, the last one on top, and the places for the chosen one."""
    box = (MARGIN + INNER, HEADER + INNER, BOARD - 2 * INNER, height - 2 * INNER)
    grid = fit_grid(within_reach(state), *box, LARGEST)
    for offer in found:
        draw_place(picture, grid, offer.place)
    by_tile = place_by_tile(state)
    for number, (tile, place) in enumerate(by_tile.items(), start=1):
        frame = LAST if number == len(by_tile) else None
        draw_diamond(picture, grid, place, _numbers(params, tile), frame)
    for offer in found:
        draw_outline(picture, grid, offer.place, is_bonus=offer.is_bonus)
    for offer in found:
        draw_letter(picture, grid, offer.place, offer.letter, is_bonus=offer.is_bonus)


def _numbers(params: Params, tile: int) -> tuple[int, int]:
    orange, blue = numbers_of(params)[:, tile].tolist()
    return orange, blue


# --- What is going on ---------------------------------------------------------------------------


def _draw_status(
    picture: Picture,
    state: State,
    params: Params,
    viewer: int,
    found: list[Offer],
    x: float,
    height: float,
) -> None:
    """Draw the pile, say what is going on and list the places for the chosen diamond."""
    picture.rectangle(x, HEADER, SIDE, height, fill=STATUS_BOX, radius=14)
    _draw_pile(picture, state, x + INNER, HEADER + INNER)
    left = x + INNER + PILE + 18
    room = x + SIDE - INNER - left
    lines = [(line, DECISION, CHOICE) for line in wrapped(decision(state), DECISION, room)]
    for text, size, colour in (
        (" ".join(notes(state)), SMALL, LIGHT),
        (about_last(state, params), SMALL, LIGHT),
        (may_choose(state, params), SMALL, LIGHT),
        (about_spots(state), SMALL, MUTED),
        (about_pile(state, viewer), FOOT, MUTED),
    ):
        lines += [(line, size, colour) for line in wrapped(text, size, room)]
    at = float(HEADER + INNER)
    for line, size, colour in lines:
        at += LINE * size / 2
        picture.text(left, at, line, size=size, colour=colour, bold=size == DECISION)
        at += LINE * size / 2
    _draw_offers(picture, params, found, left, at + 16, HEADER + height - INNER)


def _draw_pile(picture: Picture, state: State, x: float, y: float) -> None:
    """Draw the pile, face down, and how many diamonds it has."""
    unit = 52
    for i in range(min(3, int(state.pile_size))):
        grid = Grid(x + 3 - 3 * i, y + 4 + HEIGHT * unit + 4 * (2 - i), unit)
        draw_back(picture, grid, (0, 0, 0, 0), BACK, BACK_EDGE)
    at = (x + PILE / 2, y + HEIGHT * unit + 32)
    picture.text(*at, pile_count(state), size=FOOT, colour=MUTED, align="middle")


def _draw_offers(
    picture: Picture, params: Params, found: list[Offer], x: float, y: float, bottom: float
) -> None:
    """List the places by letter, with the action and what it scores, as far as there is room."""
    names, pitch = action_names(params), LINE * SMALL + 3
    width = (SIDE - 2 * INNER - PILE - 18) / ACROSS
    rows = int((bottom - y) // pitch)
    fitting = found if len(found) <= rows * ACROSS else found[: (rows - 1) * ACROSS]
    for i, offer in enumerate(fitting):
        row, column = divmod(i, ACROSS)
        left, middle = x + column * width, y + (row + 0.5) * pitch
        picture.circle(left + 9, middle, 9, fill=BONUS if offer.is_bonus else CHOICE)
        at = (left + 9, middle)
        picture.text(*at, offer.letter, size=12, colour=EDGE, align="middle", bold=True)
        told = f"{names[offer.action]}  {offer.points:+}"
        picture.text(left + 24, middle, told, size=FOOT, colour=LIGHT)
    if len(fitting) < len(found):
        at = (x, y + (rows - 0.5) * pitch)
        more = f"and {len(found) - len(fitting)} more"
        picture.text(*at, more, size=FOOT, colour=MUTED)


# --- A seat -------------------------------------------------------------------------------------


def _draw_seat(
    picture: Picture,
    state: State,
    params: Params,
    viewer: int,
    player: int,
    x: float,
    y: float,
) -> None:
    """Draw a seat's panel: name and marks, its diamonds, its points."""
    acts = state.phase != OVER and player == state.current_player
    outline = CHOICE if acts else None
    picture.rectangle(x, y, SIDE, PANEL, fill=PANEL_BOX, outline=outline, line=3, radius=14)
    at, middle = x + INNER, y + NAME / 2
    name = f"player_{player}"
    picture.text(at, middle, name, size=18, colour=CHOICE if acts else LIGHT, bold=True)
    at += text_width(name, 18) + 12
    for tag in tags(state, viewer, player):
        width = 14 + text_width(tag, FOOT)
        picture.rectangle(at, middle - 10, width, 20, outline=MUTED, line=1.5, radius=10)
        picture.text(at + width / 2, middle, tag, size=FOOT, colour=LIGHT, align="middle")
        at += width + 6
    _draw_points(picture, state, player, x + SIDE - INNER, middle)
    _draw_hand(picture, state, params, player, x + INNER, y + PANEL - 10)


def _draw_points(picture: Picture, state: State, player: int, right: float, y: float) -> None:
    """Write a seat's total, and below it what it has scored in hands."""
    picture.text(right, y, "points", size=FOOT, colour=MUTED, align="right")
    total = str(state.totals[player])
    left = right - text_width("points", FOOT) - 6
    picture.text(left, y, total, size=22, colour=LIGHT, align="right", bold=True)
    below = (this_hand(state, player), last_hand(state, player), hands_sum(state, player, 20))
    for i, line in enumerate(filter(None, below)):
        at = y + 24 + i * LINE * FOOT
        picture.text(right, at, line, size=FOOT, colour=MUTED if i else LIGHT, align="right")


def _draw_hand(
    picture: Picture, state: State, params: Params, player: int, x: float, y: float
) -> None:
    """Draw a hand, and frame what may be chosen; the chosen diamond is lifted.

    Args:
        picture: to draw on.
        state: the table.
        params: its parameters.
        player: the seat.
        x: left edge.
        y: bottom edge.
    """
    acts = player == int(state.current_player)
    may = choosable(state) if acts else []
    for i, tile in enumerate(tiles_of(state.hands[player])):
        is_chosen = acts and tile == int(state.chosen)
        grid = Grid(x + i * APART, y - LIFT * is_chosen, HELD)
        frame = CHOICE if is_chosen or tile in may else None
        draw_diamond(picture, grid, _upright(params, tile), _numbers(params, tile), frame)


def _upright(params: Params, tile: int) -> Place:
    """Return a place with the lower number on the left, as in the diamond's name."""
    is_orange_lower = _numbers(params, tile)[0] == PAIRS[tile][0]
    return 0, 0, 0, 0 if is_orange_lower else 1


# --- What the marks mean ------------------------------------------------------------------------


def _draw_legend(picture: Picture, y: float) -> None:
    x = float(MARGIN + 8)
    place, unit = (0, 0, 0, 0), 22
    for colour, label in (
        (LAST, "last played"),
        (CHOICE, "may be chosen, or chosen (lifted)"),
    ):
        grid = Grid(x, y + HEIGHT * unit / 2, unit)
        draw_frame(picture, grid, place, colour)
        draw_back(picture, grid, place, PANEL_BOX, EDGE)
        x = _label(picture, x + 1.5 * unit + 10, y, label)
    for is_bonus, label in (
        (False, "place at the last diamond"),
        (True, "place for a bonus play"),
    ):
        grid = Grid(x, y + HEIGHT * unit / 2, unit)
        draw_outline(picture, grid, place, is_bonus=is_bonus)
        x = _label(picture, x + 1.5 * unit + 10, y, label)


def _label(picture: Picture, x: float, y: float, text: str) -> float:
    """Write a label and return where the next one goes."""
    picture.text(x, y, text, size=SMALL, colour=MUTED)
    return x + text_width(text, SMALL) + 28
