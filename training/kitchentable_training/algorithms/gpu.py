"""The arrays of games on a GPU, and loops over games as kernels with one thread per game.

The kernels call the same functions as the loops over games on the CPU.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from numba import cuda
from numpy.typing import NDArray

from kitchentable import find_game
from kitchentable.engine.cuda.batch import CudaBatch
from kitchentable.engine.cuda.compiling import Launch, bind
from kitchentable.engine.cuda.memory import DEVICE, for_kernels
from kitchentable.engine.loops import Loop
from kitchentable_training.algorithms.arrays import HostArrays, deals_of
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.runs.settings import RunSettings


@cache
def _kernel_of(loop: GameLoop) -> Loop:
    in_game = loop.in_game

    def kernel(games: int, arguments: Any) -> None:
        i = cuda.grid(1)
        if i < games:
            in_game(i, i, *arguments)

    return kernel


class GpuArrays(HostArrays):
    """The arrays of a `CudaBatch`: tensors on the device, copied to the host by `to_host` only."""

    device = torch.device(DEVICE)

    def __init__(self) -> None:
        """Compile nothing yet: each kernel is bound when it is first used."""
        self._bound: dict[GameLoop, tuple[Launch, list[Any]]] = {}

    def make_batch(self, settings: RunSettings, which: NDArray[np.int64]) -> Any:
        """Deal the games of a run with the indices ``which``."""
        seeds, game = deals_of(settings)[which], find_game(settings.game)
        batch = CudaBatch(game, len(seeds), seed=settings.seed, **settings.params)
        batch.deal(seeds)
        return batch

    def of(self, tensor: torch.Tensor) -> Any:
        """Return the tensor itself."""
        return tensor

    def tensor(self, array: Any) -> torch.Tensor:
        """Return the array itself, which is a tensor."""
        found: torch.Tensor = array
        return found

    def of_host(self, array: NDArray[Any]) -> Any:
        """Copy an array onto the device."""
        return torch.from_numpy(array).to(DEVICE)

    def to_host(self, array: Any) -> NDArray[Any]:
        """Copy a tensor from the device."""
        found: NDArray[Any] = array.cpu().numpy()
        return found

    def where(self, mask: Any) -> Any:
        """Return the indices where a mask is set; synchronizes with the GPU."""
        return mask.nonzero()[:, 0]

    def unique(self, numbers: Any) -> list[int]:
        """Return the sorted distinct numbers; synchronizes with the GPU."""
        return list(numbers.unique().tolist())

    def records(self, batch: Any) -> Any:
        """Return the bytes of a batch's records as a writable view; uint8."""
        return batch.records.bytes.view(-1)

    def run(self, loop: GameLoop, *arguments: Any) -> None:
        """Launch the kernel of a loop."""
        games = arguments[-1].shape[-1]
        taken = [for_kernels(one) if isinstance(one, torch.Tensor) else one for one in arguments]
        if loop not in self._bound:
            made = map(self.of_host, loop.make_scratch(games, arguments))
            scratch = [for_kernels(one) for one in made]
            given = (games, (*taken, *scratch))
            launch = bind(_kernel_of(loop), *given, game=None, name=loop.name)
            self._bound[loop] = launch, scratch
        launch, scratch = self._bound[loop]
        launch(games, games, (*taken, *scratch))

    def compile_players(self, batch: Any, pool: OpponentPool) -> None:
        """Compile a league's scripted players for the GPU; raise ValueError if that fails."""
        pool.compile_for(batch)

    def check(self, batch: Any) -> None:
        """Raise an error if an action was illegal; synchronizes with the GPU."""
        batch.check()
