"""Runs one after the other: first those that a run starts from, imitates or plays against.

A run names others by their folders: as its start (``start``), as players to imitate, as opponents
in the league or in evaluations. Those in ``runs/`` whose settings are known are trained first, each
as an ordinary run: a finished one is not repeated, and a stopped one is resumed.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kitchentable_training.files import FINAL, SETTINGS, check_writable
from kitchentable_training.players.by_name import RUNS, checkpoint_in, run_in
from kitchentable_training.runs.processes import join
from kitchentable_training.runs.run import Run, check_settings
from kitchentable_training.runs.settings import RunSettings, load_stages
from kitchentable_training.shipped import shipped_runs


def plan(run: str, stages: Mapping[str, RunSettings]) -> dict[str, RunSettings]:
    """Return the runs to train for a run, by name and in order; it is the last one.

    Raises:
        ValueError: a required run neither exists nor has settings, or requires itself.
    """
    *_, settings = stages.values()
    return _plan(run, settings, stages, ())


def _plan(
    run: str, settings: RunSettings, stages: Mapping[str, RunSettings], waiting: tuple[str, ...]
) -> dict[str, RunSettings]:
    if run in waiting:
        raise ValueError(f"these runs start from each other: {' -> '.join([*waiting, run])}")
    planned: dict[str, RunSettings] = {}
    for earlier in _runs_in(settings):
        if earlier in stages:
            planned |= _plan(earlier, stages[earlier], stages, (*waiting, run))
        elif earlier in shipped_runs():
            others = load_stages(earlier)
            planned |= _plan(earlier, others[earlier], others, (*waiting, run))
        elif not (RUNS / earlier / FINAL).is_dir():
            raise ValueError(
                f"{run} needs the run {RUNS / earlier}, which does not exist, and there are no "
                f"settings {earlier!r} to train it"
            )
    return {**planned, run: settings}


def _runs_in(settings: RunSettings) -> Iterator[str]:
    """Yield the names of the runs that the settings require."""
    yield from filter(None, map(run_in, map(checkpoint_in, settings.players_needed)))


def in_folder(runs: Mapping[str, RunSettings], folder: Path) -> dict[Path, RunSettings]:
    """Return planned runs by their folders, all in one, where their settings find each other.

    Settings name other runs as if these were in `RUNS`.
    """
    names = "|".join(map(re.escape, runs))
    named = re.compile(rf"(?<![\w./-])(?:\./+)*{RUNS}/+({names})(?![\w.-])")

    def moved(value: Any) -> Any:
        if isinstance(value, str):
            return named.sub(lambda match: str(folder / match[1]), value)
        if isinstance(value, dict):
            return {moved(key): moved(one) for key, one in value.items()}
        return [moved(one) for one in value] if isinstance(value, list | tuple) else value

    return {
        folder / name: RunSettings.model_validate(moved(settings.model_dump()))
        for name, settings in runs.items()
    }


def describe_plan(runs: Mapping[Path, RunSettings]) -> str:
    """Return a numbered line for each run in order: folder, game, algorithm, decisions, start."""
    lines: list[str] = []
    for folder, settings in runs.items():
        parts = [f"{settings.game}, {settings.algorithm}, {settings.steps:,} decisions"]
        parts += [f"starts from {settings.start}"] if settings.start else []
        parts += ["already trained"] if (folder / FINAL).is_dir() else []
        lines.append(f"{len(lines) + 1}. {folder}: {', '.join(parts)}")
    return "\n".join(lines)


def train_in_order(
    runs: Mapping[Path, RunSettings],
    seconds: float | None = None,
    announce: Callable[[Path], None] = lambda _: None,
) -> Path | None:
    """Train runs one after the other.

    Returns:
        The folder of the run that the time limit has interrupted, or None.

    Raises:
        ValueError: a folder contains a run with other settings, which is noticed before the first
            run is trained; or see `Run`.
        OSError: a folder cannot be written, which is noticed then too.
    """
    for folder, settings in runs.items():
        check_settings(settings, folder)
        if not (folder / FINAL).is_dir():
            check_writable(folder / SETTINGS)
    end = math.inf if seconds is None else time.monotonic() + seconds
    for folder, settings in runs.items():
        run = None if (folder / FINAL).is_dir() else Run(settings, folder)
        if join(settings.device).is_first:
            announce(folder)
        seconds_left = None if seconds is None else max(0.0, end - time.monotonic())
        if run is not None and run.train(seconds_left) is None:
            return folder
    return None
