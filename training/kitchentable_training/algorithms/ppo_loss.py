"""Sampling of actions, and the loss of proximal policy optimization, as loops over legal actions.

Of dozens of actions only a few are legal, so a compiled loop over those is several times as fast as
a dozen operations on whole tensors. `reference_loss` computes the same loss with torch operations,
and is used on other devices.
(Schulman et al., "Proximal policy optimization algorithms", 2017.)
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
from kitchentable_training.algorithms.rollout import Minibatch
from kitchentable_training.networks.inputs import MASK
from kitchentable_training.networks.network import log_policy

UNIT = 2.0**-53


class LossWeights(NamedTuple):
    """The weights of the loss terms, and the clip range of the probability ratio."""

    clip_range: float
    entropy: float
    value: float
    reference: float


FIGURES = (
    "policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction",
    "reference_kl",
)  # fmt: skip
"""The names of the parts of the loss, as in stable-baselines3; the last one is the KL divergence
from the reference, 0 without one."""


@kernel
def draw_in(
    i: int, row: int, logits: Any, masks: Any, streams: Any, actions: Any, logs: Any, legal: Any,
    probs: Any,
) -> None:  # fmt: skip
    """Draw an action for game ``i``; see `draw`. The last two are scratch."""
    legal, probs = legal[row], probs[row]
    count, top = 0, np.float32(-np.inf)
    for a in range(logits.shape[1]):
        if masks[i, a]:
            legal[count] = a
            count += 1
            top = max(top, logits[i, a])
    total = np.float32(0.0)
    for k in range(count):
        probs[k] = math.exp(logits[i, legal[k]] - top)
        total += probs[k]
    streams[i] = advance(streams[i])
    remaining = np.float32(np.float64(streams[i] >> np.uint64(11)) * UNIT) * total
    chosen = 0
    while chosen < count - 1 and remaining >= probs[chosen]:
        remaining -= probs[chosen]
        chosen += 1
    while probs[chosen] == 0.0:  # the random number was rounded up to 1
        chosen -= 1
    actions[i] = legal[chosen]
    logs[i] = math.log(probs[chosen] / total)


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
    logits: Any, values: Any, masks: Any, actions: Any, old_logs: Any, advantages: Any,
    returns: Any, reference: Any, weights: Any, logit_gradients: Any, value_gradients: Any,
    sums: Any,
) -> None:  # fmt: skip
    clip_range, entropy_weight, value_weight, reference_weight = weights
    rows, num_actions = logits.shape
    legal = np.empty(num_actions, np.int64)
    probs = np.empty(num_actions, np.float32)
    logs, gaps = np.empty_like(probs), np.empty_like(probs)
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
            probs[k] = math.exp(logits[i, legal[k]] - top)
            total += probs[k]
        base = top + math.log(total)
        entropy, divergence = np.float32(0.0), np.float32(0.0)
        for k in range(count):
            probs[k] /= total
            logs[k] = logits[i, legal[k]] - base
            entropy -= probs[k] * logs[k]
            gaps[k] = logs[k] - reference[i, legal[k]] if reference.size else np.float32(0.0)
            divergence += probs[k] * gaps[k]
        log_ratio = logits[i, actions[i]] - base - old_logs[i]
        ratio = math.exp(log_ratio)
        clipped_ratio = min(max(ratio, 1 - clip_range), 1 + clip_range)
        surrogate, clipped = ratio * advantages[i], clipped_ratio * advantages[i]
        # By the log probability of the action.
        follows = clipped_ratio == ratio or surrogate < clipped
        surrogate_gradient = surrogate if follows else np.float32(0.0)
        for k in range(count):
            slope = entropy_weight * (logs[k] + entropy) + reference_weight * (gaps[k] - divergence)
            logit_gradients[i, legal[k]] = probs[k] * (slope + surrogate_gradient) / rows
        logit_gradients[i, actions[i]] -= surrogate_gradient / rows
        error = values[i] - returns[i]
        value_gradients[i] = 2 * value_weight * error / rows
        sums[0] -= min(surrogate, clipped)
        sums[1] += error * error
        sums[2] -= entropy
        sums[3] += ratio - 1 - log_ratio
        sums[4] += abs(ratio - 1) > clip_range
        sums[5] += divergence


_write_gradients: Any = loop(_gradients, game=None, name="gradients", allocates=True)


def backward(
    logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch, weights: LossWeights
) -> dict[str, Any]:
    """Add the gradients of the loss to those of the network; return `FIGURES` of the minibatch.

    They are floats, or tensors, so that a GPU need not be synchronized.

    Args:
        logits: of the policy; float32, shape (batch, num_actions). Those of illegal actions are
            ignored.
        values: float32, shape (batch,).
        minibatch: the decisions.
        weights: the weights of the loss terms.
    """
    if logits.device.type == "cpu":
        slopes, value_slopes, means = loss_gradients(logits, values, minibatch, weights)
        torch.autograd.backward([logits, values], [slopes, value_slopes])
        return dict(zip(FIGURES, means, strict=True))
    loss, parts = reference_loss(logits, values, minibatch, weights)
    torch.autograd.backward(loss)
    return dict(zip(FIGURES, parts, strict=True))


def loss_gradients(
    logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch, weights: LossWeights
) -> tuple[torch.Tensor, torch.Tensor, list[float]]:
    """Return the gradients of the loss by logits and values, and `FIGURES`; see `backward`."""
    slopes, value_slopes = torch.empty_like(logits), torch.empty_like(values)
    sums = np.zeros(len(FIGURES))
    tensors = (
        *(logits, values, minibatch.inputs[MASK], minibatch.actions, minibatch.log_probs),
        *(minibatch.advantages, minibatch.returns, minibatch.reference),
    )
    arrays: list[Any] = [tensor.detach().numpy() for tensor in tensors]
    arrays += [tuple(np.float32(weight) for weight in weights)]
    _write_gradients(*arrays, slopes.numpy(), value_slopes.numpy(), sums)
    return slopes, value_slopes, (sums / len(logits)).tolist()


def reference_loss(
    logits: torch.Tensor, values: torch.Tensor, minibatch: Minibatch, weights: LossWeights
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss with the same gradients as `loss_gradients`, and `FIGURES`, stacked."""
    masks, advantages, reference = (
        minibatch.inputs[MASK], minibatch.advantages, minibatch.reference
    )  # fmt: skip
    logs = log_policy(logits, masks)
    probs = logs.exp()
    entropy = -(probs * logs).sum(dim=1).mean()
    log_ratio = logs.gather(1, minibatch.actions[:, None])[:, 0] - minibatch.log_probs
    ratio, clip_range = log_ratio.exp(), weights.clip_range
    clipped_ratio = ratio.clamp(1 - clip_range, 1 + clip_range)
    policy = -torch.min(ratio * advantages, clipped_ratio * advantages).mean()
    value = functional.mse_loss(values, minibatch.returns)
    gaps = torch.zeros_like(logs)
    if reference.numel():
        gaps = (logs - reference).masked_fill(~masks, 0.0)
    divergence = (probs * gaps).sum(dim=1).mean()
    loss = policy + weights.value * value - weights.entropy * entropy
    loss = loss + weights.reference * divergence
    approx_kl = (ratio - 1 - log_ratio).mean()
    clip_fraction = ((ratio - 1).abs() > clip_range).float().mean()
    parts = (policy, value, -entropy, approx_kl, clip_fraction, divergence)
    return loss, torch.stack(parts).detach()
