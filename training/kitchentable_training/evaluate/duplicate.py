"""Evaluation on duplicate deals from every seat, with confidence intervals.

A team (`Game.is_team`: one seat alone, or seats that win or lose together) has no opponents. There
each player fills all seats; the players play the same deals on their own and are compared deal by
deal. A player with other teammates is measured from every seat, as in other games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from kitchentable import Batch, Game
from kitchentable.core.rng import seeds_for
from kitchentable.players.scripted import Player, play_out
from kitchentable.render.phrases import listed
from kitchentable.text.moves import RecordedBatch
from kitchentable_training.cluster import fan_out
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.formatting import Results, are_teams

RESAMPLES = 2_000
GAMES_AT_ONCE = 4096
"""The number of games in memory."""
DRAWS_AT_ONCE = 1_000_000
"""The number of a bootstrap's draws in memory."""
Seating = NDArray[np.intp]
"""The players at each table: the number of a player by table and seat; shape (tables, seats)."""
LEARNER_NAME = "learner"
"""The learner's name in learning curves where it plays all seats."""
OWN_FIGURES = (
    "deals", "games", "truncated", "win_rate", "win_rate_interval", "score", "score_interval",
    "payoff", "payoff_interval",
)  # fmt: skip


@dataclass(frozen=True)
class Duplicate:
    """Results of duplicate deals: every deal was played once with the player in each seat.

    If the player filled all seats, each deal was played once, and ``seats`` is 1.

    Attributes:
        wins: share of the win, 1 for a sole winner or a team, 1/k for one of k, 0; shape (deals,
            seats).
        decided: whether the game had one winner, or was a team's; shape (deals, seats).
        scores: points of the player as the rule sheet counts them; shape (deals, seats).
        others: mean points of the other players, 0 if there are none; shape (deals, seats).
        payoffs: the player's payoff; shape (deals, seats).
        truncated: the number of games that were stopped at their limit.
    """

    wins: NDArray[np.float64]
    decided: NDArray[np.bool_]
    scores: NDArray[np.float64]
    others: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    truncated: int


def play_duplicate(
    player: Player,
    opponent: Player,
    game: Game,
    params: Any,
    deals: int,
    *,
    seed: int = Deals.REPORT,
) -> Duplicate:
    """Play each deal once with the player in each seat, and the opponent in all others."""
    return play_group((player, opponent), game, params, deals, seed=seed)


