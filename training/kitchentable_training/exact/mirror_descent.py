"""Magnetic mirror descent over a whole tree (Sokota et al. 2023), the tabular `mmd`.

Each policy follows its action values, and is held back by its distance from the last policy and
from the uniform one, the magnet, whose weight decreases. Nothing is averaged: what converges is the
last policy. Unlike regrets, action values do not count how seldom the others let a seat come to an
information set, so this is what a learner that plays games estimates.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from kitchentable.engine.compiling import loop
from kitchentable_training.exact.levels import Policy
from kitchentable_training.exact.sequences import Sequences, extend
from kitchentable_training.exact.tree import GameTree

ALPHA = 0.4
"""The weight of the magnet in the first iteration, as a share of the largest payoff. The paper has
1 in Kuhn poker and 5 in Leduc poker, where the largest payoffs are 2 and 13."""
ANNEALING = 0.5
"""In iteration t, weight and step size are divided by ``t**ANNEALING``, as in the paper."""
LEAST = 1e-300
"""The least probability that counts, so that its logarithm is a number."""


class MirrorDescent:
    """Magnetic mirror descent; all seats learn from the same policies.

    Attributes:
        iteration: the number of iterations so far.
        alpha: the weight of the magnet in the first iteration, in points per game.
    """

    def __init__(self, tree: GameTree, alpha: float | None = None) -> None:
        """Start from the uniform policy.

        Args:
            tree: the game tree.
            alpha: see the attribute; None: `ALPHA` of the largest payoff.
        """
        most = max(np.abs(level.payoffs).max(initial=0.0) for level in tree.levels)
        self.iteration = 0
        self.alpha = ALPHA * float(most) if alpha is None else alpha
        levels = [replace(level, payoffs=np.ones_like(level.payoffs)) for level in tree.levels]
        self._form, self._ends = tree.sequences, Sequences.of(levels, tree.chances)
        self._policy = self._form.flat(tree.uniform())
        self._reach = self._form.reach(self._policy)
        self._values, self._chance = np.zeros((2, len(self._reach)))
        self._seats = range(tree.num_players)

    def run(self, iterations: int) -> None:
        """Go on for some iterations."""
        for _ in range(iterations):
            self.iteration += 1
            step_size = self.iteration**-ANNEALING
            for seat in self._seats:
                self._form.counterfactual_values(seat, self._reach, self._values)
                self._ends.counterfactual_values(seat, self._reach, self._chance)
                arrays = self._values, self._chance, self._policy
                _step(seat, *self._form.arrays, *arrays, step_size, self.alpha * step_size)
            for seat in self._seats:
                extend(seat, *self._form.arrays, self._policy, self._reach)

    def solution(self) -> Policy:
        """Return the last policy."""
        return self._form.by_depth(self._policy.copy())


def _step_loop(
    seat: int, owners: Any, first_pair: Any, before: Any, values: Any, chance: Any, policy: Any,
    step_size: float, alpha: float,
) -> None:  # fmt: skip
    """Write the next policy of a seat over the current one; ``alpha`` is the weight of the magnet.

    ``values`` begins with the ends after which the seat decides nothing more; later sets add
    theirs. ``chance`` are the probabilities of these ends, up to the seat's own part, likewise.
    """
    for k in range(owners.shape[0] - 1, -1, -1):
        if owners[k] == seat:
            first, stop = first_pair[k], first_pair[k + 1]
            mean, reached = 0.0, 0.0
            for pair in range(first, stop):
                mean += policy[pair] * values[pair]
                reached += policy[pair] * chance[pair]
            values[before[k]] += mean
            chance[before[k]] += reached
            most = -math.inf
            for pair in range(first, stop):
                value = values[pair] / chance[pair] if chance[pair] > 0.0 else 0.0
                logit = math.log(max(policy[pair], LEAST)) + step_size * value
                values[pair] = logit / (1.0 + step_size * alpha)
                most = max(most, values[pair])
            total = 0.0
            for pair in range(first, stop):
                policy[pair] = math.exp(values[pair] - most)
                total += policy[pair]
            for pair in range(first, stop):
                policy[pair] /= total


_step = loop(_step_loop, game=None, name="tree")
