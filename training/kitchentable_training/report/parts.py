"""What the sections of a report are made of: pictures, tables, figures of results."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from matplotlib.figure import Figure

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
"""What a template is filled with."""


class RunCurve(NamedTuple):
    """How often a learner won, for the figure of several runs."""

    kind: tuple[str, bool]
    """The game's title, and whether the seats are a team; curves of one kind are comparable."""
    label: str
    fair: float
    """The win rate among equals."""
    curve: Curve


@dataclass
class Section:
    """A part of the page."""

    title: str
    subtitle: str
    template: str
    context: Context
    curve: RunCurve | None = None


class Table(NamedTuple):
    """A table of a page; the first cell of a row is its heading."""

    caption: str
    header: list[str]
    rows: list[list[object]]


def picture(figure: Figure, alt: str) -> dict[str, str]:
    """Return a figure as templates want it: inside the page, with words for who cannot see it."""
    data = base64.b64encode(to_png(figure)).decode()
    return {"alt": alt, "src": f"data:image/png;base64,{data}"}


@contextmanager
def reading(source: Path) -> Iterator[None]:
    """Name the file whose content cannot be used.

    Raises:
        ValueError: something within was missing or of the wrong kind.
    """
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{source} is damaged: {error.args[0]!r} is missing") from None
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{source} is damaged: {error}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds names and values.

    Raises:
        ValueError: it cannot be read or holds something else; names it.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} is damaged: it holds no names and values")
    return content


def kind_of(content: Mapping[str, Any]) -> Literal["tournament", "evaluation"] | None:
    """Say what wrote a JSON file: `tournament` or `evaluate`; None: something else."""
    keys = content.keys()
    if {"pairs", "players"} <= keys:
        return "tournament"
    # What `exploit` writes has a player and opponents too.
    is_evaluation = {"opponents", "player"} <= keys and "at_least" not in keys
    return "evaluation" if is_evaluation else None


def about_table(results: Mapping[str, Any]) -> str:
    """Name the game and the parameters that results are of."""
    return describe_table(results["game"], results["version"], results["params"])


# --- Results against others -----------------------------------------------------------------------


def result_context(results: Mapping[str, Any]) -> Context:
    """Return what `duplicate.measure` found, or a card tells of it, for the template.

    Args:
        results: with ``"player"``, ``"params"`` and ``"opponents"``; a card has fewer figures of
            each opponent (`duplicate.summary`).
    """
    seats = int(results["params"]["num_players"])
    whole = all("score" in one for one in results["opponents"].values())
    team = are_teams(results)
    header, rows = result_cells(results) if whole else _summary_cells(results, team=team)
    bars = None
    if whole or not team:  # a card does not tell the intervals of other teams
        alt = f"Bars with the win rates of {results['player']}; the table below has the figures."
        bars = picture(evaluation_figure(results), alt)
    return {
        "team": team,
        "side_by_side": side_by_side(seats),
        "deal_seed": results.get("deal_seed"),
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
            *([f"{100 * one['opponents_win_rate']:.1f} %", lead(one)] if team else []),
            number(one["difference"], one["difference_interval"]),
            f"{one['deals']:,}",
        ]
        for name, one in found
    ]
    beside = ["its own win rate", "lead (points)"] if team else []
    first = "beside" if team else "against"
    return [first, "win rate (95 % interval)", *beside, "score difference", "deals"], rows
