"""Your own algorithm: REINFORCE by self-play (Williams, 1992), with the mean as a baseline.

    kitchentable train examples/reinforce.yaml

One network plays all seats. A decision is worth what its seat is paid from there to the end of the
game; those whose game does not end in the rollout are not learned from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from pydantic import PositiveFloat, PositiveInt

from kitchentable_training.algorithms.devices import deal_batch
from kitchentable_training.algorithms.seating import Seating
from kitchentable_training.algorithms.settings import TrainingSettings
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.network import build_network, masked_logits_and_values


class ReinforceSettings(TrainingSettings):
    """The group ``training`` of the settings."""

    n_steps: PositiveInt = 64
    """Steps of each game between updates."""
    learning_rate: PositiveFloat = 0.003
    """The step size of Adam."""


class Reinforce:
    """The learner; see `kitchentable_training.algorithms.learner.Learner`."""

    Settings = ReinforceSettings

    def __init__(self, settings: Any, pool: Any) -> None:
        """Deal the games and create the network."""
        torch.manual_seed(settings.seed)
        self.own, self.steps = settings.training, 0
        self.games = deal_batch(settings, np.arange(settings.num_envs))
        nobody = np.zeros(settings.num_envs, np.bool_)  # no table is one of the league
        self.seating = Seating(self.games, pool, settings.seed, nobody)
        table = self.games.game, self.games.params
        self.inputs = NetworkInputs(*table, settings.network)
        self.network = build_network(*table, settings.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), self.own.learning_rate)
        self.seating.begin()

    def update(self, logger: Any) -> None:
        """Play, and make what was followed by more than the mean more probable."""
        observations, actions, movers, rewards, ends = [], [], [], [], []
        for _ in range(self.own.n_steps):
            seen = self.inputs.tensors(self.games.batch)
            observations.append({name: tensor.clone() for name, tensor in seen.items()})
            with torch.no_grad():
                logits, _ = masked_logits_and_values(self.network, seen)
            actions.append(logits.softmax(dim=1).multinomial(1)[:, 0])
            movers.append(self.games.current_player.clone())
            self.games.step(actions[-1])
            rewards.append(self.games.rewards.clone())
            ends.append(self.games.dones.clone())
            self.seating.take_pay()
            self.seating.seat_anew()
        returns, is_known = returns_to_go(movers, rewards, ends)
        count = is_known.sum().clamp(min=1)
        advantages = returns - returns[is_known].sum() / count
        loss = torch.zeros(())
        for seen, chosen, gains, known in zip(
            observations, actions, advantages, is_known, strict=True
        ):
            logits, _ = masked_logits_and_values(self.network, seen)
            log_probs = logits.log_softmax(dim=1).gather(1, chosen[:, None])[:, 0]
            loss = loss - (log_probs * gains)[known].sum() / count
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.steps += is_known.numel()
        logger.record("train/loss", loss.item())

    def export_own(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return what is saved besides the network, the optimizer, the games and torch's stream."""
        return {}, {"steps": self.steps}

    def import_own(self, tensors: Any, plain: Any) -> None:  # noqa: ARG002
        """Resume from it."""
        self.steps = plain["steps"]


def returns_to_go(
    movers: list[torch.Tensor], rewards: list[torch.Tensor], ends: list[torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what each mover is paid to the end of the game, and whether that is known."""
    to_go, known = torch.zeros_like(rewards[0]), torch.zeros_like(ends[0])
    steps = []
    for mover, paid, end in zip(movers[::-1], rewards[::-1], ends[::-1], strict=True):
        to_go = to_go * ~end[:, None] + paid
        known = known | end
        steps.append((to_go.gather(1, mover[:, None])[:, 0], known))
    returns, is_known = zip(*steps[::-1], strict=True)
    return torch.stack(returns), torch.stack(is_known)
