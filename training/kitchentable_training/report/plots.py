"""Figures: learning curves, win rates, tournaments."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, PercentFormatter
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from kitchentable_training.evaluate.formatting import NOTHING, are_teams, each_team, side_by_side
from kitchentable_training.evaluate.tournament import win_rates
from kitchentable_training.files import written_aside
from kitchentable_training.runs.progress import EVALUATION

INK, MUTED, GRID = "#1f2937", "#6b7280", "#e5e7eb"
COLORS = ("#2563eb", "#d9730d", "#0f9f74", "#7c3aed", "#c2266b", "#0e7490", "#a16207", "#4b5563")
DASHES = ("-", "--", ":")
Line = Mapping[str, Any]
Curve = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Steps or minutes, and the values there; shape (points,) each."""


class Axis(NamedTuple):
    """The x axis of a learning curve."""

    key: str
    """The key in the log."""
    unit: float
    label: str


STEPS = Axis("step", 1.0, "decisions of the learner")
MINUTES = Axis("time/seconds", 60.0, "minutes of training")
AGREEMENT = "behavior_cloning/agreement"
"""Logged after each lesson of behavior cloning, during which no steps pass."""
LESSONS = Axis(AGREEMENT, 1.0, "lessons")
Named = tuple[str, Mapping[str, Any]]
"""A player's name and its figures."""


def to_png(figure: Figure) -> bytes:
    """Return a figure as a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=144)
    return buffer.getvalue()


def save_png(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG file."""
    data = to_png(figure)
    with written_aside(path) as aside:
        aside.write_bytes(data)


# --- Evaluations ----------------------------------------------------------------------------------


def evaluation_figure(results: Mapping[str, Any]) -> Figure:
    """Draw the win rate against each opponent with its interval, or each team's own win rate."""
    player, seats = results["player"], int(results["params"]["num_players"])
    if are_teams(results):
        return _team_figure(each_team(results), seats, highlighted=player)
    opponents = list(results["opponents"].items())
    label = f"games won by {player}, of those with one winner (95% intervals)"
    fair = 1.0 / seats
    colors = [COLORS[0 if (figures["win_rate"] or 0.0) >= fair else 1] for _, figures in opponents]
    return _bars(opponents, colors, label, fair)


def _team_figure(teams: Sequence[Named], seats: int, highlighted: str | None = None) -> Figure:
    """Draw each team's own win rate."""
    deals = teams[0][1]["deals"] if teams else 0
    label = f"games won, of the same {deals:,} deals, {side_by_side(seats)} (95% intervals)"
    plain = COLORS[0] if highlighted is None else COLORS[-1]
    colors = [COLORS[0] if name == highlighted else plain for name, _ in teams]
    return _bars(teams, colors, label)


def _bars(
    entries: Sequence[Named], colors: Sequence[str], label: str, fair: float | None = None
) -> Figure:
    """Draw win rates with their intervals, and a line at the win rate among equals."""
    names = [name for name, _ in entries]
    # Without a decided game there is no rate and no bar.
    rates = np.array([figures["win_rate"] for _, figures in entries], np.float64)
    ends = [figures["win_rate_interval"] or (np.nan, np.nan) for _, figures in entries]
    low, high = np.array(ends, np.float64).reshape(-1, 2).T
    figure = Figure(figsize=(8, 1.5 + 0.55 * len(names)), layout="constrained")
    axes = figure.subplots()
    style(axes)
    places = range(len(names))
    # A bootstrap interval need not contain the rate itself, but lengths must not be negative.
    lengths = np.clip([rates - low, high - rates], 0, None)
    axes.barh(places, rates, height=0.58, color=colors)
    axes.errorbar(rates, places, xerr=lengths, fmt="none", ecolor=INK, capsize=4, linewidth=1.5)
    if fair is not None:
        axes.axvline(fair, color=MUTED, linestyle="--", linewidth=1)
        level = f"level: {100 * fair:.0f}%"
        axes.text(fair + 0.008, -0.68, level, color=MUTED, va="center", fontsize=9)
    for place, value, end in zip(places, rates, high, strict=True):
        text = NOTHING if np.isnan(value) else f"{100 * value:.1f}%"
        axes.text(np.nanmax([0, value, end]) + 0.015, place, text, va="center", fontsize=10)
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.5, -0.85)
    axes.set_xlim(0, 1.12)
    axes.set_xticks(np.linspace(0, 1, 6))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel(label)
    axes.grid(visible=False, axis="y")
    return figure


# --- Tournaments ----------------------------------------------------------------------------------


