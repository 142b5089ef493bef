"""Finds results by name: runs, trained players, tournaments and evaluations.

Only files in the searched folders can be shown: a name from a browser is looked up here, and never
becomes part of a path.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from kitchentable import find_game
from kitchentable_training.files import (
    CARD,
    CHECKPOINTS,
    EXPLOIT,
    FINAL,
    LOCK,
    PROGRESS,
    REPRODUCTION,
    RESULTS,
    SETTINGS,
    DamagedError,
    kind_of,
    read_json,
    read_yaml,
    reading,
)
from kitchentable_training.learn.progress import EVALUATION, Line, read_progress
from kitchentable_training.web.views import in_words

RUNS, PLAYERS, FILES = "runs", "players", "files"
KINDS = {RUNS: "training run", PLAYERS: "trained player", FILES: "tournament or evaluation"}
"""The kinds of results with their names in the singular."""
OWN_FILES = {RESULTS, EXPLOIT, REPRODUCTION}
"""Files in a run's folder that are no results of their own."""
LARGEST_LOG = 256 * 1024**2
"""The maximum size of a log that is read, in bytes."""
RECENT = 90.0
"""A run that wrote within this number of seconds counts as training, if its lock tells nothing."""
MOST_KEPT = 1000
TRAINING, STOPPED, FINISHED = "training now", "stopped", "finished"
Value = TypeVar("Value")
Stamp = tuple[tuple[str, int, int], ...]
"""Path, modification time and size of each file, which identify the files' state."""


class Kept(Generic[Value]):
    """A cache of values made from files, until these change; the least recently used go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[Stamp, Value]] = OrderedDict()

    def get(self, key: Hashable, stamp: Stamp) -> Value | None:
        """Return the value for the current state of the files, if it is cached."""
        with self._lock:
            found = self._values.get(key)
            if found is None or found[0] != stamp:
                return None
            self._values.move_to_end(key)
            return found[1]

    def put(self, key: Hashable, stamp: Stamp, value: Value) -> None:
        """Cache the value for a state of the files."""
        with self._lock:
            self._values[key] = (stamp, value)
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


@dataclass(frozen=True)
class Found:
    """A result that was found.

    Attributes:
        kind: one of `KINDS`.
        name: the name, unique within the kind.
        path: its folder or file.
        changed: the time of the last change, in seconds since 1970.
        title: the game, and what kind of file it is.
        about: the parameters of the table.
        state: `TRAINING`, `STOPPED` or `FINISHED`, for runs.
        steps: the number of steps of the learner so far.
        total: the total number of steps of a run.
        seats: the number of seats at the table.
        team: whether the seats win or lose together.
        rates: the last measured win rates, by opponent, or by player for teams.
        players: the players of a tournament, best first.
        problem: why the result cannot be shown; empty if it can.
    """

    kind: str
    name: str
    path: Path
    changed: float = 0.0
    title: str = ""
    about: str = ""
    state: str = ""
    steps: int = 0
    total: int = 0
    seats: int = 0
    team: bool = False
    rates: Mapping[str, float] = field(default_factory=dict)
    players: Sequence[str] = ()
    problem: str = ""

    @property
    def fair(self) -> float | None:
        """The win rate among equals; None for teams."""
        return None if self.team or not self.seats else 1.0 / self.seats


class ResultIndex:
    """Finds results in some folders.

    Attributes:
        runs: the folder with a folder for each run, and with files of tournaments and evaluations.
        checkpoints: folders of trained players; the first one of the same name counts.
    """

    def __init__(self, runs: Path, checkpoints: Sequence[Path]) -> None:
        self.runs = runs
        self.checkpoints = checkpoints
        self._kept: Kept[Found | None] = Kept(MOST_KEPT)

    def places(self, kind: str) -> dict[str, Path]:
        """Return the paths of all results of a kind by name; files may be of another kind."""
        if kind == RUNS:
            runs = (one for one in _folders(self.runs) if (one / SETTINGS).is_file())
            return {legible(one.name): one for one in runs}
        if kind == PLAYERS:
            shelved = (one for shelf in reversed(self.checkpoints) for one in _folders(shelf))
            players = (one for one in shelved if (one / CARD).is_file())
            return dict(sorted((legible(one.name), one) for one in players))
        return {legible(one.relative_to(self.runs).as_posix()): one for one in self._files()}

    def _files(self) -> Iterator[Path]:
        for folder in (self.runs, *_folders(self.runs)):
            own = OWN_FILES if (folder / SETTINGS).exists() else set()
            yield from (one for one in sorted(folder.glob("[!.]*.json")) if _may_show(one, own))

    def list(self, kind: str) -> list[Found]:
        """Return all results of a kind, latest change first; trained players by name."""
        described = (self.describe(kind, name, path) for name, path in self.places(kind).items())
        found = [one for one in described if one is not None]
        return found if kind == PLAYERS else sorted(found, key=lambda one: -one.changed)

    def describe(self, kind: str, name: str, path: Path) -> Found | None:
        """Return a result's description; None if the file is not a result, or was just deleted."""
        stamp = stamp_of(kind, path)
        if not stamp:
            return None
        found = self._kept.get((kind, name), stamp)
        if found is None:
            found = _describe(Found(kind, name, path))
            self._kept.put((kind, name), stamp, found)
        return None if found is None else _dated(found)


