"""The environment for OpenSpiel's learners: time steps, what they pay, and one of its learners."""

import numpy as np
import pytest
from tests.contract.payoffs import payoff

pytest.importorskip("pyspiel")
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.rl_environment import StepType

from kitchentable.adapters.openspiel import OpenSpielEnv

pytestmark = pytest.mark.frameworks
TABLES = {"margin": {"num_players": 3, "rounds": 2}, "win": {"num_players": 2, "rounds": 1}}


def agents_at(env):
    actions = env.action_spec()["num_actions"]
    return [RandomAgent(seat, actions) for seat in range(env.num_players)]


def play(env, agents):
    """Yield the time steps of a game, each asked for as OpenSpiel's own loops do."""
    step = env.reset()
    yield step
    while not step.last():
        step = env.step([agents[step.current_player()].step(step).action])
        yield step
    for agent in agents:
        agent.step(step)


@pytest.mark.parametrize("reward", TABLES)
def test_rewards_add_up_to_payoffs_for_whoever_sums_them(reward):
    np.random.seed(1)  # noqa: NPY002 (OpenSpiel's random agent draws by it)
    env = OpenSpielEnv("diddly", seed=1, reward=reward, **TABLES[reward])
    waited = 0
    for _ in range(5):
        steps = list(play(env, agents_at(env)))
        batch = env.table._batch
        expected = payoff(batch, batch.states[0])
        np.testing.assert_allclose(sum(np.array(one.rewards) for one in steps[1:]), expected)
        for seat in range(env.num_players):  # a learner looks at its own time steps alone
            own = [one for one in steps if one.last() or one.current_player() == seat][1:]
            assert sum(one.rewards[seat] for one in own) == pytest.approx(expected[seat])
            waited += any(one.rewards[seat] for one in own[:-1])
    assert bool(waited) == (reward == "margin"), "margins are paid in the middle of games too"


def test_time_steps_are_those_of_openspiel():
    env = OpenSpielEnv("diddly", seed=1, discount=0.9, rounds=1)
    steps = list(play(env, agents_at(env)))
    assert [one.step_type for one in steps] == [
        StepType.FIRST,
        *[StepType.MID] * (len(steps) - 2),
        StepType.LAST,
    ]
    assert steps[0].rewards is steps[0].discounts is None
    assert steps[1].discounts == [0.9, 0.9]
    assert steps[-1].discounts == [0.0, 0.0]
    assert steps[-1].current_player() < 0
    spec = env.observation_spec()
    for one in steps:
        assert [seen.shape for seen in one.observations["info_state"]] == [spec["info_state"]] * 2
        movers = [seat for seat, legal in enumerate(one.observations["legal_actions"]) if legal]
        assert movers == ([] if one.last() else [one.current_player()])
    assert env.step([0]).first(), "after the end a new game begins, whatever the action"


def test_a_seed_deals_the_same_games():
    def payoffs(env):
        np.random.seed(1)  # noqa: NPY002 (OpenSpiel's random agent draws by it)
        return [list(play(env, agents_at(env)))[-1].rewards for _ in range(3)]

    table = {"rounds": 1, "reward": "margin"}
    env = OpenSpielEnv("diddly", seed=5, **table)
    first = payoffs(env)
    assert payoffs(env) != first
    env.seed(5)
    assert payoffs(env) == first == payoffs(OpenSpielEnv("diddly", seed=5, **table))


def test_what_is_impossible_is_named():
    with pytest.raises(ValueError, match="discount=2"):
        OpenSpielEnv("diddly", discount=2)
    env = OpenSpielEnv("diddly", seed=1)
    step = env.reset()
    illegal = next(i for i in range(24) if i not in step.observations["legal_actions"][0])
    with pytest.raises(ValueError, match="may not play"):
        env.step([illegal])
    with pytest.raises(ValueError, match="one action"):
        env.step([0, 1])
    again = env.get_time_step()
    assert again.first()
    assert again.observations["legal_actions"] == step.observations["legal_actions"]


def test_nfsp_learns_from_what_games_pay():
    pytest.importorskip("open_spiel.python.pytorch.nfsp", reason="needs dm-tree and torch")
    from examples import openspiel_nfsp

    agents, payoffs = openspiel_nfsp.train(10)
    for agent, paid in zip(agents, zip(*payoffs, strict=True), strict=True):
        learned = agent._rl_agent._replay_buffer
        rewards, ends = learned.experience.reward, learned.experience.is_final_step
        given = [part.sum() for part in np.split(rewards, np.flatnonzero(ends[: len(learned)]) + 1)]
        np.testing.assert_allclose(given[:10], paid, atol=1e-5)
        assert agent.loss[1] is not None, "it has learned"
    assert np.isfinite(openspiel_nfsp.margin(agents[0], 2))
