"""The league: the players in the other seats while the learner plays one.

They are opponents, or teammates in a cooperative game. The schedule:

- Scripted, trained and own players take part for the whole run.
- Every ``past_every`` steps a copy of the learner joins as a past self; the newest ``past_kept``
  play.
- The players are drawn by weight when a game starts, and stay until it ends.

Each network makes one forward pass per step for all of its games in the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable_training.algorithms.settings import OpponentSettings
from kitchentable_training.networks.policy import CPU, MixturePlayer, PolicyPlayer
from kitchentable_training.players.by_name import make_player


class GameResult(NamedTuple):
    """The result of a game for the learner."""

    opponents: tuple[int, ...]
    """The numbers of the players in the other seats."""
    payoff: float


@dataclass
class OpponentPool:
    """Players with numbers that are never reused, so that a game keeps its opponents.

    Scripted players have the first numbers, from 0 on, then trained ones; every new self of the
    learner gets the next number. With one seat the pool is empty and nobody is drawn.
    """

    settings: OpponentSettings
    scripted: list[Any]
    """`ScriptedPlayer` objects, or `CudaPlayer` objects for games on a GPU."""
    trained: list[Player] = field(default_factory=list)
    """`PolicyPlayer` objects, own players and searches."""
    past: dict[int, PolicyPlayer] = field(default_factory=dict)
    """Past selves that take part, oldest first."""
    retired: dict[int, PolicyPlayer] = field(default_factory=dict)
    """Selves that only finish their current games."""
    next_number: int = 0
    device: torch.device = CPU
    """The device of the players' networks."""

    @classmethod
    def make(
        cls,
        game: Game,
        params: Any,
        settings: OpponentSettings,
        seed: int,
        device: torch.device = CPU,
        *,
        on_gpu: bool = False,
    ) -> OpponentPool:
        """Create the players that take part from the beginning.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            settings: the settings of the league.
            seed: the seed of the players' random choices.
            device: the device of the networks.
            on_gpu: whether the tables are those of a `CudaBatch`, on the same device.

        Raises:
            ValueError: a trained player is missing, damaged, for another game or table, or needs
                more than a `CudaBatch` offers to networks.
        """
        scripted = [_scripted(game, name, on_gpu=on_gpu) for name in _invited(settings.scripted)]
        trained = []
        for name in _invited(settings.trained):
            player = make_player(name, game, params)
            if isinstance(player, ScriptedPlayer):
                raise ValueError(
                    f"opponents.trained: {name!r} is a scripted player; name it in "
                    "opponents.scripted"
                )
            if isinstance(player, PolicyPlayer):
                player.move_to(device)
            is_one = isinstance(player, PolicyPlayer) and not isinstance(player, MixturePlayer)
            if on_gpu and not is_one:
                raise ValueError(
                    f"opponents.trained: {name!r} is not one network, and only networks play at "
                    "tables on a GPU; leave it out, or choose device: cpu"
                )
            trained.append(player)
        count = len(scripted) + len(trained)
        pool = cls(settings, scripted, trained, next_number=count, device=device)
        pool.seed(seed)
        return pool

    def seed(self, seed: int) -> None:
        """Restart the random choices of the players that take part from the beginning."""
        for i, scripted in enumerate(self.scripted):
            scripted.seed(seed + 1 + i)
        for i, trained in enumerate(self.trained):
            trained.seed(seed + 101 + i)

    def seed_own(self, seed: int) -> None:
        """Restart the random choices of own players and searches, whose state is never saved.

        Networks draw nothing: they play their most probable action. If this is done before every
        update, runs that were stopped and resumed end the same.
        """
        for i, trained in enumerate(self.trained):
            trained.seed(seed + 101 + i)

    @property
    def fixed(self) -> Sequence[Player]:
        """The players that take part from the beginning, by number."""
        return [*self.scripted, *self.trained]

    @property
    def selves(self) -> dict[int, PolicyPlayer]:
        """All selves of the learner that play or may play at a table, by number."""
        return self.retired | self.past

    def player(self, number: int) -> Player:
        """Return the player with a number."""
        fixed = self.fixed
        return fixed[number] if number < len(fixed) else self.selves[number]

    def label(self, number: int) -> str:
        """Return the name of a player for logs; all past selves share one name."""
        return self.fixed[number].name if number < len(self.fixed) else "past selves"

    def add_past_self(self, player: PolicyPlayer, in_use: Any) -> None:
        """Add a past self; the oldest one beyond ``past_kept`` starts no new games.

        Args:
            player: the past self.
            in_use: the numbers of all players in running games; other retired selves are dropped.
        """
        self.past[self.next_number] = player
        self.next_number += 1
        while len(self.past) > self.settings.past_kept:
            oldest = next(iter(self.past))
            self.retired[oldest] = self.past.pop(oldest)
        playing = set(in_use.ravel().tolist())
        self.retired = {n: past_self for n, past_self in self.retired.items() if n in playing}

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Draw the numbers of players for seats, by weight; int64."""
        weights = self.weights()
        numbers = np.array(list(weights))
        shares = np.array(list(weights.values()))
        return rng.choice(numbers, shape, p=shares / shares.sum())

    def weights(self) -> Mapping[int, float]:
        """Return the weights of the players that may be drawn now, by number."""
        settings = self.settings
        invited = [*_invited(settings.scripted).values(), *_invited(settings.trained).values()]
        weights = dict[int, float](enumerate(invited))
        if self.past:
            weights |= dict.fromkeys(self.past, settings.past_selves / len(self.past))
        return weights


def _scripted(game: Game, name: str, *, on_gpu: bool) -> Any:
    if not on_gpu:
        return ScriptedPlayer(game, name)
    from kitchentable.players.cuda import CudaPlayer  # noqa: PLC0415 - needs a GPU

    return CudaPlayer(game, name)


def _invited(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: weight for name, weight in weights.items() if weight > 0}
