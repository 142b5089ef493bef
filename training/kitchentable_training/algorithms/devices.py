"""The arrays for a device or a batch."""

from __future__ import annotations

from typing import Any

from kitchentable import Batch
from kitchentable_training.algorithms.arrays import HostArrays


def arrays_on(device: str) -> HostArrays:
    """Return the arrays of batches on ``"cpu"`` or ``"cuda"``.

    Raises:
        ImportError: a package that a GPU needs is missing.
        ValueError: there is no GPU.
    """
    if device == "cpu":
        return HostArrays()
    from kitchentable.engine.cuda import check_usable  # noqa: PLC0415 - looks for a GPU

    check_usable()
    from kitchentable_training.algorithms.gpu import GpuArrays  # noqa: PLC0415 - needs one

    return GpuArrays()


def arrays_of(batch: Any) -> HostArrays:
    """Return the arrays for a batch."""
    return arrays_on("cpu" if isinstance(batch, Batch) else "cuda")
