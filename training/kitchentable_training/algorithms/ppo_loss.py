"""Sampling of actions, and the loss of proximal policy optimization, as loops over legal actions.

Of dozens of actions only a few are legal, so a compiled loop over those is several times as fast as
a dozen operations on whole tensors. `reference_loss` computes the same loss with torch operations,
and is used on other devices.
(Schulman and others, "Proximal policy optimization algorithms", 2017.)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance
from kitchentable.engine.compiling import loop
from kitchentable_training.algorithms.game_loops import GameLoop
from kitchentable_training.networks.policy import ILLEGAL

UNIT = 2.0**-53


class LossWeights(NamedTuple):
    """The weights of the loss terms, and the clip range of the probability ratio."""

    clip_range: float
    entropy: float
    value: float
    magnet: float


class LossParts(NamedTuple):
    """Means over a minibatch: floats, or tensors, so that a GPU need not be synchronized."""

    policy: Any
    value: Any
    entropy: Any
    approx_kl: Any
    clip_fraction: Any
    magnet: Any
    """The KL divergence from the magnet; 0 if there is no magnet."""


@kernel
def draw_in(
    i: int,
    row: int,
    logits: Any,
    masks: Any,
    streams: Any,
    actions: Any,
    logs: Any,
    legal: Any,
    chances: Any,
) -> None:
    """Draw an action for game ``i``; see `draw`. The last two are scratch."""
    legal, chances = legal[row], chances[row]
    count, top = 0, np.float32(-np.inf)
    for a in range(logits.shape[1]):
        if masks[i, a]:
            legal[count] = a
            count += 1
            top = max(top, logits[i, a])
    total = np.float32(0.0)
    for k in range(count):
        chances[k] = math.exp(logits[i, legal[k]] - top)
        total += chances[k]
    streams[i] = advance(streams[i])
    left = np.float32(np.float64(streams[i] >> np.uint64(11)) * UNIT) * total
    chosen = 0
    while chosen < count - 1 and left >= chances[chosen]:
        left -= chances[chosen]
        chosen += 1
    actions[i] = legal[chosen]
    logs[i] = math.log(chances[chosen] / total)


draw = GameLoop(draw_in, np.int64, np.float32)
"""Draw an action for each game from the softmax over its legal actions.

Args:
    logits: float32, shape (games, num_actions).
    masks: legal actions, at least one each; bool, the same shape.
    streams: a random stream for each game, advanced by one; uint64, shape (games,).
    actions: output; int64, shape (games,).
    logs: output: the log probabilities of the actions; float32, shape (games,).
