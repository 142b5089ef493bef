"""Time of a new process until its first step, with and without compiled code on disk."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from kitchentable import all_games

RUNS = 3
FIRST_STEP = """
import time
start = time.perf_counter()
import importlib
module = importlib.import_module("kitchentable.{module}")
imported = time.perf_counter()
table = module.raw_env()
table.reset(seed=0)
table.step(int(table.infos[table.agent_selection]["action_mask"].argmax()))
table.last()
print(imported - start, time.perf_counter() - imported)
"""


def measure() -> dict[str, dict[str, float]]:
    """Return the seconds of each game; see `first_step`."""
    return {name: first_step(f"{name}_v{game.version}") for name, game in all_games().items()}


def first_step(module: str) -> dict[str, float]:
    """Return median seconds: for the import, and from there to the first step, cold and warm."""
    cold, warm, imports = [], [], []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(_time(module, folder)[1])
            for _ in range(RUNS):
                imported, stepped = _time(module, folder)
                imports.append(imported)
                warm.append(stepped)
    seconds = {"import": imports, "first step, cold": cold, "first step, warm": warm}
    return {name: statistics.median(values) for name, values in seconds.items()}


def _time(module: str, cache: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP.format(module=module)],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]
