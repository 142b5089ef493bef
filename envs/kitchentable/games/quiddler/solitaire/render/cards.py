"""Drawing the cards of Quiddler Solitaire, and the mark on those in the word."""

from __future__ import annotations

import dataclasses

from kitchentable.games.quiddler.cards import CARD_NAMES, VALUES
from kitchentable.games.quiddler.solitaire.state import Params, State
from kitchentable.render import scene
from kitchentable.render.cards import INK, Face
from kitchentable.render.phrases import count

Scene = scene.Scene[State, Params]

CHOSEN = "#a78bfa"
"""Color of the marks on cards of the word being spelled."""


def _ink(value: int) -> str:
    """Return the color of a card by its points, from few to many."""
    return ("#15803d", "#0e7490", "#b45309", "#b91c1c")[min((value - 1) // 4, 3)]


FACES = tuple(
    Face(name, count(value, "point"), ink=_ink(value))
    for name, value in zip(CARD_NAMES, VALUES.tolist(), strict=True)
)
"""What is printed on each kind of card."""
TILES = tuple(
    dataclasses.replace(face, name="", points=str(value))
    for face, value in zip(FACES, VALUES.tolist(), strict=True)
)
"""What is printed on small cards of each kind."""


def draw_place(scene: Scene, x: float, y: float, place: int) -> None:
    """Draw the position of a card in the word, around (x, y)."""
    scene.picture.circle(x, y, 13, fill=CHOSEN, outline=scene.palette.panel, line=2)
    scene.picture.text(x, y, str(place), size=16, color=INK, align="middle", bold=True)
