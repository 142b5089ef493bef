"""Ratings of players who do not change, from all games between them in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kitchentable.core.state import Floats
from kitchentable_training.evaluate.duplicate import Duplicate

ELO = 400.0 / np.log(10.0)
"""Rating points for one unit of the model's strengths: 400 points are odds of ten to one."""
RESAMPLES = 1_000
"""The number of bootstrap samples of the deals."""
DRAWS = 1.0
"""The number of imagined drawn games of each pair. Without them a player who lost every game would
be infinitely weak; with them its rating is only an upper bound, which depends on their number."""
STEPS, LONGEST = 50, 2.0
"""The number of Newton's steps, and the largest change of a strength in one of them."""


def rate_players(
    played: Mapping[tuple[int, int], Duplicate], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Rate players by the maximum likelihood of a Plackett-Luce model over all decided games.

    A seat wins with a chance in proportion to the exponential of its player's strength (Bradley and
    Terry, 1952, for two seats; Plackett, 1975, and Luce, 1959, for more). Only who wins a game
    counts, and winners share it. The order of the games does not matter.

    Args:
        played: the games of ``(i, j)``: ``i`` in one seat, ``j`` in all others, on the same deals
            in all pairs.
        names: the names of the players by number.

    Returns:
        By name, best first: ``"rating"``, in Elo points around the median player, which a player
        that loses every game does not move (with two seats 100 points are a win rate of 64%), and
        ``"interval"``, the middle 95% of `RESAMPLES` bootstrap samples of the deals.
    """
    deals, seats = next(iter(played.values())).wins.shape
    wins: Floats = np.zeros((deals, len(names), len(names)))
    games = np.zeros_like(wins)
    for (i, j), result in played.items():
        # The imagined games are spread over the deals, so that every sample has them.
        draws = DRAWS / deals / (2 if (j, i) in played else 1)
        wins[:, i, j] = (result.wins * result.decided).sum(axis=1) + draws / seats
        games[:, i, j] = result.decided.sum(axis=1) + draws
    draw = np.random.default_rng(0).multinomial(deals, np.full(deals, 1 / deals), RESAMPLES)
    weights = np.concatenate([np.ones((1, deals)), draw])
    won, met = np.tensordot(weights, wins, axes=1), np.tensordot(weights, games, axes=1)
    ratings = ELO * _strengths(won, met, seats)
    ranked = np.argsort(ratings[0])
    middle = ranked[(len(names) - 1) // 2 : len(names) // 2 + 1]  # the same players in all samples
    ratings -= ratings[:, middle].mean(axis=1, keepdims=True)
    low, high = np.quantile(ratings[1:], [0.025, 0.975], axis=0)
    return {
        names[i]: {"rating": float(ratings[0, i]), "interval": [float(low[i]), float(high[i])]}
        for i in np.argsort(-ratings[0], kind="stable")
    }


def _strengths(wins: Floats, games: Floats, seats: int) -> Floats:
    """Return the most likely strengths of each sample, up to a constant; (samples, players).

    Args:
        wins: the wins of one seat of ``i`` against ``j`` in all other seats; float64, shape
            (samples, players, players).
        games: the games; of the same shape.
        seats: the number of seats.
    """
    players = wins.shape[1]
    strengths = np.zeros(wins.shape[:2])
    for _ in range(STEPS):
        odds = strengths[:, :, None] - strengths[:, None, :] - np.log(seats - 1)
        chance = 1.0 / (1.0 + np.exp(-odds))
        missing, slope = wins - games * chance, games * chance * (1.0 - chance)
        gradient = missing.sum(axis=2) - missing.sum(axis=1)
        curvature = -slope - slope.transpose(0, 2, 1) + 1.0 / players  # which fixes the mean
        diagonal = slope.sum(axis=2) + slope.sum(axis=1)
        curvature[:, range(players), range(players)] += diagonal
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        strengths += np.clip(step, -LONGEST, LONGEST)
    return strengths
