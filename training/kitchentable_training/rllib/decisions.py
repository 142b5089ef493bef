"""Records the decisions of every learning seat, and splits them into chunks of episodes.

An episode is one seat's part of one game: its decisions, and for each of them the rewards of the
seat until its next one. Rewards before the first decision are added to that decision, so the
rewards of an episode sum to the seat's payoff.

If a fragment ends while a seat waits for others, the reward of its last decision is not yet known.
That decision is kept and starts the seat's next chunk.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = dict[str, NDArray[Any]]


class _End(NamedTuple):
    """The end of an episode: the last fields of `Chunk`."""

    last: Mapping[str, NDArray[Any]]
    terminated: bool
    truncated: bool
    seconds: float


class Chunk(NamedTuple):
    """Consecutive decisions of one seat in one game.

    Attributes:
        number: the number of the episode, the same in all its chunks.
        started: the number of earlier decisions of the episode.
        rows: the recorded arrays by name; each of shape (decisions, ...).
        rewards: float32, shape (decisions,).
        paid: the sum of all rewards of the episode so far.
        last: what the seat sees after the last decision, by the names in ``rows``.
        terminated: whether the game has ended.
        truncated: whether it was stopped at its limit.
        seconds: the time from the deal to the end, if the episode is over; otherwise 0.
    """

    number: int
    started: int
    rows: Rows
    rewards: NDArray[np.float32]
    paid: float
    last: Mapping[str, NDArray[Any]]
    terminated: bool
    truncated: bool
    seconds: float

    @property
    def is_over(self) -> bool:
        """Whether the episode ends with this chunk."""
        return self.terminated or self.truncated


class Decisions:
    """The decisions of a batch of games; see the module."""

    def __init__(self, games: int, seats: int) -> None:
        self._numbers = np.arange(games * seats).reshape(games, seats)
        self._next = games * seats
        self._owed = np.zeros((games, seats), np.float32)
        self._dealt = np.full(games, time.perf_counter())
        self._before: dict[int, tuple[int, float]] = {}
        self._begin({})

    def _begin(self, rows: Rows) -> None:
        """Start a fragment with the decisions that were kept."""
        self._rows: list[Rows] = []
        self._pay: list[tuple[NDArray[np.intp], NDArray[np.float32]]] = []
        self._ends: dict[int, _End] = {}
        self._last = np.full_like(self._numbers, -1)
        self._count = 0
        if rows:
            self._append(rows)

    def _append(self, rows: Rows) -> NDArray[np.intp]:
        """Add rows and return their indices."""
        indices = self._count + np.arange(len(rows["game"]))
        self._last[rows["game"], rows["seat"]] = indices
        self._rows.append(rows)
        self._count += len(indices)
        return indices

    def add(self, games: NDArray[np.intp], seats: NDArray[np.int64], **rows: NDArray[Any]) -> None:
        """Record a decision in each of some games.

        Args:
            games: the indices of the games; shape (k,).
            seats: the seats that decided; shape (k,).
            rows: arrays to record by name, always the same names; each of shape (k, ...).
        """
        where = {"game": games, "seat": seats, "number": self._numbers[games, seats]}
        indices = self._append({**where, **rows})
        self._pay.append((indices, self._owed[games, seats]))
        self._owed[games, seats] = 0.0

    def pay(self, rewards: NDArray[np.float32]) -> None:
        """Assign the rewards of a step, (games, seats); seats that never decide get none."""
        games, seats = np.nonzero(rewards)
        paid, rows = rewards[games, seats], self._last[games, seats]
        decided = rows >= 0
        self._pay.append((rows[decided], paid[decided]))
        self._owed[games[~decided], seats[~decided]] += paid[~decided]

    def seats_of(self, game: int) -> NDArray[np.intp]:
        """Return the seats with a decision in a game whose outcome is not yet known."""
        return np.flatnonzero(self._last[game] >= 0)

    def end(
        self, game: int, truncated: bool, seats: NDArray[np.intp], **last: NDArray[Any]
    ) -> None:
        """End a game."""
        now, count = time.perf_counter(), self._numbers.shape[1]
        for k, number in enumerate(self._numbers[game, seats].tolist()):
            seen = {name: array[k] for name, array in last.items()}
            self._ends[number] = _End(seen, not truncated, truncated, now - self._dealt[game])
        self._numbers[game] = self._next + np.arange(count)
        self._next += count
        self._last[game], self._owed[game], self._dealt[game] = -1, 0.0, now

    @property
    def over(self) -> int:
        """The number of episodes that have ended in this fragment."""
        return len(self._ends)

    def known(self, games: NDArray[np.intp], seats: NDArray[np.int64]) -> int:
        """Return the number of decisions whose outcome is known."""
        decided = self._last >= 0
        return self._count - int(decided.sum()) + int(decided[games, seats].sum())

    def cut(
        self, games: NDArray[np.intp], seats: NDArray[np.int64], **last: NDArray[Any]
    ) -> list[Chunk]:
        """Return all chunks, and keep the decisions whose outcome is not yet known."""
        if not self._count:
            return []
        rows = {
            name: np.concatenate([step_rows[name] for step_rows in self._rows])
            for name in self._rows[0]
        }
        rewards = np.zeros(self._count, np.float32)
        for indices, paid in self._pay:
            np.add.at(rewards, indices, paid)
        movers = dict(zip(self._numbers[games, seats].tolist(), range(len(games)), strict=True))
        kept: list[int] = []
        chunks: list[Chunk] = []
        for number, own_rows in _by_number(rows["number"]):
            if number in self._ends:
                end, known = self._ends[number], own_rows
            elif number in movers:
                end, known = _going_on(last, movers[number]), own_rows
            else:  # it waits for others: its last decision is kept
                end, known = (
                    _going_on({name: rows[name] for name in last}, own_rows[-1]),
                    own_rows[:-1],
                )
                kept.append(int(own_rows[-1]))
            if len(known):
                chunk_rows = {name: column[known] for name, column in rows.items()}
                chunks.append(self._chunk(number, chunk_rows, rewards[known], end))
        self._begin({name: column[kept] for name, column in rows.items()})
        self._pay.append((np.arange(len(kept)), rewards[kept]))
        return chunks

    def _chunk(self, number: int, rows: Rows, rewards: NDArray[np.float32], end: _End) -> Chunk:
        started, paid = self._before.pop(number, (0, 0.0))
        paid += float(rewards.sum(dtype=np.float64))
        if not (end.terminated or end.truncated):
            self._before[number] = started + len(rewards), paid
        return Chunk(number, started, rows, rewards, paid, *end)


def _going_on(seen: Mapping[str, NDArray[Any]], at: int) -> _End:
    """Return the end of a chunk whose episode goes on, with what the seat sees there."""
    return _End({name: array[at] for name, array in seen.items()}, False, False, 0.0)


def _by_number(numbers: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield the number of each episode and the indices of its decisions, in order."""
    order = np.argsort(numbers, kind="stable")
    changes = np.flatnonzero(np.diff(numbers[order])) + 1
    for indices in np.split(order, changes):
        yield int(numbers[indices[0]]), indices
