"""Two custom entries for the benchmark: a stable-baselines3 model, and a plain torch policy.

    kitchentable benchmark --entries ppo,examples/benchmark_entries.py:my_sb3 \
        --environments diddly_2p --budgets 1M

An entry is a function that takes an environment, a budget, a seed and a folder, learns, and returns
a player. A player is any object with a name, `seed` and `act`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_model, save_model
from sb3_contrib import MaskablePPO

from kitchentable import make_batch
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.benchmark.protocol import Budget, Environment

# --- A model of stable-baselines3 -----------------------------------------------------------------


def my_sb3(environment: Environment, budget: Budget, seed: int, folder: Path) -> SB3Player:  # noqa: ARG001
    """Train MaskablePPO with a perceptron, against `random` in the other seats."""
    others = {} if environment.load()[1].num_players == 1 else {"random": 1.0}
    env = LearnerVecEnv.make(environment.game, 16, others, seed=seed, **environment.params)
    steps = min(64, max(2, budget.decisions // 16))
    model = MaskablePPO("MlpPolicy", env, n_steps=steps, batch_size=16 * steps, seed=seed)
    model.learn(budget.decisions)
    return SB3Player(model)


class SB3Player:
    """A player that chooses the model's most probable action."""

    name = "my_sb3"

    def __init__(self, model: MaskablePPO) -> None:
        self._model = model

    def seed(self, seed: int) -> None:
        """Do nothing: the player is deterministic."""

    def act(self, batch: Any, games: Any) -> Any:
        """Return an action for the seat to act in each of ``games``; int64, shape (k,)."""
        observations, masks = batch.observations[games], batch.masks[games]
        actions, _ = self._model.predict(observations, action_masks=masks, deterministic=True)
        return actions


# --- A plain torch policy -------------------------------------------------------------------------

GAMES, STEPS = 64, 64


def my_torch(environment: Environment, budget: Budget, seed: int, folder: Path) -> TorchPlayer:
    """Learn by policy gradients in self-play, with the rewards of the seat after each decision.

    The network is saved in the folder, where it is found if the job is resumed.
    """
    torch.manual_seed(seed)
    batch = make_batch(environment.game, GAMES, seed=seed, **environment.params)
    network = torch.nn.Sequential(
        torch.nn.Linear(batch.observations.shape[1], 128),
        torch.nn.ReLU(),
        torch.nn.Linear(128, len(batch.action_names)),
    )
    path = folder / "network.safetensors"
    if path.exists():
        load_model(network, path)
        return TorchPlayer(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=0.001)
    games = np.arange(GAMES)
    for _ in range(budget.decisions // (GAMES * STEPS)):
        logs, movers, rewards = [], [], []
        for _ in range(STEPS):
            seen = torch.from_numpy(batch.observations.copy())
            logits = network(seen).masked_fill(~torch.from_numpy(batch.masks.copy()), -1e9)
            chosen = torch.distributions.Categorical(logits=logits)
            actions = chosen.sample()
            logs.append(chosen.log_prob(actions))
            movers.append(batch.current_player.copy())
            batch.step(actions.numpy())
            rewards.append(batch.rewards.copy())
        still = np.cumsum(rewards[::-1], axis=0)[::-1]  # the rewards of each seat from here on
        gains = torch.tensor(
            np.stack([returns[games, mover] for returns, mover in zip(still, movers, strict=True)])
        )
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        loss = -(torch.stack(logs) * gains).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    folder.mkdir(parents=True, exist_ok=True)
    save_model(network, str(path))
    return TorchPlayer(network)


class TorchPlayer:
    """A player that chooses the network's best legal action."""

    name = "my_torch"

    def __init__(self, network: torch.nn.Module) -> None:
        self._network = network

    def seed(self, seed: int) -> None:
        """Do nothing: the player is deterministic."""

    @torch.no_grad()
    def act(self, batch: Any, games: Any) -> Any:
        """Return an action for the seat to act in each of ``games``; int64, shape (k,)."""
        logits = self._network(torch.from_numpy(batch.observations[games]))
        return logits.masked_fill(~torch.from_numpy(batch.masks[games]), -1e9).argmax(1).numpy()
