"""How often the benchmark's intervals hold the true value, by simulation.

``python -m benchmarks coverage``. An entry's runs are drawn from known distributions, whose true
interquartile mean and probability of improvement follow from very many runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.state import Floats
from kitchentable_training.benchmark.protocol import ANCHORS
from kitchentable_training.benchmark.results import published
from kitchentable_training.benchmark.statistics import (
    RESAMPLES,
    Scores,
    improvement,
    interquartile_mean,
    interval,
)

RUNS = (2, 3, 5, 10)
REPETITIONS = 1_000
MANY = 20_000
"""The number of runs in each environment from which the true values are computed."""
LEAD = 0.02
"""By how much one entry is better than the other one, everywhere."""
PUBLISHED = (("score", "ppo"), ("distance", "mmd"))
"""Measures and entries whose published results are cases; those of `mmd` vary most."""


class Case(NamedTuple):
    """The distribution of an entry's scores.

    Attributes:
        means: the mean score in each environment; float64, shape (environments,).
        spreads: the standard deviation; the same shape.
        skewed: whether deviations are exponential instead of normal, with a long tail downward.
    """

    means: Floats
    spreads: Floats
    skewed: bool = False

    def draw(self, rng: np.random.Generator, runs: int) -> Scores:
        """Draw the scores of some runs in each environment."""
        size = len(self.means), runs
        noise = 1.0 - rng.exponential(size=size) if self.skewed else rng.normal(size=size)
        scores = self.means[:, None] + self.spreads[:, None] * noise
        return {str(i): row.tolist() for i, row in enumerate(scores)}


def cases() -> Mapping[str, Case]:
    """Return the simulated cases by name."""
    rng = np.random.default_rng(0)
    means, spreads = rng.uniform(0.0, 1.0, 16), rng.uniform(0.02, 0.12, 16)
    # The quartiles of all runs fall between the fourth and fifth, and the twelfth and thirteenth.
    pairs = np.repeat(np.linspace(0.0, 1.0, 5), [3, 2, 6, 2, 3]) + 0.01 * (np.arange(16) % 2)
    by_name = {
        "unlike environments": Case(means, spreads),
        "unlike environments, skewed": Case(means, spreads, skewed=True),
        "alike at the quartiles": Case(pairs, np.full(16, 0.05)),
    }
    anchors = {anchor.name for anchor in ANCHORS}
    for what, entry in PUBLISHED:
        found: dict[str, list[float]] = {}
        for result in published():
            if (result["entry"], result["budget"]) == (entry, "1M") and what in result:
                found.setdefault(result["environment"], []).append(result[what])
        runs = [row for name, row in found.items() if what != "score" or name not in anchors]
        if runs and min(map(len, runs)) > 2:
            spreads = np.array([np.std(row, ddof=1) for row in runs])
            means = np.array([np.mean(row) for row in runs])
            by_name[f"{what}s of {entry}, as published"] = Case(means, spreads)
    return by_name


def measure(repetitions: int = REPETITIONS) -> dict[str, Any]:
    """Return the share of intervals that hold the true value, by case and number of runs."""
    rows = [
        {"case": name, "runs": runs, **coverage(case, runs, repetitions)}
        for name, case in cases().items()
        for runs in RUNS
    ]
    return {"repetitions": repetitions, "rows": rows}


def coverage(case: Case, runs: int, repetitions: int) -> dict[str, float]:
    """Return the share of intervals that hold the true value.

    Args:
        case: the distribution of scores.
        runs: the number of runs in each environment.
        repetitions: the number of simulated results.

    Returns:
        The shares of the intervals of the interquartile mean and of the probability of improvement,
        and of the percentile bootstrap of the interquartile mean, as in rliable.
    """
    rng = np.random.default_rng(runs)
    middle, better = _truth(case, rng)
    held = np.zeros(3)
    for _ in range(repetitions):
        scores = case.draw(rng, runs)
        better_scores = case._replace(means=case.means + LEAD).draw(rng, runs)
        ends = (
            interval(scores),
            improvement(better_scores, scores)["interval"],
            _percentile(scores, rng),
        )
        held += [_holds(*pair) for pair in zip(ends, (middle, better, middle), strict=True)]
    names = ("interquartile mean", "improvement", "percentile bootstrap")
    return dict(zip(names, (held / repetitions).round(3).tolist(), strict=True))


def _truth(case: Case, rng: np.random.Generator) -> tuple[float, float]:
    scores = np.array(list(case.draw(rng, MANY).values()))
    better_scores = np.array(list(case._replace(means=case.means + LEAD).draw(rng, MANY).values()))
    return float(interquartile_mean(scores.ravel())), float((better_scores > scores).mean())


def _holds(ends: Any, truth: float) -> bool:
    return bool(ends[0] <= truth <= ends[1])


def _percentile(scores: Scores, rng: np.random.Generator) -> Floats:
    """Return the interval of rliable: runs are resampled within each environment."""
    runs = np.array(list(scores.values()))
    drawn = rng.integers(runs.shape[1], size=(RESAMPLES, *runs.shape))
    samples = np.take_along_axis(runs[None], drawn, axis=2)
    return np.asarray(
        np.quantile(interquartile_mean(samples.reshape(RESAMPLES, -1)), [0.025, 0.975])
    )
