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


def lead(found: Mapping[str, Any]) -> str:
    """Write how much more often one wins than another on the same deals, in points."""
    low, high = found["win_rate_difference_interval"]
    return number(100 * found["win_rate_difference"], [100 * low, 100 * high])


RESULTS_HEADER = (
    "opponent", "win rate (95 % interval)", "score difference", "score", "its score",
    "deals", "stopped",
)  # fmt: skip
"""``stopped``: games that ended at their limit."""


def result_cells(results: Mapping[str, Any]) -> tuple[Sequence[str], list[list[object]]]:
    """Return what `evaluate.measure` found: headings, and a row for each opponent.

    In a game for one seat everybody has a row, the player first.
    """
    if int(results["params"]["num_players"]) == 1:
        return _header_alone(results["player"]), [
            _row_alone(name, one) for name, one in each_alone(results)
        ]
    return RESULTS_HEADER, [
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


def each_alone(results: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return everybody's own figures in a game for one seat, by name; the player comes first.

    The others have their differences from the player too.
    """
    own = ("win_rate", "win_rate_interval", "score", "truncated")
    found = results["opponents"].items()
    player = [(results["player"], {key: one[key] for key in (*own, "deals")}) for _, one in found]
    others = [(name, one | {key: one[f"opponents_{key}"] for key in own}) for name, one in found]
    return player[:1] + others


def _header_alone(player: str) -> list[str]:
    """Return the headings for a game for one seat; leads are counted deal by deal."""
    leads = [f"lead of {player} (points)", f"lead of {player} in score"]
    return ["player", "win rate (95 % interval)", "score", *leads, "deals", "stopped"]


def _row_alone(name: str, one: Mapping[str, Any]) -> list[object]:
    leads = ["", ""]
    if "win_rate_difference" in one:
        leads = [lead(one), number(one["difference"], one["difference_interval"])]
    return [
        name,
        rate(one["win_rate"], one["win_rate_interval"]),
        f"{one['score']:.1f}",
        *leads,
        one["deals"],
        one["truncated"],
    ]


def result_table(results: Mapping[str, Any]) -> str:
    """Return what `evaluate.measure` found as a Markdown table."""
    return markdown_table(*result_cells(results))


def describe_table(game: str, version: int, params: Mapping[str, Any]) -> str:
    """Name a game and its parameters: ``diddly_v0 (num_players=2, cards=6)``."""
    values = ", ".join(f"{name}={value}" for name, value in params.items())
    return f"{game}_v{version} ({values})"
