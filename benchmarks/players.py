"""The strength of the scripted players, on the report deals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from kitchentable import find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate import duplicate as evaluate
from kitchentable_training.evaluate.deals import Deals

# Game, parameters, deals.
TABLES: list[tuple[str, dict[str, Any], int]] = [
    ("diddly", {}, 5_000),
    ("diddly", {"cards": 8}, 5_000),
    ("diddly", {"cards": 9}, 5_000),
    ("diddly", {"num_players": 4}, 5_000),
    ("quiddler", {}, 1_000),
    ("quiddler", {"meld": "auto"}, 1_000),
    ("quiddler", {"num_players": 4}, 250),
    ("quiddler_solitaire", {}, 2_000),
    ("fiddlefoo", {}, 5_000),
    ("fiddlefoo", {"num_players": 4}, 1_000),
    ("fiddlefoo", {"wildcard": True}, 2_000),
    ("fiddlefoo", {"talkytoot": "all"}, 2_000),
    ("fiddlefoo", {"cooperative": True}, 2_000),
    ("fiddlefoo", {"cooperative": True, "num_players": 6}, 1_000),
    ("addtoo", {}, 5_000),
    ("addtoo", {"num_players": 4}, 1_000),
    ("addtoo", {"turned": False}, 2_000),
    ("addtoo", {"strict_colors": True}, 2_000),
]


def measure() -> list[dict[str, Any]]:
    """Return a row for every player against the next weaker one, for every table."""
    rows = []
    for name, params, deals in TABLES:
        game = find_game(name)
        checked = game.make_params(**params)
        for weaker, stronger in pairwise(game.players.scripted):
            player, opponent = ScriptedPlayer(game, stronger), ScriptedPlayer(game, weaker, seed=1)
            measured = evaluate.measure(player, [opponent], game, checked, deals, seed=Deals.REPORT)
            result = measured["opponents"][weaker]
            names = {"game": name, "params": params, "player": stronger, "opponent": weaker}
            print(names, f"{result['win_rate']:.3f}", result["win_rate_interval"])
            rows.append(names | {"deal_seed": measured["deal_seed"]} | result)
    return rows
