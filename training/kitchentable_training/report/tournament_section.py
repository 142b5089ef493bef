"""The report's section on a tournament: win rates, ratings and statistics of the games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable import find_game
from kitchentable_training.evaluate.deals import describe_deals
from kitchentable_training.evaluate.formatting import side_by_side, span
from kitchentable_training.evaluate.tournament import matrix, standing, win_rates
from kitchentable_training.report.game_plots import actions_figure, seats_figure, spread_figure
from kitchentable_training.report.parts import Context, Table, picture
from kitchentable_training.report.plots import tournament_figure

IN_TABLE = "; the table below has the figures."
SPREAD = {
    "mean": "mean", "lowest": "lowest", "p5": "5%", "p25": "25%", "median": "50%",
    "p75": "75%", "p95": "95%", "highest": "highest",
}  # fmt: skip
"""Headings for the results of `game_statistics.spread`."""


def tournament_context(results: Mapping[str, Any]) -> Context:
    """Return the template's context for a tournament."""
    team = "teams" in results
    names, _ = win_rates(results)
    alt = "Bars with the win rate of each player" if team else "Heat map of win rates, and ratings"
    return {
        "team": team,
        "seats": int(results["params"]["num_players"]),
        "side_by_side": side_by_side(int(results["params"]["num_players"])),
        "deals": results["deals"],
        "which": describe_deals(results["deal_seed"]),
        "figure": picture(tournament_figure(results), alt + IN_TABLE),
        "standing": _standing(results, team=team),
        "matrix": _matrix(results, names, team=team),
        "games": _blocks(results, names),
    }


def _standing(results: Mapping[str, Any], *, team: bool) -> Table:
    if team:
        header = ["player", "win rate (95% interval)", "mean score"]
        return Table("Each player's own results, the best first", header, standing(results))
    header = ["player", "rating", "95% interval"]
    return Table("Ratings, the best first", header, standing(results))


def _matrix(results: Mapping[str, Any], names: Sequence[str], *, team: bool) -> Table:
    caption = (
        "Win rate of the row's player less the column's, in points, deal by deal (95% intervals)"
        if team
        else "Win rate of the row's player against the column's, in games with one winner "
        f"(95% intervals; level: {100 * results['fair']:.0f}%)"
    )
    return Table(caption, ["player", *names], matrix(results, "\N{EN DASH}"))


# --- Statistics of the games ----------------------------------------------------------------------


def _blocks(results: Mapping[str, Any], names: Sequence[str]) -> list[Context]:
    """Return the contexts of the statistics, one for each block."""
    statistics = results["statistics"]
    players = {name: statistics["players"][name] for name in names}
    blocks = [_lengths(statistics["pairs"]), _scores(players)]
    if "teams" not in results:
        blocks += [_margins(statistics["pairs"]), _wins(players)]
    if int(results["params"]["num_players"]) > 1:
        blocks.append(_outs(players, statistics["out"]))
    return [*blocks, _actions(players, find_game(results["game"]).render.action_help)]


def _ends(spread: Mapping[str, float]) -> str:
    """Return the lowest and the highest value of a spread."""
    return span(f"{spread['lowest']:.0f}", f"{spread['highest']:.0f}")


def _lengths(pairs: Sequence[Mapping[str, Any]]) -> Context:
    """Return the lengths of games, in decisions and, if they vary, in hands."""
    decisions = _by_pair(pairs, "decisions")
    hands = _by_pair(pairs, "hands")
    games = sum(pair["games"] for pair in pairs)
    stopped = sum(pair["truncated"] for pair in pairs)
    rows: list[list[object]] = [
        [
            _pair(pair),
            f"{pair['games']:,}",
            f"{pair['decisions']['mean']:.1f}",
            _ends(pair["decisions"]),
            f"{pair['hands']['mean']:.2f}",
            _ends(pair["hands"]),
            pair["truncated"],
        ]
        for pair in pairs
    ]
    header = ["players", "games", "decisions", "from, to", "hands", "from, to", "stopped"]
    pictures = [_spread(decisions, "decisions in a game")]
    if any(spread["lowest"] != spread["highest"] for spread in hands.values()):
        pictures.append(_spread(hands, "hands in a game"))
    return {
        "title": "Length of games",
        "text": f"{stopped:,} of {games:,} games were stopped at their limit.",
        "pictures": pictures,
        "table": Table("Decisions and hands in a game, means and extremes", header, rows),
    }


def _scores(players: Mapping[str, Mapping[str, Any]]) -> Context:
    spreads = {name: player["score"] for name, player in players.items()}
    return {
        "title": "Scores",
        "text": "Points of a player at the end of a game, over all its games here.",
        "pictures": [_spread(spreads, "points of a game")],
        "table": _spread_table("Points of a game, by player", "player", spreads),
    }


def _margins(pairs: Sequence[Mapping[str, Any]]) -> Context:
    spreads = _by_pair(pairs, "margin")
    return {
        "title": "Margins",
        "text": "Points between the winner of a game and the next seat.",
        "pictures": [_spread(spreads, "points between first and second")],
        "table": _spread_table("Margins, by the players of a game", "players", spreads),
    }


