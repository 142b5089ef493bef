"""The arrays of a batch of games: NumPy arrays on the host, torch tensors on a GPU.

Indexing, arithmetic and comparisons work in the same way on both, so most code is written only
once. This module has the operations that differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Batch, find_game
from kitchentable.core.rng import seeds_for
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.runs.settings import RunSettings


def deals_of(settings: RunSettings) -> NDArray[np.uint64]:
    """Return the seed of each game of a run, the same as in one batch of all games; uint64."""
    seeds = np.random.SeedSequence(settings.seed, spawn_key=(0,))
    return seeds_for(seeds, settings.num_envs)


class HostArrays:
    """The arrays of a `Batch`, which share their memory with torch tensors on the CPU.

    Attributes:
        device: the device of the tensors.
    """

    device = torch.device("cpu")

    def make_batch(self, settings: RunSettings, which: NDArray[np.int64]) -> Any:
        """Deal the games of a run with the indices ``which``."""
        seeds = deals_of(settings)[which]
        game, threads = find_game(settings.game), settings.threads
        batch = Batch(game, len(seeds), seed=settings.seed, threads=threads, **settings.params)
        batch.deal(seeds)
        return batch

    def of(self, tensor: torch.Tensor) -> Any:
        """Return a tensor on the device as an array of the batch's kind, without a copy."""
        return tensor.numpy()

    def tensor(self, array: Any) -> torch.Tensor:
        """Return an array of the batch's kind as a tensor, without a copy."""
        return torch.from_numpy(array)

    def of_host(self, array: NDArray[Any]) -> Any:
        """Return an array on the host as one of the batch's kind, copied if necessary."""
        return array

    def to_host(self, array: Any) -> NDArray[Any]:
        """Return an array of the batch's kind as one on the host, copied if necessary."""
        return np.asarray(array)

    def where(self, mask: Any) -> Any:
        """Return the indices where a mask is set; synchronizes with a GPU."""
        return np.flatnonzero(mask)

    def unique(self, numbers: Any) -> list[int]:
        """Return the sorted distinct numbers; synchronizes with a GPU."""
        return list(np.unique(numbers).tolist())

    def records(self, batch: Any) -> Any:
        """Return the bytes of a batch's records as a writable view; uint8."""
        return batch.records.view(np.uint8)

    def run(self, loop: GameLoop, *arguments: Any) -> None:
        """Run a loop on tensors, arrays of the batch's kind and numbers; on a GPU, as a kernel."""
        loop(*(one.numpy() if isinstance(one, torch.Tensor) else one for one in arguments))

    def compile_players(self, batch: Any, pool: OpponentPool) -> None:
        """Check that the players of a league can be compiled for the batch's device."""

    def check(self, batch: Any) -> None:
        """Report errors that a batch could not raise at once."""
