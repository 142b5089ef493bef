"""The picture of a table of Add-Too for a screen.

The layout is on the left, as large as its box has room for; on the right are what is going on, the
places where the chosen diamond may be laid, and the hands, which lie open.
"""

from __future__ import annotations

from kitchentable.games.addtoo.render.grid import CHOICE, HEIGHT, Box, fit_grid
from kitchentable.games.addtoo.render.parts import (
    BOX,
    LIGHT,
    LINE,
    MUTED,
    STATUS_BOX,
    TABLE,
    ListSizes,
    Scene,
    SeatSizes,
    draw_layout,
    draw_legend,
    draw_lines,
    draw_list,
    draw_pile,
    draw_seat,
    scene_of,
)
from kitchentable.games.addtoo.render.sentences import (
    about_last,
    about_pile,
    about_place,
    about_spots,
    decision,
    hand_of_hands,
    may_choose,
    notes,
    pile_count,
    seen_by,
    variants,
)
from kitchentable.games.addtoo.render.view import View, within_reach
from kitchentable.render.letters import wrapped
from kitchentable.render.picture import Picture

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
PILE_UNIT = 52
"""Side of a triangle in the pile."""
LARGEST = 110
"""The most pixels of a triangle's side in the layout."""
DECISION, SMALL, FOOT = 21, 15, 13
"""Sizes of letters."""
SEAT = SeatSizes(held=58, name=18, total=22, foot=FOOT, top=36)
PLACES = ListSizes(columns=3, letter=12, radius=9, told=FOOT, pitch=LINE * SMALL + 3)


def wide(view: View) -> Picture:
    """Draw the table; see `drawing.to_picture`."""
    state, params, viewer = view.state, view.params, view.viewer
    seats = params.num_players * (PANEL + GAP)
    board = max(LEAST_HEIGHT, STATUS + seats)
    width, height = 3 * MARGIN + BOARD + SIDE, HEADER + board + FOOTER
    scene = scene_of(Picture(width, height, TABLE), state, params, viewer)
    _draw_header(scene)
    _draw_board(scene, board)
    x = 2 * MARGIN + BOARD
    _draw_status(scene, x, board - seats)
    for player in range(params.num_players):
        top = HEADER + board - seats + GAP + player * (PANEL + GAP)
        draw_seat(scene, player, Box(x, top, SIDE, PANEL), SEAT)
    legend = Box(MARGIN + 8, height - FOOTER / 2 + 1, width - 2 * MARGIN - 8, FOOTER)
    draw_legend(scene.picture, legend, SMALL)
    return scene.picture


def _draw_header(scene: Scene) -> None:
    picture, state, params = scene.picture, scene.state, scene.params
    y = HEADER / 2
    picture.text(MARGIN, y, "Add-Too", size=34, colour=LIGHT, bold=True)
    about = ", ".join(filter(None, (hand_of_hands(state, params), variants(params))))
    picture.text(MARGIN + 170, y + 4, about, size=18, colour=MUTED)
    right = picture.width - MARGIN
    picture.text(right, y + 4, seen_by(scene.viewer), size=18, colour=MUTED, align="right")


def _draw_board(scene: Scene, height: int) -> None:
    scene.picture.rectangle(MARGIN, HEADER, BOARD, height, fill=BOX, radius=14)
    box = (MARGIN + INNER, HEADER + INNER, BOARD - 2 * INNER, height - 2 * INNER)
    draw_layout(scene, fit_grid(within_reach(scene.state), *box, LARGEST))


def _draw_status(scene: Scene, x: float, height: float) -> None:
    """Draw the pile, say what is going on and list the places for the chosen diamond."""
    picture, state, params = scene.picture, scene.state, scene.params
    picture.rectangle(x, HEADER, SIDE, height, fill=STATUS_BOX, radius=14)
    _draw_counted_pile(scene, x + INNER, HEADER + INNER)
    left = x + INNER + PILE + 18
    room = x + SIDE - INNER - left
    lines = [(line, DECISION, CHOICE) for line in wrapped(decision(state), DECISION, room)]
    for text, size, colour in (
        (" ".join(notes(state)), SMALL, LIGHT),
        (about_last(state, params), SMALL, LIGHT),
        (may_choose(state, params), SMALL, LIGHT),
        (about_spots(state), SMALL, MUTED),
        (about_pile(state, scene.viewer), FOOT, MUTED),
    ):
        lines += [(line, size, colour) for line in wrapped(text, size, room)]
    below = draw_lines(picture, left, HEADER + INNER, lines, bold=DECISION)
    told = [f"{about_place(state, params, offer)}  {offer.points:+}" for offer in scene.found]
    top = below + 16
    draw_list(scene, told, Box(left, top, room, HEADER + height - INNER - top), PLACES)


def _draw_counted_pile(scene: Scene, x: float, y: float) -> None:
    """Draw the pile, face down, and how many diamonds it has."""
    draw_pile(scene, x, y, PILE_UNIT)
    at = (x + PILE / 2, y + HEIGHT * PILE_UNIT + 32)
    scene.picture.text(*at, pile_count(scene.state), size=FOOT, colour=MUTED, align="middle")
