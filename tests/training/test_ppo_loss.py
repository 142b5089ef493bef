"""The compiled passes for sampling and for the loss agree with torch."""

import numpy as np
import pytest
import torch

from kitchentable.core.rng import advance, seeds_for
from kitchentable_training.algorithms.ppo_loss import (
    FIGURES,
    LossWeights,
    draw,
    loss_gradients,
    reference_loss,
)
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.networks.inputs import MASK


def minibatch(rows=64, num_actions=11, seed=0):
    make = torch.Generator().manual_seed(seed)
    masks = torch.rand(rows, num_actions, generator=make) < 0.3
    masks[torch.arange(rows), torch.randint(num_actions, (rows,), generator=make)] = True
    logits = 2 * torch.randn(rows, num_actions, generator=make)
    actions = torch.multinomial(masks.float(), 1, generator=make)[:, 0]
    logs = logits.masked_fill(~masks, -torch.inf).log_softmax(1)
    old_logs = logs.gather(1, actions[:, None])[:, 0] + 0.4 * torch.randn(rows, generator=make)
    values, advantages, returns = torch.randn(3, rows, generator=make)
    reference = torch.randn(rows, num_actions, generator=make).log_softmax(1)
    return (logits, values, masks, actions, old_logs, advantages, returns), reference


@pytest.mark.parametrize("has_reference", [False, True])
def test_gradients_are_those_of_the_loss_in_torch(has_reference):
    arrays, reference = minibatch()
    logits, values = (one.clone().requires_grad_() for one in arrays[:2])
    weights = LossWeights(clip_range=0.2, entropy=0.03, value=0.7, reference=0.05)
    known = reference if has_reference else reference[:, :0]
    decisions = Minibatch(torch.arange(64), {MASK: arrays[2]}, *arrays[3:], known)
    loss, parts = reference_loss(logits, values, decisions, weights)
    loss.backward()
    slopes, value_slopes, found = loss_gradients(logits, values, decisions, weights)
    torch.testing.assert_close(slopes, logits.grad, atol=1e-7, rtol=1e-4)
    torch.testing.assert_close(value_slopes, values.grad)
    np.testing.assert_allclose(found, parts.numpy(), atol=1e-6, rtol=1e-5)
    wanted = dict(zip(FIGURES, parts.tolist(), strict=True))
    assert 0.2 < wanted["clip_fraction"] < 0.9  # both sides of the clipping occur
    assert (wanted["reference_kl"] > 0.1) == has_reference


def test_drawn_actions_have_the_probabilities_of_the_softmax():
    (logits, _, masks, *_), _ = minibatch(rows=5)
    chances = logits.masked_fill(~masks, -torch.inf).softmax(1).numpy()
    games = 20_000
    streams = seeds_for(3, games)
    actions, logs = np.empty(games, np.int64), np.empty(games, np.float32)
    for i in range(len(logits)):
        many = [np.repeat(one.numpy()[i : i + 1], games, axis=0) for one in (logits, masks)]
        draw(*many, streams, actions, logs)
        np.testing.assert_allclose(np.exp(logs), chances[i, actions], rtol=1e-5)
        shares = np.bincount(actions, minlength=logits.shape[1]) / games
        np.testing.assert_allclose(shares, chances[i], atol=4 * np.sqrt(0.25 / games))
        assert (shares[chances[i] == 0] == 0).all()


def test_an_action_of_probability_zero_is_not_drawn_by_a_number_that_is_rounded_to_one():
    stream = np.array([127_806_744 * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
    assert np.float32((int(advance(stream[0])) >> 11) / 2**53) == 1
    actions, logs = np.empty(1, np.int64), np.empty(1, np.float32)
    draw(np.array([[0, -200]], np.float32), np.ones((1, 2), np.bool_), stream, actions, logs)
    assert (actions[0], logs[0]) == (0, 0)
