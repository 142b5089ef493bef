"""The picture of a table of Add-Too for a phone.

From top to bottom: what is going on, the layout with the places for the chosen diamond below it,
the viewer's own hand, the other seats, what the marks mean. A layout that would get too small to
read is shown in part.
"""

from __future__ import annotations

from kitchentable.core.state import NOBODY
from kitchentable.games.addtoo.board import Place, last_tile
from kitchentable.games.addtoo.render.grid import CHOICE, Box, Grid, fit_grid, is_inside, part_grid
from kitchentable.games.addtoo.render.parts import (
    BOX,
    LIGHT,
    LINE,
    MUTED,
    STATUS_BOX,
    TABLE,
    Line,
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
    about_spots,
    decision,
    hand_of_hands,
    may_choose,
    notes,
    pile_count,
    seen_by,
    variants,
)
from kitchentable.games.addtoo.render.view import View, place_by_tile, within_reach
from kitchentable.games.addtoo.state import OVER, Params
from kitchentable.render.letters import wrapped
from kitchentable.render.picture import TALL, Picture, Rectangle

MARGIN = 14
GAP = 10
INNER = 14
"""Between a box and what it holds."""
WIDTH = TALL - 2 * MARGIN
TITLE = 84
"""Height of the name of the game, the hand and the pile."""
STATUS = 150
"""Height of the box that says what is going on."""
MAP = 510
"""Height of the layout."""
BELOW = 104
"""Height of what is said below the layout."""
OWN, OTHER = 176, 122
"""Height of the viewer's panel and of another seat's."""
LEGEND_ROW, LEGEND_ROWS = 30, 3
PILE_ROWS = 4
"""Lines for the order of the pile, which only who sees all is told."""
PILE_UNIT = 40
"""Side of a triangle in the pile."""
LARGEST = 110
"""The most pixels of a triangle's side in the layout."""
LEAST = 46
"""The least: the two digits of a 10 can still be read on a phone."""
DECISION, PLAIN, SMALL = 24, 18, 16
"""Sizes of letters."""
OWN_SEAT = SeatSizes(held=75, name=20, total=28, foot=SMALL, top=42, in_a_row=True)
OTHER_SEAT = SeatSizes(held=52, name=20, total=24, foot=SMALL, top=42)
PLACES = ListSizes(columns=4, letter=PLAIN, radius=14, told=PLAIN, pitch=31)
PART = "The layout is larger: this is a part of it."


def tall(view: View) -> Picture:
    """Draw the table; see `drawing.to_picture`."""
    state, params, viewer = view.state, view.params, view.viewer
    height = _top_height(params) + STATUS + GAP + MAP + BELOW + GAP
    seats, legend = height, LEGEND_ROWS * LEGEND_ROW
    height += OWN + GAP + (params.num_players - 1) * (OTHER + GAP)
    end = height + legend + PILE_ROWS * round(LINE * SMALL)
    scene = scene_of(Picture(TALL, end + end % 2, TABLE), state, params, viewer)
    _draw_top(scene)
    board = _top_height(params) + STATUS + GAP
    _draw_status(scene, Box(MARGIN, _top_height(params), WIDTH, STATUS))
    _draw_board(scene, Box(MARGIN, board, WIDTH, MAP + BELOW))
    _draw_seats(scene, seats)
    box = Box(MARGIN + 8, height + LEGEND_ROW / 2, WIDTH - 8, LEGEND_ROW)
    draw_legend(scene.picture, box, SMALL)
    order = wrapped(about_pile(state, viewer), SMALL, WIDTH)
    draw_lines(scene.picture, MARGIN, height + legend, [(line, SMALL, MUTED) for line in order])
    return scene.picture


# --- What is going on ---------------------------------------------------------------------------


def _top_height(params: Params) -> int:
    """Return the height of what the page begins with: parameters may take lines of their own."""
    return TITLE + len(_rules(params)) * round(LINE * SMALL)


def _rules(params: Params) -> list[str]:
    return wrapped(variants(params), SMALL, WIDTH)


