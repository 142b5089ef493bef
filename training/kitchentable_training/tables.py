"""Figures and tables as people read them, the same wherever the package prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table whose columns line up; the first is left-aligned, others right.

    Raises:
        ValueError: a row has another number of cells than the header.
    """
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in (header, *rows)]
    for row in cells:
        if len(row) != len(header):
            raise ValueError(f"{len(row)} cells under {len(header)} headings: {row}")
    widths = [max(3, *(len(row[i]) for row in cells)) for i in range(len(header))]
    rule = [("-" * width if i == 0 else "-" * (width - 1) + ":") for i, width in enumerate(widths)]
    return "\n".join(_line(row, widths) for row in (cells[0], rule, *cells[1:]))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join([first, *rest]) + " |"


def rate(value: float, interval: Sequence[float]) -> str:
    """Write a rate from 0 to 1 with its interval: ``62.3 % (60.1 ... 64.5)``."""
    low, high = interval
    return f"{100 * value:.1f} % ({100 * low:.1f} ... {100 * high:.1f})"


def number(value: float, interval: Sequence[float]) -> str:
    """Write a number that may be negative with its interval: ``-3.1 (-4.0 ... -2.2)``."""
    low, high = interval
    return f"{value:+.1f} ({low:+.1f} ... {high:+.1f})"


RESULTS_HEADER = (
    "opponent", "win rate (95 % interval)", "score difference", "score", "its score",
    "deals", "stopped",
)  # fmt: skip
"""``stopped``: games that ended at their limit."""


def result_rows(results: Mapping[str, Any]) -> list[list[object]]:
    """Return what `evaluate.against_scripted` found, a row for each opponent."""
    return [
        [
            name,
            rate(one["win_rate"], one["win_rate_interval"]),
            number(one["difference"], one["difference_interval"]),
            f"{one['score']:.1f}",
            f"{one['opponents_score']:.1f}",
            one["deals"],
            one["truncated"],
        ]
        for name, one in results["opponents"].items()
    ]


def result_table(results: Mapping[str, Any]) -> str:
    """Return what `evaluate.against_scripted` found as a Markdown table."""
    return markdown_table(RESULTS_HEADER, result_rows(results))


def describe_table(game: str, version: int, params: Mapping[str, Any]) -> str:
    """Name a game and its parameters: ``diddly_v0 (num_players=2, cards=6)``."""
    values = ", ".join(f"{name}={value}" for name, value in params.items())
    return f"{game}_v{version} ({values})"
