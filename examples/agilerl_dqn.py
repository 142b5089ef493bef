"""AgileRL's DQN learns one seat of Diddly; the opponents play inside the vector environment.

    python examples/agilerl_dqn.py

With `autoreset_mode="SameStep"` every step is a decision. In the default mode some steps only
reset, and AgileRL's loop would learn from them as if they were decisions.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from agilerl.training.train_off_policy import train_off_policy

from kitchentable import find_game
from kitchentable.players.function import FunctionPlayer
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate.duplicate import figures, play_duplicate

TABLE = {"num_players": 2, "rounds": 1, "reward": "margin"}
GAMES = 16


def make_envs() -> gymnasium.vector.VectorEnv:
    """Make many games with one seat each; AgileRL reads the masks in the infos."""
    return gymnasium.make_vec(
        "kitchentable:kitchentable/Diddly-v0",
        num_envs=GAMES,
        autoreset_mode="SameStep",
        opponents="random",
        **TABLE,
    )


def train(decisions: int, seed: int = 0) -> tuple[DQN, ReplayBuffer]:
    """Learn from ``decisions`` decisions; return the agent and its replay buffer."""
    torch.manual_seed(seed)
    envs = make_envs()
    envs.reset(seed=seed)
    agent = DQN(
        envs.single_observation_space,
        envs.single_action_space,
        net_config={"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [64]}},
        batch_size=128,
        lr=1e-3,
        learn_step=8,
        gamma=1.0,
        tau=0.01,
    )
    buffer = ReplayBuffer(decisions + GAMES)
    train_off_policy(
        envs,
        "Diddly",
        "DQN",
        [agent],
        buffer,
        max_steps=decisions,
        evo_steps=decisions,
        eval_steps=1,
        eps_end=0.1,
        eps_decay=0.99,
        verbose=False,
    )
    return agent, buffer


def win_rate(agent: DQN, deals: int = 500) -> float:
    """Return the win rate against `random`, on duplicate deals from both seats."""
    agent.set_training_mode(False)

    def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return agent.get_action(observations, action_mask=masks.astype(np.int8))

    game = find_game("diddly")
    params = game.make_params(**TABLE)
    learned, opponent = FunctionPlayer("agilerl", choose), ScriptedPlayer(game, "random")
    return figures(play_duplicate(learned, opponent, game, params, deals))["win_rate"]


if __name__ == "__main__":
    trained, _ = train(20_000)
    print(f"won {win_rate(trained):.0%} of the games against random")  # noqa: T201
