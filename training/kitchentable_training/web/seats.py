"""The seats of a table in the browser: people, and players by name within limits.

Names are looked up in a list, so that no request can reach other files.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kitchentable import Game
from kitchentable.players.scripted import Player
from kitchentable_training.files import CARD, FINAL
from kitchentable_training.players.by_name import find_checkpoint, make_player
from kitchentable_training.shipped import shipped_players
from kitchentable_training.web.refused import RefusedError

ME, OPEN = "me", "open"
"""Names of people's seats: the person who creates the table, and any other person."""
PEOPLE = frozenset({ME, OPEN})
MOST_ROLLOUTS = 4096
MOST_SECONDS = 10.0
"""The limits of a search per decision."""
MOST_PLAYERS = 32
"""The maximum number of players in memory, some of which have a network."""
LONGEST_SPEC = 200

_OPTION = re.compile(r"(rollouts|seconds|policy|value)=([\w.+-]+)", re.ASCII)
_BOUNDS = {"rollouts": (1, MOST_ROLLOUTS), "seconds": (0.01, MOST_SECONDS)}


class Bench:
    """The players for all tables, created once for each name, game and parameters."""

    def __init__(self, runs: Path) -> None:
        """Start without players.

        Args:
            runs: the folder of training runs, whose finished players may take part too.
        """
        self._runs = runs
        self._lock = threading.Lock()
        self._players: OrderedDict[tuple[str, str, Any], tuple[threading.Lock, Player]]
        self._players = OrderedDict()

    def checkpoints(self) -> dict[str, Path]:
        """Return the folders of the trained players by name; shipped players take precedence."""
        finished = sorted(self._runs.glob(f"*/{FINAL}/{CARD}"))
        runs = {card.parents[1].name: card.parent for card in finished}
        found = {name: folder for name, folder in runs.items() if name.isprintable()}
        for name in shipped_players():
            folder = find_checkpoint(name)
            if folder is not None:
                found[name] = folder
        return found

    def check(self, spec: object, game: Game, params: Any) -> str:
        """Check the name of a player or person for a seat, and return it.

        Raises:
            RefusedError: it is unknown or exceeds a limit.
        """
        if not isinstance(spec, str) or len(spec) > LONGEST_SPEC:
            raise RefusedError(422, f"a seat is a text of at most {LONGEST_SPEC} letters")
        if spec in PEOPLE:
            return spec
        self._find(spec, game, params)
        return spec

    def knows(self, spec: str, game: Game) -> bool:
        """Return whether a player exists; its checkpoint may have been deleted."""
        try:
            return spec in PEOPLE or bool(self._full_name(spec, game))
        except RefusedError:
            return False

    @contextmanager
    def seated(self, spec: str, game: Game, params: Any) -> Iterator[Player]:
        """Yield a player that nobody else uses in the meantime.

        Raises:
            RefusedError: there is no such player.
        """
        lock, player = self._find(spec, game, params)
        with lock:
            yield player

    def _find(self, spec: str, game: Game, params: Any) -> tuple[threading.Lock, Player]:
        key = (spec, game.name, params)
        with self._lock:
            if key not in self._players:
                self._players[key] = (threading.Lock(), self._make(spec, game, params))
                if len(self._players) > MOST_PLAYERS:
                    self._players.popitem(last=False)
            self._players.move_to_end(key)
            return self._players[key]

    def _make(self, spec: str, game: Game, params: Any) -> Player:
        full = self._full_name(spec, game)
        try:
            player = make_player(full, game, params)
        except ImportError as error:
            message = f'{spec} needs {error.name}: pip install "kitchentable[training]"'
            raise RefusedError(422, message) from None
        except ValueError as error:
            raise RefusedError(422, str(error).replace(full, spec)) from None
        player.name = spec
        return player

    def _full_name(self, spec: str, game: Game) -> str:
        """Return the name of a player for `make_player`, with the folders of checkpoints."""
        if spec in game.players.scripted:
            return spec
        checkpoints = self.checkpoints()
        if spec in checkpoints:
            return str(checkpoints[spec].resolve())
        kind, *options = spec.split(":")
        if kind != "search":
            known = ", ".join(
                ["me", "open", *game.players.scripted, "search:rollouts=500", *checkpoints]
            )
            raise RefusedError(422, f"there is no player {spec!r}; possible are {known}")
        return ":".join([kind, *(_option(option, checkpoints) for option in options)])


def _option(option: str, checkpoints: dict[str, Path]) -> str:
    """Check an option of a search, ``name=value``, and return it for `make_player`."""
    match = _OPTION.fullmatch(option)
    if match is None:
        raise RefusedError(
            422,
            f"search: {option!r} is not possible; choose from rollouts, seconds, policy and "
            "value, each as name=value",
        )
    name, value = match.groups()
    if name == "value":
        if value not in checkpoints:
            known = ", ".join(checkpoints) or "none"
            raise RefusedError(422, f"search: there is no checkpoint {value!r}; there are {known}")
        return f"value={checkpoints[value].resolve()}"
    if name in _BOUNDS:
        _check_bounds(name, value)
    return option


def _check_bounds(name: str, value: str) -> None:
    low, high = _BOUNDS[name]
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise RefusedError(422, f"search: {name}={value} is not possible; choose {low} to {high}")
