"""How speed is measured here: medians of several runs, all contenders in turn in each run.

Machines are shared and noisy. Running the contenders in turn lets a slow minute hit them all, and
the median drops what hit only one.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RUNS = 15
SECONDS = 0.7
"""Of each run of each contender."""


@dataclass(frozen=True)
class Contender:
    """Something that plays decisions as fast as it can.

    Attributes:
        name: who it is.
        game: what it plays.
        how: through which interface.
        play: plays about so many decisions and returns how many it did.
    """

    name: str
    game: str
    how: str
    play: Callable[[int], int]


def decisions_per_second(contenders: list[Contender], runs: int = RUNS) -> list[float]:
    """Return the median speed of each contender, over so many runs."""
    counts = [_calibrate(one) for one in contenders]
    speeds: list[list[float]] = [[] for _ in contenders]
    for _ in range(runs):
        for i, one in enumerate(contenders):
            start = time.perf_counter()
            played = one.play(counts[i])
            speeds[i].append(played / (time.perf_counter() - start))
    return [statistics.median(runs) for runs in speeds]


def _calibrate(one: Contender) -> int:
    """Warm up, and find how many decisions fill a run."""
    one.play(10)
    count = 100
    while True:
        start = time.perf_counter()
        played = one.play(count)
        taken = time.perf_counter() - start
        if taken > SECONDS / 10:
            return max(1, int(played * SECONDS / taken))
        count *= 4


def processor() -> str:
    """Return the name of this machine's processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
