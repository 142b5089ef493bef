"""The files of runs and checkpoints: their names, and how a file is there whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
