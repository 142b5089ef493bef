"""The seats of a table in the browser: people, and players by name within limits.

Names are looked up in a list, so that no request can reach other files. Own players are those that
the host has named; nothing that a request names is imported.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kitchentable import Game, all_games, find_game
from kitchentable.players.scripted import Player
from kitchentable_training.named import is_place
from kitchentable_training.players.by_name import (
    checkpoint_in,
    checkpoint_in_folder,
    find_checkpoint,
    make_player,
)
from kitchentable_training.players.llm import Llm, is_llm
from kitchentable_training.players.own import Own, find_own
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

_OPTION = re.compile(r"(rollouts|seconds|policy|value)=([^:]+)")
_BOUNDS = {"rollouts": (1, MOST_ROLLOUTS), "seconds": (0.01, MOST_SECONDS)}


@dataclass(frozen=True)
class _Seated:
    """A player in memory, which one table at a time uses.

    Attributes:
        player: the player.
        version: which version of a trained player it is; see `PlayerPool.version`.
        lock: must be held while using the player.
    """

    player: Player
    version: str
    lock: threading.Lock = field(default_factory=threading.Lock)


class PlayerPool:
    """The players for all tables, created once for each name, game and parameters.

    A trained player is loaded anew when its checkpoint has changed; one whose checkpoint has been
    removed, perhaps to be trained anew, stays as it was.

    Attributes:
        own: the host's own players by the names of their functions, imported at the start and never
            again, whatever a request names; and the language models that the host has named.
    """

    def __init__(self, runs: Path, own: Sequence[str] = ()) -> None:
        """Start without players.

        Args:
            runs: the folder of training runs, whose players may take part too.
            own: the places of own players that may take part.

        Raises:
            ValueError: an own player cannot be imported, or has the name of another player.
        """
        self.own = _own_by_name(own)
        self._runs = runs
        self._lock = threading.Lock()
        self._players: OrderedDict[tuple[str, str, Any], _Seated] = OrderedDict()

    def checkpoints(self) -> dict[str, Path]:
        """Return the folders of the trained players by name; shipped players take precedence."""
        folders = {}
        for run in sorted(self._runs.glob("*")):
            folder = checkpoint_in_folder(run)
            if folder is not None and run.name.isprintable() and ":" not in run.name:
                folders[run.name] = folder
        for name in shipped_players():
            folder = find_checkpoint(name)
            if folder is not None:
                folders[name] = folder
        return folders

    def check(self, spec: object, game: Game, params: Any) -> str:
        """Check the name of a player or person for a seat, and return it.

        Raises:
            RefusedError: it is unknown or exceeds a limit.
        """
        if not isinstance(spec, str) or len(spec) > LONGEST_SPEC:
            raise RefusedError(422, f"a player's name has at most {LONGEST_SPEC} letters")
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
        entry = self._find(spec, game, params)
        with entry.lock:
            yield entry.player

    def version(self, spec: str, game: Game, params: Any) -> str:
        """Return which version of a trained player, or of a search's network, plays now.

        Returns:
            The checksum of its weights, or the hash of an own player's source; "" for other players
            and for people.

        Raises:
            RefusedError: there is no such player.
        """
        if spec in PEOPLE:
            return ""
        entry = self._players.get((spec, game.name, params))
        try:
            return self._identity(self._full_name(spec, game), game)
        except RefusedError:
            if entry is None:
                raise
            return entry.version

    def _identity(self, full: str, game: Game) -> str:
        """Return what tells apart players of one full name; "" where names do."""
        named = checkpoint_in(full)
        if named in self.own:
            return self.own[named].source
        if not named or named in game.players.scripted:
            return ""
        from kitchentable_training.players.checkpoint import weights_checksum  # noqa: PLC0415 (torch)

        try:
            return weights_checksum(named)
        except ValueError as error:
            raise RefusedError(422, str(error)) from None

    def _find(self, spec: str, game: Game, params: Any) -> _Seated:
        key = (spec, game.name, params)
        version, entry = self.version(spec, game, params), self._players.get(key)
        if entry is None or entry.version != version:
            # Without the lock, as it may take seconds; if two make the same player, one stays.
            entry = _Seated(self._make(spec, game, params), version)
        with self._lock:
            self._players[key] = entry
            self._players.move_to_end(key)
            if len(self._players) > MOST_PLAYERS:
                self._players.popitem(last=False)
        return entry

    def _make(self, spec: str, game: Game, params: Any) -> Player:
        full = self._full_name(spec, game)
        try:
            player = make_player(full, game, params, own=self.own)
        except ImportError as error:
            message = f'{spec} needs {error.name}: pip install "kitchentable[training]"'
            raise RefusedError(422, message) from None
        except ValueError as error:
            message = str(error).replace(full, spec)
            if (named := checkpoint_in(full)) in self.own:
                message = message.replace(self.own[named].place, named)
            raise RefusedError(422, message) from None
        player.name = spec
        return player

    def _full_name(self, spec: str, game: Game) -> str:
        """Return the name of a player for `make_player`, with the folders of checkpoints."""
        if spec in game.players.scripted:
            return spec
        folders = {name: str(folder.resolve()) for name, folder in self.checkpoints().items()}
        known = folders | {name: name for name in self.own}
        if spec in known:
            return known[spec]
        kind, *options = spec.split(":")
        if kind != "search":
            possible = ", ".join(
                ["me", "open", *game.players.scripted, "search:rollouts=500", *known]
            )
            raise RefusedError(422, f"there is no player {spec!r}; choose from {possible}")
        return ":".join([kind, *(_option(option, known) for option in options)])


def _own_by_name(places: Sequence[str]) -> dict[str, Own | Llm]:
    """Import own players, and return them by name.

    Raises:
        ValueError: one cannot be imported, or has the name of another player.
    """
    scripted = (name for game in all_games() for name in find_game(game).players.scripted)
    taken = {*PEOPLE, "search", *scripted, *shipped_players()}
    players: dict[str, Own | Llm] = {}
    for place in places:
        if not is_llm(place) and not is_place(place):
            raise ValueError(
                f"--player {place!r} is not possible; give file.py:function, "
                "package.module:function, or a language model, llm:model=NAME:url=http://HOST/v1"
            )
        own = Llm(place) if is_llm(place) else find_own(place)
        name = own.name if isinstance(own, Llm) else place.rpartition(":")[2]
        if name in taken | players.keys():
            raise ValueError(f"--player {place}: there is a player {name} already; rename this one")
        players[name] = own
    return players


def _option(option: str, known: Mapping[str, str]) -> str:
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
        if value not in known:
            possible = ", ".join(known) or "none"
            raise RefusedError(422, f"search: there is no player {value!r}; there are {possible}")
        return f"value={known[value]}"
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
