"""Hints beside the features of a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


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
