"""Rows of action features pass by the layers that see the rest, on their way to `ActionScorer`.

They are the last numbers of what a network is shown, and stay the last ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

if TYPE_CHECKING:
    from kitchentable_training.networks.trunk import SharedTrunk


class ExtractorBesideRows(BaseFeaturesExtractor):
    """Another extractor's features, and behind them the rows as they are."""

    def __init__(
        self,
        observation_space: spaces.Box,
        extractor: type[BaseFeaturesExtractor],
        rows: int,
        kwargs: Mapping[str, Any],
    ) -> None:
        """Build the other extractor.

        Args:
            observation_space: flat observations with the rows behind them, shape (size,).
            extractor: its class; it sees the observation without the rows.
            rows: how many numbers these have in all.
            kwargs: what it is built with.
        """
        size = int(observation_space.shape[0]) - rows
        inner = extractor(spaces.Box(0.0, 1.0, (size,)), **kwargs)
        super().__init__(observation_space, inner.features_dim + rows)
        self.inner = inner
        self.rows = rows

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features and rows; (batch, size) to (batch, features_dim)."""
        features = self.inner(observations[:, : -self.rows])
        return torch.cat([features, observations[:, -self.rows :]], dim=1)


class LayersBesideRows(nn.Module):
    """The layers of policy and value; the rows go straight to the last layers behind them."""

    def __init__(
        self, layers: MlpExtractor | SharedTrunk, size: int, rows: int, *, for_value: bool
    ) -> None:
        """Let the rows pass.

        Args:
            layers: of policy and value.
            size: of what these see, the first numbers of the features.
            rows: how many numbers the rows have in all, the last ones of the features.
            for_value: whether the last layers of the value see them too, and not the policy's only.
        """
        super().__init__()
        self.layers = layers
        self.size, self.rows, self.for_value = size, rows, for_value
        self.latent_dim_pi = layers.latent_dim_pi + rows
        self.latent_dim_vf = layers.latent_dim_vf + rows * for_value

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layers of policy and value see; (batch, ...) each."""
        policy, value = self.layers(features[:, : self.size])
        return self._with_rows(policy, features), self._for_value(value, features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the last layers of the policy see; (batch, latent_dim_pi)."""
        return self._with_rows(self.layers.forward_actor(features[:, : self.size]), features)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the last layers of the value see; (batch, latent_dim_vf)."""
        return self._for_value(self.layers.forward_critic(features[:, : self.size]), features)

    def _for_value(self, latent: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        return self._with_rows(latent, features) if self.for_value else latent

    def _with_rows(self, latent: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([latent, features[:, -self.rows :]], dim=1)
