"""The strength of the shipped trained players, on the report deals.

Each player's results are kept as soon as they are measured, and are not measured again while its
weights, the deals and the opponents are the same. So an interrupted measurement is resumed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.kept import measured_once
from kitchentable import find_game
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.duplicate import measure as play
from kitchentable_training.files import WEIGHTS
from kitchentable_training.players.by_name import checkpoint_named, make_players
from kitchentable_training.players.checkpoint import load_player, read_card
from kitchentable_training.shipped import shipped_players

DEALS = 5_000
TOO_SLOW = ("rollout",)
"""Scripted players that play whole games for every decision."""


def measure() -> dict[str, Any]:
    """Return, by player, its results by opponent, and what identifies the measurement."""
    results: dict[str, Any] = {}
    for name in shipped_players():
        folder = checkpoint_named(name)
        identity = _identity(folder)
        play_all = partial(_play, folder, identity["opponents"])
        results[name] = measured_once("trained", name, identity, play_all)
        print(name, {key: row["win_rate"] for key, row in results[name]["results"].items()})
    return results


def _identity(folder: Path) -> dict[str, Any]:
    """Return what identifies the measurement of a player."""
    card = read_card(folder)
    game = find_game(card["game"])
    return {
        "weights": card["sha256"][WEIGHTS],
        "game": game.name,
        "version": game.version,
        "deals": DEALS,
        "deal_seed": int(Deals.REPORT),
        "opponents": [name for name in game.players.scripted if name not in TOO_SLOW],
    }


def _play(folder: Path, opponents: list[str]) -> dict[str, Any]:
    """Return the results of a player by opponent, and those against the last one elsewhere."""
    card = read_card(folder)
    game = find_game(card["game"])

    def against(names: list[str], table_params: dict[str, Any]) -> dict[str, Any]:
        params = game.make_params(**table_params)
        player, others = load_player(folder, game, params), make_players(names, game, params, 1)
        measured = play(player, others, game, params, DEALS, seed=Deals.REPORT)
        return dict(measured["opponents"])

    played: dict[str, Any] = {"results": against(opponents, card["params"])}
    tables = card["network"].get("tables", [])[1:]
    if tables:
        played["elsewhere"] = [
            {"params": table, "results": against(opponents[-1:], table)} for table in tables
        ]
    return played
