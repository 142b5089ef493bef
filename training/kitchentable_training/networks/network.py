"""Networks: torch modules that map `Inputs` to logits and values.

Any module can be one. It is made by ``Net(inputs, **options)`` from `NetworkInputs`, which say what
it will be shown, and called with `Inputs`. It returns logits, float, shape (batch, num_actions),
and values, float, shape (batch,). Logits of illegal actions are ignored, so it need not mask them.
The value is what the seat to act can still expect to be paid. It stays in evaluation mode.

`TableNetwork` is the network of the project.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import nn

from kitchentable import Game
from kitchentable_training.networks.inputs import (
    ACTIONS,
    COUNTS,
    FEATURES,
    FLAT,
    MASK,
    Inputs,
    NetworkInputs,
)
from kitchentable_training.networks.own import own_module
from kitchentable_training.networks.pooling import pool
from kitchentable_training.networks.reply_layers import ReplyLayers
from kitchentable_training.networks.settings import PAIRS, NetworkSettings
from kitchentable_training.networks.sparse import SparseLinear, linear

ILLEGAL = -1e8
"""The logit of illegal actions where gradients are needed; minus infinity would make them NaN."""


class Rows(NamedTuple):
    """Rows of action features, as the last layers receive them."""

    features: torch.Tensor
    """Shape (rows + padding, features)."""
    actions: torch.Tensor
    """The action of each row; int64, shape (rows,)."""
    games: torch.Tensor
    """The index in the batch of each row's decision, 0 for padding; int64, (rows + padding,)."""

    @property
    def used(self) -> int:
        """The number of rows without padding."""
        return len(self.actions)

    @classmethod
    def of(cls, inputs: Inputs) -> Rows:
        """Return the rows in the inputs of a network."""
        features, actions, counts = inputs[FEATURES], inputs[ACTIONS], inputs[COUNTS]
        games = torch.zeros(len(features), dtype=torch.int64, device=features.device)
        indices = torch.arange(len(counts), device=features.device)
        games[: len(actions)] = indices.repeat_interleave(counts, output_size=len(actions))
        return cls(features, actions, games)


class RowLayers(nn.Module):
    """Layers applied to every row of action features, with the outputs of other layers as context.

    Subclasses create ``layers``, those after the first one.
    """

    layers: nn.Module

    def __init__(self, size: int, length: int, units: int) -> None:
        """Create the first layer, for rows of ``length`` features and ``size`` other outputs."""
        super().__init__()
        self.context = nn.Linear(size, units)
        self.features = nn.Linear(length, units)

    def _apply_to_rows(self, hidden: torch.Tensor, rows: Rows) -> torch.Tensor:
        """Return the outputs for the rows without padding."""
        context = self.context(hidden).index_select(0, rows.games)
        outputs: torch.Tensor = self.layers(self.features(rows.features).add_(context))
        return outputs[: rows.used]


class ActionScorer(RowLayers):
    """The last layers of a policy with action features.

    All actions share these layers, so they learn from all actions what makes an action good. The
    logit of an action with several rows is the log-sum-exp of its rows, as if a row were sampled
    and its action played. With ``best_row`` it is the maximum, for outputs that are action values.
    An action without rows has 0.
    """

    def __init__(
        self, size: int, num_actions: int, length: int, units: int, *, best_row: bool = False
    ) -> None:
        super().__init__(size, length, units)
        self.num_actions, self.best_row = num_actions, best_row
        self.layers = nn.Sequential(_relu(), nn.Linear(units, units), _relu(), nn.Linear(units, 1))

    def forward(self, hidden: torch.Tensor, rows: Rows) -> torch.Tensor:
        """Return logits; (batch, num_actions)."""
        scores = self._apply_to_rows(hidden, rows)
        places = rows.games[: rows.used] * self.num_actions + rows.actions
        return self._add_up(scores[:, 0].float(), places, len(hidden))

    def _add_up(self, scores: torch.Tensor, places: torch.Tensor, games: int) -> torch.Tensor:
        """Return logits, (games, num_actions), from the scores of rows, by the rows' places."""
        empty = torch.zeros(games * self.num_actions, device=scores.device)
        most = empty.scatter_reduce(0, places, scores, "amax", include_self=False)
        if self.best_row:
            return most.view(games, self.num_actions)
        most = most.detach()
        total = empty.index_add(0, places, (scores - most[places]).exp())
        return (total + (total == 0)).log().add(most).view(games, self.num_actions)


class ValueOfActions(RowLayers):
    """The last layers of a value with action features.

    A seat can expect about the value of its best action. Therefore the maximum and the mean of each
    unit over all rows are inputs of the last layer, together with the outputs of the other layers.
    Both are zero if no action is legal.
    """

    def __init__(self, size: int, length: int, units: int) -> None:
        super().__init__(size, length, units)
        self.layers = nn.Sequential(_relu(), nn.Linear(units, units), _relu())
        self.last = nn.Linear(size + 2 * units, 1)

    def forward(self, hidden: torch.Tensor, rows: Rows) -> torch.Tensor:
        """Return values; (batch, 1)."""
        outputs, games = self._apply_to_rows(hidden, rows).float(), rows.games[: rows.used]
        most, total = pool(outputs, games, len(hidden)).chunk(2, dim=1)
        counts = torch.bincount(games, minlength=len(hidden))[:, None].clamp(min=1)
        value: torch.Tensor = self.last(torch.cat([hidden, most, total / counts], dim=1))
        return value


