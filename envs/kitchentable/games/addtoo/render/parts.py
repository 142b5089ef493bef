"""What the wide and the tall picture of Add-Too are made of: the layout, lists, seats, marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kitchentable.core.state import NOBODY
from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.grid import (
    BLUE,
    BONUS,
    CHOICE,
    EDGE,
    HEIGHT,
    LAST,
    ORANGE,
    RIM,
    TIPS,
    Box,
    Grid,
    draw_back,
    draw_diamond,
    draw_frame,
    draw_halves,
    draw_letter,
    draw_outline,
    draw_place,
    is_inside,
    outline,
)
from kitchentable.games.addtoo.render.sentences import hands_sum, last_hand, tags, this_hand
from kitchentable.games.addtoo.render.spots import place_to_click
from kitchentable.games.addtoo.render.view import (
    Offer,
    choosable,
    numbers_of,
    offers,
    place_by_tile,
    tiles_of,
)
from kitchentable.games.addtoo.state import OVER, PAIRS, Params, State, action_names
from kitchentable.render.letters import text_width
from kitchentable.render.picture import Picture, Polygon

LINE = 1.36
"""From one line to the next, as a part of the letters' size."""
INNER = 16
"""Between a seat's panel and what it holds."""
APART = 72 / 58
"""From a diamond of a hand to the next, as a part of a triangle's side."""
LIFT = 9
"""What the chosen diamond is lifted by."""

TABLE, BOX, STATUS_BOX, PANEL_BOX = "#16241f", "#1d3029", "#0e1a16", "#243a32"
LIGHT, MUTED = "#f2f5f3", "#a3b8ae"
BACK, BACK_EDGE = "#6f5a48", "#d9cbb8"

Line = tuple[str, int, str]
"""A line of text, the size of its letters and its colour."""


class Scene(NamedTuple):
    """What is drawn, on what and for whom."""

    picture: Picture
    state: State
    params: Params
    viewer: int
    found: list[Offer]
    """Where the chosen diamond may be laid."""
    names: tuple[str, ...]
    """Of the actions."""
    may_click: bool
    """Whether the viewer may do what the seat to act may do."""


def scene_of(picture: Picture, state: State, params: Params, viewer: int) -> Scene:
    """Gather what all parts of a drawing ask for."""
    may_click = state.phase != OVER and viewer in (NOBODY, int(state.current_player))
    found = offers(state, params)
    return Scene(picture, state, params, viewer, found, action_names(params), may_click)


def draw_lines(
    picture: Picture, x: float, y: float, lines: Sequence[Line], *, bold: int = 0
) -> float:
    """Write lines of text below each other.

    Args:
        picture: to draw on.
        x: left edge.
        y: top edge.
        lines: what to write.
        bold: size of the letters that are bold.

    Returns:
        The bottom edge.
    """
    for line, size, colour in lines:
        middle = y + LINE * size / 2
        picture.text(x, middle, line, size=size, colour=colour, bold=size == bold)
        y += LINE * size
    return y


# --- The layout ---------------------------------------------------------------------------------


def draw_layout(scene: Scene, grid: Grid, window: Box | None = None, letter: float = 6) -> None:
    """Draw the lying diamonds, the last one on top, and the places for the chosen one.

    Args:
        scene: what is drawn.
        grid: where the layout lies.
        window: the part of the picture outside of which nothing is drawn, if there is one.
        letter: the least size of letters.
    """
    picture = scene.picture
    found = [offer for offer in scene.found if is_inside(grid, offer.place, window)]
    for offer in found:
        draw_place(picture, grid, offer.place)
    by_tile = place_by_tile(scene.state)
    for number, (tile, place) in enumerate(by_tile.items(), start=1):
        if is_inside(grid, place, window):
            frame = LAST if number == len(by_tile) else None
            draw_diamond(picture, grid, place, _numbers(scene.params, tile), frame)
    for offer in found:
        draw_outline(picture, grid, offer.place, is_bonus=offer.is_bonus)
    for offer in found:
        draw_letter(picture, grid, offer.place, offer.letter, letter, is_bonus=offer.is_bonus)
    places = [offer.place for offer in found]
    for offer in found if scene.may_click else ():
        picture.spot([scene.names[offer.action]], place_to_click(grid, offer.place, places))


