"""Who holds the other seats while one learns: scripted players and past selves.

They are its opponents, or its teammates where all seats win or lose together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.players import Player, ScriptedPlayer
from kitchentable_training.config import OpponentSettings
from kitchentable_training.policy import PolicyPlayer


@dataclass
class OpponentPool:
    """Players with numbers that never change hands, so that a game keeps its opponents.

    For one seat there are none, and nobody is drawn.
    Scripted players come first, 0, 1, ...; every past self gets the next number.
    """

    settings: OpponentSettings
    scripted: list[ScriptedPlayer]
    past: dict[int, PolicyPlayer] = field(default_factory=dict)
    """Past selves that take part, the oldest first."""
    retired: dict[int, PolicyPlayer] = field(default_factory=dict)
    """Past selves that only finish the games they are in."""
    next_number: int = 0

    @classmethod
    def make(cls, game: Game, params: Any, settings: OpponentSettings, seed: int) -> OpponentPool:
        """Set up the scripted players of a run."""
        weights = settings.scripted
        names = [name for name, weight in weights.items() if weight > 0]
        players = [
            ScriptedPlayer(game, name, params, seed=seed + 1 + i) for i, name in enumerate(names)
        ]
        return cls(settings, players, next_number=len(players))

    def player(self, number: int) -> Player:
        """Return the player with a number."""
        if number < len(self.scripted):
            return self.scripted[number]
        return self.past[number] if number in self.past else self.retired[number]

    def add_past_self(self, player: PolicyPlayer, in_use: NDArray[np.int64]) -> None:
        """Let a past self take part; beyond ``past_kept``, the oldest plays no new games.

        Args:
            player: the past self.
            in_use: numbers of all players in running games; nobody else is kept.
        """
        self.past[self.next_number] = player
        self.next_number += 1
        while len(self.past) > self.settings.past_kept:
            oldest = next(iter(self.past))
            self.retired[oldest] = self.past.pop(oldest)
        playing = set(in_use.ravel().tolist())
        self.retired = {n: one for n, one in self.retired.items() if n in playing}

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Draw players for seats, by weight."""
        weights = self._weights()
        numbers = np.array(list(weights))
        shares = np.array(list(weights.values()))
        return rng.choice(numbers, shape, p=shares / shares.sum())

    def _weights(self) -> Mapping[int, float]:
        weights = {i: self.settings.scripted[player.name] for i, player in enumerate(self.scripted)}
        for number in self.past:
            weights[number] = self.settings.past_selves / len(self.past)
        return weights
