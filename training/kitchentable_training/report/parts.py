"""Parts of the sections of a report: pictures, tables and results."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from kitchentable_training.evaluate.deals import describe_deals
from kitchentable_training.evaluate.formatting import (
    are_teams,
    describe_table,
    lead,
    number,
    rate,
    result_cells,
    side_by_side,
)
from kitchentable_training.report.plots import Curve, evaluation_figure, to_png

Context = dict[str, Any]
"""The variables of a template."""


class RunCurve(NamedTuple):
    """The win rates of a learner, for the figure of several runs."""

    kind: tuple[str, bool]
    """The game's title, and whether the seats are a team; curves of one kind are comparable."""
    label: str
    fair: float
    """The win rate among equals."""
    steps: Curve
    minutes: Curve
    """The same win rates over the minutes of training."""


@dataclass
class Section:
    """A section of the page."""

    title: str
    subtitle: str
    template: str
    context: Context
    curve: RunCurve | None = None


class Table(NamedTuple):
    """A table of a page; the first cell of each row is its heading."""

    caption: str
    header: list[str]
    rows: list[list[object]]


def picture(figure: Figure, alt: str) -> dict[str, str]:
    """Return a figure for templates: an embedded PNG file, with an alternative text."""
    data = base64.b64encode(to_png(figure)).decode()
    return {"alt": alt, "src": f"data:image/png;base64,{data}"}


def about_table(results: Mapping[str, Any]) -> str:
    """Return the game and the parameters of some results."""
    return describe_table(results["game"], results["version"], results["params"])


# --- Results against others -----------------------------------------------------------------------


def result_context(results: Mapping[str, Any]) -> Context:
    """Return the template's context for a result of `duplicate.measure` or of a card.

    Args:
        results: ``"player"``, ``"params"`` and ``"opponents"``; a card has fewer figures for each
            opponent (`duplicate.summary`).
    """
    seats = int(results["params"]["num_players"])
    whole = all("score" in one for one in results["opponents"].values())
    team = are_teams(results)
    header, rows = result_cells(results) if whole else _summary_cells(results, team=team)
    bars = None
    if whole or not team:  # a card has no intervals of other teams
        alt = f"Bars with the win rates of {results['player']}; the table below has the figures."
        bars = picture(evaluation_figure(results), alt)
    return {
        "team": team,
        "side_by_side": side_by_side(seats),
        "deals": describe_deals(results["deal_seed"]) if "deal_seed" in results else None,
        "table": Table(f"Results of {results['player']}", list(header), rows),
        "bars": bars,
    }


def _summary_cells(
    results: Mapping[str, Any], *, team: bool
) -> tuple[list[str], list[list[object]]]:
    found = results["opponents"].items()
    rows: list[list[object]] = [
        [
            name,
            rate(one["win_rate"], one["win_rate_interval"]),
            *([f"{100 * one['opponents_win_rate']:.1f}%", lead(one)] if team else []),
            number(one["difference"], one["difference_interval"]),
            f"{one['deals']:,}",
        ]
        for name, one in found
    ]
    beside = ["its own win rate", "lead (points)"] if team else []
    first = "other team" if team else "against"
    return [first, "win rate (95% interval)", *beside, "score difference", "deals"], rows
