"""Who looks at a table of Diddly, and what they may choose by clicking."""

from __future__ import annotations

from kitchentable.games.diddly.state import Params, State
from kitchentable.render import view as shared
from kitchentable.render.picture import Picture, Rectangle

View = shared.View[State, Params]


def offer(
    picture: Picture, view: View, action: str, x: float, y: float, width: float, height: float
) -> None:
    """Let a rectangle be clicked to choose an action, if it may be chosen."""
    if action in view.offered:
        picture.spot([action], Rectangle(x, y, width, height))
