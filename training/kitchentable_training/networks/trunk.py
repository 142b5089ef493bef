"""The layers between the features of a network and its outputs, for policy and value."""

from __future__ import annotations

from typing import Any, cast

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from kitchentable_training.networks.inputs import BASE, ROW_START
from kitchentable_training.networks.pass_by import BesideRows
from kitchentable_training.networks.pooling import pool


class SharedTrunk(nn.Module):
    """Shared layers for policy and value, evaluated once for both."""

    def __init__(self, size: int, layers: list[int]) -> None:
        """Create the layers.

        Args:
            size: the number of features.
            layers: the units of each layer.
        """
        super().__init__()
        sizes = [size, *layers]
        both = [
            one
            for before, after in zip(sizes, layers, strict=False)
            for one in (nn.Linear(before, after), nn.ReLU())
        ]
        self.layers = nn.Sequential(*both)
        self.latent_dim_pi = self.latent_dim_vf = sizes[-1]

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the inputs of the last layers of policy and value; (batch, latent_dim) each."""
        latent = self.layers(features)
        return latent, latent

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return the input of the policy's last layer; (batch, latent_dim_pi)."""
        latent: torch.Tensor = self.layers(features)
        return latent

    forward_critic = forward_actor


class LayersBesideRows(nn.Module):
    """The layers of policy and value; the rows bypass them."""

    def __init__(self, layers: SharedTrunk, *, for_value: bool) -> None:
        """Wrap the layers.

        Args:
            layers: of policy and value.
            for_value: whether the last layers of the value receive the rows too.
        """
        super().__init__()
        self.layers = layers
        self.for_value = for_value
        self.latent_dim_pi, self.latent_dim_vf = layers.latent_dim_pi, layers.latent_dim_vf

    def forward(self, features: BesideRows) -> tuple[BesideRows, BesideRows | torch.Tensor]:
        """Return the inputs of the last layers of policy and value."""
        policy, value = self.layers(features.made)
        return features._replace(made=policy), self._for_value(value, features)

    def forward_actor(self, features: BesideRows) -> BesideRows:
        """Return the inputs of the last layers of the policy."""
        return features._replace(made=self.layers.forward_actor(features.made))

    def forward_critic(self, features: BesideRows) -> BesideRows | torch.Tensor:
        """Return the inputs of the last layers of the value."""
        return self._for_value(self.layers.forward_critic(features.made), features)

    def _for_value(self, made: torch.Tensor, features: BesideRows) -> BesideRows | torch.Tensor:
        return features._replace(made=made) if self.for_value else made


class RowLayers(nn.Module):
    """Layers applied to every row of action features, with the other inputs as context."""

    layers: nn.Module
    """The layers after the first one; created by subclasses."""

    def __init__(self, size: int, length: int, units: int) -> None:
        """Create the first layer.

        Args:
            size: the number of outputs of the other layers.
            length: the length of a row.
            units: the units of each hidden layer.
        """
        super().__init__()
        self.context = nn.Linear(size, units)
        self.features = nn.Linear(length - ROW_START, units)

    def _pass(self, latent: BesideRows) -> torch.Tensor:
        """Return the outputs for the rows before the padding."""
        context = self.context(latent.made).index_select(0, latent.games)
        outputs: torch.Tensor = self.layers(self.features(latent.rows[:, ROW_START:]) + context)
        return outputs[: latent.used]


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
        """Create the layers.

        Args:
            size: the number of outputs of the other layers.
            num_actions: the number of actions of the game.
            length: the length of a row.
            units: the units of each hidden layer.
            best_row: whether the output for an action is the maximum over its rows.
        """
        super().__init__(size, length, units)
        self.num_actions, self.best_row = num_actions, best_row
        self.layers = nn.Sequential(
            nn.ReLU(), nn.Linear(units, units), nn.ReLU(), nn.Linear(units, 1)
        )

    def forward(self, latent: BesideRows) -> torch.Tensor:
        """Return logits; (batch, num_actions)."""
        scores = self._pass(latent)
        # As integers, because bfloat16 would round the sum of the digits.
        high, low = latent.rows[: latent.used, 1:ROW_START].long().unbind(1)
        places = latent.games[: latent.used] * self.num_actions + BASE * high + low
        return self._add_up(scores[:, 0].float(), places, len(latent.made))

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
        """Create the layers.

        Args:
            size: the number of outputs of the other layers.
            length: the length of a row.
            units: the units of each hidden layer.
        """
        super().__init__(size, length, units)
        self.layers = nn.Sequential(nn.ReLU(), nn.Linear(units, units), nn.ReLU())
        self.last = nn.Linear(size + 2 * units, 1)

    def forward(self, latent: BesideRows) -> torch.Tensor:
        """Return values; (batch, 1)."""
        made = latent.made
        outputs, games = self._pass(latent).float(), latent.games[: latent.used]
        most, total = pool(outputs, games, len(made)).chunk(2, dim=1)
        counts = torch.bincount(games, minlength=len(made))[:, None].clamp(min=1)
        value: torch.Tensor = self.last(torch.cat([made, most, total / counts], dim=1))
        return value


class TablePolicy(MaskableActorCriticPolicy):
    """An actor-critic policy with shared layers for policy and value."""

    def __init__(
        self,
        *args: Any,
        row_length: int,
        action_units: int,
        best_row: bool,
        value_of_actions: bool,
        **kwargs: Any,
    ) -> None:
        """Create the network.

        Args:
            args: arguments of the base class.
            row_length: the length of a row of action features, including the outputs of
                `ReplyLayers` (see `ActionScorer`); 0 without rows.
            action_units: the units of each hidden layer that all actions share.
            best_row: whether the output for an action is the maximum over its rows.
            value_of_actions: whether the value receives the rows too (see `ValueOfActions`).
            kwargs: arguments of the base class.
        """
        self._row_length, self._action_units = row_length, action_units
        self._best_row, self._value_of_actions = best_row, value_of_actions
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if self._row_length:
            # Created after the base class initializes its layers: with that small gain of the last
            # layer, the layers before it would hardly learn.
            before, make = cast("nn.Linear", self.action_net), cast("Any", self.optimizer_class)
            sizes = self._row_length, self._action_units
            wanted = before.in_features, before.out_features, *sizes
            scorer = ActionScorer(*wanted, best_row=self._best_row)
            self.action_net = scorer.to(self.device)
            if self._value_of_actions:
                value: Any = ValueOfActions(self.value_net.in_features, *sizes)
                self.value_net = value.to(self.device)
            self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, dict)
        layers: Any = SharedTrunk(self.features_dim, self.net_arch["pi"])
        if self._row_length:
            layers = LayersBesideRows(layers, for_value=self._value_of_actions)
        self.mlp_extractor = layers.to(self.device)
