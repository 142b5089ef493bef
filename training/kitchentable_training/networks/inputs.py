"""What a network is shown of a table: the observation, and if it wants them hints and advice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.engine.compiling import loop
from kitchentable.players.scripted import check_scripted, choices_of
from kitchentable_training.networks.settings import NetworkSettings

ADVICE = "advice"
"""The part of what is shown that holds the advice."""


class NetworkInputs:
    """Turns observations into what a network is shown.

    Behind the observation stand `Hints`, numbers that the game works out from an observation and
    the mask alone, and advice: which action a scripted player would choose, as one number an
    action. Neither tells more than the seat may know.
    """

    def __init__(
        self, game: Game, params: Any, *, hints: bool = False, advice: str | None = None
    ) -> None:
        """Look at one variant of a game.

        Args:
            game: which game.
            params: its parameters, made by ``game.make_params``.
            hints: whether they are shown, if the game has any.
            advice: the scripted player whose choice is shown; None: nobody's.

        Raises:
            ValueError: the game has no such player.
        """
        self.layout = dict(game.rules.observation_layout(params))
        self._plain = sum(self.layout.values())
        self._hint: Callable[..., None] | None = None
        self._advise: Callable[..., None] | None = None
        self._variant = game.players.variant(params)
        self._tables = game.rules.tables(params)
        if hints and game.players.hints is not None:
            self.layout |= game.players.hints.layout(params)
            self._hint = _hint_loop(game)
        self._advice_at = sum(self.layout.values())
        if advice is not None:
            check_scripted(game, advice)
            self.layout[ADVICE] = len(game.rules.action_names(params))
            self._advise = choices_of(game, advice)
        self.size = sum(self.layout.values())
        self.num_hints = self.size - self._plain
        """How many numbers stand behind the observation."""

    @classmethod
    def of(cls, network: NetworkSettings, game: Game, params: Any) -> NetworkInputs:
        """Return what a network with these settings is shown."""
        return cls(game, params, hints=network.hints, advice=network.advice)

    def __call__(self, observations: FloatArray, masks: BoolArray) -> NDArray[np.float32]:
        """Return what is shown; float32, shape (games, size), an array of its own.

        Args:
            observations: of the seats to act; shape (games, observation size).
            masks: their legal actions; shape (games, number of actions). Where nothing is legal
                there is no advice.
        """
        if not self.num_hints:
            return observations.copy()
        seen = np.zeros((len(observations), self.size), np.float32)
        seen[:, : self._plain] = observations
        if self._hint is not None:
            self._hint(observations, masks, self._variant, seen, self._tables)
        if self._advise is not None:
            games = np.flatnonzero(masks.any(axis=1))
            actions = np.empty(len(games), np.int64)
            # Players that draw lots draw the same ones every time: advice is a matter of what is
            # seen alone.
            streams = seeds_for(0, len(observations))
            shown = (observations, masks, self._variant, streams)
            self._advise(*shown, games, actions, self._tables)
            seen[games, self._advice_at + actions] = 1.0
        return seen


@cache
def _hint_loop(game: Game) -> Callable[..., None]:
    assert game.players.hints is not None
    write = game.players.hints.write

    def hint(observations: Any, masks: Any, variant: Any, seen: Any, tables: Any) -> None:
        start = observations.shape[1]
        for i in range(observations.shape[0]):
            write(observations[i], masks[i], variant, seen[i, start:], *tables)

    return loop(hint, game=game, name="hints", allocates=True)
