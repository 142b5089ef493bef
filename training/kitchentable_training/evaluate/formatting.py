"""Formatting of figures and tables for people, the same in all output."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable import Game
from kitchentable.core.parameters import ParamInfo
from kitchentable.render.phrases import count, listed
from kitchentable_training.notebook import html_table

MOST_NAMED = 10
"""The maximum number of items of a parameter's list that are spelled out."""
FIGURE = re.compile(r"[-+]?\d")
"""Matches cells that start with a figure."""


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table with aligned columns.

    Columns of figures, except the first column, are right-aligned; the others are left-aligned.
    All rows have as many cells as the header.
    """
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in (header, *rows)]
    columns = []
    for i, (heading, *column) in enumerate(zip(*cells, strict=True)):
        width = max(3, len(heading), *map(len, column))
        if i > 0 and all(FIGURE.match(cell) for cell in column if cell not in ("", NOTHING)):
            columns.append(
                [cell.rjust(width) for cell in (heading, "-" * (width - 1) + ":", *column)]
            )
        else:
            columns.append([cell.ljust(width) for cell in (heading, "-" * width, *column)])
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True))


class Results(dict[str, Any]):
    """Results of `duplicate.measure`, which show themselves as a table in a notebook."""

    def _repr_html_(self) -> str:
        return html_table(*result_cells(self))


def span(low: object, high: object) -> str:
    """Format a range of numbers without signs, with an en dash: ``60.1\N{EN DASH}64.5``."""
    return f"{low}\N{EN DASH}{high}"


NOTHING = "-"
"""Stands for a rate of no games."""


def rate(value: float | None, interval: Sequence[float] | None) -> str:
    """Format a rate from 0 to 1 with its interval: 62.3% (60.1\N{EN DASH}64.5); None: a dash."""
    if value is None or interval is None:
        return NOTHING
    low, high = interval
    return f"{100 * value:.1f}% ({span(f'{100 * low:.1f}', f'{100 * high:.1f}')})"


def number(value: float, interval: Sequence[float]) -> str:
    """Format a signed number with its interval: ``-3.1 (-4.0 to -2.2)``."""
    low, high = interval
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def lead(found: Mapping[str, Any]) -> str:
    """Format the difference of two win rates on the same deals, in percentage points."""
    low, high = found["win_rate_difference_interval"]
    return number(100 * found["win_rate_difference"], [100 * low, 100 * high])


DECIDED = "Win rates count decided games only; ties are games without a single winner."
"""Which games a win rate among rivals counts."""


def ties(found: Mapping[str, Any]) -> str:
    """Format the share of games that do not count for a win rate: ``1.2%``."""
    return f"{100 * (1 - found['decided'] / found['games']):.1f}%"


def _good(results: Mapping[str, Any]) -> str:
    """Return which direction of a score difference is good, in parentheses, if the games told."""
    low_wins = {figures.get("low_scores_win") for figures in results["opponents"].values()} - {None}
    return (
        f" ({'negative' if low_wins.pop() else 'positive'} is good)" if len(low_wins) == 1 else ""
    )


def result_cells(results: Mapping[str, Any]) -> tuple[Sequence[str], list[list[object]]]:
    """Return the result of `duplicate.measure` as a header and a row for each opponent.

    Teams have a row each, the measured player's first; leads are differences deal by deal. In the
    column ``stopped`` are the games that ended at their limit.
    """
    if are_teams(results):
        player = results["player"]
        leads = [f"lead of {player} (points)", f"lead of {player} in score{_good(results)}"]
        header = ["player", "win rate (95% interval)", "score", *leads, "deals", "stopped"]
        return header, [_team_row(name, figures) for name, figures in each_team(results)]
    header = [
        "opponent", "win rate (95% interval)", "ties", f"score difference{_good(results)}",
        "score", "its score", "deals", "stopped",
    ]  # fmt: skip
    return header, [
        [
            name,
            rate(figures["win_rate"], figures["win_rate_interval"]),
            ties(figures),
            number(figures["difference"], figures["difference_interval"]),
            f"{figures['score']:.1f}",
            f"{figures['opponents_score']:.1f}",
            figures["deals"],
            figures["truncated"],
        ]
        for name, figures in results["opponents"].items()
    ]


def are_teams(results: Mapping[str, Any]) -> bool:
    """Return whether results of `duplicate.measure` are of teams, which have no opponents."""
    return all("win_rate_difference" in figures for figures in results["opponents"].values())


def each_team(results: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return each team's own figures by name: the player's team, mixed teams, then the others.

    The others also have their differences from the player's team.
    """
    own = ("win_rate", "win_rate_interval", "score", "truncated")
    name, opponents = results["player"], results["opponents"].items()
    player = [(name, {key: figures[key] for key in (*own, "deals")}) for _, figures in opponents]
    mixed = [
        (f"{name} with {mate}", figures) for mate, figures in results.get("teammates", {}).items()
    ]
    others = [
        (name, figures | {key: figures[f"opponents_{key}"] for key in own})
        for name, figures in opponents
    ]
    return player[:1] + mixed + others


def side_by_side(seats: int) -> str:
    """Describe how teams with a number of seats, perhaps one, played the same deals."""
    return "each alone" if seats == 1 else "each player in all seats"


def _team_row(name: str, figures: Mapping[str, Any]) -> list[object]:
    leads = ["", ""]
    if "win_rate_difference" in figures:
        leads = [lead(figures), number(figures["difference"], figures["difference_interval"])]
    return [
        name,
        rate(figures["win_rate"], figures["win_rate_interval"]),
        f"{figures['score']:.1f}",
        *leads,
        figures["deals"],
        figures["truncated"],
    ]


def result_table(results: Mapping[str, Any]) -> str:
    """Return the result of `duplicate.measure` as a Markdown table; says which games count."""
    table = markdown_table(*result_cells(results))
    return table if are_teams(results) else f"{table}\n\n{DECIDED}"


def describe_table(game: str, version: int, params: Mapping[str, Any]) -> str:
    """Return a game with its parameters: ``diddly_v0 (num_players=2, cards=6)``."""
    values = ", ".join(f"{name}={value}" for name, value in params.items())
    return f"{game}_v{version} ({values})"


def in_short(game: Game, params: Mapping[str, Any]) -> str:
    """Return what differs from the defaults, for people: ``2 seats, hand size: 3, strict colors``.

    Args:
        game: the game.
        params: its parameters, as `TableParams.plain` returns them.
    """
    seats = params["num_players"]
    usual = game.make_params(num_players=seats).plain() | {"reward": params["reward"]}
    parts = [count(seats, "seat")]
    for name, value in params.items():
        if value != usual.get(name):
            info = game.render.param_infos.get(name, ParamInfo(name.replace("_", " ")))
            is_on = value is True
            parts.append(info.label if is_on else f"{info.label}: {value_in_words(value, info)}")
    return ", ".join(parts)


def value_in_words(value: Any, info: ParamInfo) -> str:
    """Return what people call a value of a parameter, which may be one that no form offers."""
    offered = [list(one) if isinstance(one, tuple) else one for one in info.values]
    if info.words and value in offered:
        return info.words[offered.index(value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list):
        return str(value).replace("_", " ")
    if len(value) > MOST_NAMED:
        return f"{', '.join(map(str, value[:MOST_NAMED]))} … ({len(value)})".replace("_", " ")
    return (listed(value) or "none").replace("_", " ")
