"""Picture of an Add-Too table for a wide screen.

The layout is on the left, as large as its box allows. On the right are the situation, the places
for the chosen diamond, and the hands, which lie open.
"""

from __future__ import annotations

from kitchentable.games.addtoo.render import sentences
from kitchentable.games.addtoo.render.diamonds import LARGEST, PALETTE, Scene, signs
from kitchentable.games.addtoo.render.grid import HEIGHT, fit_grid
from kitchentable.games.addtoo.render.layout import ListSizes, draw_layout, draw_list, draw_pile
from kitchentable.games.addtoo.render.seats import SeatSizes, draw_seat
from kitchentable.games.addtoo.render.view import View, within_reach
from kitchentable.render.letters import LEADING, Line, lines_of
from kitchentable.render.picture import Picture, Rectangle

BOARD = 640
"""Width of the layout's box."""
SIDE = 488
"""Width of the right column."""
MARGIN = 24
GAP = 10
HEADER = 66
FOOTER = 76
INNER = 16
"""Padding of a box."""
STATUS = 460
"""Minimum height of the box that describes the situation; with two seats it is higher."""
PANEL = 110
"""Height of a seat's panel."""
LEAST_HEIGHT = 700
PILE = 84
"""Width of the pile and of the text below it."""
PILE_UNIT = 52
"""Side length of a triangle in the pile."""
DECISION, SMALL, FOOT = 21, 15, 14
"""Font sizes."""
SEAT = SeatSizes(held=52, name=18, total=22, foot=FOOT, top=36)
PLACES = ListSizes(columns=2, letter=14, radius=11, told=FOOT, pitch=LEADING * SMALL + 4)


def wide(view: View) -> Picture:
    """Draw the table for a wide screen."""
    seats = view.params.num_players * (PANEL + GAP)
    board = max(LEAST_HEIGHT, STATUS + seats)
    width, height = 3 * MARGIN + BOARD + SIDE, HEADER + board + FOOTER
    scene = Scene.begin(view, width, height, PALETTE)
    about = ", ".join(filter(None, (sentences.about(view), sentences.variants(view))))
    scene.header(about, margin=MARGIN, y=HEADER / 2, size=34, indent=170, hidden=sentences.HIDDEN)
    _draw_board(scene, board)
    x = 2 * MARGIN + BOARD
    _draw_status(scene, x, board - seats)
    for player in range(view.params.num_players):
        top = HEADER + board - seats + GAP + player * (PANEL + GAP)
        draw_seat(scene, player, Rectangle(x, top, SIDE, PANEL), SEAT)
    y, right = HEADER + board + 22, width - MARGIN
    scene.legend(signs(scene), x=MARGIN + 8, y=y, right=right, size=SMALL, step=FOOTER - 46)
    return scene.picture


def _draw_board(scene: Scene, height: int) -> None:
    box = (MARGIN, HEADER, BOARD, height)
    scene.picture.rectangle(*box, fill=PALETTE.empty, radius=PALETTE.corner)
    inside = Rectangle(MARGIN + INNER, HEADER + INNER, BOARD - 2 * INNER, height - 2 * INNER)
    grid = fit_grid(within_reach(scene.state), inside, LARGEST)
    draw_layout(scene, grid, letter=min(FOOT, 0.4 * grid.unit))


def _draw_status(scene: Scene, x: float, height: float) -> None:
    """Draw the pile, describe the situation and list the places for the chosen diamond."""
    scene.strip(x, HEADER, SIDE, height)
    _draw_counted_pile(scene, x + INNER, HEADER + INNER)
    left = x + INNER + PILE + 18
    room = x + SIDE - INNER - left
    paragraphs = [
        Line(sentences.decision(scene), DECISION, PALETTE.accent, bold=True),
        Line(sentences.note(scene), SMALL, PALETTE.light),
        Line(sentences.about_last(scene), SMALL, PALETTE.light),
        Line(sentences.may_choose(scene), SMALL, PALETTE.light),
        Line(sentences.about_spots(scene), SMALL, PALETTE.muted),
        Line(sentences.about_pile(scene), FOOT, PALETTE.muted),
    ]
    top = scene.lines(left, HEADER + INNER, lines_of(paragraphs, room)) + 16
    places = [f"{sentences.about_place(scene, offer)}  {offer.points:+}" for offer in scene.found]
    draw_list(scene, places, Rectangle(left, top, room, HEADER + height - INNER - top), PLACES)


def _draw_counted_pile(scene: Scene, x: float, y: float) -> None:
    """Draw the face-down pile and the number of diamonds in it."""
    draw_pile(scene, x, y, PILE_UNIT)
    below = y + HEIGHT * PILE_UNIT + 32
    scene.label(x + PILE / 2, below, sentences.pile_count(scene), size=FOOT, align="middle")
