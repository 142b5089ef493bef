"""The RLModule, the multi-agent environment and the exported checkpoint, without a cluster."""

import numpy as np
import pytest
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

from kitchentable import TableEnv, find_game, make_batch
from kitchentable_training.cli.main import main
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.players.by_name import make_player
from kitchentable_training.players.checkpoint import CheckpointError, load_player, read_card
from kitchentable_training.players.tree_search import TreeSearchPlayer
from kitchentable_training.rllib import MaskedModule, TableMultiAgentEnv, export_checkpoint
from kitchentable_training.rllib.table import Table, named

NETWORK = {"layers": [16], "relations": True}
CONFIG = {"game": "diddly", "params": {"num_players": 3, "rounds": 1}, "network": NETWORK}


def make_module(**table) -> MaskedModule:
    config = CONFIG | table
    seen, actions = Table.read(config).spaces
    model = {"table": config}
    return MaskedModule(observation_space=seen, action_space=actions, model_config=model)


def shown(module: MaskedModule, games: int = 64):
    """Return a batch for the module, and the table that it comes from."""
    table = module.table
    batch = make_batch(table.game, games, seed=1, **table.params)
    for _ in range(5):
        batch.step(batch.sample_actions())
    seen = named(table.inputs(batch), batch.masks)
    return {"obs": {name: torch.from_numpy(one) for name, one in seen.items()}}, batch


def test_illegal_actions_have_no_probability_in_playing_and_learning() -> None:
    module = make_module()
    given, batch = shown(module)
    found = module.forward_train(given)
    trained = found["action_dist_inputs"]
    for forward in (module.forward_inference, module.forward_exploration):
        logits = forward(given)["action_dist_inputs"]
        torch.testing.assert_close(logits, trained)
        chances = logits.softmax(1).numpy()
        assert (chances[~batch.masks] == 0).all()
        np.testing.assert_allclose(chances.sum(1), 1, atol=1e-5)
    values = module.compute_values(given)
    torch.testing.assert_close(values, module.compute_values(given, found["embeddings"]))
    assert values.shape == (64,)
    loss = values.sum() + trained.softmax(1)[:, 0].sum()
    loss.backward()
    assert all(one.grad.isfinite().all() for one in module.parameters() if one.grad is not None)


def test_where_nothing_is_legal_there_is_a_value_and_no_nan() -> None:
    module = make_module()
    given, _ = shown(module)
    values = module.compute_values(given)
    given["obs"]["action_mask"] = torch.zeros_like(given["obs"]["action_mask"])
    torch.testing.assert_close(values, module.compute_values(given))
    assert module.forward_train(given)["action_dist_inputs"].softmax(1).isfinite().all()


def test_a_module_without_a_table_is_refused() -> None:
    seen, actions = Table.read(CONFIG).spaces
    with pytest.raises(ValueError, match="model_config"):
        MaskedModule(observation_space=seen, action_space=actions, model_config={})


TABLES = [
    {"params": {"num_players": 3, "rounds": 2, "reward": "margin"}},
    {"params": {"num_players": 4, "rounds": 1}},
    {"params": {"num_players": 2, "rounds": 2, "turn_limit": 7, "reward": "margin"}},
]


@pytest.mark.parametrize("table", TABLES)
def test_what_each_agent_is_paid_adds_up_to_its_payoff(table) -> None:
    env, rng = TableMultiAgentEnv(CONFIG | table), np.random.default_rng(1)
    other = TableEnv("diddly", **table["params"])
    for seed in range(30):
        seen, infos = env.reset(seed=seed)
        other.reset(seed=seed)
        payoffs, paid = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
        over = False
        while not over:
            ((agent, one),) = seen.items()
            assert agent == other.agent_selection
            assert infos.keys() == {agent}
            assert env.observation_spaces[agent].contains(one)
            size = other.observation_space(agent)["observation"].shape[0]
            np.testing.assert_array_equal(
                one["observations"][:size], other.observe(agent)["observation"]
            )
            action = int(rng.choice(np.flatnonzero(one["action_mask"])))
            other.step(action)
            for name, reward in other.rewards.items():
                payoffs[name] += reward
            seen, rewards, terminated, truncated, infos = env.step({agent: action})
            assert rewards.keys() == seen.keys()
            for name, reward in rewards.items():
                paid[name] += reward
            over = terminated["__all__"] or truncated["__all__"]
        assert paid == pytest.approx(payoffs)
        assert seen.keys() == paid.keys()
        assert terminated["__all__"] == any(other.terminations.values())
        assert truncated["__all__"] == any(other.truncations.values())
        assert infos["player_0"]["score"] == other.infos["player_0"]["score"]


