"""A round robin: every player against every other player, on the same deals.

Teams (`Game.is_team`: one seat alone, or seats that win or lose together) have no opponents: each
player plays the deals in all seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import Any

from kitchentable import Game
from kitchentable.players.scripted import Player
from kitchentable.render.phrases import listed
from kitchentable_training.cluster import fan_out
from kitchentable_training.evaluate import duplicate, formatting
from kitchentable_training.evaluate.deals import Deals, describe_deals
from kitchentable_training.evaluate.game_statistics import Seen, Watch, statistics
from kitchentable_training.evaluate.ratings import rate_players

Pair = tuple[int, int]


def round_robin(
    players: Sequence[Player],
    game: Game,
    params: Any,
    deals: int,
    *,
    seed: int = Deals.REPORT,
    progress: Callable[[str], None] = lambda _: None,
    cluster: str | None = None,
) -> dict[str, Any]:
    """Play every pair of players against each other, in every seat of every deal.

    With two seats each pair is played once, with both players in both seats. With more seats each
    player plays against copies of the other, which gives two different results.

    Args:
        players: at least two players with different names. Their random choices are seeded by
            their numbers before each pair, so that pairs do not depend on each other.
        game: the game.
        params: its parameters, made by ``game.make_params``.
        deals: the number of deals for each pair.
        seed: the seed of the deals.
        progress: called with a message after each pair.
        cluster: the address of a cluster, on which each pair is a task; see `fan_out`.

    Returns:
        ``"players"``, ``"fair"`` (the win rate among equals), ``"pairs"`` (the `figures` of a
        ``"player"`` against an ``"opponent"``; with two seats for each pair in both orders),
        ``"ratings"`` (see `ratings.rate_players`), ``"statistics"`` of the games (see
        `game_statistics.statistics`), and what was played. Teams have no fair rate and ratings,
        but ``"teams"``, the `own_figures` by name, best first; their pairs are the results of
        `compare_teams`.

    Raises:
        ValueError: there are fewer than two players, two of the same name, or no deals.
    """
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        given = listed(names) or "none"
        raise ValueError(f"a tournament needs two or more different players, not {given}")
    if deals < 1:
        raise ValueError(f"deals={deals} is not possible; choose at least 1")
    seats = int(params.num_players)
    about = {
        "game": game.name,
        "version": game.version,
        "params": params.plain(),
        "deals": deals,
        "deal_seed": int(seed),
        "players": names,
    }
    numbers, team = range(len(players)), game.is_team(params)
    order = combinations if seats == 2 else permutations
    groups = [*combinations(numbers, 1)] if team else [*order(numbers, 2)]
    outcomes: dict[tuple[int, ...], tuple[duplicate.Duplicate, Seen]] = {}
    play = partial(_play_watched, players, game, params, deals, seed)
    for group, outcome in fan_out(play, groups, cluster):
        outcomes[group] = outcome
        alone = " alone" if seats == 1 else " in all seats"
        progress(" against ".join(names[number] for number in group) + (alone if team else ""))
    seen = {group: outcomes[group][1] for group in groups}  # in order, whichever finished first
    figured = {"statistics": statistics(seen, names, game, params)}
    if team:
        return about | _team_figures({names[i]: outcomes[i,][0] for i in numbers}) | figured
    played = {(i, j): outcomes[i, j][0] for i, j in groups}
    return about | {
        "fair": 1.0 / seats,
        "pairs": _pair_figures(played, names, seats),
        "ratings": rate_players(played, names),
        **figured,
    }


def _play_watched(
    players: Sequence[Player],
    game: Game,
    params: Any,
    deals: int,
    seed: int,
    group: tuple[int, ...],
) -> tuple[duplicate.Duplicate, Seen]:
    """Play the deals of a pair, or of a team, given by the numbers of its players."""
    for number in group:
        players[number].seed(number)
    watch = Watch([players[number] for number in group], game, params)
    return duplicate.play_group(watch.players, game, params, deals, seed=seed), watch.seen()


def _pair_figures(
    played: Mapping[Pair, duplicate.Duplicate], names: Sequence[str], seats: int
) -> list[dict[str, Any]]:
    pairs = []
    for (i, j), result in played.items():
        pairs.append({"player": names[i], "opponent": names[j], **duplicate.figures(result)})
        if seats == 2:
            figures = duplicate.figures(turned_round(result))
            pairs.append({"player": names[j], "opponent": names[i], **figures})
    return pairs


def _team_figures(played: Mapping[str, duplicate.Duplicate]) -> dict[str, Any]:
    best_first = sorted(played, key=lambda name: -played[name].wins.mean())
    return {
        "teams": {name: duplicate.own_figures(played[name]) for name in best_first},
        "pairs": [
            {
                "player": player,
                "opponent": opponent,
                **duplicate.compare_teams(played[player], played[opponent]),
            }
            for player, opponent in permutations(best_first, 2)
        ],
    }


def turned_round(played: duplicate.Duplicate) -> duplicate.Duplicate:
    """Return the results of two seats from the opponent's point of view."""
    return duplicate.Duplicate(
        wins=1.0 - played.wins[:, ::-1],
        decided=played.decided[:, ::-1],
        scores=played.others[:, ::-1],
        others=played.scores[:, ::-1],
        payoffs=-played.payoffs[:, ::-1],
        truncated=played.truncated,
    )


