"""The strength of searches against the strongest scripted player, and the time of a decision.

Strength is measured on the report deals. A plain search plays hands to their ends with a scripted
player. With ``value``, a trained network proposes actions and estimates the rest of a hand
(`players.tree_search`).
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kitchentable import Batch, find_game
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import measure as play
from kitchentable_training.players.by_name import make_player

# Game, parameters, player, opponent, deals.
TABLES: list[tuple[str, dict[str, Any], str, str, int]] = [
    ("addtoo", {}, "search:rollouts=48", "expert", 150),
    ("addtoo", {}, "search:value=addtoo_2p:rollouts=100", "expert", 150),
    ("addtoo", {}, "search:value=addtoo_2p:rollouts=600", "expert", 60),
    ("fiddlefoo", {}, "search:rollouts=96", "expert", 100),
    ("fiddlefoo", {}, "search:value=fiddlefoo_2p:rollouts=100", "expert", 150),
    ("fiddlefoo", {}, "search:value=fiddlefoo_2p:rollouts=400", "expert", 60),
    ("diddly", {}, "search:rollouts=200", "expert", 100),
    ("diddly", {}, "search:value=diddly_2p:rollouts=100", "expert", 300),
    ("diddly", {}, "search:value=diddly_2p:rollouts=2000", "expert", 60),
    ("quiddler", {"meld": "auto"}, "search:value=quiddler_2p_auto:rollouts=100", "expert", 1_500),
]
WARM_UP, DECISIONS, GAMES = 20, 4, 64


def measure() -> list[dict[str, Any]]:
    """Return a row for every search."""
    return [_measure_one(*table) for table in TABLES]


def _measure_one(
    name: str, params: dict[str, Any], spec: str, other: str, deals: int
) -> dict[str, Any]:
    game = find_game(name)
    checked = game.make_params(**{"reward": "margin", **params})
    player, opponent = (make_player(one, game, checked, seed=1) for one in (spec, other))
    played = play(player, [opponent], game, checked, deals, seed=Deals.REPORT)
    row = {
        "game": name,
        "params": params,
        "player": spec,
        "opponent": other,
        "deal_seed": played["deal_seed"],
        "milliseconds": _milliseconds(player, opponent, Batch(game, GAMES, **checked.as_dict())),
        **played["opponents"][other],
    }
    print(spec, f"{row['win_rate']:.3f}", row["win_rate_interval"], f"{row['milliseconds']:.2f} ms")
    return row


def _milliseconds(player: Any, opponent: Any, batch: Batch) -> float:
    """Return the processor time of a decision with a choice, in the middle of games."""
    everyone = np.arange(batch.num_envs)
    for _ in range(WARM_UP):
        batch.step(opponent.act(batch, everyone))
    spent, decisions = 0.0, 0
    for _ in range(DECISIONS):
        games = np.flatnonzero(batch.masks.sum(axis=1) > 1)
        start = time.process_time()
        player.act(batch, games)
        spent += time.process_time() - start
        decisions += len(games)
        batch.step(opponent.act(batch, everyone))
    return 1000.0 * spent / decisions
