"""Render modes, the same for every adapter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.render.view import AnyView, View
from kitchentable.render.voice import AGENTS, Voice
from kitchentable.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human")


class Display:
    """A render mode and, for ``"human"``, its window.

    A copy has no window, and no mode where the original's is ``"human"``: copies are made to try
    things out, and each would open a window of its own.
    """

    def __init__(self, mode: str | None) -> None:
        """Set the mode; nothing is drawn or opened before `show`.

        Raises:
            ValueError: there is no such mode; the message lists the modes.
        """
        if mode is not None and mode not in RENDER_MODES:
            raise ValueError(
                f"render_mode={mode!r} is not possible; choose from {', '.join(RENDER_MODES)}"
            )
        self.mode = mode
        self._window = Window() if mode == "human" else None

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles are made from."""
        return {"mode": None if self.mode == "human" else self.mode, "_window": None}

    def show(self, make_view: Callable[[], AnyView]) -> str | NDArray[np.uint8] | None:
        """Show a game as a viewer sees it; without a mode, the view is not made.

        Returns:
            A string for ``"ansi"``; a picture, uint8, shape (height, width, 3), for
            ``"rgb_array"``; otherwise None.
        """
        if self.mode is None:
            return None
        view = make_view()
        if self.mode == "ansi":
            return view.text()
        picture = view.draw().to_rgb()
        if self._window is None:
            return picture
        self._window.show(picture)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()


def view_of(
    batch: Batch, viewer: int, game: int = 0, *, offender: int = NOBODY, voice: Voice = AGENTS
) -> AnyView:
    """Return a game of a batch as a viewer sees it, told in a voice.

    All that is shown to people comes from here. What the viewer cannot know has been dealt anew
    (`Batch.redealt`), so no text, picture or explanation can give it away.

    Args:
        batch: the tables.
        viewer: the seat whose view to show, `NOBODY` for what all seats know, or `ALL_SEEING`.
        game: the index of the table.
        offender: the seat whose illegal action ended the game, or `NOBODY`.
        voice: how sentences call the seats.
    """
    record = batch.redealt(viewer, game)
    return View(batch.game, record, batch.params, viewer, offender=offender, voice=voice)


def viewer_of(view: str, batch: Batch, seat: int | None = None) -> int:
    """Return the seat whose view to show, or `ALL_SEEING` for ``"all"``.

    Args:
        view: ``"mover"`` (the seat to act), ``"all"`` (all cards) or an agent's name.
        batch: the tables.
        seat: the seat for ``"mover"``; None: the seat to act in the first game.
    """
    if view == "all":
        return ALL_SEEING
    if view == "mover":
        return int(batch.current_player[0]) if seat is None else seat
    return int(view.removeprefix("player_"))


def check_view(view: str, num_players: int) -> str:
    """Return ``view`` if it is ``"mover"``, ``"all"`` or an agent of the table.

    Raises:
        ValueError: it is not; the message says what is possible.
    """
    possible: tuple[Any, ...] = ("mover", "all", *(f"player_{i}" for i in range(num_players)))
    if view not in possible:
        raise ValueError(f"view={view!r} is not possible; choose from {', '.join(possible)}")
    return view
