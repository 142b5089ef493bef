"""Takes down what every learning seat decides, and cuts it into chunks of episodes.

An episode is one seat's part of one game: its decisions in turn, and for each what the seat was
paid from then up to its next one. What it was paid before its first decision is handed out with
that, so the rewards of an episode add up to the seat's payoff.

When a fragment ends, a seat that waits for others does not know yet what its last decision led to.
That decision stays here and begins the seat's next chunk.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = dict[str, NDArray[Any]]


class _End(NamedTuple):
    """How an episode ended: the fields of `Chunk`."""

    last: Mapping[str, NDArray[Any]]
    terminated: bool
    truncated: bool
    seconds: float


class Chunk(NamedTuple):
    """Decisions of one seat that follow one another in one game.

    Attributes:
        number: of the episode, the same in all its chunks.
        started: decisions of the episode before these.
        rows: what was taken down, by name; each of shape (decisions, ...).
        rewards: float32, shape (decisions,).
        paid: all rewards of the episode so far.
        last: what the seat sees after the last decision, by the names in ``rows``.
        terminated: whether the game has ended.
        truncated: whether it was stopped at its limit.
        seconds: from the deal to the end, if it is over.
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
        """Begin with games that have just been dealt.

        Args:
            games: how many.
            seats: of each.
        """
        self._numbers = np.arange(games * seats).reshape(games, seats)
        self._next = games * seats
        self._owed = np.zeros((games, seats), np.float32)
        self._dealt = np.full(games, time.perf_counter())
        self._before: dict[int, tuple[int, float]] = {}
        self._begin({})

    def _begin(self, rows: Rows) -> None:
        """Begin a fragment with the decisions that stayed; ``rows`` say whose they are."""
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
        """Take down a decision in each of some games.

        Args:
            games: which; shape (k,).
            seats: who decided; shape (k,).
            rows: what is to be kept, by name, always the same names; each of shape (k, ...).
        """
        where = {"game": games, "seat": seats, "number": self._numbers[games, seats]}
        indices = self._append({**where, **rows})
        self._pay.append((indices, self._owed[games, seats]))
        self._owed[games, seats] = 0.0

    def pay(self, rewards: NDArray[np.float32]) -> None:
        """Hand out what a step paid; shape (games, seats). Whoever never decides gets nothing."""
        games, seats = np.nonzero(rewards)
        paid, rows = rewards[games, seats], self._last[games, seats]
        decided = rows >= 0
        self._pay.append((rows[decided], paid[decided]))
        self._owed[games[~decided], seats[~decided]] += paid[~decided]

    def seats_of(self, game: int) -> NDArray[np.intp]:
        """Return the seats that have decided anything in a game and do not know its outcome."""
        return np.flatnonzero(self._last[game] >= 0)

    def end(
        self, game: int, truncated: bool, seats: NDArray[np.intp], **last: NDArray[Any]
    ) -> None:
        """End a game.

        Args:
            game: which.
            truncated: whether it was stopped at its limit.
            seats: those that have an episode, as `seats_of` returned them.
            last: what each of them sees of the end, by names of rows; shape (k, ...).
        """
        now, count = time.perf_counter(), self._numbers.shape[1]
        for k, number in enumerate(self._numbers[game, seats].tolist()):
            seen = {name: one[k] for name, one in last.items()}
            self._ends[number] = _End(seen, not truncated, truncated, now - self._dealt[game])
        self._numbers[game] = self._next + np.arange(count)
        self._next += count
        self._last[game], self._owed[game], self._dealt[game] = -1, 0.0, now

    @property
    def over(self) -> int:
        """How many episodes have ended in this fragment."""
        return len(self._ends)

    def known(self, games: NDArray[np.intp], seats: NDArray[np.int64]) -> int:
        """Return of how many decisions it is known what they led to.

        Args:
            games: where a learning seat is to act; shape (k,).
            seats: which; shape (k,).
        """
        decided = self._last >= 0
        return self._count - int(decided.sum()) + int(decided[games, seats].sum())

    def cut(
        self, games: NDArray[np.intp], seats: NDArray[np.int64], **last: NDArray[Any]
    ) -> list[Chunk]:
        """Return all chunks and go on with the decisions of which it is not known what they led to.

        Args:
            games: where a learning seat is to act; shape (k,).
            seats: which; shape (k,).
            last: what these see, by names of rows; shape (k, ...).
        """
        if not self._count:
            return []
        rows = {name: np.concatenate([one[name] for one in self._rows]) for name in self._rows[0]}
        rewards = np.zeros(self._count, np.float32)
        for indices, paid in self._pay:
            np.add.at(rewards, indices, paid)
        movers = dict(zip(self._numbers[games, seats].tolist(), range(len(games)), strict=True))
        kept: list[int] = []
        chunks: list[Chunk] = []
        for number, mine in _by_number(rows["number"]):
            if number in self._ends:
                end, known = self._ends[number], mine
            elif number in movers:
                end, known = _going_on(last, movers[number]), mine
            else:  # it waits for others: its last decision stays
                end, known = _going_on({name: rows[name] for name in last}, mine[-1]), mine[:-1]
                kept.append(int(mine[-1]))
            if len(known):
                those = {name: one[known] for name, one in rows.items()}
                chunks.append(self._chunk(number, those, rewards[known], end))
        self._begin({name: one[kept] for name, one in rows.items()})
        self._pay.append((np.arange(len(kept)), rewards[kept]))
        return chunks

    def _chunk(self, number: int, rows: Rows, rewards: NDArray[np.float32], end: _End) -> Chunk:
        started, paid = self._before.pop(number, (0, 0.0))
        paid += float(rewards.sum(dtype=np.float64))
        if not (end.terminated or end.truncated):
            self._before[number] = started + len(rewards), paid
        return Chunk(number, started, rows, rewards, paid, *end)


def _going_on(seen: Mapping[str, NDArray[Any]], at: int) -> _End:
    """Return that an episode has not ended; its seat sees what stands there."""
    return _End({name: one[at] for name, one in seen.items()}, False, False, 0.0)


def _by_number(numbers: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Give the number of each episode, and where its decisions stand, in turn."""
    order = np.argsort(numbers, kind="stable")
    changes = np.flatnonzero(np.diff(numbers[order])) + 1
    for indices in np.split(order, changes):
        yield int(numbers[indices[0]]), indices
