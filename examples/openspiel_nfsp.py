"""OpenSpiel's NFSP learns Diddly in self-play.

python examples/openspiel_nfsp.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.nfsp import NFSP
from open_spiel.python.rl_agent import AbstractAgent

from kitchentable.adapters.openspiel import OpenSpielEnv

TABLE = {"num_players": 2, "rounds": 1, "reward": "margin"}


def play(env: OpenSpielEnv, agents: Sequence[AbstractAgent], *, learn: bool) -> list[float]:
    """Play a game; return the payoff of each seat."""
    step, paid = env.reset(), np.zeros(env.num_players)
    while not step.last():
        output = agents[step.current_player()].step(step, is_evaluation=not learn)
        step = env.step([output.action])
        paid += step.rewards
    for agent in agents if learn else ():
        agent.step(step)  # the rewards since its last decision
    return paid.tolist()


def train(games: int, seed: int = 0) -> tuple[list[NFSP], list[list[float]]]:
    """Learn from ``games`` games; return the agent of each seat and the payoffs of each game."""
    env = OpenSpielEnv("diddly", seed=seed, **TABLE)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [
        NFSP(
            seat,
            size,
            actions,
            hidden_layers_sizes=[64],
            reservoir_buffer_capacity=100_000,
            anticipatory_param=0.3,
            batch_size=64,
            min_buffer_size_to_learn=100,
            seed=seed + seat,
        )
        for seat in range(env.num_players)
    ]
    return agents, [play(env, agents, learn=True) for _ in range(games)]


def margin(agent: NFSP, games: int = 200) -> float:
    """Return the mean payoff of the first seat's agent against a random agent."""
    env = OpenSpielEnv("diddly", seed=12_345, **TABLE)
    opponent = RandomAgent(1, env.action_spec()["num_actions"])
    return float(np.mean([play(env, [agent, opponent], learn=False)[0] for _ in range(games)]))


if __name__ == "__main__":
    learned, _ = train(500)
    print(f"{10 * margin(learned[0]):+.1f} points a game against random")  # noqa: T201
