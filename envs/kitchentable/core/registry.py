"""The registry of games: each is the `GAME` of a module, which is imported when it is requested.

A game of this package has a public module ``NAME_vN``; its rules are in `kitchentable.games.NAME`,
or in the package of another game: ``quiddler/solitaire`` defines the game ``quiddler_solitaire``.
Other installed distributions name their games as entry points of the group `ENTRY_POINTS`. Further
modules can be imported by `import_game`, and single games added by `register`.
"""

from __future__ import annotations

import copyreg
import importlib
import os
import pickle
import pkgutil
import re
import sys
import warnings
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import entry_points
from itertools import accumulate
from pathlib import Path

import kitchentable.games
from kitchentable.core.game import Game
from kitchentable.core.parameters import did_you_mean

ENTRY_POINTS = "kitchentable.games"
"""The group of entry points ``NAME = "module:GAME"`` of other distributions."""
IMPORTED = "KITCHENTABLE_IMPORT"
"""The environment variable that names the modules of `import_game`, with commas between them, so
that worker processes import them too."""

when_added: list[Callable[[Game], None]] = []
"""Called with each game from outside the package when it is added."""

_GAMES: dict[str, Game] = {}
"""Games that have been requested or added."""
_PUBLIC_MODULE = re.compile(r"(\w+)_v(\d+)")
_MAIN = "__main__", "__mp_main__"
"""The names of the program's main module; the second one is that of `multiprocessing`."""


@cache
def shipped_versions() -> dict[str, int]:
    """Return the version of each game of this package by name, without importing the games."""
    modules = pkgutil.iter_modules([str(Path(__file__).parents[1])])
    matches = (_PUBLIC_MODULE.fullmatch(module.name) for module in modules)
    return dict(sorted((match[1], int(match[2])) for match in matches if match))


@cache
def all_games() -> dict[str, Game]:
    """Return all games by name, those of this package first.

    A game that cannot be imported costs a warning, and is left out.
    """
    loads: list[Callable[[], object]] = [partial(import_game, module) for module in _imported()]
    loads += [partial(find_game, name) for name in _places()]
    for load in loads:
        try:
            load()
        except (ImportError, ValueError) as error:
            _warn(str(error))
    for point in entry_points(group=ENTRY_POINTS):
        if point.name in shipped_versions():
            _warn(f"the game {point.name!r}: {point.value} has the name of a game of kitchentable")
    first = {name: _GAMES.pop(name) for name in shipped_versions() if name in _GAMES}
    others = dict(_GAMES)
    _GAMES.clear()
    _GAMES.update(first | others)
    return _GAMES


def register(game: Game) -> None:
    """Add a game from outside the package, so that its name works like those of the shipped games.

    Raises:
        ValueError: a game of this package has the same name.
    """
    if game.name in shipped_versions():
        raise ValueError(f"kitchentable has a game {game.name!r} already; choose another name")
    if _GAMES.get(game.name) is not game:
        _GAMES[game.name] = game
        for call in when_added:
            call(game)


def import_game(module: str) -> None:
    """Add the `GAME` of a module, in this process and in those that it starts from now on.

    Raises:
        ImportError: the module cannot be imported, or has no game; the message says why.
        ValueError: a game of this package has the same name.
    """
    register(_load(f"{module}:GAME"))
    os.environ[IMPORTED] = ",".join(dict.fromkeys([*_imported(), module]))


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises:
        ValueError: there is no such game; the message names a similar one, or lists the games.
        ImportError: the game cannot be imported; the message says why.
    """
    if name in list(_GAMES):  # a list, as the name may not be hashable
        return _GAMES[name]
    places = _places()
    if name not in list(places):
        for module in _imported():
            import_game(module)
    known = list(dict.fromkeys([*places, *_GAMES]))
    if name not in known:
        close = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise ValueError(f"there is no game {name!r}{close}")
    if name not in _GAMES:
        try:
            game = _load(places[name])
        except ImportError as error:
            raise ImportError(f"the game {name!r}: {error}") from error
        if game.name != name:
            raise ImportError(f"the game {name!r}: {places[name]} has the name {game.name!r}")
        if name in shipped_versions():
            _GAMES[name] = game
        else:
            register(game)
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
    if registered and game.name not in shipped_versions() and game.name not in _GAMES:
        register(game)
    return game


copyreg.pickle(Game, lambda game: (game_at, place_of(game)))


def _warn(message: str) -> None:
    """Warn in one line: with the place of a call, Python would print its line of code too."""
    warnings.warn_explicit(message, UserWarning, "kitchentable", 1)


def _imported() -> list[str]:
    """Return the modules of `import_game` in this process and in those that started it."""
    return [module for module in os.environ.get(IMPORTED, "").split(",") if module]


def _places() -> dict[str, str]:
    """Return the place ``module:name`` of each game that is found by its name."""
    outside = {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
    return outside | {name: f"{_package_of(name)}:GAME" for name in shipped_versions()}


def _package_of(name: str) -> str:
    """Return the package of a game of this package."""
    outer, _, inner = name.partition("_")
    is_within = inner and (Path(kitchentable.games.__path__[0]) / outer / inner).is_dir()
    return f"kitchentable.games.{f'{outer}.{inner}' if is_within else name}"


def _load(place: str) -> Game:
    """Import the game at ``module:name``."""
    module, _, name = place.partition(":")
    try:
        game = getattr(importlib.import_module(module), name, None)
    except Exception as error:  # after any error, the other games are still usable
        why = f"{type(error).__name__}: {error}"
        raise ImportError(f"{module} cannot be imported: {why}") from error
    if not isinstance(game, Game):
        raise ImportError(f"{place} is no kitchentable.Game")
    return game
