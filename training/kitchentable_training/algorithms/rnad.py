"""Regularized Nash dynamics: self-play with rewards that hold it near an older policy, in turns.

The method is that of DeepNash (Perolat et al., "Mastering the game of Stratego with model-free
multiagent reinforcement learning", 2022). Each turn has three steps:

- The reward is transformed: at each decision the seat to act pays, and its opponent receives, eta
  times the log ratio of the policy to the regularization policy, log(pi / pi_reg).
- Self-play with this reward converges to a fixed point. Its values are estimated by v-trace, seat
  by seat, and the policy learns by NeuRD, that is, by gradients of the logits instead of the
  probabilities, which are 0 for logits beyond a threshold.
- After ``delta_m`` decisions the policy becomes the next regularization policy. In the first half
  of the new turn the old one is exchanged for it little by little.

The last policy is played, in the form of the target network, a moving average of the weights, which
also estimates the values in v-trace. Rollouts and checkpoints are those of `ppo`.

Differences from the paper:

- The log ratio in the values is replaced by its expectation over the seat's policy, the KL
  divergence, which has less variance. In the policy's loss it is that of each action, as there.
- Turns are counted in decisions, and the target network follows after each update, so the same
  settings suit other sizes of rollouts. A rollout may end within a game: the value of a seat's last
  decision then stands for what follows, as in `advantages`.
- The optimizer and the schedule of the learning rate are those of `ppo`. There is no fine-tuning,
  and the final policy is not thresholded.
- With more than two seats each opponent receives an equal share of what the seat pays, so a
  zero-sum game stays one. A seat without opponents, or a team, only pays. Neither is in the paper.
- Decisions of players of the league are not regularized.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from kitchentable.core.kernels import kernel
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.algorithms.settings import RNaDSettings
from kitchentable_training.networks.inputs import MASK, Inputs
from kitchentable_training.networks.network import log_policy
from kitchentable_training.runs.settings import RunSettings

MOST_GAIN = 10_000.0
"""The maximum size of the estimated advantage of an action."""


@kernel
def v_trace_in(
    i: int, row: int, rewards: Any, ends: Any, movers: Any, learned: Any, values: Any, ratios: Any,
    costs: Any, share: Any, discount: Any, trace: Any, targets: Any, out: Any, paid: Any,
    weighted: Any, weight: Any, next_target: Any, next_value: Any,
) -> None:  # fmt: skip
    """Compute the estimates of game ``i``, backward in time; see `v_trace`.

    The last five arguments are scratch: what each seat is paid from the current step until its next
    decision, the same with importance weights, the weight of the other seats' decisions in between,
    and that decision's target and value. The value is NaN if the episode goes on without another
    decision of the seat in the rollout.
    """
    paid, weighted, weight = paid[row], weighted[row], weight[row]
    next_target, next_value = next_target[row], next_value[row]
    steps, _, seats = rewards.shape
    for seat in range(seats):
        paid[seat] = weighted[seat] = 0.0
        weight[seat] = 1.0
        next_target[seat] = next_value[seat] = math.nan
    last = movers[steps, i]
    next_target[last] = next_value[last] = values[steps, i]
    for t in range(steps - 1, -1, -1):
        if ends[t, i]:
            for seat in range(seats):
                paid[seat] = weighted[seat] = 0.0
                weight[seat] = 1.0
                next_target[seat] = next_value[seat] = 0.0
        for seat in range(seats):
            paid[seat] += rewards[t, i, seat]
            weighted[seat] += rewards[t, i, seat]
        targets[t, i] = values[t, i]
        out[t, i] = 0.0
        if learned[t, i]:
            mover, ratio, cost = movers[t, i], ratios[t, i], costs[t, i]
            if not math.isnan(next_value[mover]):
                clipped = min(np.float32(1.0), ratio * weight[mover])
                td_error = paid[mover] - cost + discount * next_value[mover] - values[t, i]
                later = discount * trace * (next_target[mover] - next_value[mover])
                targets[t, i] += clipped * (td_error + later)
                followed = discount * weight[mover] * next_target[mover]
                out[t, i] = weighted[mover] + followed - values[t, i]
            for seat in range(seats):
                paid[seat] += share * cost
                weighted[seat] = share * cost + ratio * weighted[seat]
                weight[seat] *= ratio
            paid[mover] = weighted[mover] = 0.0
            weight[mover] = 1.0
            next_target[mover], next_value[mover] = targets[t, i], values[t, i]


v_trace = GameLoop(v_trace_in, *5 * [np.float32])
"""Estimate by v-trace what each decision and each chosen action is worth to the seat that moves.

