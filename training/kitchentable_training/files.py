"""The files of runs, checkpoints and measurements: their names, and how to read and write them."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

CARD, WEIGHTS, STATE = "card.json", "weights.safetensors", "state.safetensors"
"""Files of a checkpoint: its description, its policy, and the state from which a run resumes."""
SETTINGS, PROGRESS, CHECKPOINTS = "settings.yaml", "progress.jsonl", "checkpoints"
TENSORBOARD, LOCK = "tensorboard", ".lock"
"""Files and folders that a run writes from its beginning."""
STEP, CLONED = "step_", "behavior_cloning"
"""How the names of a run's checkpoints begin, before the number of steps; and the checkpoint of
what was learned before the first step by a run that was stopped there."""
FINAL, RESULTS = "final", "evaluation.json"
"""The final checkpoint of a run and its evaluation, written at the end."""
EXPLOIT, REPRODUCTION = "exploit.json", "reproduction.json"
"""The results of the commands `exploit` and `reproduce`, in the folders of their runs."""
LARGEST_JSON, LARGEST_YAML = 16 * 1024**2, 256 * 1024
"""The maximum sizes of files that are read, in bytes; parsing YAML is slow."""


def said(error: OSError) -> str:
    """Return the message of an OSError in one line, with the file if it is known."""
    if error.strerror is None:  # raised by this project
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


@contextmanager
def naming(path: Path, aside: Path | None = None) -> Iterator[None]:
    """Set the file name of OSErrors in a context, where it is missing or in ``aside``."""
    try:
        yield
    except OSError as error:
        if error.filename is None or (aside and str(error.filename).startswith(str(aside))):
            error.filename = str(path)
        raise


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Yield a temporary path for a file or folder, which is moved to ``path`` at the end.

    If an error occurs, ``path`` is unchanged, and the temporary path is removed.
    """
    aside, old = _aside(path), _old(path)
    with naming(path, aside):
        path.parent.mkdir(parents=True, exist_ok=True)
        recover(path)
        try:
            yield aside
            if aside.is_dir() and path.exists():  # a folder cannot replace another one
                path.replace(old)
            aside.replace(path)
        finally:
            _remove(aside)
            recover(path)


def check_writable(*paths: Path | None) -> None:
    """Check that files can be written, before the work whose results they will contain.

    Args:
        paths: the files, which are not changed; None is skipped. Their folders need not exist.

    Raises:
        OSError: a file cannot be written; names it.
    """
    for path in filter(None, paths):
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            nearest = next(parent for parent in path.absolute().parents if parent.exists())
            probe = nearest / _aside(path).name
            probe.touch()
            probe.unlink()
        except OSError as error:
            error.filename = str(path)
            raise


def check_ending(option: str, path: Path, ending: str) -> None:
    """Raise ValueError unless the name of a file ends in a suffix, such as ``".png"``."""
    if path.suffix.lower() != ending:
        raise ValueError(f"{option} {path} is not possible; choose a name that ends in {ending}")


def recover(path: Path) -> None:
    """Restore a folder that a killed process was about to replace by `written_aside`."""
    old = _old(path)
    if old.exists() and not path.exists():
        old.replace(path)
    _remove(old)


def _aside(path: Path) -> Path:
    return path.parent / f".{path.name}.{os.getpid()}"


def _old(path: Path) -> Path:
    return path.parent / f".{path.name}.old"


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file atomically.

    Raises:
        ValueError: `read_json` would refuse it; then nothing has changed.
    """
    write_text(path, as_json(path, content))


def as_json(path: Path, content: Mapping[str, Any]) -> str:
    """Return the text of a JSON file, after checking that `read_json` reads it again.

    Raises:
        ValueError: it cannot be read again, for example because a number is not finite.
    """
    text = json.dumps(content, indent=1) + "\n"
    try:
        parse_json(text)
        _check_size(path, text.encode(), LARGEST_JSON)
    except ValueError as error:
        raise ValueError(f"cannot write {path}: {error}") from None
    return text


class DamagedError(ValueError):
    """The content of a file is invalid."""


@contextmanager
def reading(source: Path) -> Iterator[None]:
    """Turn errors about a file's content into errors that name the file, in a context.

    Raises:
        DamagedError: something was missing or of the wrong kind.
    """
    try:
        yield
    except DamagedError:  # already names another file
        raise
    except KeyError as error:
        raise DamagedError(f"{source} is damaged: {error.args[0]!r} is missing") from None
    except json.JSONDecodeError as error:
        raise DamagedError(f"{source} is damaged, or not JSON: {error}") from None
    except RecursionError:
        raise DamagedError(f"{source} is damaged: it is nested too deep") from None
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise DamagedError(f"{source} is damaged: {error}") from None


def parse_json(text: str | bytes | bytearray) -> Any:
    """Parse JSON as strictly as the standard requires, unlike Python's parser.

    Raises:
        ValueError: it is malformed or nested too deep, has a duplicate name, a number that is not
            finite, or half of a surrogate pair.
    """
    try:
        content = _READER.decode(text if isinstance(text, str) else str(text, "utf-8-sig"))
        # Values that cannot be written again would fail later, where the source is unknown.
        _WRITER.encode(content).encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is in it twice")
    return mapping


# Created once, because a log has many lines.
_READER = json.JSONDecoder(object_pairs_hook=_once)
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that contains an object.

    Raises:
        ValueError: it cannot be read, is too large or contains something else.
    """
    data = read_bytes(path, LARGEST_JSON)
    with reading(path):
        return _named(parse_json(data))


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file that contains a mapping.

    Raises:
        ValueError: it cannot be read, is too large or contains something else.
    """
    from kitchentable_training.strict_yaml import parse_yaml  # noqa: PLC0415 (an extra)

    data = read_bytes(path, LARGEST_YAML)
    with reading(path):
        return _named(parse_yaml(data))


def read_bytes(path: Path, most: int) -> bytes:
    """Read a file of at most ``most`` bytes.

    Raises:
        ValueError: it cannot be read or is larger.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    _check_size(path, data, most)
    return data


def _check_size(path: Path, data: bytes, most: int) -> None:
    if len(data) > most:
        raise ValueError(f"{path} is too large: up to {most:,} bytes are read")


def _named(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError("it is not a mapping of names to values")
    return content


def kind_of(content: Mapping[str, Any]) -> Literal["tournament", "evaluation"] | None:
    """Return which command wrote a JSON file: `tournament` or `evaluate`; None for others."""
    keys = content.keys()
    if {"pairs", "players"} <= keys:
        return "tournament"
    # The results of `exploit` have a player and opponents too.
    is_evaluation = {"opponents", "player"} <= keys and "at_least" not in keys
    return "evaluation" if is_evaluation else None
