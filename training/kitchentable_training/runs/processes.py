"""Several processes, started by torchrun, that train one network together.

Each process plays a share of the games. All go through the minibatches in the same order as a
single process would: in each minibatch, every process takes the decisions of its own games, and the
gradients are summed. So all processes have the same weights after every update. Up to the order of
floating-point sums, these are the weights of one process with all games, unless a league or a
lookahead draws random numbers, which differ between processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import distributed

PATIENCE = timedelta(hours=12)
"""How long a process waits for the others: the first one evaluates while they wait."""


def join(device: str) -> Processes:
    """Connect to the other processes started by torchrun; without torchrun, this one is alone.

    Args:
        device: ``"cpu"`` or ``"cuda"``; each process of a machine has its own GPU.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) > 1 and not distributed.is_initialized():
        if device == "cuda":
            from numba import cuda  # noqa: PLC0415 - looks for a GPU

            number = int(os.environ["LOCAL_RANK"])
            torch.cuda.set_device(number)
            cuda.select_device(number)
        backend = "cpu:gloo,cuda:nccl" if device == "cuda" else "gloo"
        distributed.init_process_group(backend, timeout=PATIENCE)
    return Processes()


class Processes:
    """The processes connected by `join`, or this one alone.

    Attributes:
        rank: the number of this process, from 0 on.
        size: the number of processes.
    """

    def __init__(self) -> None:
        met = distributed.is_initialized()
        self.rank = distributed.get_rank() if met else 0
        self.size = distributed.get_world_size() if met else 1

    @property
    def is_first(self) -> bool:
        """Whether this is the process that writes files and shows progress."""
        return self.rank == 0

    def share(self, num_envs: int, group: int = 1) -> NDArray[np.int64]:
        """Return the indices of this process's games.

        Raises:
            ValueError: the games cannot be divided evenly.
        """
        if num_envs % (group * self.size):
            groups = f" in groups of {group}" if group > 1 else ""
            raise ValueError(
                f"num_envs: {num_envs} games{groups} cannot be divided evenly among {self.size} "
                f"processes; choose a multiple of {group * self.size}"
            )
        return np.arange(num_envs).reshape(-1, group)[self.rank :: self.size].ravel()

    def rows_of(self, rows: torch.Tensor, num_envs: int, group: int = 1) -> torch.Tensor:
        """Return those of some decisions that belong to this process, in its own numbering."""
        if self.size == 1:
            return rows
        groups = rows % num_envs // group
        is_own = groups % self.size == self.rank
        rows, own_groups = rows[is_own], groups[is_own] // self.size
        steps = rows // num_envs * (num_envs // self.size)
        return steps + own_groups * group + rows % group

    def of_all_games(self, found: torch.Tensor) -> torch.Tensor:
        """Gather the arrays of all processes; games must be shared in groups of one.

        Args:
            found: shape (steps, own games).

        Returns:
            Shape (steps, games).
        """
        # What is gathered on a GPU would stay on that of its process.
        parts = self.gather(found.cpu())
        return torch.stack(parts, dim=2).flatten(1).to(found.device)

    def total(self, number: torch.Tensor) -> torch.Tensor:
        """Return the sum over all processes."""
        if self.size > 1:
            number = number.clone()
            distributed.all_reduce(number)
        return number

    def normalized(self, advantages: torch.Tensor) -> torch.Tensor:
        """Return advantages with mean 0 and deviation 1 over the parts of all processes.

        Args:
            advantages: this process's part of a minibatch; shape (k,). If all processes together
                have a single one, it becomes 0.
        """
        if self.size == 1:
            deviation = advantages.std(correction=min(1, len(advantages) - 1))
            return (advantages - advantages.mean()) / (deviation + 1e-8)
        count = torch.full((1,), len(advantages), dtype=torch.float64, device=advantages.device)
        sums = self.total(torch.cat([count, advantages.double().sum()[None]]))
        mean = sums[1] / sums[0]
        squares = self.total((advantages.double() - mean).square().sum())
        deviation = (squares / (sums[0] - 1).clamp(min=1)).sqrt()
        return ((advantages - mean) / (deviation + 1e-8)).to(advantages.dtype)

    def add_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replace the gradients in every process by their sum over all processes."""
        if self.size == 1:
            return
        all_parameters = list(parameters)
        parts = [
            torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            for parameter in all_parameters
        ]
        flat = torch.cat([part.flatten() for part in parts])
        distributed.all_reduce(flat)
        for parameter, part in zip(
            all_parameters,
            torch.split(flat, [parameter.numel() for parameter in all_parameters]),
            strict=True,
        ):
            parameter.grad = part.view_as(parameter)

    def any(self, *flags: bool) -> list[bool]:
        """Return for each flag whether it is set in any process."""
        return [any(given) for given in zip(*self.gather(flags), strict=True)]

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all processes, by rank; called and returned in each process."""
        if self.size == 1:
            return [value]
        values = [None] * self.size
        distributed.all_gather_object(values, value)
        return values

    def at_first(self, value: Any) -> list[Any]:
        """Return the values of all processes, by rank, in the first one; elsewhere ``[]``."""
        if self.size == 1:
            return [value]
        values = [None] * self.size if self.is_first else None
        distributed.gather_object(value, values)
        return values or []

    def from_first(self, value: Any) -> Any:
        """Return the first process's value."""
        if self.size == 1:
            return value
        values = [value]
        distributed.broadcast_object_list(values)
        return values[0]
