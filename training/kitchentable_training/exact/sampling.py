"""Monte Carlo counterfactual regret minimization (MCCFR).

Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive
games" (2009). In each iteration every seat learns once, from one deal. In *external sampling* it
tries all its actions, while others draw theirs. In *outcome sampling* one course of the game is
drawn; the learning seat explores with probability `EPSILON`.

Averages: in external sampling, the seat after the learning one adds its policy wherever it is
visited, which weights policies by reach (with more than two seats also by how the third ones
played). In outcome sampling the learning seat does, weighted by its reach divided by the
probability of the sample (stochastically-weighted averaging).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance, seeds_for
from kitchentable.engine.compiling import loop
from kitchentable_training.exact.levels import Policy
from kitchentable_training.exact.tree import GameTree

EPSILON = 0.6
"""Probability with which outcome sampling draws one of the learning seat's actions evenly."""


class Sampling:
    """MCCFR: the tree as the loops read it, regrets and the sums of policies.

    Attributes:
        nodes: the number of nodes visited so far.
        regrets: sum of the sampled regrets of each pair; float64, shape (pairs,).
        cumulative_policy: sum of the policies, weighted by reach; like ``regrets``.
    """

    def __init__(self, tree: GameTree, seed: int, sample: Any, *room: NDArray[Any]) -> None:
        """Start from the uniform policy; ``room`` is working memory of the loop ``sample``."""
        self.nodes = 0
        self._sample, self._room = sample, room
        self._form, self._num_players = tree.sequences, tree.num_players
        levels = tree.levels
        nodes = np.cumsum([len(level.movers) for level in levels], dtype=np.int32)
        ends = np.cumsum([0, *(len(level.payoffs) for level in levels)], dtype=np.int32)
        sets = np.cumsum([0, *(len(level.owners) for level in levels)], dtype=np.int32)
        # Where a game is over, the number of its end is kept as a negative one.
        numbered = [
            np.where(
                level.sets < 0, -end - np.cumsum(level.sets < 0, dtype=np.int32), level.sets + k
            )
            for level, end, k in zip(levels, ends, sets, strict=False)
        ]
        self._tree = (
            np.concatenate(numbered),
            np.concatenate([level.first_child + k for level, k in zip(levels, nodes, strict=True)]),
            np.concatenate([level.payoffs for level in levels]),
            np.cumsum(tree.chances),
            self._form.owners,
            self._form.first_pair,
        )
        self._policy, self.regrets, self.cumulative_policy = np.zeros((3, self._form.depths[-1]))
        self._rng = seeds_for(seed, 1)

    def run(self, iterations: int) -> None:
        """Go on for some iterations."""
        state = self._policy, self.regrets, self.cumulative_policy, self._rng
        visited = self._sample(iterations, self._num_players, self._tree, *state, *self._room)
        self.nodes += int(visited)

    def solution(self) -> Policy:
        """Compute the average policy so far."""
        return self._form.normalized(self.cumulative_policy)


class ExternalSampling(Sampling):
    """External-sampling MCCFR."""

    def __init__(self, tree: GameTree, seed: int = 0) -> None:
        """Start from the uniform policy."""
        most = _most_nodes(tree)
        queue, firsts = np.zeros((2, most), np.int32)
        super().__init__(tree, seed, _sample_external, queue, firsts, np.zeros(most))


class OutcomeSampling(Sampling):
    """Outcome-sampling MCCFR."""

    def __init__(self, tree: GameTree, seed: int = 0) -> None:
        """Start from the uniform policy."""
        depths = len(tree.levels)
        path, chances = np.zeros((depths, 2), np.int32), np.zeros((depths, 4))
        super().__init__(tree, seed, _sample_outcome, path, chances)


def _most_nodes(tree: GameTree) -> int:
    """Return the largest number of nodes below a deal."""
    starts, counts = np.arange(len(tree.chances) + 1), np.zeros(len(tree.chances), np.int64)
    for level, below in zip(tree.levels, [*tree.levels[1:], None], strict=True):
        counts += np.diff(starts)
        if below is not None:
            starts = np.append(level.first_child, len(below.movers))[starts]
    return int(counts.max())


# --- Loops ----------------------------------------------------------------------------------------


@kernel
def drawn(rng: Any) -> float:
    """Return a number in [0, 1) and advance the stream."""
    rng[0] = advance(rng[0])
    return float(rng[0] >> np.uint64(11)) * 2.0**-53


@kernel
def draw_deal(limits: Any, rng: Any) -> int:
    """Draw a deal from the sums of probabilities."""
    above = int(np.searchsorted(limits, drawn(rng), side="right"))
    return min(above, int(limits.shape[0] - 1))


@kernel
def regret_matching(regrets: Any, first: int, stop: int, policy: Any) -> None:
    """Write the policy of an information set that matches its regrets."""
    total = 0.0
    for pair in range(first, stop):
        total += max(regrets[pair], 0.0)
    for pair in range(first, stop):
        policy[pair] = max(regrets[pair], 0.0) / total if total > 0.0 else 1.0 / (stop - first)