"""


def _gradients(
    logits: Any,
    values: Any,
    masks: Any,
    actions: Any,
    old_logs: Any,
    advantages: Any,
    returns: Any,
    magnet: Any,
    weights: Any,
    logit_gradients: Any,
    value_gradients: Any,
    sums: Any,
) -> None:
    clip_range, entropy_weight, value_weight, magnet_weight = weights
    rows, num_actions = logits.shape
    legal = np.empty(num_actions, np.int64)
    chances = np.empty(num_actions, np.float32)
    logs, gaps = np.empty_like(chances), np.empty_like(chances)
    for i in range(rows):
        count, top = 0, np.float32(-np.inf)
        for a in range(num_actions):
            logit_gradients[i, a] = 0.0
            if masks[i, a]:
                legal[count] = a
                count += 1
                top = max(top, logits[i, a])
        total = np.float32(0.0)
        for k in range(count):
            chances[k] = math.exp(logits[i, legal[k]] - top)
            total += chances[k]
        base = top + math.log(total)
        entropy, divergence = np.float32(0.0), np.float32(0.0)
        for k in range(count):
            chances[k] /= total
            logs[k] = logits[i, legal[k]] - base
            entropy -= chances[k] * logs[k]
            gaps[k] = logs[k] - magnet[i, legal[k]] if len(magnet) else np.float32(0.0)
            divergence += chances[k] * gaps[k]
        moved = logits[i, actions[i]] - base - old_logs[i]
        ratio = math.exp(moved)
        gain = ratio * advantages[i]
        reach = min(max(ratio, 1 - clip_range), 1 + clip_range)
        clipped = reach * advantages[i]
        pull = -gain if reach == ratio or gain < clipped else np.float32(0.0)
        for k in range(count):
            slope = entropy_weight * (logs[k] + entropy) + magnet_weight * (gaps[k] - divergence)
            logit_gradients[i, legal[k]] = chances[k] * (slope - pull) / rows
        logit_gradients[i, actions[i]] += pull / rows
        error = values[i] - returns[i]
        value_gradients[i] = 2 * value_weight * error / rows
        sums[0] -= min(gain, clipped)
        sums[1] += error * error
        sums[2] += entropy
        sums[3] += ratio - 1 - moved
        sums[4] += abs(ratio - 1) > clip_range
        sums[5] += divergence


_write_gradients: Any = loop(_gradients, game=None, name="gradients", allocates=True)
NO_MAGNET = torch.empty(0, 0)


class Decisions(NamedTuple):
    """The data of a minibatch, except the network's current outputs.

    Attributes:
        masks: legal actions; bool, shape (batch, num_actions).
        actions: the chosen actions; int64, shape (batch,).
        old_logs: their log probabilities in the rollout; float32, shape (batch,).
        advantages: their advantages; float32, shape (batch,).
        returns: the targets of the value head; float32, shape (batch,).
        magnet: the log probabilities of the magnet (see `selfplay`); float32, shape
            (batch, num_actions); empty if there is no magnet.
    """

    masks: torch.Tensor
    actions: torch.Tensor
    old_logs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    magnet: torch.Tensor = NO_MAGNET


def loss_gradients(
    logits: torch.Tensor, values: torch.Tensor, decisions: Decisions, weights: LossWeights
) -> tuple[torch.Tensor, torch.Tensor, LossParts]:
    """Return the gradients of the loss by logits and values, and the parts of the loss.

    Args:
        logits: of the policy; float32, shape (batch, num_actions). Those of illegal actions are
            ignored.
        values: of the value head; float32, shape (batch,).
        decisions: the minibatch.
        weights: the weights of the loss terms.
    """
    slopes, value_slopes = torch.empty_like(logits), torch.empty_like(values)
    sums = np.zeros(len(LossParts._fields))
    arrays: list[Any] = [one.detach().numpy() for one in (logits, values, *decisions)]
    arrays += [tuple(np.float32(weight) for weight in weights)]
    _write_gradients(*arrays, slopes.numpy(), value_slopes.numpy(), sums)
    return slopes, value_slopes, LossParts(*(sums / len(logits)).tolist())


def reference_loss(
    logits: torch.Tensor, values: torch.Tensor, decisions: Decisions, weights: LossWeights
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss with the same gradients as `loss_gradients`, and its parts, stacked."""
    masks, actions, old_logs, advantages, returns, magnet = decisions
    logs = functional.log_softmax(logits.masked_fill(~masks, ILLEGAL), dim=1)
    chances = logs.exp()
    entropy = -(chances * logs).sum(dim=1).mean()
    moved = logs.gather(1, actions[:, None])[:, 0] - old_logs
    ratio = moved.exp()
    reach = weights.clip_range
    clipped = ratio.clamp(1 - reach, 1 + reach)
    policy = -torch.min(ratio * advantages, clipped * advantages).mean()
    value = functional.mse_loss(values, returns)
    gaps = (logs - magnet).masked_fill(~masks, 0.0) if magnet.numel() else torch.zeros_like(logs)
    divergence = (chances * gaps).sum(dim=1).mean()
    loss = policy + weights.value * value - weights.entropy * entropy + weights.magnet * divergence
    approx_kl = (ratio - 1 - moved).mean()
    clip_fraction = ((ratio - 1).abs() > reach).float().mean()
    parts = (policy, value, entropy, approx_kl, clip_fraction, divergence)
    return loss, torch.stack(parts).detach()
