"""The sequence form of a tree (Koller, Megiddo, von Stengel 1996), and sums over it.

With perfect recall, an (information set, action) pair stands for all that its seat does on the way
to it: a *sequence*. The probability that a seat plays a sequence is a product of probabilities of
its policy, and an end of the game is reached with the probability of its deal times that of one
sequence of each seat. So sums over all nodes, such as counterfactual values, need the ends of the
game only; the rest is a loop over information sets. Each sum has a fixed order, whatever the number
of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine.batch import available_threads
from kitchentable.engine.compiling import loop
from kitchentable_training.exact.levels import Indices, Level, Policy, Reals

ALONE = 1 << 16
"""Number of ends times seats that one thread sums faster than several."""


@dataclass(frozen=True)
class Sequences:
    """The sequence form.

    Information sets and pairs are those of all levels, one level after the other. Sequence q is
    pair q; after all pairs comes the empty sequence of each seat.

    Attributes:
        depths: number of pairs above each depth, and of all pairs; int64, shape (depths + 1,).
        owners: the seat of each information set; int8, shape (sets,).
        first_pair: index of each set's first pair, and the number of pairs; int32, shape (sets +
            1,).
        before: the sequence by which the seat comes to each set; int32, shape (sets,).
        seats: the seat of each sequence; int8, shape (sequences,).
        starts: index of the first end with each sequence, and the number of ends times seats;
            int64, shape (sequences + 1,).
        others: the sequences of the other seats at these ends; int32, shape (ends x seats, seats -
            1).
        pays: payoff of the sequence's seat at these ends, times the probability of the deal;
            float64, shape (ends x seats,).
    """

    depths: NDArray[np.int64]
    owners: NDArray[np.int8]
    first_pair: Indices
    before: Indices
    seats: NDArray[np.int8]
    starts: NDArray[np.int64]
    others: Indices
    pays: Reals

    @classmethod
    def of(cls, levels: Sequence[Level], chances: Reals) -> Sequences:
        """Return the sequence form of a tree."""
        depths = np.cumsum([0, *(len(level.actions) for level in levels)])
        pairs, players = int(depths[-1]), levels[-1].payoffs.shape[1]
        last = np.tile(np.arange(pairs, pairs + players, dtype=np.int32), (len(chances), 1))
        before, ends, pays = [], [], []
        for depth, level in enumerate(levels):
            if depth > 0:
                last, chances = last[level.parents], chances[level.parents]
                movers = levels[depth - 1].movers[level.parents]
                last[np.arange(len(last)), movers] = level.parent_pairs + np.int32(
                    depths[depth - 1]
                )
            before.append(last[level.representatives, level.owners])
            is_over = level.sets < 0
            ends.append(last[is_over])
            pays.append(level.payoffs * chances[is_over, None])
        owners = np.concatenate([level.owners for level in levels])
        firsts = [
            level.first_pair[:-1] + np.int32(above)
            for level, above in zip(levels, depths, strict=False)
        ]
        first_pair = np.concatenate([*firsts, [pairs]]).astype(np.int32)
        of_pairs = np.repeat(owners, np.diff(first_pair))
        reached, payoffs = np.concatenate(ends), np.concatenate(pays)
        counts = np.bincount(reached.ravel(), minlength=pairs + players)
        starts = np.concatenate([[0], np.cumsum(counts)])
        others, paid = np.empty((payoffs.size, players - 1), np.int32), np.empty(payoffs.size)
        _sort(reached, payoffs, starts[:-1].copy(), others, paid)
        return cls(
            depths=depths,
            owners=owners,
            first_pair=first_pair,
            before=np.concatenate(before),
            seats=np.concatenate([of_pairs, np.arange(players, dtype=np.int8)]),
            starts=starts,
            others=others,
            pays=paid,
        )

    # --- Policies: by depth as others read them, or flat ------------------------------------------

    def flat(self, policy: Policy) -> Reals:
        """Return a policy as one array; shape (pairs,)."""
        return np.concatenate(policy)

    def by_depth(self, policy: Reals) -> Policy:
        """Return a policy by depth, as views of the given array."""
        return np.split(policy, self.depths[1:-1])

    def normalized(self, weights: Reals) -> Policy:
        """Return the policy in proportion to weights; uniform where all of a set are 0."""
        policy = np.empty(len(weights))
        _normalize(self.first_pair, weights, policy)
        return self.by_depth(policy)

    # --- Sums -------------------------------------------------------------------------------------

    @property
    def arrays(self) -> tuple[Any, Any, Any]:
        """What loops over information sets read."""
        return self.owners, self.first_pair, self.before

    def reach(self, policy: Reals) -> Reals:
        """Return the probability with which its seat plays each sequence; shape (sequences,)."""
        chances = np.ones(len(self.seats))
        for seat in range(self.others.shape[1] + 1):
            extend(seat, *self.arrays, policy, chances)
        return chances

    def counterfactual_values(self, seat: int, reach: Reals, out: Reals) -> None:
        """Compute what the ends with each sequence of a seat pay it.

        Args:
            seat: the seat.
            reach: the probability of each sequence; only those of other seats are read.
            out: receives at each sequence of the seat the sum of its payoffs where it has made no
                decision since, times the probability of the deal and of the others' sequences.
        """
        threads = available_threads() if len(self.pays) > ALONE else 1
        arguments = (self.seats, self.starts, self.others, self.pays, reach, out)
        if threads == 1:
            _add_up(0, len(self.seats), seat, *arguments)
            return
        rows = np.searchsorted(self.starts, np.linspace(0, len(self.pays), threads + 1))
        rows[0], rows[-1] = 0, len(self.seats)
        with ThreadPoolExecutor(threads) as workers:
            parts = [
                workers.submit(_add_up, row, stop, seat, *arguments)
                for row, stop in pairwise(rows.tolist())
            ]
        for part in parts:
            part.result()

    def respond(self, seat: int, values: Reals, policy: Reals) -> float:
        """Write a seat's best response to a policy, and return its payoff.

        Args:
            seat: the seat.
            values: what `counterfactual_values` computed; changed to the values of all
                continuations.
            policy: receives 1 or 0 at the pairs of the seat; ties go to the last one.
        """
        _respond(seat, *self.arrays, values, policy)
        return float(values[self.depths[-1] + seat])


# --- Loops ----------------------------------------------------------------------------------------


def _sort_loop(ends: Any, pays: Any, places: Any, others: Any, paid: Any) -> None:
    for i in range(ends.shape[0]):
        for seat in range(ends.shape[1]):
            place = places[ends[i, seat]]
            places[ends[i, seat]] += 1
            paid[place] = pays[i, seat]
            for other in range(others.shape[1]):
                others[place, other] = ends[i, other + (other >= seat)]


def _add_up_loop(
    row: int, stop: int, seat: int, seats: Any, starts: Any, others: Any, pays: Any, reach: Any,
    out: Any,
) -> None:  # fmt: skip
    for q in range(row, stop):
        if seats[q] == seat:
            total = 0.0
            for i in range(starts[q], starts[q + 1]):
                chance = pays[i]
                for other in range(others.shape[1]):
                    chance *= reach[others[i, other]]
                total += chance
            out[q] = total


def _extend_loop(
    seat: int, owners: Any, first_pair: Any, before: Any, policy: Any, reach: Any
) -> None:
    """Write the probability of each sequence of a seat, from those of shorter ones."""
    for k in range(owners.shape[0]):
        if owners[k] == seat:
            for pair in range(first_pair[k], first_pair[k + 1]):
                reach[pair] = reach[before[k]] * policy[pair]


def _respond_loop(
    seat: int, owners: Any, first_pair: Any, before: Any, values: Any, policy: Any
) -> None:
    for k in range(owners.shape[0] - 1, -1, -1):
        if owners[k] == seat:
            best = first_pair[k]
            for pair in range(first_pair[k], first_pair[k + 1]):
                policy[pair] = 0.0
                if values[pair] >= values[best]:
                    best = pair
            policy[best] = 1.0
            values[before[k]] += values[best]


def _normalize_loop(first_pair: Any, weights: Any, out: Any) -> None:
    for k in range(first_pair.shape[0] - 1):
        first, stop = first_pair[k], first_pair[k + 1]
        total = 0.0
        for pair in range(first, stop):
            total += weights[pair]
        for pair in range(first, stop):
            out[pair] = weights[pair] / total if total > 0.0 else 1.0 / (stop - first)


_sort = loop(_sort_loop, game=None, name="tree")
_add_up = loop(_add_up_loop, game=None, name="tree")
extend = loop(_extend_loop, game=None, name="tree")
_respond = loop(_respond_loop, game=None, name="tree")
_normalize = loop(_normalize_loop, game=None, name="tree")
