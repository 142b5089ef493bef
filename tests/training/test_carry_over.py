"""Starting from a policy trained on another variant of the game."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
import torch
from tests.training.tiny_settings import TAUGHT, settings

from kitchentable import Batch, find_game
from kitchentable.games.quiddler.players.action_features import NAMES
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.networks.carry_over import FEATURES_OF_ACTIONS, VALUE, carry_over
from kitchentable_training.networks.inputs import FEATURES, IN_FLAT, NetworkInputs
from kitchentable_training.networks.network import build_network, masked_logits_and_values
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.players.checkpoint import (
    CheckpointError,
    load_player,
    make_card,
    write_checkpoint,
)
from kitchentable_training.runs.run import Run

QUIDDLER = find_game("quiddler")
NETWORK = NetworkSettings(layers=[8], relations=True, action_features=True)
AUTO, SPELL = (QUIDDLER.make_params(meld=meld) for meld in ("auto", "spell"))


def made(params, seed, network=NETWORK):
    torch.manual_seed(seed)
    inputs = NetworkInputs(QUIDDLER, params, network)
    return build_network(QUIDDLER, params, network), inputs


def read_of(inputs, batch):
    """Return the inputs of the first layer by their names."""
    shown = inputs(batch)
    read = np.concatenate([shown[name] for name in IN_FLAT if name in shown], axis=1)
    assert read.shape[1] == inputs.flat_size
    return dict(zip(inputs.names, read.T, strict=True))


def test_layers_read_the_same_numbers_and_no_others():
    """Policies of two variants give the same output for the inputs that both have."""
    (theirs, there), (fresh, here) = made(AUTO, 1), made(SPELL, 2)
    before = {name: tensor.clone() for name, tensor in fresh.state_dict().items()}
    fresh.load_state_dict(carry_over(theirs.state_dict(), there, fresh.state_dict(), here))
    shared = set(there.names) & set(here.names)
    assert 200 < len(shared) < min(len(there.names), len(here.names))
    rng = np.random.default_rng(3)
    values = {name: rng.random(5) for name in sorted(shared)}

    def hidden(network, inputs, others):
        columns = [values.get(name, np.full(5, others)) for name in inputs.names]
        return network.layers(torch.tensor(np.column_stack(columns), dtype=torch.float32))

    wanted = hidden(theirs, there, 0.0)
    torch.testing.assert_close(hidden(fresh, here, 0.0), wanted)
    torch.testing.assert_close(hidden(fresh, here, 1.0), wanted)
    now = fresh.state_dict()
    for name, tensor in theirs.state_dict().items():
        if name == FEATURES_OF_ACTIONS:
            spelled = ("spell", "word", "letters", "points_then", "longest_")
            unlearned = np.array([one.startswith(spelled) for one in NAMES])
            assert torch.equal(now[name][:, ~unlearned], tensor[:, ~unlearned])
            assert not now[name][:, unlearned].any()
        elif name.startswith("policy."):
            assert torch.equal(now[name], tensor), name
        elif name.startswith(VALUE):
            assert torch.equal(now[name], before[name]), name


def test_with_derived_parts_spelled_quiddler_is_shown_all_that_auto_is():
    """Derived parts and their relations follow the other inputs, under the same names."""
    network = NETWORK.model_copy(update={"derived_parts": True})
    there = NetworkInputs(QUIDDLER, AUTO, network)
    here, plain = (NetworkInputs(QUIDDLER, SPELL, one) for one in (network, NETWORK))
    assert there.names == NetworkInputs(QUIDDLER, AUTO, NETWORK).names
    assert set(there.names) <= set(here.names)
    assert not set(there.names) <= set(plain.names)
    assert len(here.names) == len(set(here.names)) == here.flat_size
    for copied in (pickle.loads(pickle.dumps(here)), deepcopy(here)):
        assert (copied.game, copied.names) == (QUIDDLER, here.names)
    batch = Batch(QUIDDLER, 8, seed=1, **SPELL.as_dict())
    for _ in range(20):
        batch.step(batch.sample_actions())
    of, kinds = read_of(here, batch), list(QUIDDLER.rules.deck(SPELL))
    for name, one in read_of(plain, batch).items():
        np.testing.assert_array_equal(of[name], one)
    for i in range(8):
        derived = batch.derive([i])[0]
        found = [of[f"{part}.0.{one}"][i] for part in ("worth", "out_without") for one in kinds]
        np.testing.assert_array_equal(found, derived[:62])
    products = sum(of[f"hand.0.{kind}"] * of[f"worth.0.{kind}"] for kind in kinds)
    np.testing.assert_allclose(of[f"hand.0.{kinds[0]} by worth.0.{kinds[0]}"], products, rtol=1e-5)


def test_silent_features_are_never_told():
    for params in (AUTO, SPELL):
        inputs = NetworkInputs(QUIDDLER, params, NETWORK)
        batch = Batch(QUIDDLER, 64, seed=1, **params.as_dict())
        told = np.zeros(len(NAMES), bool)
        for _ in range(40):
            batch.step(batch.sample_actions())
            told |= inputs(batch)[FEATURES].any(axis=(0, 1))
        untold = {NAMES[place] for place in np.flatnonzero(~told)}
        silent = {NAMES[place] for place in inputs.silent}
        assert silent <= untold
        assert all(name.startswith("keeps_more_") for name in untold - silent), "which are rare"


@pytest.mark.parametrize(
    ("before", "changes", "message"),
    [
        ({}, {"layers": [7]}, r"layers.0.weight is \[8, \d+\] there and \[7, \d+\] here"),
        ({}, {"layers": [8, 8]}, r"layers.2.weight is nothing there and \[8, 8\] here"),
        ({}, {"action_units": 63}, r"policy.context.weight is \[64, 8\] there and \[63, 8\] here"),
        ({}, {"action_features": False}, "the two are shown different action features"),
        # Without action features a network has one unit per action, and these have no names.
        ({"action_features": False}, {}, r"policy.weight is \[95, 8\] there and \[65, 8\] here"),
    ],
)
def test_other_networks_are_refused(before, changes, message):
    network = NETWORK.model_copy(update=before)
    (theirs, there), (fresh, here) = (
        made(params, 1, one)
        for params, one in ((AUTO, network), (SPELL, network.model_copy(update=changes)))
    )
    with pytest.raises(ValueError, match=message):
        carry_over(theirs.state_dict(), there, fresh.state_dict(), here)


@pytest.mark.parametrize("action_features", [True, False])
def test_a_wider_network_begins_by_playing_alike(action_features):
    """The added units are still learned: the last layers get gradients."""
    network = NETWORK.model_copy(update={"layers": [8, 6], "action_features": action_features})
    wide = network.model_copy(update={"layers": [9, 11], "action_units": 80})
    (theirs, there), (fresh, here) = made(AUTO, 1, network), made(AUTO, 2, wide)
    fresh.load_state_dict(carry_over(theirs.state_dict(), there, fresh.state_dict(), here))
    batch = Batch(QUIDDLER, 64, seed=1, **AUTO.as_dict())
    for _ in range(20):
        batch.step(batch.sample_actions())
    legal = torch.as_tensor(batch.masks)
    shown = here.tensors(batch)
    logits, wanted = (masked_logits_and_values(one, shown)[0] for one in (fresh, theirs))
    torch.testing.assert_close(logits[legal], wanted[legal])
    logits[legal].square().sum().backward()
    last = fresh.policy.layers[-1].weight if action_features else fresh.policy.weight
    assert last.grad[:, -5:].any()


def test_replies_are_followed_alike_at_tables_of_other_sizes():
    """The layers do not depend on the number of seats, so all weights are carried over."""
    addtoo, network = find_game("addtoo"), NETWORK.model_copy(update={"reply_rounds": 2})
    two, three = (addtoo.make_params(num_players=seats) for seats in (2, 3))
    there, here = (NetworkInputs(addtoo, params, network) for params in (two, three))
    theirs, fresh = (build_network(addtoo, params, network).state_dict() for params in (two, three))
    found = carry_over(theirs, there, fresh, here)
    replies = [name for name in fresh if name.startswith("replies.")]
    assert len(replies) > 8
    assert all(torch.equal(found[name], theirs[name]) for name in replies)


def at_pool(**changes):
    content = {
        "own": {"magnet_coef": 0.1}, "game": "pool", "params": {"num_players": 3}, "steps": 512,
        "num_envs": 4, "network": {"layers": [8]},
        "evaluation": {"final_deals": 2, "opponents": ["random"]},
    }  # fmt: skip
    return settings(**content | changes)


def test_a_run_begins_with_the_policy_of_another_variant(tmp_path, pool):
    """So does its magnet; with a tiny learning rate both stay there."""
    params = pool.make_params(num_players=2)
    network = at_pool().network
    torch.manual_seed(5)
    weights = build_network(pool, params, network).state_dict()
    write_checkpoint(tmp_path / "two", make_card(pool, params, network), weights)
    still = at_pool().training.model_dump()
    still |= {"learning_rate": 1e-30, "final_learning_rate": 0.0}
    start = {"start": str(tmp_path / "two"), "training": still}
    with pytest.raises(CheckpointError, match=r"needs num_players=2; this table has num_players=3"):
        Run(at_pool(**start), tmp_path / "refused")
    run = Run(at_pool(**start, carry_over=True), tmp_path / "run")
    run.train()
    trained = load_player(tmp_path / "run" / "final").network.state_dict()
    own = run.learner.network.state_dict()
    inputs = NetworkInputs(pool, params, network), run.learner.inputs
    wanted = carry_over(weights, inputs[0], own, inputs[1])
    for name, tensor in wanted.items():
        torch.testing.assert_close(trained[name], tensor)
        torch.testing.assert_close(run.learner.options[0].network.state_dict()[name], tensor)
    narrow = network.model_copy(update={"layers": [7]}).model_dump()
    with pytest.raises(CheckpointError, match=r"start: .*two cannot be carried over: .* is \[8"):
        Run(at_pool(**start, carry_over=True, network=narrow), tmp_path / "narrow")
    with pytest.raises(CheckpointError, match="diddly_2p plays diddly, not pool"):
        Run(at_pool(start="diddly_2p", carry_over=True), tmp_path / "third")


@pytest.mark.usefixtures("pool")
def test_a_run_that_dies_after_imitating_goes_on_with_the_same_magnet(tmp_path, monkeypatch):
    def die(*_):
        raise RuntimeError("killed")

    taught = at_pool(behavior_cloning=TAUGHT | {"player": "greedy"})
    monkeypatch.setattr(PPO, "update", die)
    with pytest.raises(RuntimeError, match="killed"):
        Run(taught, tmp_path / "taught").train()
    learner = Run(taught, tmp_path / "taught").learner
    (magnet,) = learner.options
    magnet.begin_rollout(learner)
    for name, tensor in learner.network.state_dict().items():
        torch.testing.assert_close(magnet.network.state_dict()[name], tensor)
