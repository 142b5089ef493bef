"""Parts of the sections of a report: pictures, tables and results."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from kitchentable_training.evaluate import formatting
from kitchentable_training.evaluate.deals import describe_deals
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


def result_context(results: Mapping[str, Any]) -> Context:
    """Return the template's context for a result of `duplicate.measure`, perhaps from a card."""
    header, rows = formatting.result_cells(results)
    alt = f"Bars with the win rates of {results['player']}; the table below has the figures."
    return {
        "team": formatting.are_teams(results),
        "side_by_side": formatting.side_by_side(int(results["params"]["num_players"])),
        "deals": describe_deals(results["deal_seed"]) if "deal_seed" in results else None,
        "table": Table(f"Results of {results['player']}", list(header), rows),
        "bars": picture(evaluation_figure(results), alt),
    }
