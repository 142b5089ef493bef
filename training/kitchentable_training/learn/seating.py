"""Who sits at each table of a batch: the learner, and players of the league."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch
from kitchentable.core.state import BoolArray
from kitchentable.players.scripted import Actions, Games
from kitchentable_training.learn.league import GameResult, OpponentPool

LEARNER = -1
"""In the learner's seats, where others have their number in the pool."""
ARRAYS = ("numbers", "seat", "payoffs")


class Seating:
    """Draws who sits where when a game starts; they stay until it ends.

    At a table of the league the learner holds one seat, drawn too. In a team one player of the pool
    holds all the others, for teams of one player are what is judged. At any other table the learner
    holds all seats.

    Attributes:
        numbers: who sits where: a number of the pool, or `LEARNER`; int64, shape (num_envs, seats).
        seat: the learner's seat, or one of them; int64, shape (num_envs,).
        payoffs: what the game has paid that seat so far; float32, shape (num_envs,).
        results: of every game that has finished and has a winner or loser; whoever logs them
            empties the list.
    """

    def __init__(self, batch: Batch, pool: OpponentPool, seed: int, league: BoolArray) -> None:
        """Seat everybody.

        Args:
            batch: the tables.
            pool: the players of the league; may be empty for one seat or without a league.
            seed: of who sits where.
            league: which tables are the league's; shape (num_envs,).
        """
        self.pool = pool
        self._batch = batch
        self._league = league & (batch.num_players > 1)
        self._rng = np.random.default_rng([seed, 1])
        self._everyone = np.arange(batch.num_envs)
        self.numbers = np.full((batch.num_envs, batch.num_players), LEARNER)
        self.seat = np.zeros(batch.num_envs, np.int64)
        self.payoffs = np.zeros(batch.num_envs, np.float32)
        self.results: list[GameResult] = []
        self._draw(self._everyone)

    def _draw(self, games: Games) -> None:
        batch = self._batch
        games = games[self._league[games]] if batch.num_players > 1 else games
        if len(games) == 0:
            return
        if batch.num_players > 1:
            draws = 1 if batch.is_team else batch.num_players
            self.numbers[games] = self.pool.draw(self._rng, (len(games), draws))
        self.seat[games] = self._rng.integers(batch.num_players, size=len(games))
        self.numbers[games, self.seat[games]] = LEARNER

    def movers(self) -> NDArray[np.int64]:
        """Return who is to act in each game: a number of the pool, or `LEARNER`."""
        return self.numbers[self._everyone, self._batch.current_player]

    def ask_others(self, movers: NDArray[np.int64], actions: Actions) -> None:
        """Write the actions of all but the learner; one call a player for all its games."""
        for number in np.unique(movers[movers != LEARNER]):
            games = np.flatnonzero(movers == number)
            actions[games] = self.pool.player(int(number)).act(self._batch, games)

    def note_step(self) -> NDArray[np.float32]:
        """Take down what the batch's last step paid, and seat players where a game starts anew.

        Returns:
            What it paid the learner's seat of each game; float32, shape (num_envs,).
        """
        paid: NDArray[np.float32] = self._batch.rewards[self._everyone, self.seat]
        self.payoffs += paid
        if self._batch.dones.any():  # looking further costs as much as playing
            games = np.flatnonzero(self._batch.dones)
            self._note_results(games)
            self.payoffs[games] = 0.0
            self._draw(games)
        return paid

    def _note_results(self, games: Games) -> None:
        """Say how games that are over ended for the learner; it cannot beat itself."""
        if not self._batch.is_team:
            games = games[self._league[games]]
        if len(games) == 0:
            return
        _, ranks = self._batch.standings(self._batch.final_states[games])
        mine = np.take_along_axis(ranks, self.seat[games, None], axis=1)
        beaten = 0.5 * (1.0 + np.sign(ranks - mine))
        others = self.numbers[games] != LEARNER
        self.results += [
            GameResult(
                tuple(self.numbers[i, others[k]].tolist()),
                float(self.payoffs[i]),
                tuple(beaten[k, others[k]].tolist()),
            )
            for k, i in enumerate(games)
        ]

    def export_state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values from which `import_state` goes on identically."""
        arrays = {name: getattr(self, name).copy() for name in ARRAYS}
        arrays["records"] = self._batch.records.view(np.uint8).copy()
        for i, player in enumerate(self.pool.scripted):
            arrays[f"streams_{i}"] = player.streams.copy()
        return arrays, {"rng": self._rng.bit_generator.state}

    def import_state(self, arrays: dict[str, NDArray[Any]], plain: dict[str, Any]) -> None:
        """Go on from what `export_state` returned, at tables made alike."""
        for name in ARRAYS:
            getattr(self, name)[:] = arrays[name]
        self._batch.records.view(np.uint8)[:] = arrays["records"]
        for i, player in enumerate(self.pool.scripted):
            player.streams = arrays[f"streams_{i}"].copy()
        self._rng.bit_generator.state = plain["rng"]
        self._batch.look()
