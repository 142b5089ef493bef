"""What only some runs of PPO use, behind five hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from kitchentable_training.algorithms.rollout import Minibatch

if TYPE_CHECKING:  # it imports the options
    from kitchentable_training.algorithms.ppo import PPO


class Option:
    """An option of PPO, which calls these hooks; by default they do nothing.

    Attributes:
        network: a network of its own, which is saved with the run; or None.
        learns: whether the optimizer of PPO trains this network.
    """

    network: nn.Module | None = None
    learns = False

    def begin_rollout(self, ppo: PPO) -> None:
        """Prepare a rollout, before its first decisions."""

    def observe(self, ppo: PPO, step: int) -> None:
        """Take note of the games before the decisions of a step, and after the last one."""

    def logits(self, ppo: PPO, step: int, logits: torch.Tensor) -> torch.Tensor:
        """Return the logits from which the actions of a step are drawn."""
        del ppo, step
        return logits

    def end_rollout(self, ppo: PPO) -> None:
        """Change rewards and values of a rollout, before its advantages are estimated."""

    def loss(self, ppo: PPO, minibatch: Minibatch) -> torch.Tensor | None:
        """Return a term of the loss, or change the minibatch."""
        del ppo, minibatch
        return None
