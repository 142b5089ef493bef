"""The leaderboard: all results of a benchmark together, as tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from kitchentable_training.benchmark.protocol import TABLES, Budget
from kitchentable_training.benchmark.results import Result
from kitchentable_training.benchmark.statistics import Scores, aggregate, improvement
from kitchentable_training.evaluate.formatting import NOTHING, markdown_table

Figures = Mapping[str, Mapping[str, Any]]


def scores_of(results: Iterable[Result], budget: str) -> dict[str, dict[str, list[float]]]:
    """Return the scores of all runs with a budget, by entry and table."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        if one["budget"] == budget:
            found[one["entry"]][one["table"]].append(one["score"])
    return {entry: dict(tables) for entry, tables in found.items()}


def budgets_of(results: Iterable[Result]) -> list[str]:
    """Return the names of the budgets in order."""
    names = {one["budget"] for one in results}
    return sorted(names, key=lambda name: Budget.parse(name).decisions)


def standings(results: Sequence[Result], budget: str) -> tuple[Figures, dict[str, Figures]]:
    """Return how the entries with a budget compare over all tables.

    Returns:
        Each entry's `statistics.aggregate`, sorted by the number of tables and the score; and by
        entry, then by other entry, the `statistics.improvement`, if they have a table in common.
    """
    scores = scores_of(results, budget)
    found = {entry: aggregate(one) for entry, one in scores.items()}
    best_first = sorted(found.items(), key=lambda item: (-item[1]["tables"], -item[1]["iqm"]))
    return dict(best_first), _improvements(scores)


def _improvements(scores: Mapping[str, Scores]) -> dict[str, Figures]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for one, other in permutations(scores, 2):
        if scores[one].keys() & scores[other].keys():
            found[one][other] = improvement(scores[one], scores[other])
    return dict(found)


# --- Tables ---------------------------------------------------------------------------------------


AGGREGATE_HEADER = ("entry", "interquartile mean (95 % interval)", "tables", "runs")
TABLE_HEADER = (
    "entry", "score", "of the runs", "wins against the reference", "points lost to a best response",
    "exploitability", "decisions", "decisions a second", "seeds",
)  # fmt: skip


def aggregate_rows(found: Figures) -> list[list[object]]:
    """Return a row for each entry's aggregate."""
    return [
        [
            entry,
            f"{one['iqm']:.3f}{_interval(one['interval'])}",
            f"{one['tables']} of {len(TABLES)}",
            one["runs"],
        ]
        for entry, one in found.items()
    ]


def _interval(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f" ({ends[0]:.3f} ... {ends[1]:.3f})"


def improvement_rows(found: Figures) -> list[list[object]]:
    """Return a row for each entry: the probability that it is better than each other entry."""
    return [[one, *(_chance(found[one].get(other)) for other in found)] for one in found]


def _chance(found: Mapping[str, Any] | None) -> str:
    return "" if found is None else f"{100 * found['probability']:.0f} %"


def table_rows(results: Sequence[Result], table: str, budget: str) -> list[list[object]]:
    """Return a row for each entry at a table, best first: means over its runs."""
    by_entry: dict[str, list[Result]] = defaultdict(list)
    for one in results:
        if (one["table"], one["budget"]) == (table, budget):
            by_entry[one["entry"]].append(one)
    best_first = sorted(by_entry.items(), key=lambda item: -_mean(item[1], "score"))
    return [_table_row(entry, runs) for entry, runs in best_first]


def _table_row(entry: str, runs: Sequence[Result]) -> list[object]:
    scores = [one["score"] for one in runs]
    won = [list(one["opponents"].values())[-1]["win_rate"] for one in runs]
    wins = [one for one in won if one is not None]
    answers = [one["best_response"]["at_least"] for one in runs if "best_response" in one]
    exact = [one["exploitability"] for one in runs if "exploitability" in one]
    declared = "" if all(one.get("counted", True) for one in runs) else " (declared)"
    marked = next((f" (shown {one['shown']})" for one in runs if one["shown"]), "")
    return [
        entry + marked,
        f"{np.mean(scores):.3f}",
        f"{min(scores):.3f} ... {max(scores):.3f}",
        f"{100 * np.mean(wins):.1f} %" if wins else NOTHING,
        f"{np.mean(answers):.1f} or more" if answers else "",
        f"{np.mean(exact):.3f}" if exact else "",
        f"{_mean(runs, 'decisions'):,.0f}{declared}",
        f"{_mean(runs, 'decisions_a_second'):,.0f}{declared}",
        len(runs),
    ]


def _mean(runs: Sequence[Result], key: str) -> float:
    return float(np.mean([one[key] or 0 for one in runs]))


def leaderboard_tables(results: Sequence[Result]) -> str:
    """Return all results as Markdown tables."""
    parts = []
    for budget in budgets_of(results):
        rows = aggregate_rows(standings(results, budget)[0])
        parts += [f"{budget}, all tables:", markdown_table(AGGREGATE_HEADER, rows)]
        for table in TABLES:
            if rows := table_rows(results, table, budget):
                parts += [f"{budget}, {table}:", markdown_table(TABLE_HEADER, rows)]
    return "\n\n".join(parts)
