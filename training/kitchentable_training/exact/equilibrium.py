"""Equilibria of small tables, by counterfactual regret minimization (CFR) and mirror descent.

In two-player zero-sum games the average policy of CFR converges to a Nash equilibrium. ``cfr``,
``cfr+``, ``dcfr`` and ``pcfr+`` visit the whole tree in every iteration; they differ in four
numbers, see `FULL`. The seats take turns in all of them, also in ``cfr``, whose paper updates both
at once. Some sample, see `kitchentable_training.exact.sampling`. Of ``mmd`` the last policy
converges, see `kitchentable_training.exact.mirror_descent`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from kitchentable.engine.compiling import loop
from kitchentable_training.exact.levels import Policy
from kitchentable_training.exact.mirror_descent import MirrorDescent
from kitchentable_training.exact.sampling import ExternalSampling, OutcomeSampling
from kitchentable_training.exact.sequences import extend
from kitchentable_training.exact.tree import GameTree

ROUNDING = 1e-14
"""Sums of regrets up to this part of the largest payoff count as 0. Otherwise actions that are
worth exactly the same are told apart by errors of rounding: on `diddly_small` that doubles the
exploitability of CFR+ after ten iterations."""


class Solver(Protocol):
    """An algorithm at work on a tree."""

    def run(self, iterations: int) -> None:
        """Go on for some iterations, in each of which all seats learn once."""

    def solution(self) -> Policy:
        """Return what converges: the average policy so far, or the last one."""


class Variant(NamedTuple):
    """An algorithm of the family of discounted CFR (Brown and Sandholm 2019).

    Attributes:
        alpha: in iteration t, positive regrets are multiplied by ``t**alpha / (t**alpha + 1)``;
            infinite: they stay.
        beta: the same for negative regrets; minus infinity: they become 0.
        gamma: the weight of iteration t in the average policy is ``t**gamma``.
        predicts: whether the next policy counts the latest regrets of each information set twice,
            as a prediction of the next ones.
    """

    alpha: float
    beta: float
    gamma: float
    predicts: bool = False


FULL = {
    "cfr": Variant(math.inf, math.inf, 0.0),
    "cfr+": Variant(math.inf, -math.inf, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "pcfr+": Variant(math.inf, -math.inf, 2.0, predicts=True),
}
"""CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014), discounted CFR (Brown and Sandholm 2019),
and predictive CFR+ (Farina, Kroer and Sandholm 2021), each with its paper's numbers."""


class RegretMinimization:
    """Regret minimization over the whole tree.

    Attributes:
        variant: the algorithm.
        iteration: the number of iterations so far.
        regrets: sum of the regrets of each pair; float64, shape (pairs,).
        cumulative_policy: sum of the policies, weighted by reach; like ``regrets``.
    """

    def __init__(self, tree: GameTree, variant: Variant) -> None:
        """Start from the uniform policy."""
        self.variant, self.iteration = variant, 0
        self._form = tree.sequences
        self._policy = self._form.flat(tree.uniform())
        self._reach = self._form.reach(self._policy)
        self._values = np.zeros_like(self._reach)
        self.regrets, self.cumulative_policy = np.zeros((2, len(self._policy)))
        self._seats = range(tree.num_players)
        most = max(np.abs(level.payoffs).max(initial=0.0) for level in tree.levels)
        self._rounding = ROUNDING * float(most)

    def run(self, iterations: int) -> None:
        """Go on for some iterations."""
        form, variant = self._form, self.variant
        for _ in range(iterations):
            self.iteration += 1
            parameters = (
                _discount(self.iteration, variant.alpha),
                _discount(self.iteration, variant.beta),
                float(self.iteration) ** variant.gamma,
                float(variant.predicts),
                self._rounding,
            )
            for seat in self._seats:
                form.counterfactual_values(seat, self._reach, self._values)
                state = self.regrets, self.cumulative_policy, self._policy
                _learn(seat, *form.arrays, self._values, self._reach, *state, *parameters)
                extend(seat, *form.arrays, self._policy, self._reach)

    def solution(self) -> Policy:
        """Compute the average policy so far."""
        return self._form.normalized(self.cumulative_policy)


def _full(variant: Variant) -> Callable[[GameTree, int], Solver]:
    return lambda tree, _seed: RegretMinimization(tree, variant)


SOLVERS: dict[str, Callable[[GameTree, int], Solver]] = {
    **{name: _full(variant) for name, variant in FULL.items()},
    "external_sampling": ExternalSampling,
    "outcome_sampling": OutcomeSampling,
    "mmd": lambda tree, _seed: MirrorDescent(tree),
}
"""Algorithms by name, made from a tree and a seed, which those over the whole tree do not read."""


def solved(name: str, tree: GameTree, iterations: int, seed: int = 0) -> Policy:
    """Return the policy of an algorithm after some iterations; see `Solver.solution`.

    Raises:
        ValueError: there is no such algorithm.
    """
    if name not in SOLVERS:
        raise ValueError(f"there is no tabular algorithm {name!r}; there are {', '.join(SOLVERS)}")
    solver = SOLVERS[name](tree, seed)
    solver.run(iterations)
    return solver.solution()


def _discount(iteration: int, power: float) -> float:
    """Return the part of regrets that an iteration keeps."""
    if math.isinf(power):
        return float(power > 0)
    grown = float(iteration) ** power
    return float(grown / (grown + 1.0))


def _learn_loop(
    seat: int, owners: Any, first_pair: Any, before: Any, values: Any, reach: Any, regrets: Any,
    cumulative_policy: Any, policy: Any, positive: float, negative: float, weight: float,
    predicted: float, rounding: float,
) -> None:  # fmt: skip
    """Add what a seat regrets and how it played, and match its next policy to its regrets.

    ``values`` begins with the ends after which the seat decides nothing more; later sets add
    theirs. ``positive`` and ``negative`` are the shares of such regrets that are kept, ``weight``
    is that of the current policy, ``predicted`` that of the latest regrets in the next policy; sums
    of regrets up to ``rounding`` are 0.
    """
    for k in range(owners.shape[0] - 1, -1, -1):
        if owners[k] == seat:
            first, stop = first_pair[k], first_pair[k + 1]
            mean, total = 0.0, 0.0
            for pair in range(first, stop):
                mean += policy[pair] * values[pair]
            values[before[k]] += mean
            for pair in range(first, stop):
                cumulative_policy[pair] += weight * reach[pair]
                regret = values[pair] - mean
                summed = regrets[pair] + regret
                if abs(summed) <= rounding:
                    summed = 0.0
                regrets[pair] = summed * (positive if summed > 0.0 else negative)
                ahead = regrets[pair] + predicted * regret
                policy[pair] = ahead if ahead > rounding else 0.0
                total += policy[pair]
            for pair in range(first, stop):
                policy[pair] = policy[pair] / total if total > 0.0 else 1.0 / (stop - first)


_learn = loop(_learn_loop, game=None, name="tree")
