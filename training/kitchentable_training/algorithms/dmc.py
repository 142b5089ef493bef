"""Deep Monte Carlo: the network predicts the payoff of each action, and the best one is played.

The method follows Zha et al., "DouZero: Mastering DouDizhu with self-play deep reinforcement
learning" (2021), and uses no policy gradient. Games are played epsilon-greedily, and the network
learns from the observation, the action and the payoff of every decision. Its outputs are the
expected payoffs, one for each action, so it has the same form as the policy of the other
algorithms, and its most probable action is the one with the highest value. Rollouts, the league,
checkpoints and evaluations are those of `ppo`.

There are two differences from DouZero. The network has an output for every action, instead of
taking one action as an input. The target of a decision is a mean of the payoff and of the best
action value at each later decision of the seat, weighted by ``gae_lambda``. With 1 it is only the
payoff, as in DouZero, except for episodes that have not ended at an update; with less its variance
is lower (Peng and Williams, "Incremental multi-step Q-learning", 1996).
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from kitchentable_training.algorithms.ppo import PPO, on_a_line
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.algorithms.settings import DMCSettings
from kitchentable_training.networks.network import ILLEGAL


def epsilon_greedy(
    action_values: torch.Tensor, masks: torch.Tensor, epsilon: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the value of the best legal action, and the policy that plays it but for epsilon.

    Args:
        action_values: the value of each action; float32, shape (games, num_actions).
        masks: legal actions, at least one each; bool, the same shape.
        epsilon: the probability of a uniformly random legal action.

    Returns:
        The values; float32, shape (games,); and logits, of which illegal actions' are arbitrary;
        float32, shape (games, num_actions).
    """
    values, best = action_values.masked_fill(~masks, ILLEGAL).max(dim=1, keepdim=True)
    # What the best action has more than the others, by the probability epsilon / count of each.
    more = masks.sum(dim=1, keepdim=True) * ((1 - epsilon) / max(epsilon, 1e-9))
    return values[:, 0], torch.zeros_like(action_values).scatter_(1, best, more.log1p())


class DeepMonteCarlo(PPO):
    """Deep Monte Carlo, which plays epsilon-greedily on the rollouts of `PPO`."""

    @property
    def epsilon(self) -> float:
        """The current probability of a random action."""
        own = self.settings.training
        assert isinstance(own, DMCSettings)
        return on_a_line(own.epsilon, own.final_epsilon, self.remaining)

    def _evaluate_step(self, step: int, which: Any) -> torch.Tensor:
        """Return the logarithm of the epsilon-greedy policy, up to a constant."""
        action_values = super()._evaluate_step(step, which)
        masks = self.rollout.inputs.masks[step]
        self.rollout.values[step], logits = epsilon_greedy(action_values, masks, self.epsilon)
        return logits

    def backward(
        self, logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch
    ) -> dict[str, Any]:
        """Add the gradients of the squared errors; return these."""
        played = logits.gather(1, minibatch.actions[:, None])[:, 0]
        # Of a seat's last decision in the rollout nothing is known yet, and its advantage is 0.
        is_known = self.rollout.advantages.flatten()[minibatch.rows] != 0
        action_loss = (is_known * (played - minibatch.returns).square()).mean()
        # The value head learns the same target; `PolicyPlayer` uses it to judge positions.
        value_loss = functional.mse_loss(values, minibatch.returns)
        torch.autograd.backward(action_loss + self.own.vf_coef * value_loss)
        return {
            "action_value_loss": action_loss.detach(),
            "value_loss": value_loss.detach(),
            "epsilon": self.epsilon,
        }
