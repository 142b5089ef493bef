"""Figures of the statistics of a tournament's games (`game_statistics.statistics`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from kitchentable_training.report.plots import COLORS, INK, style

Spread = Mapping[str, float]


def spread_figure(spreads: Mapping[str, Spread], label: str) -> Figure:
    """Draw the spread of some values: a line for the middle 90%, a box for the middle half."""
    figure, axes = _rows(list(spreads))
    ends = {
        key: [spread[key] for spread in spreads.values()] for key in ("p5", "p25", "p75", "p95")
    }
    places = np.arange(len(spreads))
    axes.hlines(places, ends["p5"], ends["p95"], color=INK, linewidth=1.2)
    widths = np.subtract(ends["p75"], ends["p25"])
    axes.barh(places, widths, left=ends["p25"], height=0.5, color=COLORS[0], alpha=0.45)
    medians = [spread["median"] for spread in spreads.values()]
    axes.vlines(medians, places - 0.25, places + 0.25, color=INK, linewidth=2)
    axes.plot(
        [spread["mean"] for spread in spreads.values()], places, "o", color=COLORS[1], label="mean"
    )
    axes.legend(fontsize=9, frameon=False, loc="lower left", bbox_to_anchor=(0, 1))
    axes.set_xlabel(label)
    axes.margins(x=0.06)
    return figure


def actions_figure(shares: Mapping[str, Mapping[str, float]]) -> Figure:
    """Draw the shares of each player's decisions by kind of action."""
    figure, axes = _rows(list(shares))
    starts = np.zeros(len(shares))
    places = range(len(shares))
    kinds = list(next(iter(shares.values())))
    for i, kind in enumerate(kinds):
        widths = np.array([share[kind] for share in shares.values()])
        axes.barh(
            places, widths, left=starts, height=0.6, color=COLORS[i % len(COLORS)],
            edgecolor="white", label=kind,
        )  # fmt: skip
        for place, start, width in zip(places, starts, widths, strict=True):
            if width > 0.06:
                axes.text(
                    start + width / 2, place, f"{100 * width:.0f}%", color="white", fontsize=9,
                    ha="center", va="center",
                )  # fmt: skip
        starts += widths
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("share of a player's decisions")
    columns = min(len(kinds), 5)
    axes.legend(fontsize=9, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns)
    return figure


def seats_figure(shares: Mapping[str, Sequence[float]], label: str) -> Figure:
    """Draw shares by seat, with a bar for each player."""
    seats = len(next(iter(shares.values())))
    figure = Figure(figsize=(max(5.4, 0.8 + 0.35 * seats * (len(shares) + 1)), 3.7))
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    style(axes)
    width = 0.8 / len(shares)
    for i, (name, values) in enumerate(shares.items()):
        places = np.arange(seats) + (i - (len(shares) - 1) / 2) * width
        axes.bar(places, values, 0.9 * width, color=COLORS[i % len(COLORS)], label=name)
    axes.set_xticks(range(seats), [f"player_{seat}" for seat in range(seats)])
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_ylabel(label)
    axes.grid(visible=False, axis="x")
    axes.legend(
        fontsize=9, frameon=False, loc="lower left", bbox_to_anchor=(0, 1),
        ncols=min(len(shares), 3),
    )  # fmt: skip
    return figure


def _rows(names: Sequence[str]) -> tuple[Figure, Axes]:
    """Return a figure and its axes with a row for each name, from top to bottom."""
    figure = Figure(figsize=(7, 1.5 + 0.45 * len(names)), layout="constrained")
    axes = figure.subplots()
    style(axes)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    return figure, axes
