"""Tianshou's DQN learns one seat of Diddly; the opponents play inside the environment.

    python examples/tianshou_dqn.py

Tianshou's multi-agent manager gives a learner only the rows in which it moved, so rewards that are
paid while others move are lost. In the one-seat environment a step returns all rewards that the
seat receives until its next decision.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams

from kitchentable import find_game
from kitchentable.players.function import FunctionPlayer
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate.duplicate import figures, play_duplicate

TABLE = {"num_players": 2, "rounds": 1, "reward": "margin"}
GAMES = 64


class Network(torch.nn.Module):
    """A perceptron on the observation vector; Tianshou applies the mask."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(size, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions)
        )

    def forward(self, obs, state=None, info=None):  # noqa: ANN001, ANN201, ARG002 (Tianshou's)
        """Return action values and the unused state; the signature is Tianshou's."""
        return self.layers(torch.as_tensor(obs.observation)), state


def make_env() -> gymnasium.Env:
    """Make a one-seat environment with the mask under the key that Tianshou reads."""
    return gymnasium.make(
        "kitchentable:kitchentable/Diddly-v0",
        opponents="random",
        mask_in_observation="mask",
        **TABLE,
    )


def train(decisions: int, seed: int = 0) -> tuple[Network, VectorReplayBuffer]:
    """Learn from ``decisions`` decisions; return the network and its replay buffer."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (Tianshou explores by it)
    env = make_env()
    table = env.unwrapped.get_wrapper_attr("batch")
    network = Network(table.observation_size, len(table.action_names))
    policy = DiscreteQLearningPolicy(
        model=network,
        action_space=env.action_space,
        observation_space=env.observation_space,
        eps_training=0.1,
    )
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200
    )
    envs = DummyVectorEnv([make_env] * GAMES)
    envs.seed(seed)
    buffer = VectorReplayBuffer(decisions + GAMES, GAMES)
    collector = Collector(
        algorithm, envs, buffer, exploration_noise=True, raise_on_nan_in_buffer=False
    )
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=decisions,
            collection_step_num_env_steps=GAMES,
            update_step_num_gradient_steps_per_sample=1 / 8,
            batch_size=128,
            verbose=False,
            show_progress=False,
        )
    )
    return network, buffer


def win_rate(network: Network, deals: int = 500) -> float:
    """Return the win rate against `random`, on duplicate deals from both seats."""

    @torch.no_grad()
    def choose(observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        values = network.layers(torch.from_numpy(observations))
        return values.masked_fill(~torch.from_numpy(masks), -torch.inf).argmax(1)

    game = find_game("diddly")
    params = game.make_params(**TABLE)
    learned, opponent = FunctionPlayer("tianshou", choose), ScriptedPlayer(game, "random")
    return figures(play_duplicate(learned, opponent, game, params, deals))["win_rate"]


if __name__ == "__main__":
    network, _ = train(20_000)
    print(f"won {win_rate(network):.0%} of the games against random")  # noqa: T201
