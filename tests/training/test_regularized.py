"""Algorithms for equilibria find that of Kuhn poker; regularized losses are the papers'."""

import numpy as np
import pytest
import torch
from stable_baselines3.common.logger import Logger
from tests.training.tiny_settings import KUHN, TINY, learner, settings

from kitchentable import find_game
from kitchentable_training.algorithms.advantages import advantages
from kitchentable_training.algorithms.rnad import v_trace
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.exact.tree import GameTree
from kitchentable_training.networks.inputs import MASK
from kitchentable_training.networks.policy import MixturePlayer, PolicyPlayer

RATES = TINY["training"] | {"learning_rate": 0.003, "final_learning_rate": 1e-5}
LONG = {"steps": 150_000, "num_envs": 128, "network": {"layers": [64, 64]}}
SHORT = {"steps": 100_000, "num_envs": 256, "network": {"layers": [64]}}
LEARNED = {
    "mmd": LONG | {"training": RATES | {"alpha": 0.02, "batch_size": 512, "n_epochs": 2}},
    "rnad": LONG | {
        "training": RATES | {"eta": 0.02, "delta_m": 30_000, "batch_size": 512, "n_epochs": 1}
    },
    "nfsp": SHORT | {"training": {"replay_size": 20_000, "target_every": 50, "batch_size": 256}},
    "psro": SHORT | {"training": {"learning_rate": 0.01, "final_learning_rate": 0.001}},
}  # fmt: skip
"""By algorithm: settings that find an equilibrium of Kuhn poker."""


def kuhn(algorithm, **own):
    return learner(settings(own, algorithm=algorithm, **KUHN, **LEARNED[algorithm]))


@pytest.mark.parametrize("algorithm", LEARNED)
def test_self_play_approaches_the_equilibrium_of_kuhn_poker(algorithm) -> None:
    """Untrained it loses up to 0.46 chips; the best pure policy that each seat can play, more."""
    mine = kuhn(algorithm)
    tree = GameTree(find_game("kuhn_poker"), mine.seating.batch.params)
    kind = MixturePlayer if algorithm == "psro" else PolicyPlayer
    player = kind(mine.network, mine.inputs, "mine", deterministic=False)
    before = exploitability(tree, tree.policy(player))
    while mine.steps < mine.settings.steps:
        mine.update(Logger(None, []))
    after = exploitability(tree, tree.policy(player))
    assert before.exploitability > 0.3
    assert after.exploitability < 0.2
    assert after.values[0] == pytest.approx(-1 / 18, abs=0.06)


def test_the_loss_of_mirror_descent_is_that_of_the_paper() -> None:
    """With the policy of a rollout and another one, its gradient is that of the formula."""
    mine = kuhn("mmd", vf_coef=0.0, alpha=0.3, step_size=2.0)
    mine.collect()
    mine.estimate_advantages()
    with torch.no_grad():
        for one in mine.network.parameters():
            one.add_(torch.randn_like(one), alpha=0.1)
    rows = torch.arange(100)
    minibatch = mine._minibatch(rows)
    for option in mine.options:
        option.loss(mine, minibatch)
    logits, values = mine.evaluate(mine.network, minibatch.inputs)
    logits, values = logits.detach().requires_grad_(), values.detach().requires_grad_()
    mine.backward(logits, values, minibatch)

    rollout, masks = mine.rollout, minibatch.inputs[MASK]
    free = logits.detach().requires_grad_()
    log_pi = free.masked_fill(~masks, -1e8).log_softmax(dim=1)
    legal = masks.sum(dim=1, keepdim=True)
    played = rollout.actions.flatten()[rows]
    known = rollout.log_probs.flatten()[rows]
    ratio = (log_pi[rows, played] - known).exp()
    gain = ratio * rollout.advantages.flatten()[rows]
    magnet = (log_pi.exp() * (log_pi + legal.log())).sum(dim=1)
    np.testing.assert_allclose(minibatch.reference[rows, played], known, atol=1e-5)
    old = (log_pi.exp() * (log_pi - minibatch.reference).masked_fill(~masks, 0)).sum(dim=1)
    decline = (150_000 / 2048) ** 0.5  # after the first rollout of the run
    loss = -gain + 0.3 * decline * magnet + old / (2 * decline)
    loss.mean().backward()
    assert free.grad.abs().max() > 1e-4
    np.testing.assert_allclose(logits.grad, free.grad, atol=1e-6)


def test_v_trace_of_the_policy_that_played_is_the_advantage() -> None:
    rng, shape = np.random.default_rng(3), (12, 20)
    rewards = rng.normal(size=(*shape, 2)).astype(np.float32)
    ends, learned = rng.random(shape) < 0.2, rng.random(shape) < 0.9
    movers = rng.integers(2, size=(13, 20))
    values = rng.normal(size=(13, 20)).astype(np.float32)
    given = rewards, ends, movers, learned, values
    ratios, costs = np.ones(shape, np.float32), np.zeros(shape, np.float32)
    targets, traced, plain = np.zeros((3, *shape), np.float32)
    one, discount = np.float32(1), np.float32(0.9)
    v_trace(*given, ratios, costs, one, discount, one, targets, traced)
    advantages(*given, discount, one, plain)
    np.testing.assert_allclose(traced, plain, atol=1e-5)
    np.testing.assert_allclose(targets, values[:-1] + plain, atol=1e-5)
    assert plain[learned].any()