def stamp_of(kind: str, path: Path) -> Stamp:
    """Return the stamp of all files from which a result's page is made."""
    names = {RUNS: (SETTINGS, PROGRESS, RESULTS, f"{FINAL}/{CARD}"), PLAYERS: (CARD,)}
    return tuple(_stamps(path / name for name in names[kind]) if kind in names else _stamps([path]))


def _stamps(paths: Any) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        try:
            found = path.stat()
        except OSError:
            continue
        yield str(path), found.st_mtime_ns, found.st_size


def legible(name: str) -> str:
    """Return a file's name as valid text, as file systems also allow other bytes."""
    return os.fsencode(name).decode(errors="replace")


def _folders(shelf: Path) -> list[Path]:
    """Return the folders in a folder, without hidden ones, which are being written."""
    return sorted(one for one in shelf.glob("[!.]*") if one.is_dir())


def _may_show(path: Path, own: set[str]) -> bool:
    return path.is_file() and path.name not in own and path.name != CARD


# --- Descriptions ---------------------------------------------------------------------------------


def _describe(found: Found) -> Found | None:
    describe: dict[str, Callable[[Found], Found | None]] = {
        RUNS: _describe_run,
        PLAYERS: _describe_player,
        FILES: _describe_file,
    }
    try:
        str(found.path).encode()  # raises for names that cannot be in pages and links
        return describe[found.kind](found)
    except (OSError, ValueError) as error:
        return replace(found, problem=str(error))


def _dated(found: Found) -> Found:
    """Set the time of the last change and, for a run, whether it is training."""
    names = (SETTINGS, PROGRESS, CHECKPOINTS, "tensorboard", FINAL)
    paths = [found.path / name for name in names] if found.kind == RUNS else [found.path]
    now = time.time()
    changed = max((time_ns / 1e9 for _, time_ns, _ in _stamps(paths)), default=0.0)
    changed = max(0.0, min(now, changed))  # files may have any modification time
    if found.kind != RUNS:
        return replace(found, changed=changed)
    if found.state == FINISHED:
        return replace(found, changed=changed)
    locked = _is_locked(found.path)
    trains = now - changed < RECENT if locked is None else locked
    return replace(found, changed=changed, state=TRAINING if trains else STOPPED)


def _is_locked(run: Path) -> bool | None:
    """Return whether a process trains in a run's folder; None if its lock cannot be asked.

    The system releases the lock of a process that is killed. There may be no lock to ask: in a copy
    of a run, on Windows, or on a network file system.
    """
    try:
        import fcntl  # noqa: PLC0415 (Unix has it)

        with (run / LOCK).open("rb") as file:
            # Shared, and for a moment, which a run that starts waits for.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (ImportError, OSError):
        return None
    return False


def _describe_run(found: Found) -> Found:
    """Describe a run by settings, log and player; if log or player is damaged, note the problem."""
    settings = read_yaml(found.path / SETTINGS)
    with reading(found.path / SETTINGS):
        found = _at_table(found, settings["game"], settings["params"])
        found = replace(found, total=int(settings["steps"]))
    log, final = found.path / PROGRESS, found.path / FINAL
    try:
        if (final / CARD).is_file():
            found = replace(found, state=FINISHED)
            _describe_player(replace(found, path=final))
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            raise DamagedError(f"{log} is too large: up to {LARGEST_LOG:,} bytes are read")
        with reading(log):
            lines = read_progress(log)
            steps = lines[-1]["step"] if lines else 0
            return replace(found, steps=steps, rates=_last_rates(lines))
    except (OSError, ValueError) as error:
        return replace(found, problem=str(error))


def _last_rates(lines: Sequence[Line]) -> dict[str, float]:
    for line in reversed(lines):
        rates = {key: rate for key, rate in line.items() if key.startswith(EVALUATION)}
        if rates:
            return {key.removeprefix(EVALUATION): float(rate) for key, rate in rates.items()}
    return {}


def _describe_player(found: Found) -> Found:
    card = read_json(found.path / CARD)
    with reading(found.path / CARD):
        found = _at_table(found, card["game"], card["params"])
        rates = _measured_rates(found, found.name, card.get("results", {}))
        return replace(found, steps=int(card["steps"]), rates=rates)


def _describe_file(found: Found) -> Found | None:
    """Describe a file written by `tournament` or `evaluate`; return None for other files."""
    content = read_json(found.path)
    kind = kind_of(content)
    if kind is None:
        return None
    with reading(found.path):
        found = _at_table(found, content["game"], content["params"])
        if kind == "tournament":
            players = [str(name) for name in content.get("ratings") or content["teams"]]
            return replace(found, title=f"{found.title}: tournament", players=players)
        rates = _measured_rates(found, content["player"], content["opponents"])
        return replace(found, title=f"{found.title}: {content['player']}", rates=rates)


def _measured_rates(
    found: Found, player: str, opponents: Mapping[str, Mapping[str, Any]]
) -> dict[str, float]:
    """Return a player's win rates by opponent, or each team's own win rate."""
    measured = {name: one for name, one in opponents.items() if one.get("win_rate") is not None}
    if not found.team:
        return {name: float(one["win_rate"]) for name, one in measured.items()}
    own = {player: next(iter(measured.values()))["win_rate"]} if measured else {}
    return own | {name: float(one["opponents_win_rate"]) for name, one in measured.items()}


def _at_table(found: Found, name: str, given: Mapping[str, Any]) -> Found:
    game = find_game(name)
    params = game.make_params(**given)
    seats, team = int(params.num_players), game.is_team(params)
    about = in_words(params.plain())
    return replace(found, title=game.title, about=about, seats=seats, team=team)
