"""The files of runs, checkpoints and measurements: their names, how they are read and written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

CARD, WEIGHTS, STATE = "card.json", "weights.safetensors", "state.safetensors"
"""In a checkpoint's folder: what it is, its policy, and all that a run goes on from."""
SETTINGS, PROGRESS, CHECKPOINTS = "settings.yaml", "progress.jsonl", "checkpoints"
"""In a run's folder, from its beginning."""
FINAL, RESULTS = "final", "evaluation.json"
"""In a run's folder, at its end: the checkpoint of the trained player, and how good it is."""
EXPLOIT, REPRODUCTION = "exploit.json", "reproduction.json"
"""In the folders of runs of these two commands: what they found."""


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """Give a path beside ``path`` to write to; what lies there is moved into place at the end.

    If something fails meanwhile, an older file at ``path`` stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file whole."""
    with written_aside(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file whole."""
    write_text(path, json.dumps(content, indent=1) + "\n")


@contextmanager
def reading(source: Path) -> Iterator[None]:
    """Name the file whose content cannot be used.

    Raises:
        ValueError: something within was missing or of the wrong kind.
    """
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{source} is damaged: {error.args[0]!r} is missing") from None
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{source} is damaged: {error}") from None


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds names and values.

    Raises:
        ValueError: it cannot be read or holds something else; names it.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} is damaged: it holds no names and values")
    return content


def kind_of(content: Mapping[str, Any]) -> Literal["tournament", "evaluation"] | None:
    """Say what wrote a JSON file: `tournament` or `evaluate`; None: something else."""
    keys = content.keys()
    if {"pairs", "players"} <= keys:
        return "tournament"
    # What `exploit` writes has a player and opponents too.
    is_evaluation = {"opponents", "player"} <= keys and "at_least" not in keys
    return "evaluation" if is_evaluation else None
