"""A player by a function: what was learned elsewhere, for evaluations, tournaments and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.engine.batch import Batch
from kitchentable.players.scripted import Actions, Games


class FunctionPlayer:
    """Plays what a function of observations and masks chooses.

    Attributes:
        name: what results call it.
    """

    def __init__(self, name: str, choose: Callable[[FloatArray, BoolArray], Any]) -> None:
        """Make a player.

        Args:
            name: what results call it.
            choose: takes observations, float32, shape (k, observation size), and the legal actions,
                bool, shape (k, actions); returns a legal action for each, whole numbers, shape
                (k,), as an array, or as a tensor on the CPU without gradients.
        """
        self.name = name
        self._choose = choose

    def seed(self, seed: int) -> None:
        """Do nothing: a function that draws at random has its own seed."""

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``; int64, shape (k,)."""
        chosen: Actions = np.asarray(
            self._choose(batch.observations[games], batch.masks[games]), np.int64
        )
        return chosen