def _draw_top(scene: Scene) -> None:
    """Write the name of the game, which hand it is and who looks at it; and draw the pile."""
    picture, state, params = scene.picture, scene.state, scene.params
    picture.text(MARGIN, 28, "Add-Too", size=32, colour=LIGHT, bold=True)
    right = TALL - MARGIN
    draw_pile(scene, right - 1.5 * PILE_UNIT - 4, 4, PILE_UNIT)
    left = right - 1.5 * PILE_UNIT - 18
    picture.text(left, 28, pile_count(state), size=PLAIN, colour=LIGHT, align="right")
    picture.text(MARGIN, 64, hand_of_hands(state, params), size=PLAIN, colour=MUTED)
    seen = seen_by(scene.viewer)
    picture.text(right, 64, seen, size=SMALL, colour=MUTED, align="right")
    lines: list[Line] = [(line, SMALL, MUTED) for line in _rules(params)]
    draw_lines(picture, MARGIN, TITLE - 4, lines)


def _draw_status(scene: Scene, box: Box) -> None:
    """Say who decides what and what can be laid at the last diamond."""
    picture, state = scene.picture, scene.state
    picture.rectangle(*box, fill=STATUS_BOX, radius=14)
    about = "" if state.phase == OVER else about_last(state, scene.params, with_sides=False)
    _draw_wrapped(
        scene,
        box,
        [
            (decision(state), DECISION, CHOICE),
            (" ".join(notes(state)), PLAIN, LIGHT),
            (about, PLAIN, LIGHT),
        ],
    )


def _draw_wrapped(scene: Scene, box: Box, texts: list[Line]) -> None:
    """Write texts into a box."""
    room = box.width - 2 * INNER
    lines = [
        (line, size, colour) for text, size, colour in texts for line in wrapped(text, size, room)
    ]
    draw_lines(scene.picture, box.x + INNER, box.y + 8, lines, bold=DECISION)


# --- The layout ---------------------------------------------------------------------------------


def _draw_board(scene: Scene, box: Box) -> None:
    """Draw the layout, and below it what may be laid where and for how much."""
    scene.picture.rectangle(*box, fill=BOX, radius=14)
    window = Box(box.x + INNER, box.y + INNER, box.width - 2 * INNER, MAP - 2 * INNER)
    grid = fit_grid(within_reach(scene.state), *window, LARGEST)
    if grid.unit < LEAST:
        note = (box.x + INNER, box.y + MAP - INNER)
        scene.picture.text(*note, PART, size=SMALL, colour=MUTED)
        window = window._replace(height=window.height - LINE * SMALL)
        grid = part_grid(within_reach(scene.state), _focus(scene, window), window, LEAST)
    draw_layout(scene, grid, window, letter=SMALL)
    below = Box(box.x, box.y + MAP, box.width, BELOW)
    if scene.found:
        _draw_places(scene, below, grid, window)
    else:
        texts = (may_choose(scene.state, scene.params), about_spots(scene.state))
        _draw_wrapped(scene, below, [(" ".join(filter(None, texts)), SMALL, LIGHT)])


def _focus(scene: Scene, window: Box) -> list[Place]:
    """Return what should be seen of a large layout: places to choose from, if they have room."""
    last = place_by_tile(scene.state)[last_tile(scene.state)]
    all_of_them = [last, *(offer.place for offer in scene.found)]
    fits = fit_grid(all_of_them, *window, LARGEST).unit >= LEAST
    return all_of_them if fits else [last]


def _draw_places(scene: Scene, box: Box, grid: Grid, window: Box) -> None:
    """List the places and what they score; those out of sight are clicked here."""
    told = [f"{offer.points:+}{' bonus' * offer.is_bonus}" for offer in scene.found]
    inner = Box(box.x + INNER, box.y + 6, box.width - 2 * INNER, box.height - 10)
    cells = draw_list(scene, told, inner, PLACES)
    for offer, cell in zip(scene.found, cells, strict=False):
        if not is_inside(grid, offer.place, window):
            scene.picture.rectangle(*cell, outline=MUTED, line=1.5, radius=cell.height / 2)
            if scene.may_click:
                scene.picture.spot([scene.names[offer.action]], Rectangle(*cell))


# --- Seats --------------------------------------------------------------------------------------


def _draw_seats(scene: Scene, top: float) -> None:
    """Draw the viewer's panel first and the others in turn order; who sees all begins with 0.

    The panel of the viewer, else of the seat to act, is larger than the others.
    """
    seats = scene.params.num_players
    first = max(scene.viewer, 0)
    large = int(scene.state.current_player) if scene.viewer == NOBODY else scene.viewer
    for step in range(seats):
        player = (first + step) % seats
        sizes, height = (OWN_SEAT, OWN) if player == large else (OTHER_SEAT, OTHER)
        draw_seat(scene, player, Box(MARGIN, top, WIDTH, height), sizes)
        top += height + GAP
