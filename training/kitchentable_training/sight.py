"""What a network is shown of a table: the observation, and the game's hints if it wants them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.game import BoolArray, FloatArray
from kitchentable.jit import loop


class Sight:
    """Turns observations into what a network is shown.

    Hints (`kitchentable.game.Hints`) are numbers that the game works out from an observation and
    the mask alone; they stand behind the observation.
    """

    def __init__(self, game: Game, params: Any, *, hints: bool = False) -> None:
        """Look at one variant of a game.

        Args:
            game: which game.
            params: its parameters, made by ``game.make_params``.
            hints: whether they are shown, if the game has any.
        """
        self.layout = dict(game.observation_layout(params))
        self._plain = sum(self.layout.values())
        self._write: Callable[..., None] | None = None
        if hints and game.hints is not None:
            self.layout |= game.hints.layout(params)
            self._write = _hint_loop(game)
            self._variant = game.variant(params)
            self._tables = game.tables(params)
        self.size = sum(self.layout.values())
        self.num_hints = self.size - self._plain

    def __call__(self, observations: FloatArray, masks: BoolArray) -> NDArray[np.float32]:
        """Return what is shown; float32, shape (games, size), an array of its own.

        Args:
            observations: of the seats to act; shape (games, observation size).
            masks: their legal actions; shape (games, number of actions).
        """
        if self._write is None:
            return observations.copy()
        seen = np.zeros((len(observations), self.size), np.float32)
        seen[:, : self._plain] = observations
        self._write(observations, masks, self._variant, seen, self._tables)
        return seen


@cache
def _hint_loop(game: Game) -> Callable[..., None]:
    assert game.hints is not None
    write = game.hints.write

    def hint(observations: Any, masks: Any, variant: Any, seen: Any, tables: Any) -> None:
        start = observations.shape[1]
        for i in range(observations.shape[0]):
            write(observations[i], masks[i], variant, seen[i, start:], *tables)

    return loop(hint, name=f"{game.name}-hints", allocates=True)
