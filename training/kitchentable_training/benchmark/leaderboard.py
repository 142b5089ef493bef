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
    left_out = {anchor.name for anchor in ANCHORS} if measure == SCORE else set()
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        if (
            result["budget"] == budget
            and measure in result
            and result["environment"] not in left_out
        ):
            scores[result["entry"]][result["environment"]].append(result[measure])
    return {entry: dict(environments) for entry, environments in scores.items()}


def budgets_of(results: Iterable[Result]) -> list[str]:
    """Return the names of the budgets in order."""
    names = {result["budget"] for result in results}
    return sorted(names, key=lambda name: Budget.parse(name).size)


def aggregates(results: Sequence[Result], budget: str) -> Figures:
    """Return each entry's `statistics.aggregate` over its scores with a budget.

    They are sorted by the number of environments and the score, best first.
    """
    figures = {entry: aggregate(scores) for entry, scores in scores_of(results, budget).items()}
    order = sorted(
        figures, key=lambda entry: (-figures[entry]["environments"], -figures[entry]["iqm"])
    )
    return {entry: figures[entry] for entry in order}


def improvements(results: Sequence[Result], budget: str) -> dict[str, Figures]:
    """Return the `statistics.improvement` of each entry over each other one.

    Entries without an environment in common are not compared.
    """
    scores = scores_of(results, budget)
    better: dict[str, dict[str, Any]] = defaultdict(dict)
    for first, second in permutations(scores, 2):
        if scores[first].keys() & scores[second].keys():
            better[first][second] = improvement(scores[first], scores[second])
    return dict(better)


# --- Tables ---------------------------------------------------------------------------------------


AGGREGATE_HEADER = (
    "entry", "score (95% interval)", "environments", "runs", "distance from equilibrium",
    "environments solved exactly",
)  # fmt: skip
ENVIRONMENT_HEADER = (
    "entry", "score (95% interval)", "exploitability (95% interval)",
    "wins", "gain of a best response", "decisions", "decisions per second", "seeds",
)  # fmt: skip


def aggregate_rows(results: Sequence[Result], budget: str) -> list[list[object]]:
    """Return a row for each entry: interquartile means over all runs with a budget."""
    distances = scores_of(results, budget, DISTANCE)
    return [
        [
            entry,
            _with_interval(entry_figures["iqm"], entry_figures["interval"]),
            f"{entry_figures['environments']} of {len(ENVIRONMENTS) - len(ANCHORS)}",
            entry_figures["runs"],
            *_distance(distances.get(entry)),
        ]
        for entry, entry_figures in aggregates(results, budget).items()
    ]


def _distance(runs: Scores | None) -> list[object]:
    if runs is None:
        return ["", ""]
    figures = aggregate(runs)
    return [_with_interval(figures["iqm"], figures["interval"]), figures["environments"]]


def _with_interval(value: float, ends: Sequence[float] | None) -> str:
    """Format a value and its interval; all are Student's, so the value is in the middle."""
    return f"{value:.3f}" + ("" if ends is None else f" ± {ends[1] - value:.3f}")


def improvement_rows(
    results: Sequence[Result], budget: str, order: Sequence[str]
) -> list[list[object]]:
    """Return a row for each entry: the probability that it is better than each other entry."""
    better = improvements(results, budget)
    return [
        [entry, *(_chance(better.get(entry, {}).get(other)) for other in order)] for entry in order
    ]


def _chance(comparison: Mapping[str, Any] | None) -> str:
    return "" if comparison is None else f"{100 * comparison['probability']:.0f}%"


def environment_rows(
    results: Sequence[Result], environment: str, budget: str
) -> list[list[object]]:
    """Return a row for each entry in an environment, best first: means over its runs."""
    by_entry: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if (result["environment"], result["budget"]) == (environment, budget):
            by_entry[result["entry"]].append(result)
    best_first = sorted(by_entry.items(), key=lambda item: -_mean(item[1], SCORE))
    return [_environment_row(entry, runs) for entry, runs in best_first]


def _environment_row(entry: str, runs: Sequence[Result]) -> list[object]:
    won = [list(run["opponents"].values())[-1]["win_rate"] for run in runs]
    wins = [win_rate for win_rate in won if win_rate is not None]
    answers = [run["best_response"]["at_least"] for run in runs if "best_response" in run]
    declared = "" if all(run.get("counted", True) for run in runs) else " (declared)"
    marked = next((f" (shown {run['shown']})" for run in runs if run["shown"]), "")
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
    speeds = [run["decisions_a_second"] for run in runs if run["decisions_a_second"]]
    return f"{np.mean(speeds):,.0f}{declared}" if speeds else ""


def mean_of(runs: Sequence[Result], measure: str) -> str:
    """Format the mean of a measure over runs with its 95% interval; empty if it is missing."""
    values = [run[measure] for run in runs if measure in run]
    return _with_interval(float(np.mean(values)), mean_interval(values)) if values else ""


def _mean(runs: Sequence[Result], key: str) -> float:
    return float(np.mean([run[key] or 0 for run in runs]))


def leaderboard_tables(results: Sequence[Result]) -> str:
    """Return all results as Markdown tables."""
    parts = []
    for budget in budgets_of(results):
        if rows := aggregate_rows(results, budget):  # none from anchors alone
            parts += [f"{budget}, all environments:", markdown_table(AGGREGATE_HEADER, rows)]
        for environment in ENVIRONMENTS:
            if rows := environment_rows(results, environment, budget):
                parts += [f"{budget}, {environment}:", markdown_table(ENVIRONMENT_HEADER, rows)]
    return "\n\n".join(parts)
