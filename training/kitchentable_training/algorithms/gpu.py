"""Batches of games on a GPU, and loops over games as kernels with one thread per game.

The kernels call the same functions as the loops over games on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from numba import cuda
from numpy.typing import NDArray

from kitchentable.engine.compiling import CompileError
from kitchentable.engine.cuda.batch import CudaBatch
from kitchentable.engine.cuda.compiling import Launch, bind
from kitchentable.engine.cuda.memory import DEVICE, for_kernels
from kitchentable.engine.loops import Loop
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.networks.inputs import NetworkInputs


@cache
def _kernel_of(loop: GameLoop) -> Loop:
    in_game = loop.in_game

    def kernel(games: int, arguments: Any) -> None:
        i = cuda.grid(1)
        if i < games:
            in_game(i, i, *arguments)

    return kernel


class Kernels:
    """Kernels of loops for arguments of the same shapes every time."""

    def __init__(self) -> None:
        self._bound: dict[GameLoop, tuple[Launch, list[Any]]] = {}

    def run(self, loop: GameLoop, *arguments: Any) -> None:
        """Launch the kernel of a loop."""
        games = arguments[-1].shape[-1]
        converted = [
            for_kernels(argument) if isinstance(argument, torch.Tensor) else argument
            for argument in arguments
        ]
        if loop not in self._bound:
            buffers = map(_on_device, loop.make_scratch(games, arguments))
            scratch = [for_kernels(buffer) for buffer in buffers]
            example = (games, (*converted, *scratch))
            launch = bind(_kernel_of(loop), *example, game=None, name=loop.name)
            self._bound[loop] = launch, scratch
        launch, scratch = self._bound[loop]
        launch(games, games, (*converted, *scratch))


def _on_device(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(array).to(DEVICE)


class GpuBatch(TensorBatch):
    """A `CudaBatch`, whose tensors are on the device."""

    device = torch.device(DEVICE)

    def __init__(self, batch: CudaBatch) -> None:
        super().__init__(batch)
        self._kernels = Kernels()

    def _array(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor

    @property
    def records(self) -> torch.Tensor:
        """The bytes of all records, which may be written; uint8, shape (games, bytes)."""
        record_bytes: torch.Tensor = self.batch.records.bytes
        return record_bytes.view(self.num_envs, -1)

    def empty(self, inputs: NetworkInputs) -> Any:
        """Return tensors on the device for the inputs of all games."""
        return inputs.empty(self.num_envs, self.device)

    def run(self, loop: GameLoop, *arguments: Any) -> None:
        """Launch the kernel of a loop."""
        self._kernels.run(loop, *arguments)

    def compile_players(self, players: Sequence[Any]) -> None:
        """Compile scripted players for the device.

        Raises:
            ValueError: some of them cannot be compiled for a GPU.
        """
        refused = {}
        for player in players:
            try:
                player.compile_for(self.batch)
            except CompileError as error:
                refused[player.name] = error
        if refused:
            raise ValueError(
                f"opponents.scripted: {', '.join(refused)} cannot play on a GPU "
                f"({next(iter(refused.values()))}); leave them out, or choose device: cpu"
            )

    def check(self) -> None:
        """Raise an error if an action was illegal; synchronizes with the GPU."""
        self.batch.check()