def play_group(
    players: Sequence[Player], game: Game, params: Any, deals: int, *, seed: int = Deals.REPORT
) -> Duplicate:
    """Play each of ``deals`` deals with one or two players.

    Args:
        players: the player to measure, which has each seat once, and the player in all other seats,
            as opponents or teammates; or one player, which has all seats of a team once.
        game: the game.
        params: its parameters, made by ``game.make_params``.
        deals: the number of deals, which are played in portions.
        seed: the seed of the deals, which are the same for one player and for two.
    """
    seats = int(params.num_players)
    alone = len(players) == 1
    seating = np.zeros((1, seats), np.intp) if alone else 1 - np.eye(seats, dtype=np.intp)
    seeds, at_once = seeds_for(seed, deals), max(1, GAMES_AT_ONCE // len(seating))
    portions = [
        _play_portion(players, seating, game, params, seeds[first : first + at_once])
        for first in range(0, deals, at_once)
    ]
    wins, decided, scores, others, payoffs, truncated = (
        np.concatenate(arrays) for arrays in zip(*portions, strict=True)
    )
    return Duplicate(wins, decided, scores, others, payoffs, int(truncated.sum()))


def _play_portion(
    players: Sequence[Player], seating: Seating, game: Game, params: Any, seeds: NDArray[np.uint64]
) -> tuple[NDArray[Any], ...]:
    """Play one portion of deals, each once for each row of ``seating``.

    The first of ``players`` is measured, where it sits, or in its first seat if it has several.
    """
    tables, seats = seating.shape
    reads = any(getattr(player, "reads_moves", False) for player in players)
    make = RecordedBatch if reads else partial(Batch, autoreset=False)
    batch = make(game, len(seeds) * tables, seed=0, **params.as_dict())
    batch.deal(np.repeat(seeds, tables))
    payoffs = play_out(batch, players, np.tile(seating, (len(seeds), 1)))
    scores, ranks = batch.standings()
    own_seats = np.arange(batch.num_envs), np.tile((seating == 0).argmax(axis=1), len(seeds))
    # A team's win is not divided among the seats.
    winners = 1 if batch.is_team else (ranks == 1).sum(axis=1)
    shape = (len(seeds), tables)
    return (
        np.where(ranks[own_seats] == 1, 1.0 / np.maximum(1, winners), 0.0).reshape(shape),
        np.broadcast_to(winners == 1, batch.num_envs).reshape(shape),
        scores[own_seats].reshape(shape).astype(np.float64),
        (scores.sum(axis=1) - scores[own_seats]).reshape(shape) / max(1, seats - 1),
        payoffs[own_seats].reshape(shape),
        np.asarray(batch.states["truncated"]),
    )


def figures(result: Duplicate) -> dict[str, Any]:
    """Return win rates and scores with 95% intervals, which treat deals as independent.

    Only decided games count for win rates; without one there is none, and it is None.
    """
    deals = len(result.wins)
    won = (result.wins * result.decided).sum(axis=1)
    decided = result.decided.sum(axis=1).astype(np.float64)
    margin = result.payoffs.mean(axis=1)
    scores, others = result.scores.mean(axis=1), result.others.mean(axis=1)
    by_seat = [_rate(*seat) for seat in zip(result.wins.T, result.decided.T, strict=True)]
    return {
        "deals": deals,
        "games": int(result.wins.size),
        "decided": int(decided.sum()),
        "truncated": result.truncated,
        "win_rate": _rate(result.wins, result.decided),
        "win_rate_interval": (
            _ratio_interval(won, decided)
            if result.wins.shape[1] > 1
            else _wilson_interval(won.sum(), deals)
        ),
        "win_rate_by_seat": by_seat,
        "win_share": float(result.wins.mean()),
        "score": float(scores.mean()),
        "score_interval": mean_interval(scores),
        "low_scores_win": _low_scores_win(result),
        "opponents_score": float(others.mean()),
        "difference": float((scores - others).mean()),
        "difference_interval": mean_interval(scores - others),
        "payoff": float(margin.mean()),
        "payoff_interval": mean_interval(margin),
    }


def _rate(wins: NDArray[np.float64], decided: NDArray[np.bool_]) -> float | None:
    """Return the share of the decided games that were won; None without a decided game."""
    return float(wins[decided].mean()) if decided.any() else None


def _low_scores_win(result: Duplicate) -> bool | None:
    """Return whether low scores win in these games; None if they do not tell."""
    seats = result.wins.shape[1]
    if seats > 1:
        covariance = ((result.wins - 1.0 / seats) * (result.scores - result.others)).sum()
    else:
        covariance = ((result.wins - result.wins.mean()) * result.scores).sum()
    return None if abs(covariance) < 1e-9 else bool(covariance < 0)


def own_figures(result: Duplicate) -> dict[str, Any]:
    """Return the `figures` of a team that do not depend on other players."""
    all_figures = figures(result)
    return {name: all_figures[name] for name in OWN_FIGURES}


def compare_teams(team: Duplicate, other_team: Duplicate) -> dict[str, Any]:
    """Compare the results of two teams (`play_group` with one player) on the same deals.

    Returns:
        The `figures` of the first team, where ``"opponents_..."`` are those of the second and
        ``"difference"`` and ``"win_rate_difference"`` are taken deal by deal.
    """
    other = own_figures(other_team)
    gaps = (team.wins - other_team.wins).ravel()
    return {
        **figures(replace(team, others=other_team.scores)),
        "opponents_win_rate": other["win_rate"],
        "opponents_win_rate_interval": other["win_rate_interval"],
        "opponents_truncated": other["truncated"],
        "win_rate_difference": float(gaps.mean()),
        "win_rate_difference_interval": _paired_interval(gaps),
    }


def measure(
    player: Player,
    opponents: Sequence[Player],
    game: Game,
    params: Any,
    deals: int,
    *,
    teammates: Sequence[Player] = (),
    seed: int = Deals.REPORT,
    player_seed: int = 0,
    cluster: str | None = None,
) -> Results:
    """Measure a player against others, or compare it with other teams.

    Args:
        player: the player to measure.
        opponents: each of them fills all other seats, or is a team of its own.
        game: the game.
        params: its parameters, made by ``game.make_params``.
        deals: the number of deals.
        teammates: in a cooperative game, players in whose teams the player takes each seat.
        seed: the seed of the deals.
        player_seed: the seed of the player's random choices, reset for each opponent.
        cluster: the address of a cluster, on which each opponent is a task; see `fan_out`.

    Returns:
        The results: under ``"opponents"`` by name the `figures`, or for teams the result of
        `compare_teams`, and under ``"teammates"``, if any, the `own_figures` with them.

    Raises:
        ValueError: there are no opponents, two of the same name, also among the teammates, or
            teammates for a game that is not cooperative.
    """
    if not opponents:
        raise ValueError("give at least one opponent")
    for others in (opponents, teammates):
        names = [other.name for other in others]
        if len(set(names)) < len(names):
            raise ValueError(f"results are by name: give different players, not {listed(names)}")
    if teammates and (params.num_players == 1 or not game.is_team(params)):
        raise ValueError(f"nobody has teammates at this table of {game.name}")
    alone = [(player,), *((opponent,) for opponent in opponents)] if game.is_team(params) else []
    mixed = [(player, other) for other in (teammates if alone else opponents)]
    play = partial(_play_anew, [*alone, *mixed], player_seed, game, params, deals, seed)
    played = dict(fan_out(play, range(len(alone) + len(mixed)), cluster))
    measured = {
        other.name: figures(played[number]) for number, (_, other) in enumerate(mixed, len(alone))
    }
    results = Results(
        player=player.name,
        game=game.name,
        version=game.version,
        params=params.plain(),
        deal_seed=int(seed),
    )
    if not alone:
        results["opponents"] = measured
        return results
    results["opponents"] = {
        opponent.name: compare_teams(played[0], played[number])
        for number, opponent in enumerate(opponents, 1)
    }
    if teammates:
        results["teammates"] = {
            name: {key: result[key] for key in OWN_FIGURES} for name, result in measured.items()
        }
    return results


def _play_anew(
    groups: Sequence[Sequence[Player]],
    player_seed: int,
    game: Game,
    params: Any,
    deals: int,
    seed: int,
    number: int,
) -> Duplicate:
    """Play one of the groups; the first group contains the player that is measured."""
    player = groups[0][0]
    if player in groups[number]:
        player.seed(player_seed)
    return play_group(groups[number], game, params, deals, seed=seed)


def curve_points(results: Mapping[str, Any]) -> dict[str, float]:
    """Return the points of learning curves: the win rate by opponent.

    In a team game, these are the learner's win rate, under `LEARNER_NAME`, and those of the others.
    Opponents against whom no game was decided are left out.
    """
    opponents = results["opponents"]
    if not are_teams(results):
        return {
            name: result["win_rate"]
            for name, result in opponents.items()
            if result["win_rate"] is not None
        }
    own, *_ = opponents.values()
    others = {name: result["opponents_win_rate"] for name, result in opponents.items()}
    return {LEARNER_NAME: own["win_rate"], **others}


def mean_interval(values: NDArray[np.float64]) -> list[float]:
    """Return the 95% interval of a mean (Student's t)."""
    mean = float(values.mean())
    error = float(stats.sem(values)) if len(values) > 1 else 0.0
    if error == 0.0:
        return [mean, mean]
    low, high = stats.t.interval(0.95, len(values) - 1, loc=mean, scale=error)
    return [float(low), float(high)]


def _ratio_interval(won: NDArray[np.float64], decided: NDArray[np.float64]) -> list[float] | None:
    """Return the 95% interval of won / decided by bootstrapping over deals; None for 0 / 0.

    If all deals with a decided game have the same win rate, resampling shows no variance, and
    Wilson's interval for that many independent games is returned instead.
    """
    telling = decided > 0
    if not telling.any():
        return None
    if np.unique(won[telling] / decided[telling]).size == 1:
        deals = int(telling.sum())
        return _wilson_interval(won.sum() / decided.sum() * deals, deals)
    rng, parts = np.random.default_rng(0), []
    at_once = max(1, DRAWS_AT_ONCE // len(won))
    for first in range(0, RESAMPLES, at_once):
        shape = min(at_once, RESAMPLES - first), len(won)
        draws = rng.integers(len(won), size=shape, dtype=np.int32)
        sums = decided[draws].sum(axis=1)
        parts.append(won[draws].sum(axis=1)[sums > 0] / sums[sums > 0])
    low, high = np.quantile(np.concatenate(parts), [0.025, 0.975])
    return [float(low), float(high)]


def _wilson_interval(won: float, games: int) -> list[float]:
    """Return Wilson's 95% interval of won / games, for independent games; half wins count half."""
    z, rate = float(stats.norm.ppf(0.975)), won / games
    middle = (rate + z**2 / (2 * games)) / (1 + z**2 / games)
    spread = rate * (1 - rate) / games + z**2 / (4 * games**2)
    reach = z / (1 + z**2 / games) * math.sqrt(spread)
    return [max(0.0, middle - reach), min(1.0, middle + reach)]


def _paired_interval(gaps: NDArray[np.float64]) -> list[float]:
    """Return the 95% interval of the mean of paired differences of wins, each -1, 0 or 1.

    The interval is that of Agresti and Min, "Simple improved confidence intervals for comparing
    matched proportions" (2005): half a deal is added to each of the four outcomes, so that a few
    deals with equal results do not look like certainty.
    """
    deals = len(gaps) + 2
    ahead, behind = (gaps > 0).sum() + 0.5, (gaps < 0).sum() + 0.5
    center = (ahead - behind) / deals
    error = np.sqrt((ahead + behind) / deals - center**2) / np.sqrt(deals)
    reach = float(stats.norm.ppf(0.975)) * error
    return [max(-1.0, float(center - reach)), min(1.0, float(center + reach))]