def win_rates(results: Mapping[str, Any]) -> tuple[list[str], dict[tuple[str, str], Any]]:
    """Return the players, best first, and the figures by ``(player, opponent)``."""
    pairs = {(pair["player"], pair["opponent"]): pair for pair in results["pairs"]}
    return list(results["teams" if "teams" in results else "ratings"]), pairs


def standing(results: Mapping[str, Any]) -> list[list[object]]:
    """Return a row for each player, best first: its name, its rating and the rating's interval.

    For teams it has the name, the team's own win rate and the mean score.
    """
    if "teams" in results:
        return [
            [
                name,
                formatting.rate(figures["win_rate"], figures["win_rate_interval"]),
                f"{figures['score']:.1f}",
            ]
            for name, figures in results["teams"].items()
        ]
    return [
        [name, f"{rating['rating']:+.0f}", "{:+.0f} to {:+.0f}".format(*rating["interval"])]
        for name, rating in results["ratings"].items()
    ]


def matrix(results: Mapping[str, Any], nothing: str = "") -> list[list[object]]:
    """Return a row for each player, best first: its name and its results against each player.

    Args:
        results: the result of `round_robin`.
        nothing: the text for pairs that do not play, on the diagonal.

    Returns:
        For players their win rates, for teams their leads.
    """

    def cell(figures: Mapping[str, Any] | None) -> str:
        if figures is None:
            return nothing
        if "teams" in results:
            return formatting.lead(figures)
        return formatting.rate(figures["win_rate"], figures["win_rate_interval"])

    names, pairs = win_rates(results)
    return [
        [player, *(cell(pairs.get((player, opponent))) for opponent in names)] for player in names
    ]


def tournament_table(results: Mapping[str, Any]) -> str:
    """Return ratings and win rates as Markdown tables; teams have no ratings."""
    names, _ = win_rates(results)
    rates = formatting.markdown_table(["", *names], matrix(results))
    deals = f"{results['deals']:,} of {describe_deals(results['deal_seed'])}"
    if "teams" in results:
        seats = int(results["params"]["num_players"])
        return "\n\n".join(
            [
                f"The same {deals}, {formatting.side_by_side(seats)}:",
                formatting.markdown_table(
                    ["player", "win rate (95% interval)", "score"], standing(results)
                ),
                "Win rate of the row's player less the column's, in points, deal by deal:",
                rates,
            ]
        )
    return "\n\n".join(
        [
            formatting.markdown_table(["player", "rating", "95% interval"], standing(results)),
            f"Win rate of the row's player against the column's on {deals} "
            f"(level: {100 * results['fair']:.1f}%):",
            rates,
            formatting.DECIDED,
        ]
    )
