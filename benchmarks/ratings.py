"""Round robins of scripted, trained and searching players, on the report deals."""

from __future__ import annotations

from typing import Any

from kitchentable import find_game
from kitchentable_training.evaluate.deals import Deals
from kitchentable_training.evaluate.tournament import round_robin
from kitchentable_training.players.by_name import make_player

SCRIPTED = ("random", "greedy", "expert")
# Game, parameters, players besides the scripted ones.
TABLES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("diddly", {}, ("diddly_2p", "diddly_2p_dmc", "search:value=diddly_2p:rollouts=100")),
    ("diddly", {"num_players": 4}, ("diddly_4p",)),
    (
        "quiddler",
        {"meld": "auto"},
        ("quiddler_2p_auto", "search:value=quiddler_2p_auto:rollouts=100"),
    ),
    ("quiddler", {"meld": "spell"}, ("quiddler_2p_spell",)),
    (
        "fiddlefoo",
        {},
        ("fiddlefoo_2p", "search:rollouts=96", "search:value=fiddlefoo_2p:rollouts=100"),
    ),
    ("addtoo", {}, ("addtoo_2p", "search:rollouts=48", "search:value=addtoo_2p:rollouts=100")),
    ("addtoo", {"num_players": 4}, ("addtoo_4p",)),
]
DEALS = 60


def measure() -> list[dict[str, Any]]:
    """Return a row for every player at every table, best first."""
    return [row for table in TABLES for row in _measure_one(*table)]


def _measure_one(
    name: str, params: dict[str, Any], learned: tuple[str, ...]
) -> list[dict[str, Any]]:
    game = find_game(name)
    checked = game.make_params(**{"reward": "margin", **params})
    players = [make_player(spec, game, checked, seed=1) for spec in (*SCRIPTED, *learned)]
    results = round_robin(players, game, checked, DEALS, seed=Deals.REPORT, progress=print)
    by_seat = {
        pair["player"]: pair["win_rate_by_seat"]
        for pair in results["pairs"]
        if pair["opponent"] == SCRIPTED[-1]
    }
    return [
        {
            "game": name,
            "params": params,
            "player": player,
            "deals": DEALS,
            "deal_seed": results["deal_seed"],
            "rating": rated["rating"],
            "interval": rated["interval"],
            "win_rate_by_seat": by_seat.get(player),
        }
        for player, rated in results["ratings"].items()
    ]
