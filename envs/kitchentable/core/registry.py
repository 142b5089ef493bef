"""The games, found by name: every folder below `kitchentable.games` that defines ``GAME`` is one.

Also within another: a game for one seat with the cards of another game.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Iterable, Iterator
from functools import cache

import kitchentable.games
from kitchentable.core.game import Game

_BROKEN: dict[str, Exception] = {}
"""What was wrong with folders that cannot be imported, by the name of the package."""


@cache
def all_games() -> dict[str, Game]:
    """Return all games by name. A folder with an error in it is warned of, and left out."""
    found = {}
    for package in _packages(kitchentable.games.__path__, "kitchentable.games."):
        game = getattr(package, "GAME", None)
        if game is not None:
            found[game.name] = game
    return found


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises:
        ValueError: there is no such game; says which there are.
        ImportError: there is, but its folder cannot be imported; says why.
    """
    if name in all_games():
        return all_games()[name]
    for package, error in _BROKEN.items():
        if package.removeprefix("kitchentable.games.").replace(".", "_") == name:
            raise ImportError(_what_is_wrong(package, error)) from error
    raise ValueError(f"there is no game {name!r}; there are {', '.join(all_games())}")


def _packages(paths: Iterable[str], prefix: str) -> Iterator[object]:
    """Import the packages in some folders, and in these, one after another."""
    for found in pkgutil.iter_modules(paths, prefix):
        if not found.ispkg:
            continue
        try:
            package = importlib.import_module(found.name)
        except Exception as error:  # whatever it is, the other games are usable
            _BROKEN[found.name] = error
            warnings.warn(_what_is_wrong(found.name, error), stacklevel=2)
            continue
        yield package
        yield from _packages(package.__path__, f"{found.name}.")


def _what_is_wrong(package: str, error: Exception) -> str:
    return f"{package} cannot be imported: {type(error).__name__}: {error}"
