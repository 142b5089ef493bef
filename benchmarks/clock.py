"""Contenders in measurements of speed: programs that play as many decisions as they can."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from kitchentable_training.cli.bench import Play, speeds

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
    play: Play


def decisions_per_second(contenders: list[Contender], runs: int = RUNS) -> list[float]:
    """Return the median speed of each contender over ``runs`` runs."""
    samples = speeds([contender.play for contender in contenders], SECONDS, runs)
    return [statistics.median(sample) for sample in samples]


def rows(contenders: list[Contender], runs: int = RUNS) -> list[dict[str, Any]]:
    """Return a row of results for each contender, with its `decisions_per_second`."""
    return [
        {
            "library": contender.name,
            "game": contender.game,
            "how": contender.how,
            "decisions_a_second": speed,
        }
        for contender, speed in zip(contenders, decisions_per_second(contenders, runs), strict=True)
    ]