class ByName(nn.Linear):
    """The first layer of a network that plays at several tables of a game.

    It has weights for what is observed at any of them, and reads those of one table's inputs, in
    the order of their names. What is not observed there counts as 0. Which table it is, is an input
    too: one weight for each value of a parameter (see `NetworkInputs.weight_names`).
    """

    inputs_read: torch.Tensor
    values_read: torch.Tensor

    def __init__(self, inputs: NetworkInputs, units: int) -> None:
        super().__init__(len(inputs.weight_names), units)
        for name, places in zip(("inputs_read", "values_read"), inputs.weights_read, strict=True):
            self.register_buffer(name, torch.tensor(places, dtype=torch.int64), persistent=False)

    def forward(self, flat: torch.Tensor) -> torch.Tensor:
        """Return the outputs; (batch, units)."""
        by_input = self.weight.t()
        bias = self.bias + by_input.index_select(0, self.values_read).sum(dim=0)
        return linear(flat, by_input.index_select(0, self.inputs_read), bias)


class TableNetwork(nn.Module):
    """A perceptron that policy and value share, followed by a head for each of them.

    With action features the head of the policy is an `ActionScorer`, and with ``value_of_actions``
    that of the value is `ValueOfActions`.
    """

    def __init__(self, inputs: NetworkInputs, settings: NetworkSettings) -> None:
        super().__init__()
        sizes = inputs.reply_sizes(settings.reply_rounds) if settings.reply_rounds else None
        self.replies = ReplyLayers(sizes) if sizes else None
        self.layers = perceptron(inputs.flat_size, settings.layers)
        if settings.tables:
            self.layers[0] = ByName(inputs, settings.layers[0])
        hidden = settings.layers[-1] if settings.layers else inputs.flat_size
        self.policy: nn.Module = nn.Linear(hidden, inputs.num_actions)
        self.value: nn.Module = nn.Linear(hidden, 1)
        gain = math.sqrt(2)
        for part, scale in (
            (self.replies, gain), (self.layers, gain), (self.policy, 0.01), (self.value, 1.0)
        ):  # fmt: skip
            if part is not None:
                part.apply(partial(_orthogonal, gain=scale))
        if FEATURES in inputs.shapes:
            length = inputs.shapes[FEATURES][1] + (sizes.made if sizes else 0)
            units = settings.action_units
            self.policy = ActionScorer(
                hidden, inputs.num_actions, length, units, best_row=settings.best_row
            )
            if settings.value_of_actions:
                self.value = ValueOfActions(hidden, length, units)

    def forward(self, inputs: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, (batch, num_actions), and values, (batch,)."""
        hidden = self.layers(inputs[FLAT])
        rows = self._rows(inputs) if FEATURES in inputs else ()
        logits = self.policy(hidden, *rows)
        reads_rows = isinstance(self.value, ValueOfActions)
        values = self.value(hidden, *rows) if reads_rows else self.value(hidden)
        return logits, values.flatten()

    def _rows(self, inputs: Inputs) -> tuple[Rows]:
        """Return the rows with the outputs of `ReplyLayers`."""
        rows = Rows.of(inputs)
        if self.replies is None:
            return (rows,)
        more = self.replies(inputs[PAIRS], rows.features, rows.games)
        return (rows._replace(features=torch.cat([rows.features, more], dim=1)),)


def perceptron(size: int, layers: list[int]) -> nn.Sequential:
    """Return layers, each followed by a ReLU; the first one skips inputs that are zero."""
    kinds = [SparseLinear, *[nn.Linear] * len(layers)]
    sizes = zip(kinds, [size, *layers], layers, strict=False)
    return nn.Sequential(
        *(layer for kind, before, after in sizes for layer in (kind(before, after), _relu()))
    )


def _relu() -> nn.ReLU:
    """Return a ReLU in place: new memory takes longer than the operation."""
    return nn.ReLU(inplace=True)


def _orthogonal(module: nn.Module, gain: float) -> None:
    if isinstance(module, nn.Linear):
        nn.init.orthogonal_(module.weight, gain)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def build_network(game: Game, params: Any, settings: NetworkSettings) -> nn.Module:
    """Return a network with random weights.

    Raises:
        ValueError: the settings name a module that cannot be used.
    """
    inputs = NetworkInputs(game, params, settings)
    if settings.module is None:
        return TableNetwork(inputs, settings)
    return own_module(settings, inputs)


def log_policy(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return the log probabilities of legal actions; those of others are very low.

    Args:
        logits: float32, shape (batch, num_actions).
        masks: legal actions; bool, the same shape.
    """
    return logits.masked_fill(~masks, ILLEGAL).log_softmax(dim=1)


def masked_logits_and_values(
    network: nn.Module, inputs: Inputs
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the outputs of a network with `ILLEGAL` as the logits of illegal actions."""
    logits, values = network(inputs)
    return logits.masked_fill(~inputs[MASK], ILLEGAL), values
