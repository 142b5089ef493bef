"""How players read an observation: which place is marked, and whole numbers told as shares."""

from __future__ import annotations

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.state import NOBODY, FloatArray


@subroutine
def one_hot(observation: FloatArray, at: int, size: int) -> int:
    """Return which of ``size`` places from ``at`` on is marked, or -1, as `NOBODY` is."""
    for i in range(size):
        if observation[at + i] > 0.0:
            return i
    return NOBODY


@kernel
def read_number(observation: FloatArray, at: int, span: int) -> int:
    """Return a whole number from 0 up that is told as a share of ``span``."""
    return int(float(observation[at]) * span + 0.5)