def _numbers(params: Params, tile: int) -> tuple[int, int]:
    orange, blue = numbers_of(params)[:, tile].tolist()
    return orange, blue


def draw_pile(scene: Scene, x: float, y: float, unit: float) -> None:
    """Draw the pile, face down; ``unit`` is the side of a triangle."""
    for i in range(min(3, int(scene.state.pile_size))):
        grid = Grid(x + 3 - 3 * i, y + 4 + HEIGHT * unit + 4 * (2 - i), unit)
        draw_back(scene.picture, grid, (0, 0, 0, 0), BACK, BACK_EDGE)


# --- A list of places ---------------------------------------------------------------------------


class ListSizes(NamedTuple):
    """How large a list of places is."""

    columns: int
    letter: float
    """Size of the letters that stand for places."""
    radius: float
    """Of the disc around such a letter."""
    told: float
    """Size of what is said of a place."""
    pitch: float
    """From one row to the next."""


def draw_list(scene: Scene, told: Sequence[str], box: Box, sizes: ListSizes) -> list[Box]:
    """List the places by letter, with what is said of each, as far as there is room.

    Returns:
        Where each one stands that has room.
    """
    picture, found = scene.picture, scene.found
    rows = int(box.height // sizes.pitch)
    shown = found if len(found) <= rows * sizes.columns else found[: (rows - 1) * sizes.columns]
    width, cells = box.width / sizes.columns, []
    for i, offer in enumerate(shown):
        row, column = divmod(i, sizes.columns)
        cell = Box(box.x + column * width, box.y + row * sizes.pitch, width, sizes.pitch)
        cells.append(cell)
        x, y = cell.x + sizes.radius, cell.y + cell.height / 2
        picture.circle(x, y, sizes.radius, fill=BONUS if offer.is_bonus else CHOICE)
        letter = offer.letter
        picture.text(x, y, letter, size=sizes.letter, colour=EDGE, align="middle", bold=True)
        left = x + sizes.radius + 6
        picture.text(left, y, told[i], size=sizes.told, colour=LIGHT)
    if len(shown) < len(found):
        y = box.y + (rows - 0.5) * sizes.pitch
        more = f"and {len(found) - len(shown)} more"
        picture.text(box.x, y, more, size=sizes.told, colour=MUTED)
    return cells


# --- A seat -------------------------------------------------------------------------------------


class SeatSizes(NamedTuple):
    """How large a seat's panel is drawn."""

    held: float
    """Side of a triangle in the hand."""
    name: float
    """Size of the seat's name."""
    total: float
    """Size of its points."""
    foot: float
    """Size of other letters."""
    top: float
    """Height of the first line."""
    in_a_row: bool = False
    """Whether the points of hands are written in one line below the first, not in a column."""


def draw_seat(scene: Scene, player: int, box: Box, sizes: SeatSizes) -> None:
    """Draw a seat's panel: name and marks, its diamonds, its points."""
    picture, state = scene.picture, scene.state
    acts = state.phase != OVER and player == state.current_player
    edge = CHOICE if acts else None
    picture.rectangle(*box, fill=PANEL_BOX, outline=edge, line=3, radius=14)
    at, middle = box.x + INNER, box.y + sizes.top / 2
    name = f"player_{player}"
    picture.text(at, middle, name, size=sizes.name, colour=CHOICE if acts else LIGHT, bold=True)
    at += text_width(name, sizes.name) + 12
    high = sizes.foot + 7
    for tag in tags(state, scene.viewer, player):
        width = 14 + text_width(tag, sizes.foot)
        top = middle - high / 2
        picture.rectangle(at, top, width, high, outline=MUTED, line=1.5, radius=high / 2)
        place = (at + width / 2, middle)
        picture.text(*place, tag, size=sizes.foot, colour=LIGHT, align="middle")
        at += width + 6
    _draw_points(scene, player, box, sizes)
    _draw_hand(scene, player, box, sizes)


def _draw_points(scene: Scene, player: int, box: Box, sizes: SeatSizes) -> None:
    """Write a seat's total, and below it what it has scored in hands."""
    picture, state = scene.picture, scene.state
    right, y = box.x + box.width - INNER, box.y + sizes.top / 2
    picture.text(right, y, "points", size=sizes.foot, colour=MUTED, align="right")
    total = str(state.totals[player])
    left = right - text_width("points", sizes.foot) - 6
    picture.text(left, y, total, size=sizes.total, colour=LIGHT, align="right", bold=True)
    below = (this_hand(state, player), last_hand(state, player), hands_sum(state, player, 20))
    y += sizes.total + 2
    if sizes.in_a_row:
        told = ", ".join(filter(None, below))
        picture.text(box.x + INNER, y, told, size=sizes.foot, colour=LIGHT)
        return
    for i, line in enumerate(filter(None, below)):
        colour = MUTED if i else LIGHT
        picture.text(right, y, line, size=sizes.foot, colour=colour, align="right")
        y += LINE * sizes.foot


def _draw_hand(scene: Scene, player: int, box: Box, sizes: SeatSizes) -> None:
    """Draw a hand, and frame what may be chosen; the chosen diamond is lifted."""
    picture, state, params = scene.picture, scene.state, scene.params
    acts = player == int(state.current_player)
    may = choosable(state) if acts else []
    for i, tile in enumerate(tiles_of(state.hands[player])):
        is_chosen = acts and tile == int(state.chosen)
        x, y = box.x + INNER + i * APART * sizes.held, box.y + box.height - 10 - LIFT * is_chosen
        grid, place = Grid(x, y, sizes.held), _upright(params, tile)
        frame = CHOICE if is_chosen or tile in may else None
        draw_diamond(picture, grid, place, _numbers(params, tile), frame)
        if scene.may_click and tile in may:
            picture.spot([scene.names[tile]], Polygon(tuple(grid.points(outline(place)))))


def _upright(params: Params, tile: int) -> Place:
    """Return a place with the lower number on the left, as in the diamond's name."""
    is_orange_lower = _numbers(params, tile)[0] == PAIRS[tile][0]
    return 0, 0, 0, 0 if is_orange_lower else 1


# --- What the marks mean ------------------------------------------------------------------------

_SAMPLE: Place = (0, 0, 0, 0)
_SAMPLE_UNIT = 22
_SAMPLE_WIDTH = 1.5 * _SAMPLE_UNIT + 10
_LABEL_GAP = 28
_LABELS = (
    "last played",
    "may be chosen, or chosen (lifted)",
    "place at the last diamond",
    "place for a bonus play",
    "orange, and blue with light corners",
)


def draw_legend(picture: Picture, box: Box, size: float) -> None:
    """Say what the marks mean.

    Args:
        picture: to draw on.
        box: where to; what does not fit into a row goes to the next one.
        size: of the letters.
    """
    x, y = box.x, box.y
    for number, label in enumerate(_LABELS):
        width = _SAMPLE_WIDTH + text_width(label, size)
        if x + width > box.x + box.width:
            x, y = box.x, y + box.height
        _draw_sample(picture, number, Grid(x, y + HEIGHT * _SAMPLE_UNIT / 2, _SAMPLE_UNIT))
        picture.text(x + _SAMPLE_WIDTH, y, label, size=size, colour=MUTED)
        x += width + _LABEL_GAP


def _draw_sample(picture: Picture, number: int, grid: Grid) -> None:
    """Draw the mark that a label is about."""
    if number < 2:
        draw_frame(picture, grid, _SAMPLE, (LAST, CHOICE)[number])
        draw_back(picture, grid, _SAMPLE, PANEL_BOX, EDGE)
    elif number < 4:
        draw_outline(picture, grid, _SAMPLE, is_bonus=number == 3)
    else:
        draw_halves(picture, grid, _SAMPLE, RIM, (ORANGE, BLUE), TIPS)
