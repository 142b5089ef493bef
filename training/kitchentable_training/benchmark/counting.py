"""Counting the decisions of an entry, which are not taken from what it says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kitchentable import Batch


@dataclass
class Counted:
    """What was counted in this process.

    Attributes:
        decisions: the decisions that were played in batches, by all seats, without games that were
            left as they are. Every environment of the package plays in a batch.
        processor_seconds: the processor time, including that of processes that have ended.
    """

    decisions: int = 0
    processor_seconds: float = 0.0


@contextmanager
def counting() -> Iterator[Counted]:
    """Count decisions and processor time in a context."""
    counted, start = Counted(), _processor_seconds()
    step, play = Batch.step, Batch.play

    def counted_step(batch: Batch, actions: ArrayLike, *rest: Any, **options: Any) -> None:
        step(batch, actions, *rest, **options)
        counted.decisions += int((np.asarray(actions) >= 0).sum())

    def counted_play(batch: Batch, action: int) -> None:
        play(batch, action)
        counted.decisions += 1

    Batch.step, Batch.play = counted_step, counted_play  # type: ignore[assignment,method-assign]
    try:
        yield counted
    finally:
        Batch.step, Batch.play = step, play  # type: ignore[method-assign]
        counted.processor_seconds = _processor_seconds() - start


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
