"""Registration of games with PettingZoo and Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.wrappers import OrderWrapper
from kitchentable.core.registry import when_added


def enter(game: str, version: int) -> None:
    """Register a game with PettingZoo and Gymnasium by its name, without importing it."""
    if hasattr(pettingzoo, "register"):  # PettingZoo 1.27 and later
        pettingzoo.register(
            "aec",
            f"kitchentable/{game}_v{version}",
            entry_point="kitchentable.adapters.registration:env",
            kwargs={"game": game},
        )
    gymnasium.register(
        gymnasium_id(game, version),
        entry_point="kitchentable.adapters.seat:SeatEnv",
        vector_entry_point="kitchentable.adapters.vector:SeatVectorEnv",
        kwargs={"game": game},
        # The environment checks its input itself, and the tests check its observations.
        disable_env_checker=True,
    )


when_added.append(lambda game: enter(game.name, game.version))


def gymnasium_id(game: str, version: int) -> str:
    """Return the Gymnasium id of a game, such as ``kitchentable/Diddly-v0``."""
    return f"kitchentable/{game.title().replace('_', '')}-v{version}"


def env(game: str, **options: Any) -> OrderWrapper:
    """Return a wrapped `TableEnv` of a game by name; an illegal action ends the game."""
    return OrderWrapper(TableEnv(game, **options))