Args:
    rewards: the rewards of each step by seat; float32, shape (steps, games, seats).
    ends: whether a step ended an episode; bool, shape (steps, games).
    movers: the seat that moved, with one row after the last step; int64, shape (steps + 1, games).
    learned: whether the decision is the learner's; bool, shape (steps, games).
    values: the values of the decisions, with one row more; float32, shape (steps + 1, games).
    ratios: pi / mu of the chosen action, where mu played it; float32, shape (steps, games).
    costs: what the seat pays for leaving the regularization policy; float32, shape (steps, games).
    share: the share of it that each other seat receives; float32.
    discount: the discount factor from one decision of a seat to its next; float32.
    trace: the lambda of the estimate; float32.
    targets: output: the estimated values; float32, shape (steps, games).
    out: output: what the chosen action is worth more than the value, before its own cost; float32,
        shape (steps, games). It is 0 for decisions that are not the learner's, and for a seat's
        last one if the episode goes on after the rollout.
"""


class RegularizedNashDynamics(PPO):
    """Regularized Nash dynamics on the rollouts of `PPO`.

    Attributes:
        regularization: the networks of the current regularization policy and of the one before.
    """

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        super().__init__(settings, pool)
        assert isinstance(settings.training, RNaDSettings)
        self.rnad = settings.training
        self.network: nn.Module = copy.deepcopy(self.acting)  # the target network
        self.regularization = [copy.deepcopy(self.acting) for _ in range(2)]
        recorded = self.rollout.inputs.masks[:-1]
        self._log_probs = torch.zeros_like(recorded, dtype=torch.float32)
        self.rollout.reference = torch.zeros_like(self._log_probs)  # of the regularization policy
        self._ratios = torch.ones_like(self.rollout.log_probs)
        self._targets = torch.zeros_like(self._ratios)

    # --- Rollouts -------------------------------------------------------------------------------

    @torch.no_grad()
    def collect(self) -> None:
        """Play a rollout, and evaluate what it shows by the other networks."""
        if self.steps == 0:  # the run has given weights only to the network that is played
            for _, network in self._other_networks():
                network.load_state_dict(self.network.state_dict())
        super().collect()
        with self.precision():
            self._evaluate_others()

    def _draw(self, step: int, logits: torch.Tensor) -> None:
        self._log_probs[step] = log_policy(logits, self.rollout.inputs.masks[step])
        super()._draw(step, logits)

    def _evaluate_others(self) -> None:
        """Compute the values of the target network and the regularization policy."""
        rollout = self.rollout
        current, before = self.regularization
        progress = min(1.0, 2 * (self.steps % self.rnad.delta_m) / self.rnad.delta_m)
        for step, values in enumerate(rollout.values):
            inputs = rollout.inputs.at(step)
            values[:] = self.evaluate(self.network, inputs)[1]
            if step < len(rollout.reference):
                log_probs = self._policy(current, inputs)
                if progress < 1:
                    log_probs = self._policy(before, inputs).lerp(log_probs, progress)
                rollout.reference[step] = log_probs

    def _policy(self, network: nn.Module, inputs: Inputs) -> torch.Tensor:
        """Return log probabilities; float32, shape (batch, num_actions)."""
        return log_policy(self.evaluate(network, inputs)[0], inputs[MASK])

    # --- Learning -------------------------------------------------------------------------------

    def estimate_advantages(self) -> None:
        """Do nothing: each epoch makes estimates of its own."""

    @torch.no_grad()
    def begin_epoch(self, epoch: int) -> None:
        """Estimate by v-trace; after the first epoch the policy is not the one that played."""
        rollout, own = self.rollout, self.rnad
        log_probs = self._log_probs
        if epoch > 0:
            inputs_by_step = map(rollout.inputs.at, range(len(log_probs)))
            log_probs = torch.stack(
                [self._policy(self.acting, inputs) for inputs in inputs_by_step]
            )
        played = log_probs.gather(2, rollout.actions[:, :, None])[:, :, 0]
        ratios = (played - rollout.log_probs).exp() if epoch > 0 else self._ratios
        costs = own.eta * (log_probs.exp() * (log_probs - rollout.reference)).sum(dim=2)
        share = 1 / max(1, self.games.num_players - 1)
        self.games.run(
            v_trace,
            *(rollout.rewards, rollout.ends, self._movers(slice(None))),
            *(rollout.learned, rollout.values, ratios, costs),
            *(np.float32(share), np.float32(own.gamma), np.float32(own.gae_lambda)),
            *(self._targets, rollout.advantages),
        )

    def learn(self) -> dict[str, float]:
        """Train on the rollout; the target network follows."""
        figures = super().learn()
        with torch.no_grad():
            pairs = zip(self.network.parameters(), self.acting.parameters(), strict=True)
            for target, current in pairs:
                target.lerp_(current, self.rnad.polyak)
        return figures

    def update(self, logger: Any) -> None:
        """Play a rollout and learn from it; exchange the regularization policies if it is time."""
        turn = self.steps // self.rnad.delta_m
        super().update(logger)
        if self.steps // self.rnad.delta_m > turn:
            current, before = self.regularization
            before.load_state_dict(current.state_dict())
            current.load_state_dict(self.network.state_dict())

    def _minibatch(self, rows: torch.Tensor) -> Minibatch:
        minibatch = super()._minibatch(rows)
        minibatch.returns = self._targets.flatten()[rows]
        return minibatch

    def backward(
        self, logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch
    ) -> dict[str, Any]:
        """Add the gradients of the loss of NeuRD and of the values; return its parts."""
        own, masks = self.rnad, minibatch.inputs[MASK]
        legal = masks.float()
        log_probs = log_policy(logits.detach(), masks)
        chances = log_probs.exp() * legal
        gaps = (log_probs - minibatch.reference) * legal
        # Estimated action values, up to a constant.
        action_values = -own.eta * gaps
        sampled = minibatch.advantages * (-minibatch.log_probs).exp()
        action_values.scatter_add_(1, minibatch.actions[:, None], sampled[:, None])
        gains = action_values - (chances * action_values).sum(dim=1, keepdim=True)
        gains = gains.clamp(-MOST_GAIN, MOST_GAIN)
        mean = (logits * legal).sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
        centered = (logits - mean) * legal
        beyond = torch.where(gains > 0, centered, -centered) >= own.neurd_threshold
        force = gains.masked_fill(beyond, 0.0).detach()
        policy_loss = -(centered * force).sum(dim=1).mean()
        value_loss = functional.mse_loss(values, minibatch.returns)
        torch.autograd.backward(policy_loss + own.vf_coef * value_loss)
        return {
            "neurd_loss": policy_loss.detach(),
            "value_loss": value_loss.detach(),
            "entropy_loss": (chances * log_probs).sum(dim=1).mean(),
            "regularization_kl": (chances * gaps).sum(dim=1).mean(),
        }

    def _other_networks(self) -> list[tuple[str, nn.Module]]:
        names = ("acting", "regularization", "regularization_before")
        networks = (self.acting, *self.regularization)
        return [*super()._other_networks(), *zip(names, networks, strict=True)]
