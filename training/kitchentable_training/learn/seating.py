"""Who sits at each table of a batch: the learner, and players of the league."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.state import BoolArray
from kitchentable_training.learn.arrays import arrays_of
from kitchentable_training.learn.league import GameResult, OpponentPool

LEARNER = -1
"""In the learner's seats, where others have their number in the pool."""
ARRAYS = ("numbers", "seat", "payoffs")


class Seating:
    """Draws who sits where when a game starts; they stay until it ends.

    At a table of the league the learner holds one seat, drawn too. In a team one player of the pool
    holds all the others, for teams of one player are what is judged. At any other table the learner
    holds all seats.

    Arrays are the batch's: on a GPU, tensors. Who sits where is drawn on the host.

    Attributes:
        batch: the tables.
        pool: the players of the league.
        numbers: who sits where: a number of the pool, or `LEARNER`; int64, shape (num_envs, seats).
        seat: the learner's seat, or one of them; int64, shape (num_envs,).
        payoffs: what the game has paid that seat so far; float32, shape (num_envs,).
        finished: how many games have been; whoever logs them sets it to 0.
        results: of every game that has finished and has a winner or loser; whoever logs them
            empties the list.
    """

    def __init__(
        self, batch: Any, pool: OpponentPool, seed: int, league: BoolArray, rank: int = 0
    ) -> None:
        """Prepare the seats.

        Args:
            batch: the tables: a `Batch` or a `CudaBatch`.
            pool: the players of the league; may be empty for one seat or without a league.
            seed: of who sits where.
            league: which tables are the league's; shape (num_envs,).
            rank: of this process among those that learn together; each draws for its own tables.
        """
        self.pool = pool
        self.batch = batch
        self._arrays = arrays_of(batch)
        given, games = self._arrays.of_host, batch.num_envs
        self._league = given(league & (batch.num_players > 1))
        self._rng = np.random.default_rng([seed, 1, rank] if rank else [seed, 1])
        self._everyone = given(np.arange(games))
        self.numbers = given(np.full((games, batch.num_players), LEARNER))
        self.seat = given(np.zeros(games, np.int64))
        self.payoffs = given(np.zeros(games, np.float32))
        self.finished = 0
        self.results: list[GameResult] = []

    def begin(self) -> None:
        """Seat everybody, at tables that have just been dealt."""
        self.payoffs[:] = 0.0
        self._draw(self._everyone)

    def _draw(self, games: Any) -> None:
        games = games[self._league[games]]
        if len(games):
            seats = self.batch.num_players
            draws = 1 if self.batch.is_team else seats
            given = self._arrays.of_host
            self.numbers[games] = given(self.pool.draw(self._rng, (len(games), draws)))
            self.seat[games] = given(self._rng.integers(seats, size=len(games)))
            self.numbers[games, self.seat[games]] = LEARNER

    def movers(self) -> Any:
        """Return who is to act in each game: a number of the pool, or `LEARNER`; (num_envs,)."""
        return self.numbers[self._everyone, self.batch.current_player]

    def ask_others(self, movers: Any, actions: Any) -> None:
        """Write the actions of all but the learner; one call a player for all its games."""
        for number in self._arrays.unique(movers[movers != LEARNER]):
            games = self._arrays.where(movers == number)
            actions[games] = self.pool.player(number).act(self.batch, games)

    def take_pay(self) -> Any:
        """Take down what the batch's last step paid the learner's seat; shape (num_envs,)."""
        paid = self.batch.rewards[self._everyone, self.seat]
        self.payoffs += paid
        return paid

    def seat_anew(self) -> None:
        """Note how games ended in the batch's last step, and seat players for the next ones."""
        if self.batch.dones.any():  # most steps end nothing
            games = self._arrays.where(self.batch.dones)
            self.finished += len(games)
            self._note_results(games)
            self.payoffs[games] = 0.0
            self._draw(games)

    def _note_results(self, games: Any) -> None:
        """Say how games that are over ended for the learner; it cannot beat itself."""
        if not self.batch.is_team:
            games = games[self._league[games]]
        if len(games) == 0:
            return
        _, found = self.batch.standings(self.batch.final_states[games])
        of_games = (found, *(one[games] for one in (self.numbers, self.seat, self.payoffs)))
        ranks, numbers, seat, payoffs = map(self._arrays.to_host, of_games)
        mine = np.take_along_axis(ranks, seat[:, None], axis=1)
        beaten = 0.5 * (1.0 + np.sign(ranks - mine))
        others = numbers != LEARNER
        self.results += [
            GameResult(
                tuple(numbers[k, others[k]].tolist()),
                float(payoffs[k]),
                tuple(beaten[k, others[k]].tolist()),
            )
            for k in range(len(numbers))
        ]

    def export_state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Return arrays and plain values from which `import_state` goes on identically."""
        to_host = self._arrays.to_host
        arrays = {name: to_host(getattr(self, name)).copy() for name in ARRAYS}
        arrays["records"] = to_host(self._arrays.records(self.batch)).copy()
        for i, player in enumerate(self.pool.scripted):
            arrays[f"streams_{i}"] = to_host(player.streams).copy()
        return arrays, {"rng": self._rng.bit_generator.state}

    def import_state(self, arrays: dict[str, NDArray[Any]], plain: dict[str, Any]) -> None:
        """Go on from what `export_state` returned, at tables made alike."""
        given = self._arrays.of_host
        for name in ARRAYS:
            getattr(self, name)[:] = given(arrays[name])
        self._arrays.records(self.batch)[:] = given(arrays["records"])
        for i, player in enumerate(self.pool.scripted):
            player.streams = given(arrays[f"streams_{i}"].copy())
        self._rng.bit_generator.state = plain["rng"]
        self.batch.look()
