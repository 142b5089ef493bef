"""The decisions of a rollout: what was shown, done and paid at each step of a batch of games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.networks.inputs import (
    ACTIONS,
    COUNTS,
    FEATURES,
    FLAT,
    MASK,
    Inputs,
    NetworkInputs,
    padded,
    row_places,
    with_views,
)
from kitchentable_training.networks.network import log_policy
from kitchentable_training.networks.settings import PAIRS


class RecordedInputs:
    """What the network was shown at each step, from which minibatches are taken.

    Steps are written in order, again from the first one after the last one. The rows of action
    features of all decisions follow each other in buffers that grow as needed.

    Attributes:
        flat: the inputs of the first layer; shape (steps + 1, games, size).
        masks: the legal actions; bool, shape (steps + 1, games, num_actions).
        dtype: the dtype in which numbers are stored, except the mask.
    """

    def __init__(
        self,
        inputs: NetworkInputs,
        steps: int,
        games: int,
        *,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self.dtype, self._sizes = dtype, inputs.flat_sizes
        zeros = partial(torch.zeros, device=device)
        self.flat = zeros(steps + 1, games, inputs.flat_size, dtype=dtype)
        self.masks = zeros(steps + 1, games, inputs.num_actions, dtype=torch.bool)
        self._fixed = {FLAT: self.flat, MASK: self.masks}
        if PAIRS in inputs.shapes:
            self._fixed[PAIRS] = zeros(steps + 1, games, *inputs.shapes[PAIRS], dtype=dtype)
        self._has_rows = FEATURES in inputs.shapes
        self._features = zeros(0, len(inputs.feature_names), dtype=dtype)
        self._actions = zeros(0, dtype=torch.int64)
        self._counts = zeros(steps + 1, games, dtype=torch.int64)
        self._starts = [0] * (steps + 2)
        """The number of rows before each step."""
        self._buffers: dict[str, torch.Tensor] = {}

    def write(self, step: int, games: Any, inputs: Inputs) -> Inputs:
        """Record what is shown in some games, and return it as it is stored."""
        stored = {}
        for name, tensor in self._fixed.items():
            if isinstance(games, slice):  # copied and converted at once
                stored[name] = tensor[step].copy_(inputs[name])
            else:
                stored[name] = inputs[name].to(tensor.dtype)
                tensor[step, games] = stored[name]
        if self._has_rows:
            stored |= self._write_rows(step, games, inputs)
        return with_views(stored, self._sizes)

    def _write_rows(self, step: int, games: Any, inputs: Inputs) -> Inputs:
        start, features, actions = self._starts[step], inputs[FEATURES], inputs[ACTIONS]
        self._starts[step + 1] = start + len(actions)
        self._features = _with_room(self._features, start + len(features))
        self._actions = _with_room(self._actions, start + len(features))
        rows = slice(start, start + len(features))
        self._features[rows] = features  # with the padding, which the next step overwrites
        self._actions[start : self._starts[step + 1]] = actions
        self._counts[step] = 0
        self._counts[step, games] = inputs[COUNTS]
        return {FEATURES: self._features[rows], ACTIONS: actions, COUNTS: inputs[COUNTS]}

    def stored(self, inputs: Inputs) -> Inputs:
        """Return inputs in the dtype in which they are stored."""
        return {
            name: tensor.to(self.dtype) if tensor.is_floating_point() else tensor
            for name, tensor in inputs.items()
        }

    def at(self, step: int) -> Inputs:
        """Return what was shown in all games at a step, from 0 on."""
        inputs = {name: tensor[step] for name, tensor in self._fixed.items()}
        if self._has_rows:
            rows = slice(self._starts[step], self._starts[step + 1])
            inputs |= {FEATURES: self._features[rows], ACTIONS: self._actions[rows]}
            inputs[COUNTS] = self._counts[step]
        return with_views(inputs, self._sizes)

    def take(self, which: torch.Tensor) -> Inputs:
        """Return what was shown of some decisions, in tensors that the next call overwrites.

        Args:
            which: the indices of decisions, by step and then by game; int64, shape (batch,).
        """
        inputs = {
            name: self._taken(name, tensor.flatten(0, 1), which)
            for name, tensor in self._fixed.items()
        }
        if self._has_rows:
            all_counts = self._counts.flatten()
            counts = all_counts[which]
            places = row_places((all_counts.cumsum(0) - all_counts)[which], counts)
            inputs[FEATURES] = self._taken(FEATURES, self._features, padded(places))
            inputs[ACTIONS] = self._actions[places]
            inputs[COUNTS] = counts
        return with_views(inputs, self._sizes)

    def _taken(self, name: str, source: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
        """Select rows into a buffer that is used again: it is large, and new memory is slow."""
        buffer = self._buffers.get(name)
        if buffer is None or len(buffer) < len(which):
            buffer = self._buffers[name] = source.new_empty(len(which), *source.shape[1:])
        return torch.index_select(source, 0, which, out=buffer[: len(which)])


def _with_room(tensor: torch.Tensor, count: int) -> torch.Tensor:
    """Return a tensor, copied into one of twice the length if it is shorter than ``count``."""
    if len(tensor) >= count:
        return tensor
    longer = tensor.new_zeros(2 * count, *tensor.shape[1:])
    longer[: len(tensor)] = tensor
    return longer


class Rollout:
    """Inputs, actions and rewards of some steps of a batch of games; the first axis is the step.

    Inputs, movers and values have one more row: the decisions with which the next rollout begins.

    Attributes:
        inputs: what the network was shown.
        movers: the seats that decided; int64, shape (steps + 1, games).
        values: the values of their decisions; float32, shape (steps + 1, games).
        learned: whether the decisions are the learner's; bool, shape (steps, games).
        actions: what was done; int64, shape (steps, games).
        log_probs: the log probabilities of the actions; float32, shape (steps, games).
        rewards: what was paid until the next decision; float32, shape (steps, games, seats).
        ends: whether an episode ended; bool, shape (steps, games).
        advantages: float32, shape (steps, games).
        reference: the log probabilities of a policy towards which the loss pulls; float32, shape
            (steps, games, num_actions), or (steps, games, 0) without one.
    """

    def __init__(
        self, inputs: NetworkInputs, games: TensorBatch, steps: int, dtype: torch.dtype
    ) -> None:
        shape, device = (steps, games.num_envs), games.device
        zeros = partial(torch.zeros, device=device)
        self.inputs = RecordedInputs(inputs, *shape, dtype=dtype, device=device)
        self.movers = zeros(steps + 1, games.num_envs, dtype=torch.int64)
        self.values = zeros(steps + 1, games.num_envs)
        self.learned = zeros(shape, dtype=torch.bool)
        self.actions = zeros(shape, dtype=torch.int64)
        self.log_probs = zeros(shape)
        self.rewards = zeros(*shape, games.num_players)
        self.ends = zeros(shape, dtype=torch.bool)
        self.advantages = zeros(shape)
        self.reference = zeros(*shape, 0)

    def begin(self) -> None:
        """Make the last row of masks and observations the first one, and forget what was paid."""
        for tensor in (self.inputs.masks, self.inputs.flat):
            tensor[0] = tensor[-1]
        for tensor in (self.rewards, self.ends):
            tensor.zero_()

    def refer(self, step: int, logits: torch.Tensor) -> None:
        """Make the policy with these logits the reference of a step."""
        if not self.reference.numel():
            self.reference = torch.zeros_like(self.inputs.masks[:-1], dtype=torch.float32)
        self.reference[step] = log_policy(logits, self.inputs.masks[step])


@dataclass
class Minibatch:
    """Decisions of a rollout to learn from; the first axis of its tensors is the decision.

    Attributes:
        rows: the indices of the decisions in the rollout, by step and then by game.
        inputs: what the network was shown.
        actions: the chosen actions; int64.
        log_probs: their log probabilities in the rollout; float32.
        advantages: their advantages; float32.
        returns: the targets of the values; float32.
        reference: the log probabilities of the policy towards which the loss pulls; float32, shape
            (batch, num_actions), or (batch, 0) without one.
    """

    rows: torch.Tensor
    inputs: Inputs
    actions: torch.Tensor
    log_probs: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    reference: torch.Tensor
