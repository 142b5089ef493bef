"""The games of a run, dealt on its device for games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import make_batch
from kitchentable.core.rng import seeds_for
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.runs.settings import RunSettings


def deal_batch(settings: RunSettings, which: NDArray[np.int64]) -> TensorBatch:
    """Deal the games of a run with the indices ``which``, on the run's device for games.

    Raises:
        ImportError: a package that a GPU needs is missing.
        ValueError: there is no GPU.
    """
    on_gpu = settings.games_device == "cuda"
    own: dict[str, Any] = {"device": "cuda"} if on_gpu else {"threads": settings.threads}
    batch = make_batch(settings.game, len(which), seed=settings.seed, **own, **settings.params)
    batch.deal(deals_of(settings)[which])
    if not on_gpu:
        return TensorBatch(batch)
    from kitchentable_training.algorithms.gpu import GpuBatch  # noqa: PLC0415 - needs one

    return GpuBatch(batch)


def deals_of(settings: RunSettings) -> NDArray[np.uint64]:
    """Return the seed of each game of a run, the same as in one batch of all games; uint64."""
    seeds = np.random.SeedSequence(settings.seed, spawn_key=(0,))
    return seeds_for(seeds, settings.num_envs)
