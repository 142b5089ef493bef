"""Deep Monte Carlo: the network learns what each action pays in the end, and plays the best one.

In the manner of Zha and others, "DouZero: Mastering DouDizhu with self-play deep reinforcement
learning" (2021): no bootstrapping and no policy gradient. Games are played by the best known
action, now and then a random one (epsilon-greedy); every decision is a lesson: this action, seen
this, was followed by that payoff. The network's outputs are these expected payoffs, one for each
action, so the same network that MaskablePPO trains as a policy serves here: its most probable
action is the one that is worth most. The league, checkpoints and evaluations are the same too.

Two things differ from DouZero, whose actions are too many to list: here the network names all
actions at once, instead of reading one action at a time; and an episode that is still going on at
an update is worth what the value head says of it.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import LinearSchedule
from torch.nn import functional

from kitchentable_training.networks.policy import logits_and_values
from kitchentable_training.networks.trunk import TablePolicy


class ValuesOfActions(TablePolicy):
    """A network whose outputs are read as the worth of each action."""

    epsilon = 0.0
    """How often it plays a random legal action."""

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Choose actions.

        Args:
            obs: what is shown; (batch, size).
            deterministic: never a random action.
            action_masks: legal actions; (batch, num_actions).

        Returns:
            Actions, the worth of the best action, and zeros where a policy would have logarithms of
            probabilities; (batch,) each.
        """
        masks = torch.as_tensor(action_masks, device=self.device).bool()
        worth, _ = logits_and_values(self, obs, masks)
        best, actions = worth.max(dim=1)
        if not deterministic:
            lots = torch.rand(worth.shape, device=self.device).masked_fill(~masks, -1.0)
            tries = torch.rand(len(worth), device=self.device) < self.epsilon
            actions = torch.where(tries, lots.argmax(dim=1), actions)
        return actions, best, torch.zeros_like(best)


class DeepMonteCarlo(MaskablePPO):
    """Collects games as MaskablePPO does, and learns the worth of the actions played."""

    def __init__(self, *args: Any, epsilon: float, final_epsilon: float, **kwargs: Any) -> None:
        """Set up.

        Args:
            args: as MaskablePPO has them; the policy is a `ValuesOfActions`.
            epsilon: how often a random action is played at the beginning.
            final_epsilon: the same at the end.
            kwargs: as MaskablePPO has them; ``gae_lambda`` is 1, for returns are not bootstrapped.
        """
        super().__init__(*args, **{**kwargs, "gae_lambda": 1.0})
        self._epsilon = LinearSchedule(epsilon, final_epsilon, 1.0)

    def collect_rollouts(self, *args: Any, **kwargs: Any) -> bool:
        """Play on with the random actions that are due."""
        policy = cast("ValuesOfActions", self.policy)
        policy.epsilon = self._epsilon(self._current_progress_remaining)
        return super().collect_rollouts(*args, **kwargs)

    def train(self) -> None:
        """Learn from the decisions just collected: the worth of an action is what it led to."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        losses = []
        for _ in range(self.n_epochs):
            for part in self.rollout_buffer.get(self.batch_size):
                masks = part.action_masks.bool()
                worth, values = logits_and_values(self.policy, part.observations, masks)
                played = worth.gather(1, part.actions.long())[:, 0]
                loss = functional.mse_loss(played, part.returns)
                # The value head learns the same, for places where no action is chosen.
                loss = loss + self.vf_coef * functional.mse_loss(values, part.returns)
                self.policy.optimizer.zero_grad()
                torch.autograd.backward(loss)
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                losses.append(loss.item())
            self._n_updates += 1
        self.logger.record("train/value_loss", float(np.mean(losses)))
        self.logger.record("train/epsilon", cast("ValuesOfActions", self.policy).epsilon)
