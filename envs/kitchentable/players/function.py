"""A player that calls a function, so that agents trained elsewhere can be evaluated and played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.engine.batch import Batch
from kitchentable.engine.games import described
from kitchentable.players.scripted import Actions, Games


class FunctionPlayer:
    """A player that plays the actions that a function of observations and masks returns.

    Attributes:
        name: the player's name in results.
    """

    def __init__(self, name: str, choose: Callable[[FloatArray, BoolArray], Any]) -> None:
        """Create the player.

        Args:
            name: the player's name in results.
            choose: a function of observations, float32, shape (k, observation size), and action
                masks, bool, shape (k, actions). It returns legal actions, integers, shape (k,), as
                an array or as a CPU tensor without gradients.
        """
        self.name = name
        self._choose = choose

    def seed(self, seed: int) -> None:
        """Do nothing: a function with random choices has its own seed."""

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``; int64, shape (k,).

        Raises:
            ValueError: the function returned something else.
        """
        if not len(games):
            return np.empty(0, np.int64)
        chosen = np.asarray(self._choose(batch.observations[games], batch.masks[games]))
        if chosen.shape != (len(games),) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"{self.name} chose {described(chosen)}; whole numbers of shape ({len(games)},) "
                "are needed, an action for each game"
            )
        return chosen.astype(np.int64)
