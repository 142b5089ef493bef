"""The registry of games: each has a public module ``NAME_vN`` and a package that defines ``GAME``.

The package is `kitchentable.games.NAME`, or lies in that of another game: ``quiddler/solitaire``
defines the game ``quiddler_solitaire``. It is imported when the game is first requested.
"""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import re
import sys
import warnings
from functools import cache
from itertools import accumulate
from pathlib import Path

import kitchentable.games
from kitchentable.core.game import Game

_GAMES: dict[str, Game] = {}
"""Games of this package that have been requested, and games registered from outside."""
_PUBLIC_MODULE = re.compile(r"(\w+)_v(\d+)")
_MAIN = "__main__", "__mp_main__"
"""The names of the program's main module; the second one is that of `multiprocessing`."""


@cache
def shipped_versions() -> dict[str, int]:
    """Return the version of each game of this package by name, without importing the games."""
    modules = pkgutil.iter_modules([str(Path(__file__).parents[1])])
    found = (_PUBLIC_MODULE.fullmatch(module.name) for module in modules)
    return dict(sorted((match[1], int(match[2])) for match in found if match))


@cache
def all_games() -> dict[str, Game]:
    """Return all games by name; warn about a package that cannot be imported, and leave it out."""
    others = dict(_GAMES)
    _GAMES.clear()
    for name in shipped_versions():
        try:
            _GAMES[name] = others.pop(name) if name in others else _import_game(name)
        except ImportError as error:
            warnings.warn(str(error), stacklevel=2)
    _GAMES.update(others)
    return _GAMES


def add_game(game: Game) -> None:
    """Add a game, so that `find_game` returns it by its name."""
    _GAMES[game.name] = game


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises:
        ValueError: there is no such game; the message lists the games.
        ImportError: the game's package cannot be imported; the message says why.
    """
    known = {**shipped_versions(), **_GAMES}
    if name not in list(known):  # a list, as the name may not be hashable
        raise ValueError(f"there is no game {name!r}; there are {', '.join(known)}")
    if name not in _GAMES:
        _GAMES[name] = _import_game(name)
    return _GAMES[name]


def place_of(game: Game) -> tuple[str, str, bool]:
    """Return how another process finds a game: its module, its variable, whether it is registered.

    The module with the rules and its packages come first, and the program's main module, which may
    be another one there, comes last.

    Raises:
        pickle.PicklingError: no imported module has the game.
    """
    own = list(accumulate(game.rules.step.__module__.split("."), "{}.{}".format))[::-1]
    others = [name for name in sys.modules if name not in own]
    for module in sorted([*own, *others], key=_MAIN.__contains__):
        content = getattr(sys.modules.get(module), "__dict__", {})
        for variable, value in list(content.items()):
            if value is game:
                return module, variable, _GAMES.get(game.name) is game
    raise pickle.PicklingError(
        f"{game.name} cannot be pickled, because no imported module has it, so that another "
        "process could not find it; assign the game to a variable of a module, such as GAME"
    )


def game_at(module: str, variable: str, registered: bool) -> Game:
    """Return the game that `place_of` described; if it was registered, its name works here too.

    Raises:
        pickle.UnpicklingError: there is no such module or game.
    """
    try:
        game: Game = getattr(importlib.import_module(module), variable)
    except (ImportError, AttributeError) as error:
        raise pickle.UnpicklingError(
            f"this was pickled with the game {variable} of the module {module}, which cannot be "
            f"imported here: {error}"
        ) from None
    if registered and game.name not in shipped_versions():
        _GAMES.setdefault(game.name, game)
    return game


def _import_game(name: str) -> Game:
    outer, _, inner = name.partition("_")
    is_within = inner and (Path(kitchentable.games.__path__[0]) / outer / inner).is_dir()
    package = f"kitchentable.games.{f'{outer}.{inner}' if is_within else name}"
    try:
        game: Game = importlib.import_module(package).GAME
    except Exception as error:  # after any error, the other games are still usable
        why = f"{type(error).__name__}: {error}"
        raise ImportError(f"{package} cannot be imported: {why}") from error
    return game
