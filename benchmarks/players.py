"""How strong the scripted players are, on duplicate deals."""

from __future__ import annotations

from typing import Any

from kitchentable import find_game
from kitchentable.players import ScriptedPlayer
from kitchentable.search import SearchPlayer
from kitchentable_training.evaluate import figures, play_duplicate

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("diddly", {}),
    ("diddly", {"cards": 8}),
    ("diddly", {"cards": 9}),
    ("diddly", {"num_players": 4}),
]
PAIRS = (("greedy", "random"), ("expert", "greedy"))
DEALS = {"greedy": 5_000, "expert": 5_000, "search": 100}
ROLLOUTS = 200


def measure() -> list[dict[str, Any]]:
    """Return a row for every pair of players at every table."""
    rows = []
    for name, params in TABLES:
        game = find_game(name)
        checked = game.make_params(**params)
        for one, other in PAIRS:
            player = ScriptedPlayer(game, one, checked)
            rows.append(_row(game, checked, params, player, other, DEALS[one]))
    game = find_game("diddly")
    checked = game.make_params()
    search = SearchPlayer(game, checked, rollouts=ROLLOUTS)
    rows.append(_row(game, checked, {}, search, "expert", DEALS["search"]))
    return rows


def _row(
    game: Any, checked: Any, params: dict[str, Any], player: Any, other: str, deals: int
) -> dict[str, Any]:
    opponent = ScriptedPlayer(game, other, checked, seed=1)
    found = figures(play_duplicate(player, opponent, game, checked, deals))
    names = {"game": game.name, "params": params, "player": player.name, "opponent": other}
    print(names, f"{found['win_rate']:.3f}", found["win_rate_interval"])
    return names | found
