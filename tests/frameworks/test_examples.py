"""The examples for other frameworks: the rewards of their learners add up to the games' payoffs."""

import gymnasium
import numpy as np
import pytest
from tests.contract.payoffs import payoff

from kitchentable import diddly_v0

# Tianshou compiles for half a minute each time.
pytestmark = [pytest.mark.frameworks, pytest.mark.timeout(600)]
DECISIONS = 600


class Recorder(gymnasium.Wrapper):
    """Records each game's payoff to its seat, computed from scores and ranks alone."""

    def __init__(self, env, payoffs):
        super().__init__(env)
        self._payoffs = payoffs

    def step(self, action):
        result = self.env.step(action)
        if result[2] or result[3]:
            seat = self.env.unwrapped
            self._payoffs.append(payoff(seat.batch, seat.batch.states[0])[seat.seat])
        return result


def by_game(rewards, dones):
    """Return the sum of rewards of each finished game."""
    ends = np.flatnonzero(dones) + 1
    return [part.sum() for part in np.split(rewards, ends)[: len(ends)]]


def test_tianshou_is_given_what_games_pay(monkeypatch):
    pytest.importorskip("tianshou")
    from examples import tianshou_dqn

    payoffs = []

    def make_env(make=tianshou_dqn.make_env):
        payoffs.append([])
        return Recorder(make(), payoffs[-1])

    monkeypatch.setattr(tianshou_dqn, "make_env", make_env)
    monkeypatch.setattr(tianshou_dqn, "GAMES", 8)
    network, buffer = tianshou_dqn.train(DECISIONS)
    for one, expected in zip(buffer.buffers, payoffs[-8:], strict=True):
        order = one.sample_indices(0)
        np.testing.assert_allclose(by_game(one.rew[order], one.done[order]), expected, atol=1e-5)
    assert sum(map(len, payoffs)) > 10
    assert 0 < tianshou_dqn.win_rate(network, 20) < 1


def test_tianshous_multi_agent_manager_loses_rewards_of_others_moves():
    """This is why the example has one agent; if it fails, the guide is out of date."""
    pytest.importorskip("tianshou")
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm as Random
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    env = PettingZooEnv(diddly_v0.env(rounds=1))
    players = [Random(action_space=env.action_space) for _ in env.agents]
    manager = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    collector = Collector(
        manager, DummyVectorEnv([lambda: env]), VectorReplayBuffer(5_000, 1), exploration_noise=True
    )
    collector.reset()
    collector.collect(n_episode=10)
    rows, order = collector.buffer.sample(0)
    given = manager._preprocess_batch(rows, collector.buffer, order)
    paid, received = np.abs(rows.rew).sum(), sum(np.abs(given[a].rew).sum() for a in env.agents)
    assert received == pytest.approx(paid / 2), "of two seats, the one that moved last"


def test_agilerl_is_given_what_games_pay(monkeypatch):
    pytest.importorskip("agilerl")
    from examples import agilerl_dqn

    won = [[] for _ in range(4)]

    class Notes(gymnasium.vector.VectorWrapper):
        def step(self, actions):
            result = self.env.step(actions)
            for game in np.flatnonzero(result[2]):
                won[game].append(result[4]["final_info"]["is_winner"][game])
            return result

    make_envs = agilerl_dqn.make_envs
    monkeypatch.setattr(agilerl_dqn, "TABLE", {**agilerl_dqn.TABLE, "reward": "win"})
    monkeypatch.setattr(agilerl_dqn, "GAMES", 4)
    monkeypatch.setattr(agilerl_dqn, "make_envs", lambda: Notes(make_envs()))
    agent, buffer = agilerl_dqn.train(DECISIONS)
    rows = buffer.storage[: len(buffer)]
    rewards, dones = (rows[key].reshape(-1, 4).numpy() for key in ("reward", "done"))
    for game in range(4):
        sums = by_game(rewards[:, game], dones[:, game])
        assert set(sums) <= {-1.0, 0.0, 1.0}
        assert [paid >= 0 for paid in sums] == won[game][: len(sums)], "a tie pays 0"
    assert dones.sum() > 10
    assert 0 < agilerl_dqn.win_rate(agent, 20) < 1


def test_torchrl_is_given_what_games_pay():
    pytest.importorskip("torchrl")
    from examples import torchrl_selfplay

    env = torchrl_selfplay.make_env(1, rounds=2)
    table, lost = env._env.unwrapped, 0
    for _ in range(3):
        rows = env.rollout(10_000)
        expected = payoff(table._batch, table._batch.states[0])
        given = torchrl_selfplay.decisions(rows)["agents"]
        assert len(given) == len(rows), "one agent decides in each row"
        movers = rows["agents", "mask"].int().argmax(1)
        for seat in range(2):
            of_seat = given["value_target"][movers == seat]
            assert of_seat[0].item() == pytest.approx(expected[seat], abs=1e-5)
            on_own_rows = rows["next", "agents", "reward"][movers == seat, seat].sum().item()
            lost += on_own_rows != pytest.approx(expected[seat], abs=1e-5)
    assert lost, "rows filtered by the mask before they are summed lose rewards"


def test_torchrl_learns_in_self_play():
    pytest.importorskip("torchrl")
    from examples import torchrl_selfplay

    assert 0 < torchrl_selfplay.win_rate(torchrl_selfplay.train(100), 20) < 1
