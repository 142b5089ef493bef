"""The batch of games for a device."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.rng import seeds_for
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.runs.settings import RunSettings


def deal_batch(settings: RunSettings, which: NDArray[np.int64]) -> TensorBatch:
    """Deal the games of a run with the indices ``which``, on the run's device for games.

    Raises:
        ImportError: a package that a GPU needs is missing.
        ValueError: there is no GPU.
    """
    return batch_type(settings.games_device).deal(settings, deals_of(settings)[which])


def deals_of(settings: RunSettings) -> NDArray[np.uint64]:
    """Return the seed of each game of a run, the same as in one batch of all games; uint64."""
    seeds = np.random.SeedSequence(settings.seed, spawn_key=(0,))
    return seeds_for(seeds, settings.num_envs)


def batch_type(device: str) -> type[TensorBatch]:
    """Return the class of batches on ``"cpu"`` or ``"cuda"``.

    Raises:
        ImportError: a package that a GPU needs is missing.
        ValueError: there is no GPU.
    """
    if device == "cpu":
        return TensorBatch
    from kitchentable.engine.cuda import check_usable  # noqa: PLC0415 - looks for a GPU

    check_usable()
    from kitchentable_training.algorithms.gpu import GpuBatch  # noqa: PLC0415 - needs one

    return GpuBatch
