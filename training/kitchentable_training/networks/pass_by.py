"""Rows of action features pass by the layers that see the rest, on their way to the last ones.

They are the last numbers of what a network is shown. From there on the two go as a pair: put
together into one tensor they would be copied, and their gradients worked out, at every layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

if TYPE_CHECKING:
    from kitchentable_training.networks.trunk import SharedTrunk


class BesideRows(NamedTuple):
    """What layers have made of all else that is shown, and the rows of action features."""

    made: torch.Tensor
    """Shape (batch, ...)."""
    rows: torch.Tensor
    """As `NetworkInputs` writes them; shape (batch, rows, length)."""


class ExtractorBesideRows(BaseFeaturesExtractor):
    """Another extractor's features, and beside them the rows as they are."""

    def __init__(
        self,
        observation_space: spaces.Box,
        extractor: type[BaseFeaturesExtractor],
        rows: tuple[int, int],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Build the other extractor.

        Args:
            observation_space: flat observations with the rows behind them, shape (size,).
            extractor: its class; it sees the observation without the rows.
            rows: of action features, and the length of each.
            kwargs: what it is built with.
        """
        size = int(observation_space.shape[0]) - rows[0] * rows[1]
        inner = extractor(spaces.Box(0.0, 1.0, (size,)), **kwargs)
        super().__init__(observation_space, inner.features_dim)
        self.inner = inner
        self.size, self.rows = size, rows

    def forward(self, observations: torch.Tensor) -> BesideRows:
        """Return features, (batch, features_dim), and rows, of observations, (batch, size)."""
        rows = observations[:, self.size :].view(-1, *self.rows)
        return BesideRows(self.inner(observations[:, : self.size]), rows)


class LayersBesideRows(nn.Module):
    """The layers of policy and value; the rows go straight to the last layers behind them."""

    def __init__(self, layers: MlpExtractor | SharedTrunk, *, for_value: bool) -> None:
        """Let the rows pass.

        Args:
            layers: of policy and value.
            for_value: whether the last layers of the value see them too, and not the policy's only.
        """
        super().__init__()
        self.layers = layers
        self.for_value = for_value
        self.latent_dim_pi, self.latent_dim_vf = layers.latent_dim_pi, layers.latent_dim_vf

    def forward(self, features: BesideRows) -> tuple[BesideRows, BesideRows | torch.Tensor]:
        """Return what the last layers of policy and value see."""
        policy, value = self.layers(features.made)
        return features._replace(made=policy), self._for_value(value, features)

    def forward_actor(self, features: BesideRows) -> BesideRows:
        """Return what the last layers of the policy see."""
        return features._replace(made=self.layers.forward_actor(features.made))

    def forward_critic(self, features: BesideRows) -> BesideRows | torch.Tensor:
        """Return what the last layers of the value see."""
        return self._for_value(self.layers.forward_critic(features.made), features)

    def _for_value(self, made: torch.Tensor, features: BesideRows) -> BesideRows | torch.Tensor:
        return features._replace(made=made) if self.for_value else made
