"""Real table games with hidden information as PettingZoo environments over one compiled engine."""

from __future__ import annotations

from typing import Any

from kitchentable.aec import TableEnv
from kitchentable.engine import Batch
from kitchentable.game import Game
from kitchentable.gym_env import SeatEnv
from kitchentable.registry import find_game, games, register_all

__all__ = ["Batch", "Game", "SeatEnv", "TableEnv", "find_game", "games", "make_batch"]
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


register_all()