def test_an_illegal_action_ends_the_game_at_a_cost() -> None:
    env = TableMultiAgentEnv(CONFIG)
    seen, _ = env.reset(seed=1)
    ((agent, one),) = seen.items()
    illegal = int(np.flatnonzero(one["action_mask"] == 0)[0])
    _, paid, terminated, _, infos = env.step({agent: illegal})
    assert terminated["__all__"]
    assert paid[agent] == -1
    assert infos[agent]["rank"] == 3
    env.reset()
    with pytest.raises(ValueError, match="is to act, and nobody else"):
        env.step({"player_0": 0, "player_1": 0})


def test_opponents_have_no_place_among_agents() -> None:
    with pytest.raises(ValueError, match="opponents"):
        TableMultiAgentEnv(CONFIG | {"opponents": {"random": 1}})


@pytest.mark.parametrize("ticks", [1, 7])
def test_rllibs_own_runner_credits_every_payoff(ticks) -> None:
    table = CONFIG | TABLES[0]
    module = RLModuleSpec(module_class=MaskedModule, model_config={"table": table})
    config = (
        PPOConfig()
        .environment(TableMultiAgentEnv, env_config=table)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
        .rl_module(rl_module_spec=module)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=1)
        .debugging(seed=1)
    )
    runner = MultiAgentEnvRunner(config=config)
    credited: dict[str, dict[str, float]] = {}
    over, steps = set(), 0
    while steps < 600:
        for one in runner.sample(num_timesteps=ticks):
            steps += one.env_steps()
            sums = credited.setdefault(one.id_, dict.fromkeys(one.agent_ids, 0.0))
            for agent in one.agent_ids:
                sums[agent] = sums.get(agent, 0.0) + one.agent_episodes[agent].get_return()
            if one.is_done:
                over.add(one.id_)
    assert len(over) > 2
    # The margins of a game sum to zero, so that nothing is lost or credited twice.
    assert all(sum(credited[name].values()) == pytest.approx(0, abs=1e-5) for name in over)
    assert any(abs(value) > 0.1 for name in over for value in credited[name].values())


def test_a_checkpoint_plays_as_the_module_does(tmp_path, capsys) -> None:
    module = make_module()
    folder = export_checkpoint(module, tmp_path / "learned")
    assert sorted(file.name for file in folder.iterdir()) == ["card.json", "weights.safetensors"]
    given, batch = shown(module)
    player = load_player(folder)
    expected = module.forward_inference(given)["action_dist_inputs"].argmax(1).numpy()
    assert (player.act(batch, np.arange(64)) == expected).all()
    card = read_card(folder)
    assert card["settings"]["algorithm"] == "RLlib's, from a module alone"
    assert card["versions"]["ray"]
    assert card["versions"]["gymnasium"]
    game = find_game("diddly")
    assert isinstance(make_player(str(folder), game, module.table.checked), PolicyPlayer)
    words = ["evaluate", str(folder), "--against", "random", "--deals", "10"]
    assert main(words) == 0
    assert "| random" in capsys.readouterr().out
    with pytest.raises(CheckpointError, match="value_until on its card is null"):
        TreeSearchPlayer(folder, game, module.table.checked)


def test_what_is_no_module_of_the_project_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match="MaskedModule"):
        export_checkpoint(torch.nn.Linear(2, 2), tmp_path / "learned")
