"""The games, found by name: every subpackage that defines ``GAME`` is one.

Also within another: a game for one seat with the cards of another game.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

import gymnasium
import pettingzoo

from kitchentable.game import Game


@cache
def games() -> dict[str, Game]:
    """All games by name."""
    found = {}
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], "kitchentable."):
        game = getattr(importlib.import_module(module.name), "GAME", None) if module.ispkg else None
        if game is not None:
            found[game.name] = game
    return found


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises:
        ValueError: there is no such game; says which there are.
    """
    if name not in games():
        raise ValueError(f"there is no game {name!r}; there are {', '.join(games())}")
    return games()[name]


def register_all() -> None:
    """Enter every game into PettingZoo's and Gymnasium's registries."""
    for game in games().values():
        module = f"kitchentable.{game.name}_v{game.version}"
        if hasattr(pettingzoo, "register"):  # PettingZoo 1.27 and later
            name = f"kitchentable/{game.name}_v{game.version}"
            pettingzoo.register("aec", name, entry_point=f"{module}:env")
        gymnasium.register(
            f"kitchentable/{game.name.title().replace('_', '')}-v{game.version}",
            entry_point="kitchentable.gym_env:SeatEnv",
            kwargs={"game": game.name},
            # The environment checks its input itself, and observations by its tests.
            disable_env_checker=True,
        )
