"""Statistics over few runs: the measures of rliable, with intervals for two runs and more.

The measures are those of Agarwal et al., "Deep reinforcement learning at the edge of the
statistical precipice" (2021). Environments are not a sample, so only the runs of each environment
vary. The percentile bootstrap of that paper is too narrow for few runs. Here an interval is
Student's, from the variance of the runs within each environment, with the degrees of freedom of
Welch and Satterthwaite. ``python -m benchmarks coverage`` simulates how often both hold the true
value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from kitchentable.core.state import Floats
from kitchentable_training.evaluate import duplicate

RESAMPLES = 2_000
CONFIDENCE = 0.95
Scores = Mapping[str, Sequence[float]]
"""The scores of the runs of one entry, by environment."""


def interquartile_mean(scores: Floats) -> Floats:
    """Return the mean of the middle half of the scores along the last axis."""
    return np.asarray(stats.trim_mean(scores, 0.25, axis=-1))


def interval(scores: Scores, seed: int = 0) -> list[float] | None:
    """Return the 95% interval of the interquartile mean over all runs of all environments.

    The standard error is that of a bootstrap of the runs of each environment, whose deviations are
    widened by as much as a sample's are too small.

    None if an environment has a single run, which says nothing about the variance of runs.
    """
    if min(map(len, scores.values())) < 2:
        return None
    runs = [np.asarray(values, np.float64) for values in scores.values()]
    means = interquartile_mean(np.concatenate(_resampled(runs, seed), axis=1))
    degrees = _degrees(
        [float(sample.var(ddof=1)) for sample in runs], [len(sample) - 1 for sample in runs]
    )
    middle = float(interquartile_mean(np.concatenate(runs)))
    return _students(middle, float(means.std(ddof=1)), degrees)


def _resampled(runs: Sequence[Floats], seed: int) -> list[Floats]:
    """Resample the runs of each environment; return a list of arrays (resamples, runs)."""
    rng = np.random.default_rng(seed)
    drawn = [values[rng.integers(len(values), size=(RESAMPLES, len(values)))] for values in runs]
    return [
        values.mean() + np.sqrt(len(values) / (len(values) - 1)) * (sample - values.mean())
        for values, sample in zip(runs, drawn, strict=True)
    ]


def _degrees(variances: Sequence[float], degrees: Sequence[int]) -> float:
    """Return the degrees of freedom of a sum of variances, by Welch and Satterthwaite."""
    parts = np.asarray(variances, np.float64)
    if not parts.any():
        return float(sum(degrees))
    return float(parts.sum() ** 2 / (parts**2 / np.asarray(degrees)).sum())


def _students(middle: float, error: float, degrees: float) -> list[float]:
    """Return Student's interval."""
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, degrees)) * error
    return [middle - reach, middle + reach]


def mean_interval(values: Sequence[float]) -> list[float] | None:
    """Return the 95% interval of a mean, Student's; None for a single value."""
    return None if len(values) < 2 else duplicate.mean_interval(np.asarray(values, np.float64))


def aggregate(scores: Scores) -> dict[str, Any]:
    """Return the interquartile mean, its interval, and the numbers of environments and runs."""
    pooled = np.concatenate([np.asarray(values, np.float64) for values in scores.values()])
    return {
        "iqm": float(interquartile_mean(pooled)),
        "interval": interval(scores),
        "environments": len(scores),
        "runs": len(pooled),
    }


def improvement(scores: Scores, other_scores: Scores) -> dict[str, Any]:
    """Return the probability that a run of one entry beats one of another at the same environment.

    Ties count half. The result is the mean over the common environments, with its 95% interval,
    whose variance is that of DeLong et al. (1988), but see `_variance`. The interval is None if an
    entry has a single run in one of these environments, of which there is at least one.
    """
    environments = [environment for environment in scores if environment in other_scores]
    # How often a run is better than the runs of the other entry, by run.
    wins = [
        _better(*map(np.asarray, (scores[environment], other_scores[environment])))
        for environment in environments
    ]
    probability = float(np.mean([array.mean() for array in wins]))
    by_run = [array.mean(axis=axis) for array in wins for axis in (0, 1)]
    return {
        "probability": probability,
        "interval": _of_means(probability, by_run, len(environments)),
    }


def _better(first: Floats, second: Floats) -> Floats:
    """Return whether each of the first scores is higher, 1, 1/2 or 0; shape (first, second)."""
    gaps = first[:, None] - second[None, :]
    return np.asarray((gaps > 0) + 0.5 * (gaps == 0), np.float64)


def _of_means(middle: float, samples: Sequence[Floats], environments: int) -> list[float] | None:
    """Return the interval of a mean over environments of means of samples, which is a probability.

    None if a sample has a single value.
    """
    if min(map(len, samples)) < 2:
        return None
    variances = [_variance(sample) / environments**2 for sample in samples]
    degrees = _degrees(variances, [len(sample) - 1 for sample in samples])
    low, high = _students(middle, float(np.sqrt(sum(variances))), degrees)
    return [max(0.0, low), min(1.0, high)]


def _variance(sample: Floats) -> float:
    """Return the variance of a mean of probabilities.

    It is at least as large as with one more run that is even, so that a few runs that agree do not
    look like certainty.
    """
    return max(float(part.var(ddof=1)) / len(part) for part in (sample, np.append(sample, 0.5)))


def profile(scores: Scores, thresholds: Floats) -> tuple[Floats, Floats]:
    """Return a performance profile: the share of runs that score more than each threshold.

    Returns:
        The mean over the environments, (thresholds,), and its 95% intervals, (2, thresholds), of
        no width if an environment has a single run.
    """
    runs = [np.asarray(values, np.float64) for values in scores.values()]
    above = [(values[:, None] > thresholds).astype(np.float64) for values in runs]
    shares = np.mean([array.mean(axis=0) for array in above], axis=0)
    ends = [
        _of_means(float(share), [array[:, i] for array in above], len(above)) or [share, share]
        for i, share in enumerate(shares)
    ]
    return shares, np.asarray(ends).T
