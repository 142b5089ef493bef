"""Loops over games in which each game is handled on its own: on a GPU, by one thread per game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from kitchentable.engine.compiling import loop
from kitchentable.engine.sources import digest


class GameLoop:
    """A compiled loop over games, from which `gpu` also makes a kernel.

    The last axis of the last argument is games.

    Attributes:
        in_game: the function for one game, a ``@kernel``. Its arguments are the index of the game,
            the row of the scratch arrays that it may use, the arguments of the loop and the scratch
            arrays.
        name: the name under which compiled code is cached. It has a checksum of the function's
            file, as Numba only notices edits of the file that has the loop or the kernel.
    """

    def __init__(self, in_game: Callable[..., None], *scratch: DTypeLike) -> None:
        """Compile nothing yet: the loop is compiled when it is first called.

        Args:
            in_game: the function for one game.
            scratch: the dtypes of the scratch arrays, whose rows are as long as the last axis of
                the loop's first argument.
        """

        def run(games: int, row: int, arguments: Any) -> None:
            for i in range(games):
                in_game(i, row, *arguments)

        self.in_game = in_game
        self._scratch = scratch
        sources = digest("", [Path(in_game.__code__.co_filename)])
        self.name = f"{in_game.__name__}-{sources}"
        self.loop = loop(run, game=None, name=self.name)

    def __call__(self, *arguments: Any) -> None:
        """Run the loop on NumPy arrays and numbers."""
        scratch = self.make_scratch(1, arguments)
        self.loop(arguments[-1].shape[-1], 0, (*arguments, *scratch))

    def make_scratch(self, rows: int, arguments: Sequence[Any]) -> tuple[NDArray[Any], ...]:
        """Return scratch arrays on the host, with undefined values."""
        return tuple(np.empty((rows, arguments[0].shape[-1]), dtype) for dtype in self._scratch)
