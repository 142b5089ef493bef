"""Contenders in measurements of speed: programs that play as many decisions as they can."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

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
