"""RLlib learns with it, alone and with runners on two nodes; the result is a regular player."""

from pathlib import Path

import numpy as np
import pytest
import ray
from docs.tables import ROOT
from ray.cluster_utils import Cluster
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from tests.package.test_readme import code_of

from kitchentable import find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate.duplicate import figures, play_duplicate
from kitchentable_training.players.checkpoint import load_player, read_card
from kitchentable_training.players.tree_search import TreeSearchPlayer
from kitchentable_training.rllib import (
    MaskedModule,
    TableMultiAgentEnv,
    export_checkpoint,
    ppo_config,
)

SMALL = {"layers": [16]}


@pytest.fixture(scope="module", autouse=True)
def nodes():
    """Two nodes on this machine with one core each, so that two runners are on both."""
    options = {"num_cpus": 1, "object_store_memory": 2**28}
    cluster = Cluster(initialize_head=True, head_node_args={**options, "include_dashboard": False})
    cluster.add_node(**options)
    ray.init(address=cluster.address, log_to_driver=False)
    yield {one["NodeID"] for one in ray.nodes()}
    ray.shutdown()
    cluster.shutdown()


def weights(algorithm: Algorithm):
    (found,) = algorithm.learner_group.get_weights().values()
    return found


def same(one, other) -> bool:
    return all((one[name] == other[name]).all() for name in one)


def test_a_short_run_beats_random_and_is_a_player_like_any(tmp_path) -> None:
    table = {"num_players": 2, "rounds": 1, "reward": "margin"}
    algorithm = ppo_config("diddly", 128, seed=1, **table).build_algo()
    for _ in range(20):
        result = algorithm.train()
    folder = export_checkpoint(algorithm, tmp_path / "learned")
    card = read_card(folder)
    assert card["steps"] == result["env_runners"]["num_env_steps_sampled_lifetime"] >= 20 * 8192
    assert card["settings"]["algorithm"] == "RLlib's PPO"
    assert card["settings"]["iterations"] == 20
    assert card["settings"]["lambda_"] == algorithm.config.lambda_
    game = find_game("diddly")
    params = game.make_params(**table)
    opponent = ScriptedPlayer(game, "random", seed=1)
    found = figures(play_duplicate(load_player(folder), opponent, game, params, 200))
    assert found["win_rate"] > 0.8
    TreeSearchPlayer(folder, game, params)  # its card says what the value refers to
    # RLlib's own checkpoint resumes with the same weights and count, but other deals.
    algorithm.save_to_path(str(tmp_path / "rllib"))
    old = weights(algorithm)
    algorithm.stop()
    again = Algorithm.from_checkpoint(str(tmp_path / "rllib"))
    assert same(weights(again), old)
    export_checkpoint(again, tmp_path / "again")
    assert read_card(tmp_path / "again")["steps"] == card["steps"]
    assert read_card(tmp_path / "again")["sha256"] == card["sha256"]
    assert again.train()["training_iteration"] == 21
    assert not same(weights(again), old)
    again.stop()


def test_runners_on_two_nodes_play_and_the_learner_is_exported(nodes, tmp_path) -> None:
    config = ppo_config(
        "diddly", 16, 2, {"greedy": 1}, network=SMALL, seed=1, num_players=3, rounds=1
    )
    algorithm = config.build_algo()
    for _ in range(2):
        result = algorithm.train()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= 2 * 2 * 16 * 64
    assert "greedy" in result["env_runners"]["payoff"]
    found = algorithm.env_runner_group.foreach_env_runner(
        lambda runner: (
            ray.get_runtime_context().get_node_id(),
            runner.batch.observations.tobytes(),
        ),
        local_env_runner=False,
    )
    where, deals = zip(*found, strict=True)
    assert set(where) == nodes
    assert len(set(deals)) == len(deals) == 2
    folder = export_checkpoint(algorithm, tmp_path / "learned")
    state, network = weights(algorithm), load_player(folder).network.state_dict()
    for name, one in network.items():
        np.testing.assert_array_equal(one.numpy(), state[f"network.{name}"])
    algorithm.stop()


def test_the_multi_agent_environment_is_learned_from_too(tmp_path) -> None:
    table = {"game": "diddly", "params": {"num_players": 2, "rounds": 1}, "network": SMALL}
    module = RLModuleSpec(module_class=MaskedModule, model_config={"table": table})
    config = (
        PPOConfig()
        .environment(TableMultiAgentEnv, env_config=table)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
        .rl_module(rl_module_spec=module)
        .training(train_batch_size_per_learner=300, minibatch_size=100, num_epochs=1)
    )
    algorithm = config.build_algo()
    before = weights(algorithm)
    algorithm.train()
    assert not same(weights(algorithm), before)
    folder = export_checkpoint(algorithm, tmp_path / "learned", "all")
    assert read_card(folder)["settings"]["env_runner"] == "MultiAgentEnvRunner"
    algorithm.stop()


def test_the_code_of_the_guide_runs(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "guides" / "rllib.md").read_text(encoding="utf-8")
    exec(compile(code_of(page), "rllib.md", "exec"), {})
    assert list(Path().glob("*/card.json"))
