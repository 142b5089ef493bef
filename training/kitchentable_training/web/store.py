"""Tables on disk: a file each, a line for what the table is and one for each thing that happens.

A line is added whole or not at all: if the server is killed meanwhile, what is left of the line is
cut off when the file is read again. One server at a time uses a folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from kitchentable_training.files import parse_json, write_text
from kitchentable_training.web.refused import RefusedError

FORMAT = "kitchentable table 1"
_BEGINNING = b'{"format": "kitchentable table '
SUFFIX, ASIDE = ".jsonl", ".damaged"
"""What names of files end with: of tables, and of those that cannot be used."""
IN_USE = "in-use"


class NotKeptError(RefusedError):
    """The disk did not take what was to be kept; nothing has changed."""


@dataclass
class Record:
    """What is kept of a table.

    Attributes:
        id: names it.
        game: its name.
        version: of its rules.
        params: as `TableParams.plain` gives them.
        seed: of the deal.
        draws: what players draw at random is made of it.
        seats: who sits where, as was asked for.
        creator: who made it, by the browser's session.
        created: when, as ISO 8601 in UTC.
        owners: by seat, whose seat it is by the browser's session; None: nobody's.
        actions: what was played, by name.
        over: whether it has come to its end.
    """

    id: str
    game: str
    version: int
    params: dict[str, Any]
    seed: int
    draws: int
    seats: list[str]
    creator: str
    created: str
    owners: list[str | None]
    actions: list[str] = field(default_factory=list)
    over: bool = False


class Store:
    """The folder of the tables."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is made if need be."""
        # The seeds in it tell all hands.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder

    def write(self, record: Record) -> None:
        """Write a new table.

        Raises:
            NotKeptError: the disk does not take it.
        """
        head = {"format": FORMAT, **asdict(record)}
        actions = head.pop("actions")
        lines = [json.dumps(line) for line in (head, *actions)]
        with _kept_or_refused():
            write_text(self._path(record.id), "\n".join(lines) + "\n")

    def add(self, table: str, line: str | dict[str, Any]) -> None:
        """Add what happened: an action by name or ``{"sit": seat, "owner": session}``.

        Raises:
            NotKeptError: the disk does not take it; the file is as it was.
        """
        data = (json.dumps(line) + "\n").encode()
        with _kept_or_refused(), self._path(table).open("r+b", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                if file.write(data) < len(data):
                    raise OSError("the disk is full")
            except OSError:
                file.truncate(end)
                raise

    def remove(self, table: str) -> None:
        """Remove a table.

        Raises:
            NotKeptError: it cannot be removed.
        """
        with _kept_or_refused():
            self._path(table).unlink(missing_ok=True)

    def read(self) -> Iterator[tuple[Path, Record | None]]:
        """Give every file and its table, the oldest first; None if it is damaged or none."""
        found = [(path, _read(path)) for path in self._folder.glob(f"*{SUFFIX}")]
        yield from sorted(found, key=lambda one: (str(one[1].created) if one[1] else "", one[0]))

    def set_aside(self, path: Path) -> Path:
        """Rename a file that cannot be used, if it was written here; return where it is now."""
        aside = path.with_name(path.name + ASIDE)
        with suppress(OSError):
            if path.read_bytes().startswith(_BEGINNING) and not aside.exists():
                return path.rename(aside)
        return path

    def _path(self, table: str) -> Path:
        return self._folder / f"{table}{SUFFIX}"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other servers out of a folder, which two would write to without knowing of each other.

    Raises:
        BlockingIOError: another one is there.
    """
    try:
        import fcntl  # noqa: PLC0415 (Unix has it)
    except ImportError:
        yield
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / IN_USE).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(
                f"another server keeps its tables in {folder}; choose another --tables-folder"
            ) from None
        yield


@contextmanager
def _kept_or_refused() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        why = f"nothing was done, as it cannot be kept on disk: {why}"
        raise NotKeptError(507, why) from None


def _read(path: Path) -> Record | None:
    """Return what a file holds, and cut off a line that was not written whole."""
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        record = _parsed(path.stem, whole)
        # Only now: a file of something else is left as it is.
        if record and len(whole) < len(data):
            os.truncate(path, len(whole))
    except OSError:
        return None
    return record


def _parsed(name: str, whole: bytes) -> Record | None:
    try:
        head, *rest = (parse_json(line) for line in whole.splitlines())
        if head.pop("format") != FORMAT or head["id"] != name:
            return None
        record = Record(**head)
        for line in rest:
            _happened(record, line)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
    return record


def _happened(record: Record, line: Any) -> None:
    if isinstance(line, str):
        record.actions.append(line)
    else:
        record.owners[line["sit"]] = line["owner"]
