"""The files of runs, checkpoints and measurements: their names, how they are read and written."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

CARD, WEIGHTS, STATE = "card.json", "weights.safetensors", "state.safetensors"
"""In a checkpoint's folder: what it is, its policy, and all that a run goes on from."""
SETTINGS, PROGRESS, CHECKPOINTS = "settings.yaml", "progress.jsonl", "checkpoints"
LOCK = ".lock"
"""In a run's folder, from its beginning."""
FINAL, RESULTS = "final", "evaluation.json"
"""In a run's folder, at its end: the checkpoint of the trained player, and how good it is."""
EXPLOIT, REPRODUCTION = "exploit.json", "reproduction.json"
"""In the folders of runs of these two commands: what they found."""
LARGEST_JSON, LARGEST_YAML = 16 * 1024**2, 256 * 1024
"""Bytes of the largest files that are read; YAML takes long."""


def said(error: OSError) -> str:
    """Say an error of the system in a line, with the file if it knows it."""
    if error.strerror is None:  # one of ours
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


@contextmanager
def naming(path: Path, aside: Path | None = None) -> Iterator[None]:
    """Let errors of the system name a file: that of a full disk does not, others name ``aside``."""
    try:
        yield
    except OSError as error:
        if error.filename is None or (aside and str(error.filename).startswith(str(aside))):
            error.filename = str(path)
        raise


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Give a path beside ``path`` for a file or folder, which is moved into place at the end.

    If something fails meanwhile, what was at ``path`` stays, and nothing beside it.
    """
    aside, old = path.parent / f".{path.name}.{os.getpid()}", _old(path)
    with naming(path, aside):
        path.parent.mkdir(parents=True, exist_ok=True)
        recover(path)
        try:
            yield aside
            if aside.is_dir() and path.exists():  # no folder can be moved over another
                path.replace(old)
            aside.replace(path)
        finally:
            _remove(aside)
            recover(path)


def recover(path: Path) -> None:
    """Bring a folder back that a process was about to replace by `written_aside` and was killed."""
    old = _old(path)
    if old.exists() and not path.exists():
        old.replace(path)
    _remove(old)


def _old(path: Path) -> Path:
    return path.parent / f".{path.name}.old"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file whole."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file whole."""
    write_text(path, json.dumps(content, indent=1) + "\n")


class DamagedError(ValueError):
    """The content of a file cannot be used."""


@contextmanager
def reading(source: Path) -> Iterator[None]:
    """Name the file whose content cannot be used.

    Raises:
        DamagedError: something within was missing or of the wrong kind.
    """
    try:
        yield
    except DamagedError:  # names another file already
        raise
    except KeyError as error:
        raise DamagedError(f"{source} is damaged: {error.args[0]!r} is missing") from None
    except RecursionError:
        raise DamagedError(f"{source} is damaged: it is nested too deep") from None
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise DamagedError(f"{source} is damaged: {error}") from None


def parse_json(text: str | bytes | bytearray, *, finite: bool = True) -> Any:
    """Read JSON as strictly as its standard, which Python's reader is not.

    Args:
        text: the JSON.
        finite: whether all numbers must be so; a log's may be none, or infinite.

    Raises:
        ValueError: it is malformed or nested too deep, has a name twice, a number that is none, or
            half a letter.
    """
    try:
        content = _READER.decode(text if isinstance(text, str) else str(text, "utf-8-sig"))
        # What cannot be written again would fail later, where nobody knows the source.
        _WRITERS[finite].encode(content).encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is in it twice")
    return found


# Made once: a log has many lines.
_READER = json.JSONDecoder(object_pairs_hook=_once)
_WRITERS = [json.JSONEncoder(ensure_ascii=False, allow_nan=nan) for nan in (True, False)]
"""By whether all numbers must be finite."""


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds names and values.

    Raises:
        ValueError: it cannot be read or holds something else; names it.
    """
    data = read_bytes(path, LARGEST_JSON)
    with reading(path):
        return _named(parse_json(data))


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file that holds names and values.

    Raises:
        ValueError: it cannot be read or holds something else; names it.
    """
    import yaml  # noqa: PLC0415 (of the extra `training`)

    data = read_bytes(path, LARGEST_YAML)
    with reading(path):
        try:
            return _named(yaml.safe_load(data))
        except yaml.YAMLError as error:
            raise ValueError(" ".join(str(error).split())) from None


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file that has at most so many bytes.

    Raises:
        ValueError: it cannot be read or is larger; names it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > most:
        raise ValueError(f"{path} is too large: up to {most:,} bytes are read")
    return data


def _named(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError("it is not a mapping of names to values")
    return content


def kind_of(content: Mapping[str, Any]) -> Literal["tournament", "evaluation"] | None:
    """Say what wrote a JSON file: `tournament` or `evaluate`; None: something else."""
    keys = content.keys()
    if {"pairs", "players"} <= keys:
        return "tournament"
    # What `exploit` writes has a player and opponents too.
    is_evaluation = {"opponents", "player"} <= keys and "at_least" not in keys
    return "evaluation" if is_evaluation else None
