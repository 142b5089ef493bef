"""Who looks at a table that is drawn, and what they may choose by clicking."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.diddly.state import OVER, Params, State, action_names
from kitchentable.diddly.words import choices
from kitchentable.game import NOBODY
from kitchentable.picture import Picture, Rectangle


class View(NamedTuple):
    """A table and who looks at it."""

    state: State
    params: Params
    viewer: int
    """The seat whose knowledge is shown, or `NOBODY` to show every card."""
    offered: frozenset[str]
    """Names of the actions that may be chosen in the picture: none if another seat is to act."""

    def acts(self, player: int) -> bool:
        """Whether it is this seat that decides now."""
        return self.state.phase != OVER and player == self.state.current_player


def look(state: State, params: Params, viewer: int) -> View:
    """Find out what somebody who looks at a table may choose."""
    if viewer not in (state.current_player, NOBODY):
        return View(state, params, viewer, frozenset())
    names = action_names(params)
    offered = frozenset(names[action] for action in np.flatnonzero(choices(state)))
    return View(state, params, viewer, offered)


def offer(
    picture: Picture, view: View, action: str, x: float, y: float, width: float, height: float
) -> None:
    """Let a rectangle be clicked to choose an action, if it may be chosen."""
    if action in view.offered:
        picture.spot([action], Rectangle(x, y, width, height))