def _wins(players: Mapping[str, Mapping[str, Any]]) -> Context:
    shares = {name: player["wins"] for name, player in players.items()}
    won = _by_seat([_counts(player, "wins") for player in players.values()])
    games = _by_seat([player["games"] for player in players.values()])
    return {
        "title": "Wins by seat",
        "text": "Share of the games that a player won in a seat; a shared win counts in part. "
        "Seats are counted in turn order: player_0 begins the first hand, unless the rules say "
        "otherwise.",
        "pictures": [_seats(shares, "games won")],
        "table": _seat_table("Games won, by seat", {**shares, "all players": _ratios(won, games)}),
    }


def _outs(players: Mapping[str, Mapping[str, Any]], out: Mapping[str, Any]) -> Context:
    shares = {name: _ratios(player["out"], player["hands"]) for name, player in players.items()}
    went = _by_seat([player["out"] for player in players.values()])
    hands = _by_seat([player["hands"] for player in players.values()])
    nobody = out["nobody"] / max(1, out["hands"])
    return {
        "title": "Who goes out",
        "text": f"Share of the hands in which a player {out['words']}. Of {out['hands']:,} hands, "
        f"{out['nobody']:,} ({100 * nobody:.1f}%) ended with nobody who did.",
        "pictures": [_seats(shares, "share of hands")],
        "table": _seat_table(
            f"Hands in which a player {out['words']}, by seat",
            {**shares, "all players": _ratios(went, hands)},
        ),
    }


def _actions(players: Mapping[str, Mapping[str, Any]], meaning: Mapping[str, str]) -> Context:
    kinds = next(iter(players.values()))["actions"]
    used = [kind for kind in kinds if any(player["actions"][kind] for player in players.values())]
    totals = {name: max(1, sum(player["actions"].values())) for name, player in players.items()}
    shares = {
        name: {kind: player["actions"][kind] / totals[name] for kind in used}
        for name, player in players.items()
    }
    rows: list[list[object]] = [
        [name, *(f"{100 * share:.1f}%" for share in player_shares.values()), f"{totals[name]:,}"]
        for name, player_shares in shares.items()
    ]
    alt = "Bars with the shares of each player's decisions by kind of action"
    return {
        "title": "Actions used",
        "text": "Every decision counts, also where only one action was legal.",
        "pictures": [picture(actions_figure(shares), alt + IN_TABLE)],
        "table": Table("Shares of decisions by kind of action", ["player", *used, "all"], rows),
        "terms": [
            (kind, meaning.get(kind, "").replace("{}", "\N{HORIZONTAL ELLIPSIS}")) for kind in used
        ],
    }


# --- Pieces ---------------------------------------------------------------------------------------


def _pair(pair: Mapping[str, Any]) -> str:
    """Return the names of the players of a pair, or that of a team."""
    return " \N{EN DASH} ".join(pair["players"])


def _by_pair(pairs: Sequence[Mapping[str, Any]], key: str) -> dict[str, Mapping[str, float]]:
    return {_pair(pair): pair[key] for pair in pairs}


def _ratios(parts: Sequence[float], wholes: Sequence[float]) -> list[float]:
    return [part / max(1, whole) for part, whole in zip(parts, wholes, strict=True)]


def _by_seat(counts: Sequence[Sequence[float]]) -> list[float]:
    """Sum the players' counts by seat."""
    return [sum(seat) for seat in zip(*counts, strict=True)]


def _counts(player: Mapping[str, Any], key: str) -> list[float]:
    """Return a player's shares of games by seat as numbers of games."""
    return [share * games for share, games in zip(player[key], player["games"], strict=True)]


def _spread(spreads: Mapping[str, Mapping[str, float]], label: str) -> Mapping[str, str]:
    alt = f"Box plot of {label}: the middle half in a box, 90 of 100 on the line, the mean a dot"
    return picture(spread_figure(spreads, label), alt + IN_TABLE)


def _spread_table(caption: str, who: str, spreads: Mapping[str, Mapping[str, float]]) -> Table:
    rows: list[list[object]] = [
        [name, *(f"{spread[key]:.1f}" for key in SPREAD)] for name, spread in spreads.items()
    ]
    return Table(caption, [who, *SPREAD.values()], rows)


def _seats(shares: Mapping[str, Sequence[float]], label: str) -> Mapping[str, str]:
    return picture(seats_figure(shares, label), f"Bars with the {label} by seat" + IN_TABLE)


def _seat_table(caption: str, shares: Mapping[str, Sequence[float]]) -> Table:
    seats = len(next(iter(shares.values())))
    rows: list[list[object]] = [
        [name, *(f"{100 * share:.1f}%" for share in values)] for name, values in shares.items()
    ]
    return Table(caption, ["player", *(f"player_{seat}" for seat in range(seats))], rows)