@kernel
def draw_pair(policy: Any, first: int, stop: int, epsilon: float, rng: Any) -> int:
    """Draw a pair of an information set, with a probability of drawing evenly instead."""
    at, chosen = drawn(rng), first
    for pair in range(first, stop):
        chance = epsilon / (stop - first) + (1.0 - epsilon) * policy[pair]
        if chance > 0.0:
            chosen = pair
            at -= chance
            if at < 0.0:
                break
    return chosen


@kernel
def queue_sample(
    seat: int, seats: int, tree: Any, policy: Any, regrets: Any, cumulative_policy: Any,
    rng: Any, queue: Any, firsts: Any,
) -> int:  # fmt: skip
    """Queue the nodes of an external sample below its deal; return their number.

    Each comes before its children. ``firsts`` receives where the children of each node begin in the
    queue. The next seat adds its policy to its cumulative one.
    """
    sets, children, _, _, owners, first_pair = tree
    queued, i = 1, 0
    while i < queued:
        k, firsts[i] = sets[queue[i]], queued
        if k >= 0:
            first, stop = first_pair[k], first_pair[k + 1]
            regret_matching(regrets, first, stop, policy)
            low, high = first, stop
            if owners[k] != seat:
                low = draw_pair(policy, first, stop, 0.0, rng)
                high = low + 1
            if owners[k] == (seat + 1) % seats:
                for pair in range(first, stop):
                    cumulative_policy[pair] += policy[pair]
            for pair in range(low, high):
                queue[queued] = children[queue[i]] + pair - first
                queued += 1
        i += 1
    return queued


@kernel
def regret_sample(
    seat: int, queued: int, tree: Any, policy: Any, regrets: Any, queue: Any, firsts: Any,
    values: Any,
) -> None:  # fmt: skip
    """Value the nodes of a queue backward, and add what the seat regrets."""
    sets, _, payoffs, _, owners, first_pair = tree
    for i in range(queued - 1, -1, -1):
        k, child = sets[queue[i]], firsts[i]
        if k < 0:
            values[i] = payoffs[~k, seat]
        elif owners[k] != seat:
            values[i] = values[child]
        else:
            first, stop = first_pair[k], first_pair[k + 1]
            values[i] = 0.0
            for pair in range(first, stop):
                values[i] += policy[pair] * values[child + pair - first]
            for pair in range(first, stop):
                regrets[pair] += values[child + pair - first] - values[i]


def _sample_external_loop(
    iterations: int, seats: int, tree: Any, policy: Any, regrets: Any, cumulative_policy: Any,
    rng: Any, queue: Any, firsts: Any, values: Any,
) -> int:  # fmt: skip
    visited = 0
    for step in range(iterations * seats):
        queue[0] = draw_deal(tree[3], rng)
        queued = queue_sample(
            step % seats, seats, tree, policy, regrets, cumulative_policy, rng, queue, firsts
        )
        regret_sample(step % seats, queued, tree, policy, regrets, queue, firsts, values)
        visited += queued
    return visited


def _sample_outcome_loop(
    iterations: int, seats: int, tree: Any, policy: Any, regrets: Any, cumulative_policy: Any,
    rng: Any, path: Any, chances: Any,
) -> int:  # fmt: skip
    """Sample one course of the game, and go back on it.

    ``path`` receives the information set and the chosen pair at each depth; ``chances`` the
    probability of the choice, and before it of all of the learning seat's choices, of all of the
    others', and of the sample. Deals are drawn with their probability, which cancels.
    """
    sets, children, payoffs, limits, owners, first_pair = tree
    visited = 0
    for step in range(iterations * seats):
        seat, depth = step % seats, 0
        node = draw_deal(limits, rng)
        own_reach, other_reach, sampled = 1.0, 1.0, 1.0
        while sets[node] >= 0:
            k = sets[node]
            first, stop = first_pair[k], first_pair[k + 1]
            regret_matching(regrets, first, stop, policy)
            epsilon = EPSILON if owners[k] == seat else 0.0
            pair = draw_pair(policy, first, stop, epsilon, rng)
            chance = epsilon / (stop - first) + (1.0 - epsilon) * policy[pair]
            path[depth, 0], path[depth, 1] = k, pair
            chances[depth, 0], chances[depth, 1] = chance, own_reach
            chances[depth, 2], chances[depth, 3] = other_reach, sampled
            if owners[k] == seat:
                own_reach *= policy[pair]
            else:
                other_reach *= policy[pair]
            sampled *= chance
            node = children[node] + pair - first
            depth += 1
        visited += depth + 1
        value = payoffs[~sets[node], seat]
        for d in range(depth - 1, -1, -1):
            k, chosen = path[d]
            weighted = value / chances[d, 0]
            value = policy[chosen] * weighted
            if owners[k] == seat:
                for pair in range(first_pair[k], first_pair[k + 1]):
                    estimate = weighted if pair == chosen else 0.0
                    regrets[pair] += (estimate - value) * chances[d, 2] / chances[d, 3]
                    cumulative_policy[pair] += chances[d, 1] * policy[pair] / chances[d, 3]
    return visited


_sample_external = loop(_sample_external_loop, game=None, name="tree")
_sample_outcome = loop(_sample_outcome_loop, game=None, name="tree")
