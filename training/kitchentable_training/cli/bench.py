"""The speed of a game on this machine: decisions per second of the engine and the environments.

The project's folder ``benchmarks/`` compares with other libraries by the same functions. This needs
only the core.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from kitchentable import Batch, Game, TableEnv
from kitchentable.adapters.wrappers import OrderWrapper
from kitchentable_training.evaluate.formatting import markdown_table

BATCHES = (1, 64, 1024)
Play = Callable[[int], int]
"""Plays about a number of decisions, and returns the actual number."""


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
    subjects: dict[str, Play] = {}
    for size in BATCHES:
        batch = Batch(game, size, seed=1, threads=threads, **params)
        subjects[f"batch of {size:,}"] = batch_player(batch)
    table = TableEnv(game.name, **params)
    subjects["raw_env"] = table_player(table)
    subjects["env"] = table_player(OrderWrapper(TableEnv(game.name, **params)))
    results = zip(subjects, speeds(list(subjects.values()), seconds, runs), strict=True)
    return [
        Speed(subject, statistics.median(rates), min(rates), max(rates))
        for subject, rates in results
    ]


def speed_table(speeds: list[Speed]) -> str:
    """Return measurements as a Markdown table."""
    header = ["decisions per second", "median", "lowest", "highest"]
    rows = [[speed.what, *(f"{value:,.0f}" for value in speed[1:])] for speed in speeds]
    return markdown_table(header, rows)


# --- Playing and timing ---------------------------------------------------------------------------


def batch_player(batch: Batch, wait: Callable[[], object] = lambda: None) -> Play:
    """Return a function that plays a batch with random actions, whose sampling is timed too."""

    def play(decisions: int) -> int:
        steps = max(1, decisions // batch.num_envs)
        for _ in range(steps):
            batch.step(batch.sample_actions())
        wait()
        return steps * batch.num_envs

    return play


def table_player(table: Any) -> Play:
    """Return a function that plays any PettingZoo environment with masks by `last` and `step`."""
    rng = np.random.default_rng(0)
    table.reset(seed=0)

    def play(decisions: int) -> int:
        for draw in rng.random(decisions):
            seen, _, terminated, truncated, info = table.last()
            if terminated or truncated:
                table.reset()
                seen, _, _, _, info = table.last()
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            legal = mask.nonzero()[0]
            table.step(int(legal[int(draw * len(legal))]))
        return decisions

    return play


def speeds(players: Sequence[Play], seconds: float, runs: int) -> list[list[float]]:
    """Return the decisions per second of each player in several runs, all players in turn in each.

    Machines are shared and noisy. With the players in turn, a slow minute affects all of them, and
    a median ignores what affects only one run.

    Args:
        players: functions that play about a number of decisions and return the actual number.
        seconds: the length of each run of each player.
        runs: the number of runs.
    """
    counts = [_calibrate(play, seconds) for play in players]
    rates: list[list[float]] = [[] for _ in players]
    for _ in range(runs):
        for play, count, player_rates in zip(players, counts, rates, strict=True):
            start = time.perf_counter()
            player_rates.append(play(count) / (time.perf_counter() - start))
    return rates


def _calibrate(play: Play, seconds: float) -> int:
    """Warm up, and return the number of decisions that fill a run."""
    play(10)
    count = 100
    while True:
        start = time.perf_counter()
        played = play(count)
        elapsed = time.perf_counter() - start
        if elapsed > seconds / 10:
            return max(1, int(played * seconds / elapsed))
        count *= 4
