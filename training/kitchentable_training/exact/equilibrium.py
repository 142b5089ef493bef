"""Equilibria of small tables, by counterfactual regret minimization.

CFR+ with alternating updates and linear averaging (Tammelin, "Solving large imperfect information
games using CFR+", 2014). In two-player zero-sum games the average policy converges to a Nash
equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kitchentable_training.exact.exploitability import add_up, go_back, reach
from kitchentable_training.exact.tree import GameTree, Level, Policy, Reals


def cfr_plus(tree: GameTree) -> Iterator[Policy]:
    """Yield the average policy after each iteration, indefinitely."""
    levels, seats = tree.levels, range(tree.num_players)
    regrets = [np.zeros(len(level.actions)) for level in levels]
    sums = [np.zeros(len(level.actions)) for level in levels]
    iteration = 0
    while True:
        iteration += 1
        for seat in seats:
            policy = [_shares(*both) for both in zip(levels, regrets, strict=True)]
            worth = _worth(tree, policy, seat)
            own_reach = reach(tree, policy, [seat], np.ones(len(tree.chances)))
            for depth, level in enumerate(levels):
                own = level.owners[level.set_of_pair] == seat
                expected = _by_set(level, policy[depth] * worth[depth])[level.set_of_pair]
                regret = np.maximum(regrets[depth] + worth[depth] - expected, 0.0)
                regrets[depth] = np.where(own, regret, regrets[depth])
                weights = own_reach[depth][level.examples][level.set_of_pair] * own
                sums[depth] += iteration * weights * policy[depth]
        yield [_shares(*both) for both in zip(levels, sums, strict=True)]


def _worth(tree: GameTree, policy: Policy, seat: int) -> list[Reals]:
    """Return the counterfactual value of each pair to a seat; by depth (see `go_back`)."""
    found = [np.zeros(len(level.actions)) for level in tree.levels]

    def note(depth: int, worth: Reals) -> Reals:
        found[depth] = worth
        return policy[depth]

    go_back(tree, policy, seat, note)
    return found


def _shares(level: Level, weights: Reals) -> Reals:
    """Return weights normalized within each information set; uniform where all are 0."""
    total = _by_set(level, weights)
    even = 1.0 / np.diff(level.first_pair)
    some = np.where(total > 0.0, total, 1.0)
    found = np.where(total[level.set_of_pair] > 0.0, weights / some[level.set_of_pair], 0.0)
    return np.where(total[level.set_of_pair] > 0.0, found, even[level.set_of_pair])


def _by_set(level: Level, of_pairs: Reals) -> Reals:
    """Return the sum over the pairs of each information set; shape (sets,)."""
    return add_up(level.set_of_pair, of_pairs, len(level.owners))
