"""The way of hints and advice past all layers, straight to the actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn


class Shortcut(nn.Module):
    """The layers of policy and value; the last numbers shown also go straight to the actions.

    Hints say something about one action each: which cell is dangerous, which card. Squeezed through
    a layer that is smaller than the number of actions they would be lost.
    """

    def __init__(self, layers: MlpExtractor, shown: int) -> None:
        """Lay the shortcut.

        Args:
            layers: of policy and value.
            shown: how many numbers take it, the last ones of the features.
        """
        super().__init__()
        self.layers = layers
        self.shown = shown
        self.latent_dim_pi = layers.latent_dim_pi + shown
        self.latent_dim_vf = layers.latent_dim_vf

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layers of policy and value see; (batch, ...) each."""
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the actions sees; (batch, latent_dim_pi)."""
        return torch.cat([self.layers.forward_actor(features), features[:, -self.shown :]], dim=1)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the value sees; (batch, latent_dim_vf)."""
        return self.layers.forward_critic(features)


class HintedPolicy(MaskableActorCriticPolicy):
    """A policy whose hints take the shortcut to the actions."""

    def __init__(self, *args: Any, shown: int, **kwargs: Any) -> None:
        """Build the network; ``shown`` as in `Shortcut`, the rest as the base class has it."""
        self._shown = shown
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        super()._build_mlp_extractor()
        self.mlp_extractor = Shortcut(self.mlp_extractor, self._shown)  # type: ignore[assignment]


class BesideHints(BaseFeaturesExtractor):
    """Another extractor's features, and behind them the hints as they are, for the shortcut."""

    def __init__(
        self,
        observation_space: spaces.Box,
        extractor: type[BaseFeaturesExtractor],
        shown: int,
        kwargs: Mapping[str, Any],
    ) -> None:
        """Build the other extractor.

        Args:
            observation_space: flat observations with the hints behind them, shape (size,).
            extractor: its class; it sees the observation without the hints.
            shown: how many hints there are.
            kwargs: what it is built with.
        """
        size = int(observation_space.shape[0]) - shown
        inner = extractor(spaces.Box(0.0, 1.0, (size,)), **kwargs)
        super().__init__(observation_space, inner.features_dim + shown)
        self.inner = inner
        self.shown = shown

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features and hints; (batch, size) to (batch, features_dim)."""
        features = self.inner(observations[:, : -self.shown])
        return torch.cat([features, observations[:, -self.shown :]], dim=1)
