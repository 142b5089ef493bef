"""Drawing of the seats of an Add-Too table: names and tags, hands, points."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render import sentences
from kitchentable.games.addtoo.render.diamonds import CHOICE, Scene, draw_diamond
from kitchentable.games.addtoo.render.grid import Grid, outline
from kitchentable.games.addtoo.render.view import choosable, numbers_of, tiles_of
from kitchentable.games.addtoo.state import NAMES, ORANGE, PAIRS, Params
from kitchentable.render.letters import LEADING, text_width
from kitchentable.render.phrases import units
from kitchentable.render.picture import Polygon, Rectangle

INNER = 16
"""Padding of a seat's panel."""
APART = 72 / 58
"""Distance from a diamond of a hand to the next, as a fraction of a triangle's side."""
LIFT = 9
"""Distance by which the chosen diamond is raised."""
SUM = 20
"""Maximum number of characters for the sum of a seat's hands."""


class SeatSizes(NamedTuple):
    """Measures of a seat's panel."""

    held: float
    """Side length of a triangle in the hand."""
    name: float
    """Font size of the seat's name."""
    total: float
    """Font size of its total."""
    foot: float
    """Font size of all other text."""
    top: float
    """Height of the first line."""
    in_a_row: bool = False
    """Whether the points of hands are written in one line below the first, not in a column."""


def draw_seat(scene: Scene, player: int, box: Rectangle, sizes: SeatSizes) -> None:
    """Draw a seat's panel: its name and tags, diamonds and points."""
    scene.seat_panel(player, *box.place)
    middle = box.y + sizes.top / 2
    end = scene.seat_name(player, box.x + INNER, middle, sizes.name)
    tags = sentences.tags(scene, player)
    scene.tags(end + 12, middle, tags, size=sizes.foot, height=sizes.foot + 7)
    _draw_points(scene, player, box, sizes)
    _draw_hand(scene, player, box, sizes)


def _draw_points(scene: Scene, player: int, box: Rectangle, sizes: SeatSizes) -> None:
    """Write a seat's total and, below it, its points in hands."""
    right, y = box.x + box.width - INNER, box.y + sizes.top / 2
    total = int(scene.state.totals[player])
    unit = units(total, "point")
    scene.label(right, y, unit, size=sizes.foot, align="right")
    left = right - text_width(unit, sizes.foot) - 6
    scene.write(left, y, str(total), size=sizes.total, align="right", bold=True)
    lines = (
        sentences.this_hand(scene, player),
        sentences.last_hand(scene, player),
        scene.hands_sum(player, SUM),
    )
    first, *others = filter(None, lines)
    y += sizes.total + 2
    if sizes.in_a_row:
        scene.write(box.x + INNER, y, ", ".join([first, *others]), size=sizes.foot)
        return
    scene.write(right, y, first, size=sizes.foot, align="right")
    for line in others:
        y += LEADING * sizes.foot
        scene.label(right, y, line, size=sizes.foot, align="right")


def _draw_hand(scene: Scene, player: int, box: Rectangle, sizes: SeatSizes) -> None:
    """Draw a hand; frame the diamonds that can be chosen and raise the chosen one."""
    acts = player == int(scene.state.current_player)
    may = choosable(scene.state) if acts else []
    for i, tile in enumerate(tiles_of(scene.state.hands[player])):
        is_chosen = acts and tile == int(scene.state.chosen)
        x, y = box.x + INNER + i * APART * sizes.held, box.y + box.height - 10 - LIFT * is_chosen
        grid, place = Grid(x, y, sizes.held), _upright(scene.params, tile)
        frame = CHOICE if is_chosen or tile in may else None
        numbers = numbers_of(scene.params)[:, tile].tolist()
        draw_diamond(scene.picture, grid, place, numbers, frame)
        if tile in may:
            scene.offer([f"tile:{NAMES[tile]}"], Polygon(tuple(grid.points(outline(place)))))


def _upright(params: Params, tile: int) -> Place:
    """Return a place with the lower number on the left, as in the diamond's name."""
    is_orange_lower = numbers_of(params)[ORANGE, tile] == PAIRS[tile][0]
    return 0, 0, 0, 0 if is_orange_lower else 1
