"""The report's section on a benchmark: aggregates, tables and learning curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from kitchentable_training.benchmark.leaderboard import (
    AGGREGATE_HEADER,
    TABLE_HEADER,
    aggregate_rows,
    budgets_of,
    improvement_rows,
    scores_of,
    standings,
    table_rows,
)
from kitchentable_training.benchmark.protocol import PROTOCOL, TABLES
from kitchentable_training.benchmark.results import Result, read_results
from kitchentable_training.benchmark.statistics import Scores, profile
from kitchentable_training.evaluate.duplicate import LEARNER_NAME
from kitchentable_training.files import reading
from kitchentable_training.report.parts import Context, Section, Table, picture
from kitchentable_training.report.plots import (
    COLOURS,
    DASHES,
    Curve,
    series,
    style,
    together_figure,
)
from kitchentable_training.runs.progress import EVALUATION

THRESHOLDS = np.linspace(0.0, 1.2, 121)
Results = Sequence[Result]


def benchmark_section(folder: Path) -> Section:
    """Return the section on the results below a folder.

    Raises:
        ValueError: a result is damaged or of another protocol.
    """
    results = read_results(folder)
    with reading(folder):
        budgets = [_budget(results, budget) for budget in budgets_of(results)]
        tables = len({one["table"] for one in results})
        subtitle = f"{len(results)} runs at {tables} of {len(TABLES)} tables"
        return Section(f"Benchmark {PROTOCOL}", subtitle, "benchmark.html", {"budgets": budgets})


def _budget(results: Results, budget: str) -> Context:
    """Return the template's context for one budget."""
    scores = scores_of(results, budget)
    aggregates, improvements = standings(results, budget)
    rows = aggregate_rows(aggregates)
    alt = "Lines with the share of runs above each score, by entry"
    return {
        "name": budget,
        "aggregate": Table("All tables together", list(AGGREGATE_HEADER), rows),
        "profiles": picture(profile_figure(scores), alt),
        "improvement": Table(
            "How probably a run of the row is better than one of the column, at the same table",
            ["", *improvements],
            improvement_rows(improvements),
        ),
        "tables": [
            _table(results, table, budget)
            for table in TABLES
            if any((one["table"], one["budget"]) == (table, budget) for one in results)
        ],
    }


def _table(results: Results, table: str, budget: str) -> Context:
    """Return the template's context for one table."""
    here = [one for one in results if (one["table"], one["budget"]) == (table, budget)]
    curves: dict[str, list[Curve]] = defaultdict(list)
    for one in here:
        reference = list(one["opponents"])[-1]
        for name in (LEARNER_NAME, reference):  # a team's own rate is under the first name
            points = series(one["curve"], EVALUATION + name)
            if len(points[0]):
                curves[one["entry"]].append(points)
                break
    drawn = {entry: _mean_curve(runs) for entry, runs in curves.items()}
    alt = f"Lines with the win rate of each entry over its decisions at {table}"
    rows = table_rows(results, table, budget)
    return {
        "name": table,
        "table": Table(f"{table}, {budget}", list(TABLE_HEADER), rows),
        "curves": picture(together_figure(drawn), alt) if drawn else None,
    }


def _mean_curve(runs: Sequence[Curve]) -> Curve:
    """Return the mean of several runs' curves, up to the end of the shortest one."""
    shortest = min(len(steps) for steps, _ in runs)
    return runs[0][0][:shortest], np.mean([rates[:shortest] for _, rates in runs], axis=0)


def profile_figure(scores: Mapping[str, Scores]) -> Figure:
    """Draw the performance profile of each entry, with its 95 % band.

    Args:
        scores: the scores of all runs, by entry and table.
    """
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    axes = figure.subplots()
    style(axes)
    for i, (entry, found) in enumerate(scores.items()):
        colour, dashes = COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)]
        shares, (low, high) = profile(found, THRESHOLDS)
        axes.plot(THRESHOLDS, shares, dashes, color=colour, label=entry)
        axes.fill_between(THRESHOLDS, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel("score (0: random, 1: the reference player)")
    axes.set_ylabel("share of runs above it")
    axes.set_ylim(-0.02, 1.02)
    axes.legend(fontsize=9, frameon=False)
    return figure
