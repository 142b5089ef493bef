"""Legend of the marks in the pictures of Add-Too."""

from __future__ import annotations

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render import diamonds
from kitchentable.games.addtoo.render.grid import HEIGHT, Grid
from kitchentable.games.addtoo.render.look import PALETTE, Scene
from kitchentable.render.scene import Sign

_SAMPLE: Place = (0, 0, 0, 0)
_UNIT = 22
"""Side length of a triangle."""


def signs(scene: Scene) -> list[Sign]:
    """Return the marks of the legend."""
    width = 1.5 * _UNIT + 10

    def grid(x: float, y: float) -> Grid:
        return Grid(x, y + HEIGHT * _UNIT / 2, _UNIT)

    def framed(color: str, meaning: str) -> Sign:
        def draw(x: float, y: float) -> None:
            diamonds.draw_frame(scene.picture, grid(x, y), _SAMPLE, color)
            sample = (_SAMPLE, PALETTE.panel, diamonds.EDGE)
            diamonds.draw_back(scene.picture, grid(x, y), *sample)

        return Sign(width, draw, meaning)

    def outlined(meaning: str, color: str) -> Sign:
        def draw(x: float, y: float) -> None:
            diamonds.draw_outline(scene.picture, grid(x, y), _SAMPLE, color)

        return Sign(width, draw, meaning)

    def colored(x: float, y: float) -> None:
        diamonds.draw_colors(scene.picture, grid(x, y), _SAMPLE)

    return [
        framed(diamonds.LAST, "last played"),
        framed(diamonds.CHOICE, "may be chosen, or chosen (lifted)"),
        outlined("place parallel to the last diamond", diamonds.CHOICE),
        outlined("place turned against it", diamonds.TURNED),
        outlined("place for a bonus play", diamonds.BONUS),
        Sign(width, colored, "orange, and blue with light corners"),
    ]
