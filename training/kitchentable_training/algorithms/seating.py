"""The players at each table of a batch: the learner and players of the league."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from kitchentable.core.state import BoolArray
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.league import GameResult, OpponentPool

LEARNER = -1
"""The number of the learner, where other players have their number in the pool."""
TENSORS = ("numbers", "seat", "payoffs")


class Seating:
    """The players of each seat, drawn when a game starts and kept until it ends.

    At a league table the learner has one seat, which is drawn too. In a team game, one player of
    the pool has all other seats, because evaluations measure teams of one player. At any other
    table the learner has all seats.

    Tensors are on the device of the batch. Random numbers are drawn on the host.

    Attributes:
        batch: the tables.
        pool: the players of the league.
        numbers: each seat's player, by pool number, or `LEARNER`; int64, shape (num_envs, seats).
        seat: the learner's seat, or one of its seats; int64, shape (num_envs,).
        payoffs: the payoff of that seat in the game so far; float32, shape (num_envs,).
        finished: the number of finished games; reset to 0 by the code that logs them.
        results: the results of finished league games, or of all in a team game; emptied by the code
            that logs them.
    """

    def __init__(
        self, batch: TensorBatch, pool: OpponentPool, seed: int, league: BoolArray, rank: int = 0
    ) -> None:
        """Allocate the tensors; `begin` draws the players.

        Args:
            batch: the tables.
            pool: the players of the league; may be empty for one seat or without a league.
            seed: the seed of the draws.
            league: which tables are league tables; bool, shape (num_envs,).
            rank: the rank of this process; each process draws for its own tables.
        """
        self.pool = pool
        self.batch = batch
        to_device, games = batch.from_host, batch.num_envs
        self._league = to_device(league & (batch.num_players > 1))
        self._rank = rank
        self.seed(seed)
        self._everyone = torch.arange(games, device=batch.device)
        self.numbers = to_device(np.full((games, batch.num_players), LEARNER))
        self.seat = to_device(np.zeros(games, np.int64))
        self.payoffs = to_device(np.zeros(games, np.float32))
        self.finished = 0
        self.results: list[GameResult] = []

    def seed(self, seed: int) -> None:
        """Restart the draws of players and seats."""
        self._rng = np.random.default_rng([seed, 1, self._rank] if self._rank else [seed, 1])

    def begin(self) -> None:
        """Draw the players of all tables, which have just been dealt."""
        self.payoffs[:] = 0.0
        self._draw(self._everyone)

    def _draw(self, games: torch.Tensor) -> None:
        games = games[self._league[games]]
        if len(games):
            seats = self.batch.num_players
            draws = 1 if self.batch.is_team else seats
            to_device = self.batch.from_host
            self.numbers[games] = to_device(self.pool.draw(self._rng, (len(games), draws)))
            self.seat[games] = to_device(self._rng.integers(seats, size=len(games)))
            self.numbers[games, self.seat[games]] = LEARNER

    def movers(self) -> torch.Tensor:
        """Return who is to move in each game: a number of the pool, or `LEARNER`; (num_envs,)."""
        return self.numbers[self._everyone, self.batch.current_player]

    def ask_others(self, movers: torch.Tensor, actions: torch.Tensor) -> None:
        """Write the actions of all players except the learner; one call per player."""
        others = movers[movers != LEARNER]
        for number in sorted(set(others.tolist())):
            games = (movers == number).nonzero()[:, 0]
            actions[games] = self.batch.ask(self.pool.player(number), games)

    def take_pay(self) -> torch.Tensor:
        """Add what the batch's last step paid the learner's seat, and return it; (num_envs,)."""
        paid = self.batch.rewards[self._everyone, self.seat]
        self.payoffs += paid
        return paid

    def seat_anew(self) -> None:
        """Record the games that ended in the batch's last step, and draw players for new ones."""
        if self.batch.dones.any():  # most steps end no game
            games = self.batch.dones.nonzero()[:, 0]
            self.finished += len(games)
            self._note_results(games)
            self.payoffs[games] = 0.0
            self._draw(games)

    def _note_results(self, games: torch.Tensor) -> None:
        """Record the results of finished games: of league games, or of all in a team game."""
        if not self.batch.is_team:
            games = games[self._league[games]]
        if len(games) == 0:
            return
        numbers, payoffs = (tensor[games].cpu().numpy() for tensor in (self.numbers, self.payoffs))
        self.results += [
            GameResult(tuple(seats[seats != LEARNER].tolist()), float(payoff))
            for seats, payoff in zip(numbers, payoffs, strict=True)
        ]

    def export_state(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return tensors and JSON values from which `import_state` resumes exactly."""
        tensors = {name: getattr(self, name) for name in TENSORS}
        tensors["records"] = self.batch.records.flatten()
        for i, player in enumerate(self.pool.scripted):
            # As words with a sign: older versions of safetensors store no others.
            tensors[f"streams_{i}"] = torch.as_tensor(player.streams).view(torch.int64)
        named = {f"arrays/{name}": tensor for name, tensor in tensors.items()}
        return named, {"rng": self._rng.bit_generator.state}

    def import_state(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Restore what `export_state` returned, for tables made with the same settings."""
        records = self.batch.records
        for name in TENSORS:
            getattr(self, name).copy_(tensors[f"arrays/{name}"])
        records.copy_(tensors["arrays/records"].view_as(records))
        for i, player in enumerate(self.pool.scripted):
            streams = tensors[f"arrays/streams_{i}"].view(torch.uint64).clone()
            on_host = isinstance(player.streams, np.ndarray)
            player.streams = streams.numpy() if on_host else streams.to(self.batch.device)
        self._rng.bit_generator.state = plain["rng"]
        self.batch.look()
