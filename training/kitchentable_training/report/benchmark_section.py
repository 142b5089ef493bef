"""The report's section on a benchmark: aggregates, environments and learning curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kitchentable_training.benchmark import leaderboard
from kitchentable_training.benchmark.protocol import ENVIRONMENTS, PROTOCOL
from kitchentable_training.benchmark.results import Result, beside_published, read_results
from kitchentable_training.benchmark.statistics import Scores, profile
from kitchentable_training.evaluate.duplicate import LEARNER_NAME
from kitchentable_training.files import reading
from kitchentable_training.report import plots
from kitchentable_training.report.parts import Context, Section, Table, picture
from kitchentable_training.runs.progress import EVALUATION, EXPLOITABILITY

THRESHOLDS = 121
"""The number of scores at which a performance profile is computed."""
Results = Sequence[Result]


def benchmark_section(folder: Path) -> Section:
    """Return the section on the results below a folder.

    Raises:
        ValueError: a result is damaged or of another protocol.
    """
    own = read_results(folder)
    with reading(folder):
        results = beside_published(own)
        budgets = [_budget(results, budget) for budget in leaderboard.budgets_of(results)]
        count = len({result["environment"] for result in own})
        subtitle = f"{len(own)} runs in {count} of {len(ENVIRONMENTS)} environments"
        if len(results) > len(own):
            subtitle += f", beside {len(results) - len(own)} published runs"
        return Section(f"Benchmark {PROTOCOL}", subtitle, "benchmark.html", {"budgets": budgets})


def _budget(results: Results, budget: str) -> Context:
    """Return the template's context for one budget."""
    scores = leaderboard.scores_of(results, budget)
    rows = leaderboard.aggregate_rows(results, budget)
    entries = [str(entry) for entry, *_ in rows]
    alt = "Lines with the share of runs above each score, by entry"
    environments = {result["environment"] for result in results if result["budget"] == budget}
    return {
        "name": budget,
        "aggregate": Table(
            "All environments together",
            list(leaderboard.AGGREGATE_HEADER),
            rows,
        ),
        "profiles": picture(profile_figure(scores), alt) if scores else None,
        "improvement": Table(
            "How probably a run of the row beats one of the column in the same environment",
            ["", *entries],
            leaderboard.improvement_rows(results, budget, entries),
        ),
        "environments": [
            _environment(results, name, budget) for name in ENVIRONMENTS if name in environments
        ],
    }


def _environment(results: Results, name: str, budget: str) -> Context:
    """Return the template's context for one environment."""
    environment_results = [
        result for result in results if (result["environment"], result["budget"]) == (name, budget)
    ]
    win_rates: dict[str, list[plots.Curve]] = defaultdict(list)
    for result in environment_results:
        reference = list(result["opponents"])[-1]
        for opponent in (LEARNER_NAME, reference):  # a team's own rate is under the first name
            points = plots.series(result["curve"], EVALUATION + opponent)
            if len(points[0]):
                win_rates[result["entry"]].append(points)
                break
    drawn = {entry: _mean_curve(runs) for entry, runs in win_rates.items()}
    alt = f"Lines with the win rate of each entry over its decisions in {name}"
    rows = leaderboard.environment_rows(results, name, budget)
    losses = exploitability_figure({name: environment_results})
    lost = f"Lines with the exploitability of each entry over its decisions in {name}"
    return {
        "name": name,
        "table": Table(f"{name}, {budget}", list(leaderboard.ENVIRONMENT_HEADER), rows),
        "curves": picture(plots.together_figure(drawn), alt) if drawn else None,
        "exploitability": picture(losses, lost) if losses else None,
    }


def _mean_curve(runs: Sequence[plots.Curve]) -> plots.Curve:
    """Return the mean of several runs' curves, point by point, up to the end of the shortest."""
    shortest = min(len(steps) for steps, _ in runs)
    steps, values = (np.mean([run[i][:shortest] for run in runs], axis=0) for i in range(2))
    return steps, values


def exploitability_figure(results: Mapping[str, Results]) -> Figure | None:
    """Draw the exact exploitability of each entry over its decisions, on logarithmic axes.

    Args:
        results: the results with one budget, by the environment that they are of.

    Returns:
        The figure with a panel for each environment; None if no result has such a curve.
    """
    panels = {name: curves for name, runs in results.items() if (curves := _losses(runs))}
    if not panels:
        return None
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    figure = Figure(figsize=(4.6 * across + 1.6, 3.4 * down), layout="constrained")
    grid = np.atleast_1d(figure.subplots(down, across)).ravel()
    entries = sorted({run["entry"] for runs in results.values() for run in runs})
    for axes, (name, curves) in zip(grid, panels.items(), strict=False):
        _draw_losses(axes, name, curves, entries)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    by_entry: dict[str, Any] = {}
    for axes in grid[: len(panels)]:
        handles, labels = axes.get_legend_handles_labels()
        by_entry |= dict(zip(labels, handles, strict=True))
    figure.legend(
        list(by_entry.values()), list(by_entry),
        loc="outside right upper", fontsize=9, frameon=False,
    )  # fmt: skip
    return figure


def _losses(results: Results) -> dict[str, list[plots.Curve]]:
    """Return the curves of exploitability of all runs, by entry."""
    curves: dict[str, list[plots.Curve]] = defaultdict(list)
    for result in results:
        points = plots.series(result["curve"], EXPLOITABILITY)
        if len(points[0]):
            curves[result["entry"]].append(points)
    return dict(curves)


def _draw_losses(
    axes: Axes, name: str, curves: Mapping[str, Sequence[plots.Curve]], entries: Sequence[str]
) -> None:
    plots.style(axes)
    for entry, runs in curves.items():
        color, dashes = plots.color_and_dashes(entries.index(entry))
        steps, mean = _mean_curve(runs)
        axes.plot(steps, mean, dashes, color=color, label=entry)
        values = [losses[: len(steps)] for _, losses in runs]
        axes.fill_between(
            steps, np.min(values, axis=0), np.max(values, axis=0),
            color=color, alpha=0.12, linewidth=0,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(name, fontsize=10)
    axes.set_xlabel("decisions")
    axes.set_ylabel("exploitability")


def profile_figure(scores: Mapping[str, Scores]) -> Figure:
    """Draw the performance profile of each entry, with its 95% band."""
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    axes = figure.subplots()
    plots.style(axes)
    runs = [
        score
        for by_environment in scores.values()
        for values in by_environment.values()
        for score in values
    ]
    thresholds = np.linspace(min(runs) - 0.02, max(runs) + 0.02, THRESHOLDS)
    for entry, by_environment in scores.items():
        color, dashes = plots.color_and_dashes(sorted(scores).index(entry))
        shares, (low, high) = profile(by_environment, thresholds)
        axes.plot(thresholds, shares, dashes, color=color, label=entry)
        axes.fill_between(thresholds, low, high, color=color, alpha=0.15, linewidth=0)
    axes.set_xlabel("score (0: random, 1: the reference player)")
    axes.set_ylabel("share of runs above it")
    axes.set_ylim(-0.02, 1.02)
    axes.legend(fontsize=9, frameon=False)
    return figure
