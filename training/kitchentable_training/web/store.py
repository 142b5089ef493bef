"""Tables on disk: a file each, with a line for the game, one for the table and one for each event.

A line is appended completely or not at all: if the server is killed meanwhile, the incomplete line
is cut off when the file is next read. Only one server at a time uses a folder.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from kitchentable.core.saving import SavedGame
from kitchentable_training.files import parse_json, write_text
from kitchentable_training.web.refused import RefusedError

_BEGINNING = b'{"format":"kitchentable game '
SUFFIX, ASIDE = ".jsonl", ".damaged"
"""The suffixes of files of tables, and of those that cannot be used."""
IN_USE = "in-use"
LONGEST_NAME = 12
"""The maximum number of characters of a person's name."""

_NAME = re.compile(r"(LM{0,2}(LM{0,2}| )*)?")
"""Letters, of which each may have two marks, and what may stand between them."""
_TAKEN = re.compile(r"(you|player|open|free|somebody)\b")


class NotKeptError(RefusedError):
    """Something could not be saved; nothing has changed."""


@dataclass
class Record:
    """The saved data of a table.

    Attributes:
        id: the ID of the table.
        saved: the game so far; its players are the requested player or person of each seat.
        draws: the seed of the players' random choices.
        creator: the person who created it, by the browser's session.
        created: the time of creation, as ISO 8601 in UTC.
        owners: by seat, the person who has it, by the browser's session, or None.
        names: by seat, the names that its person has given it; the last one counts.
        versions: by seat, the version of the trained player when the table was created; see
            `PlayerPool.version`.
        over: whether the game has ended.
        later: the ID of the table at which those who sat here play again; empty if there is none.
    """

    id: str
    saved: SavedGame
    draws: int
    creator: str
    created: str
    owners: list[str | None]
    versions: list[str] = field(default_factory=list)
    names: dict[int, list[str]] = field(default_factory=dict)
    over: bool = False
    later: str = ""


class Store:
    """The folder of the saved tables."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created if necessary."""
        # Only this user may read it, as the seeds determine all hands.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder

    def write(self, record: Record) -> None:
        """Write a new table.

        Raises:
            NotKeptError: it cannot be saved.
        """
        about = {attribute.name: getattr(record, attribute.name) for attribute in fields(record)}
        lines = [about.pop("saved").to_json(), json.dumps(about)]
        with _kept_or_refused():
            write_text(self._path(record.id), "\n".join(lines) + "\n")

    def add(self, table: str, *events: str | dict[str, Any]) -> None:
        """Append events.

        Args:
            table: the ID of the table.
            events: actions by name, ``{"sit": seat, "owner": session}``, ``{"seat": seat,
                "name": name}``, or ``{"later": ID}``.

        Raises:
            NotKeptError: they cannot be saved; the file is unchanged.
        """
        data = "".join(json.dumps(event) + "\n" for event in events).encode()
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
        """Yield every file and its table, oldest first; None if it is damaged or not a table."""
        entries = [(path, _read(path)) for path in self._folder.glob(f"*{SUFFIX}")]
        yield from sorted(
            entries, key=lambda entry: (str(entry[1].created) if entry[1] else "", entry[0])
        )

    def set_aside(self, path: Path) -> Path:
        """Rename a file that cannot be used, if a server wrote it; return its current path."""
        aside = path.with_name(path.name + ASIDE)
        with suppress(OSError):
            if path.read_bytes().startswith(_BEGINNING) and not aside.exists():
                return path.rename(aside)
        return path

    def _path(self, table: str) -> Path:
        return self._folder / f"{table}{SUFFIX}"


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock a folder against other servers, in a context; without effect on Windows.

    Raises:
        BlockingIOError: another server uses the folder.
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
        why = f"nothing was done, because it could not be saved: {why}"
        raise NotKeptError(507, why) from None


def _read(path: Path) -> Record | None:
    """Read a file, and cut off an incomplete last line; None if it cannot be used."""
    try:
        data = path.read_bytes()
        complete = data[: data.rfind(b"\n") + 1]
        record = _parsed(path.stem, complete)
        # Only now, so that files of other kinds are not changed.
        if record and len(complete) < len(data):
            os.truncate(path, len(complete))
    except OSError:
        return None
    return record


def _parsed(name: str, data: bytes) -> Record | None:
    try:
        saved, about, *events = data.splitlines()
        record = Record(saved=SavedGame.from_json(saved), **parse_json(about))
        if record.id != name:
            return None
        for event in map(parse_json, events):
            if isinstance(event, str):
                record.saved.actions.append(event)
            elif "later" in event:
                record.later = str(event["later"])
            elif "name" in event:
                seat = range(len(record.owners))[event["seat"]]
                record.names.setdefault(seat, []).append(checked_name(event["name"]))
            else:
                record.owners[event["sit"]] = event["owner"]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RefusedError):
        return None
    return record


def checked_name(name: object) -> str:
    """Return the name that a person has chosen, in a normal form; "" takes a name away.

    Raises:
        RefusedError: others could not read it, or take it for a word of the page.
    """
    text = unicodedata.normalize("NFKC", " ".join(name.split())) if isinstance(name, str) else "?"
    kinds = "".join(" " if one in " .'-" else unicodedata.category(one)[0] for one in text)
    is_blank = any("FILLER" in unicodedata.name(one, "") for one in text)
    if len(text) > LONGEST_NAME or is_blank or not _NAME.fullmatch(kinds):
        raise RefusedError(
            422,
            f"a name has at most {LONGEST_NAME} letters; spaces, hyphens, apostrophes and periods "
            "are possible between them",
        )
    if _TAKEN.match(text.casefold()):
        raise RefusedError(422, f"{text!r} is a word of this page; choose another name")
    return text
