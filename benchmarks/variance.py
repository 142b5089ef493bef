"""Variance reduction by duplicate deals: how many plain games one game on them replaces.

On duplicate deals, every deal is played once with the player in each seat, and the mean over the
seats counts: good cards help the player in one game and hurt it in another. In plain play, every
game has a new deal, and the player changes seats. As each game of a duplicate deal is by itself a
plain game, the same games give both variances: that of a mean over plain games is the variance
within the seats / games, and that of a mean over duplicate deals is the variance of the deals'
means / deals. The ratio is the number of games that one game replaces; its interval is a bootstrap
over deals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Game, find_game
from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable.players.scripted import Player, ScriptedPlayer
from kitchentable_training.evaluate.duplicate import play_duplicate
from kitchentable_training.players.by_name import checkpoint_named, make_player
from kitchentable_training.players.checkpoint import read_card

DEALS = 2_000
RESAMPLES = 1_000
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("diddly", {}),
    ("diddly", {"num_players": 4}),
    ("quiddler", {"meld": "auto"}),
    ("fiddlefoo", {}),
    ("addtoo", {}),
]
TRAINED = ("diddly_2p", "fiddlefoo_2p")

Values = NDArray[np.float64]


def measure(deals: int = DEALS) -> list[dict[str, Any]]:
    """Return a row for the strongest scripted player at each table and for each trained player.

    Scripted players play against ``greedy``, trained ones against the strongest scripted player.
    """
    rows = []
    for game, params, player, other in _matches():
        opponent = ScriptedPlayer(game, other, params, seed=1)
        margin = game.make_params(**{**params.as_dict(), "reward": "margin"})
        played = play_duplicate(player, opponent, game, margin, deals)
        row = {
            "game": game.name,
            "params": {
                name: value
                for name, value in params.plain().items()
                if value != game.make_params().plain().get(name) and name != "reward"
            },
            "player": player.name,
            "opponent": other,
            "deals": deals,
            "wins": saved(played.wins),
            "points": saved(POINTS_PER_UNIT * played.payoffs),
        }
        print(json.dumps(row))
        rows.append(row)
    return rows


def _matches() -> Iterator[tuple[Game, Any, Player, str]]:
    for name, given in TABLES:
        game = find_game(name)
        params = game.make_params(**given)
        yield game, params, ScriptedPlayer(game, list(game.players.scripted)[-1], params), "greedy"
    for name in TRAINED:
        card = read_card(checkpoint_named(name))
        game = find_game(card["game"])
        params = game.make_params(**card["params"])
        yield game, params, make_player(name, game, params), list(game.players.scripted)[-1]


def saved(values: Values) -> dict[str, Any]:
    """Return how many plain games one game of duplicate deals replaces.

    Args:
        values: the value of each game; shape (deals, seats).

    Returns:
        The ratio with its 95 % interval; the variance of a plain game, and that of a game of
        duplicate deals, which is the variance of a deal's mean times the number of seats.
    """
    weights = np.ones((1, len(values)))
    plain, duplicate = _variances(values, weights)
    draws = np.random.default_rng(0).multinomial(
        len(values), np.full(len(values), 1 / len(values)), size=RESAMPLES
    )
    drawn_plain, drawn_duplicate = _variances(values, draws.astype(np.float64))
    low, high = np.quantile(drawn_plain / drawn_duplicate, [0.025, 0.975])
    return {
        "ratio": float(plain[0] / duplicate[0]),
        "interval": [float(low), float(high)],
        "plain": float(plain[0]),
        "duplicate": float(duplicate[0]),
    }


def _variances(values: Values, weights: Values) -> tuple[Values, Values]:
    """Return the variances of a plain and of a duplicate game, with weighted deals.

    Args:
        values: shape (deals, seats).
        weights: the weights of the deals; shape (samples, deals), each row sums to deals.

    Returns:
        Both variances; shape (samples,).
    """
    deals, seats = values.shape
    together = np.concatenate([values, values.mean(axis=1, keepdims=True)], axis=1)
    centred = together - together.mean(axis=0)  # for the precision of the squares
    means, squares = weights @ centred / deals, weights @ centred**2 / deals
    variances = (squares - means**2) * deals / (deals - 1)
    return variances[:, :seats].mean(axis=1), seats * variances[:, seats]
