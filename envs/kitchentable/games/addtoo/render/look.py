"""Colors and measures of the pictures of Add-Too, and the scene that both are drawn on."""

from __future__ import annotations

from functools import cached_property

from kitchentable.games.addtoo.render.diamonds import CHOICE
from kitchentable.games.addtoo.render.view import Offer, offers
from kitchentable.games.addtoo.state import Params, State
from kitchentable.render import scene
from kitchentable.render.scene import Palette

PALETTE = Palette(
    table="#16241f",
    panel="#243a32",
    strip="#0e1a16",
    empty="#1d3029",
    light="#f2f5f3",
    muted="#a3b8ae",
    accent=CHOICE,
    corner=14,
)
LARGEST = 110
"""Maximum side length of a triangle in the layout, in pixels."""


class Scene(scene.Scene[State, Params]):
    """A picture of a table, with the places for the chosen diamond."""

    @cached_property
    def found(self) -> list[Offer]:
        """The places for the chosen diamond."""
        return offers(self)
