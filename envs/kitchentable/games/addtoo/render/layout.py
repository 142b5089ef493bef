"""Drawing of the middle of an Add-Too table: the layout, the list of places and the pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kitchentable.games.addtoo.board import last_tile
from kitchentable.games.addtoo.render import diamonds
from kitchentable.games.addtoo.render.diamonds import Scene
from kitchentable.games.addtoo.render.grid import HEIGHT, Grid, is_inside, outline, place_to_click
from kitchentable.games.addtoo.render.view import Offer, numbers_of, place_by_tile
from kitchentable.render.picture import Polygon, Rectangle

BACK, BACK_EDGE = "#6f5a48", "#d9cbb8"


def draw_layout(
    scene: Scene, grid: Grid, window: Rectangle | None = None, letter: float = 6
) -> None:
    """Draw the lying diamonds, the last one on top, and the places for the chosen one.

    Args:
        scene: the scene to draw on.
        grid: the grid of the layout.
        window: the part of the picture to draw in, or None for all of it.
        letter: the minimum font size of letters.
    """
    picture = scene.picture
    offers = [offer for offer in scene.found if is_inside(grid, offer.place, window)]
    for offer in offers:
        diamonds.draw_place(picture, grid, offer.place)
    by_tile = place_by_tile(scene.state)
    for number, (tile, place) in enumerate(by_tile.items(), start=1):
        if is_inside(grid, place, window):
            frame = diamonds.LAST if number == len(by_tile) else None
            numbers = numbers_of(scene.params)[:, tile].tolist()
            diamonds.draw_diamond(picture, grid, place, numbers, frame)
    for offer in offers:
        diamonds.draw_outline(picture, grid, offer.place, _color(scene, offer))
    for offer in offers:
        mark = (offer.letter, letter)
        diamonds.draw_letter(picture, grid, offer.place, *mark, _color(scene, offer))
    places = [offer.place for offer in offers]
    for offer in offers:
        whole = Polygon(tuple(grid.points(outline(offer.place))))
        scene.offer([offer.name], place_to_click(grid, offer.place, places), whole)


def _color(scene: Scene, offer: Offer) -> str:
    """Return the color of a place; the two that share a half at a side differ."""
    if offer.is_bonus:
        return diamonds.BONUS
    last = place_by_tile(scene.state)[last_tile(scene.state)]
    return diamonds.CHOICE if offer.place[2] == last[2] else diamonds.TURNED


def draw_pile(scene: Scene, x: float, y: float, unit: float) -> None:
    """Draw the face-down pile; ``unit`` is the side length of a triangle."""
    for i in range(min(3, int(scene.state.pile_size))):
        grid = Grid(x + 3 - 3 * i, y + 4 + HEIGHT * unit + 4 * (2 - i), unit)
        diamonds.draw_back(scene.picture, grid, (0, 0, 0, 0), BACK, BACK_EDGE)


# --- A list of places ---------------------------------------------------------------------------


class ListSizes(NamedTuple):
    """Measures of a list of places."""

    columns: int
    letter: float
    """Font size of the letters of places."""
    radius: float
    """Radius of the disc around a letter."""
    told: float
    """Font size of the description of a place."""
    pitch: float
    """Distance from one row to the next."""


def draw_list(
    scene: Scene, told: Sequence[str], box: Rectangle, sizes: ListSizes
) -> list[Rectangle]:
    """List the places by letter with their descriptions, as far as there is room.

    Returns:
        The areas of the places that are shown.
    """
    picture, offers = scene.picture, scene.found
    rows = int(box.height // sizes.pitch)
    listed = offers if len(offers) <= rows * sizes.columns else offers[: (rows - 1) * sizes.columns]
    width, cells = box.width / sizes.columns, []
    for i, offer in enumerate(listed):
        row, column = divmod(i, sizes.columns)
        corner = box.x + column * width, box.y + row * sizes.pitch
        cells.append(Rectangle(*corner, width, sizes.pitch))
        x, y = corner[0] + sizes.radius, corner[1] + sizes.pitch / 2
        diamonds.draw_disc(
            picture, (x, y), sizes.radius, offer.letter, sizes.letter, _color(scene, offer)
        )
        scene.write(x + sizes.radius + 6, y, told[i], size=sizes.told)
    if len(listed) < len(offers):
        more = f"and {len(offers) - len(listed)} more"
        scene.label(box.x, box.y + (rows - 0.5) * sizes.pitch, more, size=sizes.told)
    return cells