def tournament_figure(results: Mapping[str, Any]) -> Figure:
    """Draw the win rates of a round robin as a heat map with ratings, or teams' own win rates."""
    if "teams" in results:
        return _team_figure(list(results["teams"].items()), int(results["params"]["num_players"]))
    names, pairs = win_rates(results)
    size = len(names)
    figure = Figure(figsize=(5.6 + 1.05 * size, 2.1 + 0.62 * size), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[size + 0.5, 2.6])
    _heat_map(left, names, pairs, results["fair"])
    style(right)
    ratings = results["ratings"]
    values = np.array([ratings[name]["rating"] for name in names])
    low, high = np.array([ratings[name]["interval"] for name in names]).T
    right.errorbar(
        values, range(size), xerr=[values - low, high - values],
        fmt="o", color=COLORS[0], ecolor=INK, capsize=4,
    )  # fmt: skip
    right.set_ylim(size - 0.5, -0.5)
    right.set_yticks(range(size), [""] * size)
    right.margins(x=0.15)
    right.set_title("rating (95% interval)", fontsize=11, loc="left")
    return figure


def _heat_map(
    axes: Axes, names: Sequence[str], pairs: Mapping[tuple[str, str], Any], fair: float
) -> None:
    size = len(names)
    rates = np.full((size, size), np.nan)
    for i, player in enumerate(names):
        for j, opponent in enumerate(names):
            if (figures := pairs.get((player, opponent))) is None:
                continue
            if figures["win_rate"] is None:  # no game was decided
                axes.text(j, i, NOTHING, ha="center", va="center", color=INK)
                continue
            rates[i, j] = figures["win_rate"]
            width = max(abs(bound - rates[i, j]) for bound in figures["win_rate_interval"])
            text = f"{100 * rates[i, j]:.1f}%\n± {100 * width:.1f}"
            dark = abs(_balance(rates[i, j], fair)) > 0.55
            axes.text(j, i, text, ha="center", va="center", color="white" if dark else INK)
    shades = [[_balance(float(value), fair) for value in row] for row in rates]
    axes.set_facecolor(GRID)  # for the diagonal, where nobody plays
    axes.imshow(shades, cmap="RdBu", vmin=-1.2, vmax=1.2, aspect="auto")
    axes.set_xticks(range(size), names, rotation=20, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("against")
    title = f"win rate of the row (level: {100 * fair:.0f}%)"
    axes.set_title(title, fontsize=11, loc="left")


def _balance(win_rate: float, fair: float) -> float:
    """Return -1 for a win rate of 0, 0 for that among equals and 1 for 1."""
    above = win_rate - fair
    return above / (1.0 - fair) if above > 0 else above / fair


# --- Learning curves ------------------------------------------------------------------------------


def learning_figures(
    lines: Sequence[Line], seats: int, total: int, *, team: bool = False
) -> dict[str, Figure]:
    """Draw the learning curves of a run, whose log has at least one line.

    Returns:
        Figures by title, each readable by itself, even on a small screen.
    """
    mates = " by teammate" if seats > 1 else ""
    if team:
        wins = f"evaluation: win rate, {side_by_side(seats)}"
        payoffs = f"training: mean payoff of a game{mates}"
    else:
        wins = "evaluation: win rate on duplicate deals"
        payoffs = "training: mean payoff of a game by opponent"
    fair = None if team else 1.0 / seats
    draw: dict[str, Callable[[Axes], None]] = {wins: lambda axes: _wins(axes, lines, fair)}
    # If all seats learn, there are no payoffs by opponent.
    if any(key.startswith("payoff/") for line in lines for key in line):
        draw[payoffs] = lambda axes: _payoffs(axes, lines, zero_sum=not team)
    draw |= {
        "policy entropy (left), value loss (right)": lambda axes: _losses(axes, lines),
        "decisions per second (playing and learning)": lambda axes: _speed(axes, lines),
    }
    panels = {title: _panel(title, painter, STEPS, total) for title, painter in draw.items()}
    if agreed := [line[AGREEMENT] for line in lines if _is_finite(line.get(AGREEMENT))]:
        title = "behavior cloning: agreement with the imitated player"
        panels[title] = _panel(title, lambda axes: _agreement(axes, agreed), LESSONS, len(agreed))
    timed, minutes = f"{wins}, by the clock", max(_at(line, MINUTES) for line in lines)
    by_the_clock = _panel(timed, lambda axes: _wins(axes, lines, fair, MINUTES), MINUTES, minutes)
    return panels | {timed: by_the_clock}


def _panel(title: str, draw: Callable[[Axes], None], over: Axis, end: float) -> Figure:
    figure = Figure(figsize=(5.4, 3.7), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, loc="left")
    draw(axes)
    _lay_out(axes, over, end)
    return figure


def _lay_out(axes: Axes, over: Axis, end: float) -> None:
    style(axes)
    axes.set_xlim(0, max(1, end))
    if over is STEPS:
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel(over.label)


def _wins(axes: Axes, lines: Sequence[Line], fair: float | None, over: Axis = STEPS) -> None:
    _curves(axes, lines, EVALUATION, marker="o", smooth=False, over=over)
    _win_axis(axes)
    if fair is not None:
        axes.axhline(fair, color=MUTED, linestyle="--", linewidth=1)


def _win_axis(axes: Axes) -> None:
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def _payoffs(axes: Axes, lines: Sequence[Line], *, zero_sum: bool) -> None:
    _curves(axes, lines, "payoff/")
    if zero_sum:
        axes.axhline(0, color=MUTED, linestyle="--", linewidth=1)


def together_figure(
    curves: Mapping[str, Curve], fair: Sequence[float] = (), over: Axis = STEPS, wins: str = ""
) -> Figure:
    """Draw the win rates of several runs over their steps or minutes; ``wins`` names the axis."""
    figure = Figure(figsize=(8, 4.2 + 0.1 * len(curves)), layout="constrained")
    axes = figure.subplots()
    for i, (name, curve) in enumerate(curves.items()):
        color, dashes = color_and_dashes(i)
        axes.plot(*curve, dashes, color=color, marker="o", markersize=4, clip_on=False, label=name)
    for value in fair:
        axes.axhline(value, color=MUTED, linestyle="--", linewidth=1)
    _win_axis(axes)
    axes.set_ylabel(wins)
    _lay_out(axes, over, max((places.max() for places, _ in curves.values()), default=1))
    axes.legend(fontsize=9, frameon=False)
    return figure


def color_and_dashes(number: int) -> tuple[str, str]:
    """Return how the line with a number among several is drawn."""
    count = len(COLORS)
    return COLORS[number % count], DASHES[number // count % len(DASHES)]


def _curves(
    axes: Axes,
    lines: Sequence[Line],
    prefix: str,
    *,
    marker: str | None = None,
    smooth: bool = True,
    over: Axis = STEPS,
) -> None:
    colors = _colors(lines)
    for name in colors:
        steps, values = series(lines, prefix + name, over)
        if not len(values):
            continue
        color = colors[name]
        if smooth:
            _plot_smoothed(axes, steps, values, color, label=name)
        else:
            axes.plot(steps, values, color=color, marker=marker, markersize=4, label=name)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=9, frameon=False)
    else:
        _say_nothing(axes)


def _colors(lines: Sequence[Line]) -> dict[str, str]:
    """Return a color for each opponent, the same in every panel."""
    keys = {key for line in lines for key in line if key.startswith((EVALUATION, "payoff/"))}
    names = sorted({key.partition("/")[2] for key in keys} - {"all"})
    return {name: COLORS[i % len(COLORS)] for i, name in enumerate(names)}


def _losses(axes: Axes, lines: Sequence[Line]) -> None:
    other = axes.twinx()
    for side, key, sign, color in (
        (axes, "train/entropy_loss", -1, COLORS[0]),
        (other, "train/value_loss", 1, COLORS[1]),
    ):
        steps, values = series(lines, key)
        if not len(values):
            _say_nothing(axes)
            return
        _plot_smoothed(side, steps, sign * values, color)
        side.set_ylim(bottom=0)
        side.tick_params(axis="y", colors=color)
    other.spines[["top", "left"]].set_visible(False)


def _agreement(axes: Axes, agreed: Sequence[float]) -> None:
    axes.plot(range(1, len(agreed) + 1), agreed, color=COLORS[0], marker="o", markersize=4)
    _win_axis(axes)


def _speed(axes: Axes, lines: Sequence[Line]) -> None:
    steps, seconds = series(lines, "time/seconds")
    took = np.diff(seconds)
    if not (took > 0).any():
        _say_nothing(axes)
        return
    speeds = np.diff(steps)[took > 0] / took[took > 0]
    _plot_smoothed(axes, steps[1:][took > 0], speeds, COLORS[0])
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))


