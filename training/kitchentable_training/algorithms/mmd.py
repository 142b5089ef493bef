"""Magnetic mirror descent by self-play: policy gradient held back by two KL divergences.

The method is that of Sokota et al., "A unified approach to reinforcement learning, quantal
response equilibria, and two-player zero-sum games" (2023), in the form of its experiments with
networks. The loss of a decision with action a and advantage A is ::

    -pi(a) / pi_old(a) * A + alpha * KL(pi, magnet) + 1 / eta * KL(pi, pi_old)

where pi_old is the policy that played the rollout, eta is the setting ``step_size``, and the magnet
is the uniform policy. So the first divergence is the entropy of pi with a minus sign, up to a
constant. With a constant alpha self-play approaches a quantal response equilibrium of two-player
zero-sum games, the closer to a Nash equilibrium the smaller alpha is; alpha and eta therefore
decrease during the run. What is played is the last policy, not an average. Rollouts, advantages and
the rest are those of `ppo`.

Differences from the paper:

- Both schedules are ``(t / T) ** -0.5`` with T the decisions of the whole run, so they end at the
  values in the settings. The learning rate decreases linearly, as in `ppo`.
- Advantages may be scaled to a standard deviation of 1, so that alpha and eta mean the same in all
  games. Then the limit is not exactly the quantal response equilibrium for alpha.
- A moving magnet is an option of `ppo` (``magnet_coef``).
"""

from __future__ import annotations

import math

import torch

from kitchentable_training.algorithms.options import Learning, Option
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.ppo_loss import LossWeights
from kitchentable_training.algorithms.settings import MMDSettings


class OldPolicy(Option):
    """The policy that played the rollout, from which the new one must not move far."""

    def logits(self, ppo: Learning, step: int, logits: torch.Tensor) -> torch.Tensor:
        """Make the policy of a step the reference of the loss."""
        ppo.rollout.refer(step, logits)
        return logits


class MagneticMirrorDescent(PPO):
    """Magnetic mirror descent on the rollouts of `PPO`."""

    def make_options(self) -> list[Option]:
        """Return the old policy besides the others."""
        return [*super().make_options(), OldPolicy()]

    @property
    def loss_weights(self) -> LossWeights:
        """The current weights; no ratio is clipped, as the divergence from pi_old limits them."""
        mmd = self.settings.training
        assert isinstance(mmd, MMDSettings)
        decisions = self.steps + len(self.rollout.actions) * self.settings.num_envs
        decline = (min(decisions, self.settings.steps) / self.settings.steps) ** -0.5
        return LossWeights(
            clip_range=math.inf,
            entropy=mmd.alpha * decline,
            value=mmd.vf_coef,
            reference=1 / (mmd.step_size * decline),
        )
