"""The environment for OpenSpiel's learners: time steps, rewards, and one of the learners.

And OpenSpiel's own figures of the games that it has too.
"""

import re

import numpy as np
import pytest
from benchmarks.exact import open_spiel_nash_convs
from tests.contract.payoffs import payoff
from tests.training.poker import OPEN_SPIEL, weights

pytest.importorskip("pyspiel")
import pyspiel
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import exploitability
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.policy import TabularPolicy
from open_spiel.python.rl_environment import StepType

from kitchentable import find_game, make_batch
from kitchentable.adapters.openspiel import OpenSpielEnv
from kitchentable_training.exact.equilibrium import solved
from kitchentable_training.exact.exploitability import exploitability as our_exploitability
from kitchentable_training.exact.tree import GameTree

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
    np.random.seed(1)  # noqa: NPY002 (OpenSpiel's random agent uses the global generator)
    env = OpenSpielEnv("diddly", seed=1, reward=reward, **TABLES[reward])
    waited = 0
    for _ in range(5):
        steps = list(play(env, agents_at(env)))
        batch = env.table._batch
        expected = payoff(batch, batch.states[0])
        np.testing.assert_allclose(sum(np.array(one.rewards) for one in steps[1:]), expected)
        for seat in range(env.num_players):  # a learner reads its own time steps only
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


def test_legal_actions_are_described_to_the_player_to_act():
    env = OpenSpielEnv("diddly", seed=1, action_features=True)
    spec, seen = env.observation_spec(), env.reset().observations
    mover = seen["current_player"]
    for player in range(env.num_players):
        rows, actions = (seen[name][player] for name in ("action_features", "row_actions"))
        assert (rows.shape, actions.shape) == (spec["action_features"], spec["row_actions"])
        legal = seen["legal_actions"][player]
        assert actions[: len(legal)].tolist() == legal
        assert rows.any() == (player == mover)


def test_a_seed_deals_the_same_games():
    def payoffs(env):
        np.random.seed(1)  # noqa: NPY002 (OpenSpiel's random agent uses the global generator)
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
    with pytest.raises(RuntimeError, match=r"no game has been dealt yet; call reset\(\) first"):
        env.get_time_step()
    step = env.reset()
    illegal = next(i for i in range(24) if i not in step.observations["legal_actions"][0])
    with pytest.raises(ValueError, match="may not play"):
        env.step([illegal])
    with pytest.raises(ValueError, match="one action"):
        env.step([0, 1])
    again = env.get_time_step()
    assert again.first()
    assert again.observations["legal_actions"] == step.observations["legal_actions"]


def learned_from(agent):
    """Return the payoff of each game according to the transitions that the agent has stored."""
    kept = agent._rl_agent._replay_buffer
    rewards, ends = kept.experience.reward[: len(kept)], kept.experience.is_final_step[: len(kept)]
    *games, rest = np.split(rewards, np.flatnonzero(ends) + 1)
    assert not len(rest), "the last game is over"
    return [game.sum() for game in games]


def test_nfsp_learns_from_what_games_pay():
    pytest.importorskip("open_spiel.python.pytorch.nfsp", reason="needs dm-tree and torch")
    from examples import openspiel_nfsp

    agents, payoffs = openspiel_nfsp.train(10)
    for agent, paid in zip(agents, zip(*payoffs, strict=True), strict=True):
        np.testing.assert_allclose(learned_from(agent), paid, atol=1e-5)
        assert agent.loss[1] is not None, "it has learned"
    assert np.isfinite(openspiel_nfsp.margin(agents[0], 2))


def test_nfsp_in_the_benchmark_learns_one_policy_for_all_seats(tmp_path, monkeypatch):
    pytest.importorskip("open_spiel.python.pytorch.nfsp", reason="needs dm-tree and torch")
    from examples import benchmark_nfsp

    from kitchentable_training.benchmark.protocol import Budget, find_environment

    environment, budget = find_environment("addtoo_small"), Budget.parse("2k")
    paid, agents, play = [], [], benchmark_nfsp._play

    def watched(env, agent, seat, modes):
        agents.append(agent)
        rewards, step = np.zeros(2), env.step
        monkeypatch.setattr(env, "step", lambda actions: _counted(step(actions), rewards))
        learned = play(env, agent, seat, modes)
        monkeypatch.setattr(env, "step", step)
        if learned:  # else the game was over before the first decision
            paid.append(rewards[seat])
        return learned

    monkeypatch.setattr(benchmark_nfsp, "_play", watched)
    for name, value in {"min_buffer_size_to_learn": 128, "anticipatory_param": 0.5}.items():
        monkeypatch.setitem(benchmark_nfsp.SETTINGS, name, value)
    player = benchmark_nfsp.nfsp(environment, budget, 1, tmp_path)
    np.testing.assert_allclose(learned_from(agents[0]), paid, atol=1e-5)
    assert None not in agents[0].loss, "best response and average policy have learned"
    batch = make_batch(environment.game, 8, seed=1, **environment.params)
    masks, everyone = batch.masks.copy(), np.arange(8)
    chances = player.probabilities(batch, everyone)

    assert (chances[~masks] == 0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
    assert masks[np.arange(8), player.act(batch, np.arange(8))].all()
    games, kept = len(agents), benchmark_nfsp.nfsp(environment, budget, 2, tmp_path)
    np.testing.assert_array_equal(kept.probabilities(batch, everyone), chances)
    assert len(agents) == games, "what was kept is found, not learned anew"


def _counted(step, rewards):
    rewards += step.rewards
    return step


def seen(name, state):
    """Return the own card, 1 and the card that is up (0: none), and the number of decisions."""
    text = state.information_state_string()
    if name == "kuhn_poker":  # such as "1pb"
        return int(text[0]), 0, len(text) - 1
    up = re.search(r"Public: (\d)", text)
    rounds = re.findall(r"Round\d: ([\d ]*)\]", text)
    plays = sum(len(actions.split()) for actions in rounds)
    return int(re.search(r"Private: (\d)", text)[1]), 1 + int(up[1]) if up else 0, plays


@pytest.mark.parametrize("name", OPEN_SPIEL)
def test_what_is_written_down_of_openspiel_is_what_it_finds(name):
    game = pyspiel.load_game(name)
    choices = {
        "uniform": lambda _, legal: np.ones(len(legal)),
        "first": lambda _, legal: np.arange(len(legal)) == 0,
        "mixed": lambda state, legal: weights(*seen(name, state), legal),
    }
    for policy, choose in choices.items():
        table = TabularPolicy(game)
        for row, state in zip(table.action_probability_array, table.states, strict=True):
            legal = np.array(state.legal_actions())
            row[:] = 0
            row[legal] = choose(state, legal) / choose(state, legal).sum()
        value = policy_value(game.new_initial_state(), [table, table])[0]
        found = value, exploitability(game, table)
        assert found == pytest.approx(OPEN_SPIEL[name][policy], abs=1e-12)


@pytest.mark.parametrize("name", OPEN_SPIEL)
def test_openspiel_reads_our_tree_and_finds_the_same(name, tmp_path):
    game = find_game(name)
    tree = GameTree(game, game.make_params(reward="margin"))
    policies = {"uniform": tree.uniform(), "learned": solved("cfr+", tree, 10)}
    theirs = open_spiel_nash_convs(tree, policies, tmp_path / "tree.efg")
    ours = {one: our_exploitability(tree, policies[one]).nash_conv for one in policies}
    assert theirs == pytest.approx(ours, abs=1e-9)