def _plot_smoothed(
    axes: Axes,
    steps: NDArray[np.float64],
    values: NDArray[np.float64],
    color: str,
    label: str | None = None,
) -> None:
    """Draw running means, with the values faintly behind them."""
    axes.plot(steps, values, color=color, alpha=0.2, linewidth=0.8)
    axes.plot(steps, smoothed(values), color=color, label=label)


def series(lines: Sequence[Line], key: str, over: Axis = STEPS) -> Curve:
    """Return the finite values logged under a key, with their steps or minutes."""
    points = [(_at(line, over), line[key]) for line in lines if _is_finite(line.get(key))]
    steps, values = np.array(points, np.float64).reshape(-1, 2).T
    return steps, values


def _at(line: Line, over: Axis) -> float:
    """Return the position of a log line on an axis; 0 if the line does not have it."""
    return float(line.get(over.key, 0.0)) / over.unit


def _is_finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return running means over about a thirtieth of the values, over fewer at the ends."""
    half = len(values) // 60
    if half == 0:
        return values
    size = 2 * half + 1
    counts = uniform_filter1d(np.ones(len(values)), size, mode="constant")
    return uniform_filter1d(values, size, mode="constant") / counts


def _say_nothing(axes: Axes) -> None:
    axes.text(
        0.5, 0.5, "nothing logged", transform=axes.transAxes, color=MUTED, ha="center", va="center"
    )


def style(axes: Axes) -> None:
    """Apply the style that all figures share."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(MUTED)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.title.set_fontsize(11)
