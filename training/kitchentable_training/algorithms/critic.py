"""A centralized critic, which sees more than the seats and is used only for advantages.

It may see the full state of the game, including hidden cards (Yu et al., "The surprising
effectiveness of PPO in cooperative multi-agent games", 2022). With duplicate tables, a rollout
begins with several copies of each table with the same deal, and the critic receives the payoffs of
the other copies (Kool, van Hoof and Welling, "Buy 4 REINFORCE samples, get a baseline for free!",
2019), which cancels the luck of the deal.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.options import Learning, Option
from kitchentable_training.algorithms.rollout import Minibatch, Rollout
from kitchentable_training.algorithms.seating import Seating
from kitchentable_training.networks.inputs import FLAT, Inputs
from kitchentable_training.networks.network import perceptron

BASELINE = 2
"""The number of inputs of a critic for the duplicate tables; see `leave_one_out`."""


class Critic(Option):
    """A perceptron with the layers of the policy; it sees what the seat sees, and more."""

    learns = True

    def __init__(self, ppo: Learning) -> None:
        own, layers = ppo.own, ppo.settings.network.layers
        self._group = 1 + own.duplicates
        self._full_state = own.full_state_critic
        size = ppo.games.observe_state().shape[1] if self._full_state else 0
        size += BASELINE * (self._group > 1)
        trunk = perceptron(sees := ppo.inputs.flat_size + size, layers)
        last = nn.Linear(layers[-1] if layers else sees, 1)
        self.network: nn.Module = nn.Sequential(trunk, last).to(ppo.device)
        shape = (*ppo.rollout.values.shape, size)
        self._states = torch.zeros(shape, dtype=ppo.rollout.inputs.dtype, device=ppo.games.device)

    def begin_rollout(self, ppo: Learning) -> None:
        """Copy the duplicate tables."""
        if self._group > 1:
            copy_tables(ppo.games, ppo.seating, self._group)
            ppo.look()

    def observe(self, ppo: Learning, step: int) -> None:
        """Take note of the full state."""
        if self._full_state:
            state = ppo.games.observe_state()
            self._states[step, :, : state.shape[1]] = state

    @torch.no_grad()
    def end_rollout(self, ppo: Learning) -> None:
        """Replace the values of the rollout by those of the critic."""
        rollout = ppo.rollout
        if self._group > 1:
            self._states[:, :, -BASELINE:] = leave_one_out(rollout, self._group)
        for step, (states, values) in enumerate(zip(self._states, rollout.values, strict=True)):
            values[:] = self._evaluate(ppo, rollout.inputs.at(step), states)

    def loss(self, ppo: Learning, minibatch: Minibatch) -> torch.Tensor:
        """Return the error of the critic's values."""
        states = self._states.flatten(0, 1).index_select(0, minibatch.rows)
        values = self._evaluate(ppo, minibatch.inputs, states)
        return ppo.own.vf_coef * functional.mse_loss(values, minibatch.returns)

    def _evaluate(self, ppo: Learning, inputs: Inputs, states: torch.Tensor) -> torch.Tensor:
        """Return values; float32, shape (batch,)."""
        with ppo.precision():
            seen = torch.cat([inputs[FLAT], states], dim=1).to(ppo.device)
            values: torch.Tensor = self.network(seen)
        return values.float().flatten().to(ppo.games.device)


def copy_tables(games: TensorBatch, seating: Seating, group: int) -> None:
    """Copy the first table of each group, with its deck, to the other tables of the group."""
    for tensor in (games.records, seating.payoffs):
        tensor[:] = tensor[::group].repeat_interleave(group, dim=0)


def leave_one_out(rollout: Rollout, group: int) -> torch.Tensor:
    """Return the leave-one-out baseline: what the episode pays the seat at the duplicate tables.

    It is the mean over the other tables where the episode has ended, since the start of the
    rollout, and whether there are any. The own table is left out, so advantages stay unbiased.

    Returns:
        Shape (steps + 1, games, `BASELINE`).
    """
    rewards, ends, movers = rollout.rewards, rollout.ends, rollout.movers
    steps, games, seats = rewards.shape
    before = functional.pad(ends.long().cumsum(0), (0, 0, 1, 0))
    episodes = int(before.max()) + 1
    place = before + episodes * torch.arange(games, device=before.device)
    ended = ends.flatten().float()
    over = rewards.new_zeros(games * episodes).index_add(0, place[:-1].flatten(), ended)
    paid = rewards.new_zeros(games * episodes, seats)
    paid.index_add_(0, place[:-1].flatten(), rewards.flatten(0, 1))
    sums = torch.cat([paid * over[:, None], over[:, None]], dim=1)
    groups = sums.view(-1, group, episodes, seats + 1)
    others = (groups.sum(dim=1, keepdim=True) - groups).view(-1, seats + 1)[place.flatten()]
    count = others[:, -1]
    mean = others.gather(1, movers.flatten()[:, None])[:, 0] / count.clamp(min=1)
    return torch.stack([mean, count.clamp(max=1)], dim=1).view(steps + 1, games, BASELINE)
