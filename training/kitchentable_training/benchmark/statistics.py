"""Statistics over few runs, by the methods of rliable.

Agarwal and others, "Deep reinforcement learning at the edge of the statistical precipice" (2021).
Runs are resampled within each table (a stratified bootstrap), as the tables are not a sample.
The library itself is not used: its only release since 2022 is of August 2024, and it cannot be
imported with the current versions of its dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from kitchentable.core.state import Floats

RESAMPLES = 10_000
Scores = Mapping[str, Sequence[float]]
"""The scores of the runs of one entry, by table."""


def interquartile_mean(scores: Floats) -> Floats:
    """Return the mean of the middle half of the scores along the last axis."""
    return np.asarray(stats.trim_mean(scores, 0.25, axis=-1))


def interval(scores: Scores, seed: int = 0) -> list[float] | None:
    """Return the 95 % interval of the interquartile mean over all runs of all tables.

    None if a table has a single run, which says nothing about the variance of runs.
    """
    if min(map(len, scores.values())) < 2:
        return None
    means = interquartile_mean(np.concatenate(_resampled(scores, seed), axis=1))
    return [float(end) for end in np.quantile(means, [0.025, 0.975])]


def _resampled(scores: Scores, seed: int, resamples: int = RESAMPLES) -> list[Floats]:
    """Resample the runs of each table; return a list of arrays (resamples, runs)."""
    rng = np.random.default_rng(seed)
    runs = [np.asarray(found, np.float64) for found in scores.values()]
    return [one[rng.integers(len(one), size=(resamples, len(one)))] for one in runs]


def aggregate(scores: Scores) -> dict[str, Any]:
    """Return the interquartile mean, its interval, and the numbers of tables and runs."""
    pooled = np.concatenate([np.asarray(one, np.float64) for one in scores.values()])
    return {
        "iqm": float(interquartile_mean(pooled)),
        "interval": interval(scores),
        "tables": len(scores),
        "runs": len(pooled),
    }


def improvement(mine: Scores, theirs: Scores) -> dict[str, Any]:
    """Return the probability that a run of one entry beats one of another at the same table.

    Ties count half. The result is the mean over the common tables, with its 95 % interval.

    Raises:
        ValueError: the entries have no table in common.
    """
    tables = [table for table in mine if table in theirs]
    if not tables:
        raise ValueError("the entries have no table in common")

    def mean(one: Sequence[Floats], other: Sequence[Floats]) -> Floats:
        means = [_better(a, b) for a, b in zip(one, other, strict=True)]
        return np.asarray(np.mean(means, axis=0))

    first, second = ({table: one[table] for table in tables} for one in (mine, theirs))
    plain = [[np.asarray([one[table]], np.float64) for table in tables] for one in (first, second)]
    drawn = mean(_resampled(first, 0, 2_000), _resampled(second, 1, 2_000))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return {"probability": float(mean(*plain)[0]), "interval": [float(low), float(high)]}


def _better(mine: Floats, theirs: Floats) -> Floats:
    """Return how often the first scores are higher; (resamples, runs) to (resamples,)."""
    gaps = mine[:, :, None] - theirs[:, None, :]
    return np.asarray(((gaps > 0) + 0.5 * (gaps == 0)).mean(axis=(1, 2)))


def profile(scores: Scores, thresholds: Floats) -> tuple[Floats, Floats]:
    """Return a performance profile: the share of runs that score more than each threshold.

    Returns:
        The mean over the tables, (thresholds,), and its 95 % intervals, (2, thresholds).
    """

    def mean(runs: Sequence[Floats]) -> Floats:
        shares = [np.mean(one[..., None] > thresholds, axis=-2) for one in runs]
        return np.asarray(np.mean(shares, axis=0))

    plain = mean([np.asarray(one, np.float64) for one in scores.values()])
    drawn = mean(_resampled(scores, 0, 2_000))
    return plain, np.quantile(drawn, [0.025, 0.975], axis=0)
