"""Functions with which players read an observation: one-hot parts and scaled integers."""

from __future__ import annotations

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.state import NOBODY, FloatArray


@subroutine
def one_hot(observation: FloatArray, at: int, size: int) -> int:
    """Return the first nonzero index of ``observation[at : at + size]``, or `NOBODY` (-1)."""
    for i in range(size):
        if observation[at + i] > 0.0:
            return i
    return NOBODY


@kernel
def read_number(observation: FloatArray, at: int, span: int) -> int:
    """Return a non-negative integer that ``observation[at]`` encodes as a fraction of ``span``."""
    return int(float(observation[at]) * span + 0.5)
