"""Measurement of speed: medians of several runs, with all contenders in turn in each run.

Machines are shared and noisy. With the contenders in turn, a slow minute affects all of them, and
the median ignores what affects only one run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 15
SECONDS = 0.7
"""The length of each run of each contender."""


@dataclass(frozen=True)
class Contender:
    """A program that plays as many decisions as it can.

    Attributes:
        name: the library.
        game: the game that it plays.
        how: the interface.
        play: plays about the given number of decisions and returns the actual number.
    """

    name: str
    game: str
    how: str
    play: Callable[[int], int]


def decisions_per_second(contenders: list[Contender], runs: int = RUNS) -> list[float]:
    """Return the median speed of each contender over ``runs`` runs."""
    counts = [_calibrate(one) for one in contenders]
    speeds: list[list[float]] = [[] for _ in contenders]
    for _ in range(runs):
        for i, one in enumerate(contenders):
            start = time.perf_counter()
            played = one.play(counts[i])
            speeds[i].append(played / (time.perf_counter() - start))
    return [statistics.median(runs) for runs in speeds]


def _calibrate(one: Contender) -> int:
    """Warm up, and return the number of decisions that fill a run."""
    one.play(10)
    count = 100
    while True:
        start = time.perf_counter()
        played = one.play(count)
        taken = time.perf_counter() - start
        if taken > SECONDS / 10:
            return max(1, int(played * SECONDS / taken))
        count *= 4
