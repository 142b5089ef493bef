"""OpenSpiel's neural fictitious self-play (Heinrich and Silver, 2016) in the benchmark.

    kitchentable benchmark --entries ppo,examples/benchmark_nfsp.py:nfsp \
        --environments addtoo_small --budgets 100k

It needs the extra `bench`, and dm-tree, which OpenSpiel's learners import without requiring it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from open_spiel.python.pytorch.nfsp import MODE, NFSP
from open_spiel.python.rl_environment import TimeStep
from safetensors.torch import load_model, save_model

from kitchentable.adapters.openspiel import OpenSpielEnv
from kitchentable_training.benchmark.protocol import Budget, Environment

NETWORK = "average.safetensors"
SETTINGS: dict[str, Any] = {
    "hidden_layers_sizes": [128],
    "anticipatory_param": 0.1,
    "reservoir_buffer_capacity": 200_000,
    "replay_buffer_capacity": 200_000,
    "min_buffer_size_to_learn": 1000,
    "batch_size": 128,
    "learn_every": 64,
    "rl_learning_rate": 0.01,
    "sl_learning_rate": 0.01,
    "epsilon_start": 0.06,
    "epsilon_end": 0.001,
}
"""As in OpenSpiel's example for Leduc poker, with smaller buffers."""


def nfsp(environment: Environment, budget: Budget, seed: int, folder: Path) -> AveragePolicy:
    """Learn one policy for all seats.

    OpenSpiel's agents play one seat each. Here one agent plays all seats. It learns in one seat of
    each game, in a different seat in each game. In the others it plays without learning, in a mode
    (best response or average policy) that is drawn separately for each seat.
    """
    env, rng = (
        OpenSpielEnv(environment.game, seed=seed, **environment.params),
        np.random.default_rng(seed),
    )
    agent = _make_agent(env, seed)
    network = agent._avg_network  # noqa: SLF001 - to ask it for many games at once
    path = folder / NETWORK
    if path.exists():
        load_model(network, path)
        return AveragePolicy(network)
    learned = games = 0
    while learned < budget.decisions:
        best = rng.random(env.num_players) < SETTINGS["anticipatory_param"]
        modes = [MODE.BEST_RESPONSE if is_best else MODE.AVERAGE_POLICY for is_best in best]
        learned += _play(env, agent, games % env.num_players, modes)
        games += 1
    folder.mkdir(parents=True, exist_ok=True)
    save_model(network, str(path))
    return AveragePolicy(network)


def _make_agent(env: OpenSpielEnv, seed: int) -> NFSP:
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    return NFSP(0, size, actions, seed=seed, **SETTINGS)


def _play(env: OpenSpielEnv, agent: NFSP, seat: int, modes: Sequence[MODE]) -> int:
    """Play a game in which the agent learns in one seat; return the number of its decisions.

    Args:
        env: the environment.
        agent: the agent that plays all seats.
        seat: the seat in which it learns.
        modes: the modes of the other seats.
    """
    step, learned = env.reset(), 0
    while not step.last():
        mover = step.current_player()
        seen = _seen_from(step, mover)
        if mover == seat:
            output = agent.step(seen)
            learned += 1
        else:
            with agent.temp_mode_as(modes[mover]):
                output = agent.step(seen, is_evaluation=True)
        step = env.step([output.action])
    agent.step(_seen_from(step, seat))
    return learned


def _seen_from(step: TimeStep, seat: int) -> TimeStep:
    """Return a time step in which ``seat`` is player 0, the agent's own seat."""
    seen = dict(step.observations)
    for name in ("info_state", "legal_actions"):
        seen[name] = [step.observations[name][seat]]
    if step.current_player() == seat:
        seen["current_player"] = 0
    rewards = None if step.rewards is None else [step.rewards[seat]]
    discounts = None if step.discounts is None else [step.discounts[seat]]
    return step._replace(observations=seen, rewards=rewards, discounts=discounts)


class AveragePolicy:
    """A player that uses the agent's average policy, which approaches an equilibrium."""

    name = "nfsp"

    def __init__(self, network: torch.nn.Module) -> None:
        self._network = network
        self._generator = torch.Generator()

    def seed(self, seed: int) -> None:
        """Reset the random generator."""
        self._generator.manual_seed(seed)

    @torch.no_grad()
    def probabilities(self, batch: Any, games: Any) -> NDArray[np.float32]:
        """Return the probability of each action; float32, shape (games, actions)."""
        logits = self._network(torch.from_numpy(batch.observations[games]))
        logits = logits.masked_fill(~torch.from_numpy(batch.masks[games]), -torch.inf)
        chances: NDArray[np.float32] = logits.softmax(dim=1).numpy()
        return chances

    def act(self, batch: Any, games: Any) -> Any:
        """Draw an action for the seat to act in each of ``games``; int64, shape (k,)."""
        chances = torch.from_numpy(self.probabilities(batch, games))
        return torch.multinomial(chances, 1, generator=self._generator)[:, 0].numpy()