def test_v_trace_weights_what_other_seats_do_and_passes_on_what_they_pay() -> None:
    """Seat 0, then seat 1 twice, then seat 0 decide; the game ends with a payment."""
    steps = 4
    rewards = np.zeros((steps, 1, 2), np.float32)
    rewards[:, 0] = [[0.1, -0.1], [0.2, -0.2], [0.3, -0.3], [1, -1]]
    ends = np.array([[False], [False], [False], [True]])
    movers = np.array([[0], [1], [1], [0], [0]])
    values = np.array([[0.5], [0.6], [0.7], [0.8], [9]], np.float32)
    ratios = np.array([[1.5], [0.5], [3.0], [0.9]], np.float32)
    costs = np.array([[0.01], [0.02], [0.03], [0.04]], np.float32)
    learned = np.ones_like(ends)
    targets, out = np.zeros((2, steps, 1), np.float32)
    given = rewards, ends, movers, learned, values, ratios, costs, *3 * [np.float32(1)]
    v_trace(*given, targets, out)
    last = 0.8 + 0.9 * (1 - 0.04 - 0.8)
    assert targets[3, 0] == pytest.approx(last)
    assert out[3, 0] == pytest.approx(1 - 0.8)
    # For seat 0 both decisions of seat 1 come in between, with ratios 0.5 and 3.
    weight = 0.5 * 3.0
    uncorrected = 0.1 + 0.2 + 0.02 + 0.3 + 0.03
    first = 0.5 + min(1, 1.5 * weight) * (uncorrected - 0.01 + 0.8 - 0.5 + last - 0.8)
    assert targets[0, 0] == pytest.approx(first)
    weighted = 0.1 + 0.02 + 0.5 * (0.2 + 0.03 + 3.0 * 0.3)
    assert out[0, 0] == pytest.approx(weighted + weight * last - 0.5)
    # Seat 1's second decision is followed by seat 0's, which pays it 0.04 and ends the game.
    assert out[2, 0] == pytest.approx(-0.3 + 0.04 + 0.9 * -1 - 0.7)


def test_neurd_pushes_no_logit_beyond_its_threshold() -> None:
    """Of three legal actions, one is beyond the threshold above and one below."""
    mine = kuhn("rnad", eta=0.0, neurd_threshold=1.0, vf_coef=0.0)
    masks = torch.tensor([[True, True, True, False]]).repeat(2, 1)
    logits = torch.tensor([[1.5, 0.0, -1.5, 9.0]]).repeat(2, 1).requires_grad_()
    values = torch.zeros(2, requires_grad=True)
    chance = 0.25
    logs = torch.tensor([chance, chance]).log()
    # The first decision's best action is the first one, the second's is the third one.
    minibatch = Minibatch(
        torch.arange(2), {MASK: masks}, torch.tensor([0, 2]), logs, torch.tensor([1.0, 1.0]),
        torch.zeros(2), torch.zeros(2, 4),
    )  # fmt: skip
    mine.backward(logits, values, minibatch)
    found = -2 * logits.grad
    assert (found[:, 3] == 0).all()
    pi = torch.tensor([1.5, 0.0, -1.5]).softmax(dim=0)
    for row, best in enumerate([0, 2]):
        gains = -4.0 * pi[best] * torch.ones(3)
        gains[best] += 4.0
        held = torch.tensor([gains[0] > 0, False, gains[2] < 0])  # pushed further beyond it
        force = gains.masked_fill(held, 0.0)
        np.testing.assert_allclose(found[row, :3], force - force.mean(), atol=1e-5)


def test_a_seat_pays_its_opponent_for_leaving_the_regularization_policy() -> None:
    """What is paid grows with eta, and the current policy costs nothing at the start of a turn."""
    mine = kuhn("rnad")
    mine.collect()
    mine.begin_epoch(0)
    np.testing.assert_allclose(mine._log_probs, mine.rollout.reference, atol=1e-6)
    start = mine._targets.clone()
    with torch.no_grad():
        for one in mine.regularization[0].parameters():
            one.add_(torch.randn_like(one), alpha=0.5)
    mine.steps = mine.rnad.delta_m // 4  # half of both policies
    with torch.no_grad():
        mine._evaluate_others()
    masks = mine.rollout.inputs.masks[0]
    inputs = mine.rollout.inputs.at(0)
    new, old = (mine._policy(one, inputs).detach()[masks] for one in mine.regularization)
    np.testing.assert_allclose(mine.rollout.reference[0][masks], (new + old) / 2, atol=1e-6)
    mine.begin_epoch(0)
    assert not torch.equal(mine._targets, start)


def test_the_policy_becomes_the_regularization_policy_after_each_turn() -> None:
    mine = kuhn("rnad", delta_m=5000)
    first = {name: one.clone() for name, one in mine.regularization[0].state_dict().items()}
    for _ in range(3):  # of 2048 decisions each
        before = mine.regularization[0].state_dict()
        assert all(torch.equal(before[name], one) for name, one in first.items())
        mine.update(Logger(None, []))
    current, before = (one.state_dict() for one in mine.regularization)
    played = mine.network.state_dict()
    assert all(torch.equal(before[name], one) for name, one in first.items())
    assert all(torch.equal(current[name], one) for name, one in played.items())
    assert any(not torch.equal(current[name], one) for name, one in first.items())


@pytest.mark.parametrize(
    ("game", "params"), [("quiddler_solitaire", {}), ("diddly", {"num_players": 3, "rounds": 1})]
)
def test_one_seat_and_many_seats_learn_too(game, params) -> None:
    """What a seat pays goes to its opponents in equal shares; without any, to nobody."""
    own = {"eta": 0.5, "gae_lambda": 1.0, "n_steps": 64}
    mine = learner(settings(own, algorithm="rnad", game=game, params=params, num_envs=16))
    for _ in range(2):
        mine.update(Logger(None, []))
    assert all(one.isfinite().all() for one in mine.acting.parameters())
    assert mine._targets.isfinite().all()
    assert mine._targets.std() > 0
