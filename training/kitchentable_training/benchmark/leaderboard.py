"""The leaderboard: all results of a benchmark together, as tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from kitchentable_training.benchmark.protocol import ANCHORS, ENVIRONMENTS, Budget
from kitchentable_training.benchmark.results import Result
from kitchentable_training.benchmark.statistics import (
    Scores,
    aggregate,
    improvement,
    mean_interval,
)
from kitchentable_training.evaluate.formatting import NOTHING, markdown_table

Figures = Mapping[str, Mapping[str, Any]]
SCORE, DISTANCE = "score", "distance"
"""The measures that are aggregated: the score, of which more is better, and the distance from an
equilibrium, of which less is."""


def scores_of(
    results: Iterable[Result], budget: str, measure: str = SCORE
) -> dict[str, dict[str, list[float]]]:
    """Return a measure of all runs with a budget that have it, by entry and environment.

    Scores in the anchors are left out: their scripted player is weak, so they have no upper end.
    """
    left_out = {one.name for one in ANCHORS} if measure == SCORE else set()
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        if one["budget"] == budget and measure in one and one["environment"] not in left_out:
            found[one["entry"]][one["environment"]].append(one[measure])
    return {entry: dict(environments) for entry, environments in found.items()}


def budgets_of(results: Iterable[Result]) -> list[str]:
    """Return the names of the budgets in order."""
    names = {one["budget"] for one in results}
    return sorted(names, key=lambda name: Budget.parse(name).size)


def standings(results: Sequence[Result], budget: str) -> tuple[Figures, dict[str, Figures]]:
    """Return how the scores of the entries with a budget compare over all environments.

    Returns:
        Each entry's `statistics.aggregate`, sorted by the number of environments and the score,
        best first; and by entry, then by other entry, the `statistics.improvement`, if they have
        an environment in common.
    """
    scores = scores_of(results, budget)
    found = {entry: aggregate(one) for entry, one in scores.items()}
    order = sorted(found, key=lambda entry: (-found[entry]["environments"], -found[entry]["iqm"]))
    better: dict[str, dict[str, Any]] = defaultdict(dict)
    for one, other in permutations(scores, 2):
        if scores[one].keys() & scores[other].keys():
            better[one][other] = improvement(scores[one], scores[other])
    return {entry: found[entry] for entry in order}, dict(better)


# --- Tables ---------------------------------------------------------------------------------------


AGGREGATE_HEADER = (
    "entry", "score (95% interval)", "environments", "runs", "distance from equilibrium",
    "environments solved exactly",
)  # fmt: skip
ENVIRONMENT_HEADER = (
    "entry", "score (95% interval)", "exploitability (95% interval)",
    "wins against the reference", "gain of a best response", "decisions", "decisions per second",
    "seeds",
)  # fmt: skip


def aggregate_rows(results: Sequence[Result], budget: str) -> list[list[object]]:
    """Return a row for each entry: interquartile means over all runs with a budget."""
    found, _ = standings(results, budget)
    distances = scores_of(results, budget, DISTANCE)
    return [
        [
            entry,
            _with_interval(one["iqm"], one["interval"]),
            f"{one['environments']} of {len(ENVIRONMENTS) - len(ANCHORS)}",
            one["runs"],
            *_distance(distances.get(entry)),
        ]
        for entry, one in found.items()
    ]


def _distance(runs: Scores | None) -> list[object]:
    if runs is None:
        return ["", ""]
    found = aggregate(runs)
    return [_with_interval(found["iqm"], found["interval"]), found["environments"]]


def _with_interval(value: float, ends: Sequence[float] | None) -> str:
    return f"{value:.3f}" + ("" if ends is None else f" ({ends[0]:.3f} to {ends[1]:.3f})")


def improvement_rows(results: Sequence[Result], budget: str) -> list[list[object]]:
    """Return a row for each entry: the probability that it is better than each other entry."""
    order, found = standings(results, budget)
    return [[one, *(_chance(found.get(one, {}).get(other)) for other in order)] for one in order]


def _chance(found: Mapping[str, Any] | None) -> str:
    return "" if found is None else f"{100 * found['probability']:.0f}%"


def environment_rows(
    results: Sequence[Result], environment: str, budget: str
) -> list[list[object]]:
    """Return a row for each entry in an environment, best first: means over its runs."""
    by_entry: dict[str, list[Result]] = defaultdict(list)
    for one in results:
        if (one["environment"], one["budget"]) == (environment, budget):
            by_entry[one["entry"]].append(one)
    best_first = sorted(by_entry.items(), key=lambda item: -_mean(item[1], SCORE))
    return [_environment_row(entry, runs) for entry, runs in best_first]


def _environment_row(entry: str, runs: Sequence[Result]) -> list[object]:
    won = [list(one["opponents"].values())[-1]["win_rate"] for one in runs]
    wins = [one for one in won if one is not None]
    answers = [one["best_response"]["at_least"] for one in runs if "best_response" in one]
    declared = "" if all(one.get("counted", True) for one in runs) else " (declared)"
    marked = next((f" (shown {one['shown']})" for one in runs if one["shown"]), "")
    return [
        entry + marked,
        mean_of(runs, SCORE),
        mean_of(runs, "exploitability"),
        f"{100 * np.mean(wins):.1f}%" if wins else NOTHING,
        f"{np.mean(answers):.1f} or more" if answers else "",
        f"{_mean(runs, 'decisions'):,.0f}{declared}",
        _speed(runs, declared),
        len(runs),
    ]


def _speed(runs: Sequence[Result], declared: str) -> str:
    """Format the mean speed; empty where none was measured, or on other machines."""
    found = [one["decisions_a_second"] for one in runs if one["decisions_a_second"]]
    return f"{np.mean(found):,.0f}{declared}" if found else ""


def mean_of(runs: Sequence[Result], measure: str) -> str:
    """Format the mean of a measure over runs with its 95% interval; empty if it is missing."""
    found = [one[measure] for one in runs if measure in one]
    return _with_interval(float(np.mean(found)), mean_interval(found)) if found else ""


def _mean(runs: Sequence[Result], key: str) -> float:
    return float(np.mean([one[key] or 0 for one in runs]))


def leaderboard_tables(results: Sequence[Result]) -> str:
    """Return all results as Markdown tables."""
    parts = []
    for budget in budgets_of(results):
        rows = aggregate_rows(results, budget)
        parts += [f"{budget}, all environments:", markdown_table(AGGREGATE_HEADER, rows)]
        for environment in ENVIRONMENTS:
            if rows := environment_rows(results, environment, budget):
                parts += [f"{budget}, {environment}:", markdown_table(ENVIRONMENT_HEADER, rows)]
    return "\n\n".join(parts)
