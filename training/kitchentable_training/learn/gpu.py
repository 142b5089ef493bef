"""The parts of self-play that work game by game, as GPU kernels with one thread per game.

The kernels call the same functions as the loops over games on the CPU.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numba import cuda
from numpy.typing import NDArray

from kitchentable import find_game
from kitchentable.engine.cuda.batch import CudaBatch
from kitchentable.engine.cuda.compiling import Launch, bind
from kitchentable.engine.cuda.memory import DEVICE, for_kernels
from kitchentable.engine.loops import Loop
from kitchentable_training.learn.arrays import HostArrays, deals_of
from kitchentable_training.learn.dmc import explore, explore_in
from kitchentable_training.learn.league import OpponentPool
from kitchentable_training.learn.ppo_loss import draw, draw_in
from kitchentable_training.learn.returns import advantages, advantages_in
from kitchentable_training.learn.settings import RunSettings


def _draw(
    logits: Any, masks: Any, streams: Any, actions: Any, logs: Any, legal: Any, chances: Any
) -> None:
    i = cuda.grid(1)
    if i < actions.shape[0]:
        draw_in(i, logits, masks, streams, actions, logs, legal[i], chances[i])


def _explore(worths: Any, masks: Any, epsilon: Any, streams: Any, actions: Any, legal: Any) -> None:
    i = cuda.grid(1)
    if i < actions.shape[0]:
        explore_in(i, worths, masks, epsilon, streams, actions, legal[i])


def _advantages(
    rewards: Any,
    ends: Any,
    truncated: Any,
    movers: Any,
    learned: Any,
    values: Any,
    discount: Any,
    trace: Any,
    out: Any,
    paid: Any,
    next_advantage: Any,
    next_value: Any,
) -> None:
    i = cuda.grid(1)
    if i < out.shape[1]:
        given = rewards, ends, truncated, movers, learned, values, discount, trace, out
        advantages_in(i, *given, paid[i], next_advantage[i], next_value[i])


class _Kernel(NamedTuple):
    """A kernel, and a function that allocates its scratch arrays, which follow its arguments."""

    function: Loop
    scratch: Callable[..., tuple[torch.Tensor, ...]]


def _legal(masks: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(masks, dtype=torch.int64)


KERNELS: dict[Callable[..., None], _Kernel] = {
    draw: _Kernel(_draw, lambda logits, masks, *_: (_legal(masks), torch.empty_like(logits))),
    explore: _Kernel(_explore, lambda _, masks, *__: (_legal(masks),)),
    advantages: _Kernel(
        _advantages, lambda rewards, *_: tuple(torch.empty_like(rewards[0]) for _ in range(3))
    ),
}
"""Kernels by the CPU loops that they replace."""


@cache
def _name() -> str:
    """Return the name under which compiled kernels are cached.

    It has a checksum of the sources, as Numba only notices edits of the kernel's own file.
    """
    called = (draw_in, explore_in, advantages_in)
    sources = "".join(Path(one.__code__.co_filename).read_text() for one in called)
    return f"learning-{hashlib.sha256(sources.encode()).hexdigest()[:16]}"


class GpuArrays(HostArrays):
    """The arrays of a `CudaBatch`: tensors on the device, copied to the host by `to_host` only."""

    device = torch.device(DEVICE)

    def __init__(self) -> None:
        """Compile nothing yet: each kernel is bound when it is first used."""
        self._bound: dict[Callable[..., None], tuple[Launch, list[Any]]] = {}

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
        return torch.from_numpy(array).to(self.device)

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

    def run(self, loop: Callable[..., None], *arguments: Any) -> None:
        """Launch the kernel of a loop; the last axis of the last argument is games."""
        taken = [for_kernels(one) if isinstance(one, torch.Tensor) else one for one in arguments]
        if loop not in self._bound:
            kernel = KERNELS[loop]
            scratch = [for_kernels(one) for one in kernel.scratch(*arguments)]
            launch = bind(kernel.function, *taken, *scratch, game=None, name=_name())
            self._bound[loop] = launch, scratch
        launch, scratch = self._bound[loop]
        launch(arguments[-1].shape[-1], *taken, *scratch)

    def compile_players(self, batch: Any, pool: OpponentPool) -> None:
        """Compile a league's scripted players for the GPU; raise ValueError if that fails."""
        pool.compile_for(batch)

    def check(self, batch: Any) -> None:
        """Raise an error if an action was illegal; synchronizes with the GPU."""
        batch.check()
