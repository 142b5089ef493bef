"""The speed of a game on this machine: decisions per second of the engine and the environments.

The project's folder ``benchmarks/`` compares with other libraries; this needs only the core.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from kitchentable import Batch, Game, TableEnv
from kitchentable.adapters.wrappers import wrap
from kitchentable_training.evaluate.formatting import markdown_table

BATCHES = (1, 64, 1024)


class Speed(NamedTuple):
    """A measurement, in decisions per second."""

    what: str
    median: float
    lowest: float
    highest: float


def measure(
    game: Game, *, seconds: float = 0.5, runs: int = 5, threads: int = 1, **params: Any
) -> list[Speed]:
    """Measure random legal play, with masks and observations written for every decision.

    Args:
        game: the game.
        seconds: the length of each run.
        runs: the number of runs, whose median, minimum and maximum are returned.
        threads: the number of threads of the engine, for batches that are large enough.
        params: the game's parameters.

    Raises:
        ValueError: a value is invalid.
    """
    if seconds <= 0 or runs < 1:
        raise ValueError(f"seconds={seconds}, runs={runs}: choose values above 0")
    subjects: dict[str, Callable[[float], float]] = {}
    for size in BATCHES:
        batch = Batch(game, size, seed=1, threads=threads, **params)
        subjects[f"batch of {size:,}"] = _batch_runner(batch)
    table = TableEnv(game.name, **params)
    subjects["raw_env"] = _env_runner(table)
    subjects["env"] = _env_runner(wrap(TableEnv(game.name, **params)))
    for run in subjects.values():
        run(0.01)  # compiles
    found = {what: [run(seconds) for _ in range(runs)] for what, run in subjects.items()}
    return [
        Speed(what, statistics.median(speeds), min(speeds), max(speeds))
        for what, speeds in found.items()
    ]


def speed_table(speeds: list[Speed]) -> str:
    """Return measurements as a Markdown table."""
    header = ["decisions a second", "median", "lowest", "highest"]
    rows = [[one.what, *(f"{value:,.0f}" for value in one[1:])] for one in speeds]
    return markdown_table(header, rows)


def _batch_runner(batch: Batch) -> Callable[[float], float]:
    chunk = max(1, 4096 // batch.num_envs)

    def run(seconds: float) -> float:
        steps, start = 0, time.perf_counter()
        while (took := time.perf_counter() - start) < seconds:
            for _ in range(chunk):
                batch.step(batch.sample_actions())
            steps += chunk
        return steps * batch.num_envs / took

    return run


def _env_runner(env: Any) -> Callable[[float], float]:
    """Return a typical loop of PettingZoo's users, which includes sampling an action."""
    rng = random.Random(1)

    def run(seconds: float) -> float:
        env.reset(seed=1)
        steps, start = 0, time.perf_counter()
        while (took := time.perf_counter() - start) < seconds:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return steps / took

    return run
