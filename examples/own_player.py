"""Two players of Kuhn poker, in plain Python: one cannot lie, the other cannot be exploited.

    kitchentable evaluate examples/own_player.py:honest --game kuhn_poker --against random
    kitchentable exploit --exact kuhn_poker reward=margin \
        examples/own_player.py:honest examples/own_player.py:bluffer

A player is named by a function that takes the game, its parameters and a seed, and returns it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.state import slices
from kitchentable.players.function import FunctionPlayer

# --- A function from observations and masks to actions -------------------------------------------


def honest(game: Game, params: Any, seed: int) -> FunctionPlayer:  # noqa: ARG001
    """Return a player that bets with the king, and passes with everything else."""
    hand = slices(game.rules.observation_layout(params))["hand"]
    names = game.rules.action_names(params)

    def choose(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:  # noqa: ARG001
        has_king = observations[:, hand][:, -1] > 0
        return np.where(has_king, names.index("bet"), names.index("pass"))

    return FunctionPlayer("honest", choose)


# --- A player that tells its probabilities --------------------------------------------------------

BETS = np.array([[0, 0, 0], [1 / 3, 0, 1], [0, 1 / 3, 1]])
"""How often to bet with a jack, a queen and a king: at first, after a pass, and after a bet. Nobody
gains anything against this policy (Kuhn, 1950)."""


def bluffer(game: Game, params: Any, seed: int) -> Bluffer:
    """Return a player in equilibrium."""
    return Bluffer(game, params, seed)


class Bluffer:
    """A player that sometimes bets with the jack."""

    name = "bluffer"

    def __init__(self, game: Game, params: Any, seed: int) -> None:
        self._parts = slices(game.rules.observation_layout(params))
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Restart the random choices from a seed."""
        self._rng = np.random.default_rng(seed)

    def probabilities(self, batch: Batch, games: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of each action in each of ``games``; shape (k, num_actions)."""
        observations = batch.observations[games]
        hands = observations[:, self._parts["hand"]].argmax(axis=1)
        plays = observations[:, self._parts["plays"]].reshape(-1, 3, 2).max(axis=1) > 0
        passes, bets = plays[:, 0], plays[:, 1]
        bet = BETS[np.where(bets, 2, passes.astype(int)), hands]
        return np.stack([1 - bet, bet], axis=1)

    def act(self, batch: Batch, games: NDArray[Any]) -> NDArray[Any]:
        """Return an action for the seat to act in each of ``games``; int64, shape (k,)."""
        chances = self.probabilities(batch, games)
        return (self._rng.random(len(games)) < chances[:, 1]).astype(np.int64)
