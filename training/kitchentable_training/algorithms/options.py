"""What only some runs of PPO use, behind five hooks."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import nn

from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.rollout import Minibatch, Rollout
from kitchentable_training.algorithms.seating import Seating
from kitchentable_training.algorithms.settings import PPOSettings
from kitchentable_training.networks.inputs import Inputs, NetworkInputs
from kitchentable_training.runs.processes import Processes
from kitchentable_training.runs.settings import RunSettings


class Learning(Protocol):
    """What options may use of `ppo.PPO`."""

    settings: RunSettings
    own: PPOSettings
    processes: Processes
    games: TensorBatch
    seating: Seating
    inputs: NetworkInputs
    network: nn.Module
    device: torch.device
    rollout: Rollout
    steps: int

    def evaluate(self, network: nn.Module, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values in float32, on the device of the games."""
        ...

    def precision(self) -> torch.autocast:
        """Return the context in which networks are called."""
        ...

    def look(self) -> None:
        """Look at the games again, with whose decisions the next rollout begins."""
        ...


class Option:
    """An option of PPO, which calls these hooks; by default they do nothing.

    Attributes:
        network: a network of its own, which is saved with the run; or None.
        learns: whether the optimizer of PPO trains this network.
    """

    network: nn.Module | None = None
    learns = False

    def begin_rollout(self, ppo: Learning) -> None:
        """Prepare a rollout, before its first decisions."""

    def observe(self, ppo: Learning, step: int) -> None:
        """Take note of the games before the decisions of a step, and after the last one."""

    def logits(self, ppo: Learning, step: int, logits: torch.Tensor) -> torch.Tensor:
        """Return the logits from which the actions of a step are drawn."""
        del ppo, step
        return logits

    def end_rollout(self, ppo: Learning) -> None:
        """Change rewards and values of a rollout, before its advantages are estimated."""

    def loss(self, ppo: Learning, minibatch: Minibatch) -> torch.Tensor | None:
        """Return a term of the loss, or change the minibatch."""
        del ppo, minibatch
        return None
