"""Real table games with hidden information as PettingZoo environments over one compiled engine."""

from __future__ import annotations

from typing import Any

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.registration import enter, register
from kitchentable.adapters.seat import SeatEnv
from kitchentable.core.game import Game
from kitchentable.core.registry import all_games, find_game, shipped_versions
from kitchentable.engine.batch import Batch

__all__ = [
    "Batch",
    "Game",
    "SeatEnv",
    "TableEnv",
    "all_games",
    "find_game",
    "make_batch",
    "register",
]
__version__ = "0.1.0"


def make_batch(
    game: str, num_envs: int, *, seed: int | None = None, threads: int = 1, **params: Any
) -> Batch:
    """Return ``num_envs`` games that are played together and restart by themselves.

    Args:
        game: the game's name.
        num_envs: how many games, at least 1.
        seed: of all games; game ``i`` is the same in a batch of any size.
        threads: how many to use, from some hundred games on.
        params: the game's parameters, see its rules.

    Raises:
        ValueError: something is impossible; says what is possible.
    """
    return Batch(find_game(game), num_envs, seed=seed, threads=threads, **params)


for _name, _version in shipped_versions().items():
    enter(_name, _version)
