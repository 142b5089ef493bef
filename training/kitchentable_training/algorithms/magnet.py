"""A magnet: the policy is regularized towards a slowly moving average of itself.

This prevents cycles in self-play (Sokota et al., "A unified approach to reinforcement learning,
quantal response equilibria, and two-player zero-sum games", 2023).
"""

from __future__ import annotations

import copy

import torch
from torch import nn

from kitchentable_training.algorithms.options import Learning, Option

RATE = 0.01
"""The step size with which the magnet follows the policy after each update."""


class Magnet(Option):
    """The average, whose policy is the reference of the loss."""

    def __init__(self, ppo: Learning) -> None:
        self.network: nn.Module = copy.deepcopy(ppo.network)

    @torch.no_grad()
    def begin_rollout(self, ppo: Learning) -> None:
        """Follow the policy, which the last update has changed; start with the same weights."""
        if ppo.steps == 0:
            self.network.load_state_dict(ppo.network.state_dict())
        for magnet_weight, policy_weight in zip(
            self.network.parameters(), ppo.network.parameters(), strict=True
        ):
            magnet_weight.lerp_(policy_weight, RATE)

    @torch.no_grad()
    def end_rollout(self, ppo: Learning) -> None:
        """Compute the log probabilities of the magnet."""
        for step in range(len(ppo.rollout.actions)):
            logits, _ = ppo.evaluate(self.network, ppo.rollout.inputs.at(step))
            ppo.rollout.refer(step, logits)
