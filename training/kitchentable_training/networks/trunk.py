"""The layers between the features of a network and its last ones, of policy and value."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import nn


class SharedTrunk(nn.Module):
    """The same layers for policy and value, passed once: half the work."""

    def __init__(self, size: int, layers: list[int], activation: type[nn.Module]) -> None:
        """Lay them out.

        Args:
            size: of the features.
            layers: units of each layer.
            activation: behind each.
        """
        super().__init__()
        sizes = [size, *layers]
        both = [
            one
            for before, after in zip(sizes, layers, strict=False)
            for one in (nn.Linear(before, after), activation())
        ]
        self.layers = nn.Sequential(*both)
        self.latent_dim_pi = self.latent_dim_vf = sizes[-1]

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layers of policy and value see; (batch, ...) each."""
        latent = self.layers(features)
        return latent, latent

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the actions sees; (batch, latent_dim_pi)."""
        latent: torch.Tensor = self.layers(features)
        return latent

    forward_critic = forward_actor


class Shortcut(nn.Module):
    """The layers of policy and value; the last numbers shown also go straight to the actions.

    Hints say something about one action each: which cell is dangerous, which card. Squeezed through
    a layer that is smaller than the number of actions they would be lost.
    """

    def __init__(self, layers: MlpExtractor | SharedTrunk, shown: int) -> None:
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
        latent_policy, latent_value = self.layers(features)
        return self._with_hints(latent_policy, features), latent_value

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the actions sees; (batch, latent_dim_pi)."""
        return self._with_hints(self.layers.forward_actor(features), features)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the value sees; (batch, latent_dim_vf)."""
        return self.layers.forward_critic(features)

    def _with_hints(self, latent: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([latent, features[:, -self.shown :]], dim=1)


class TablePolicy(MaskableActorCriticPolicy):
    """A policy and its value, with layers of their own or shared, and hints where there are any."""

    def __init__(self, *args: Any, shown: int, shared: bool, **kwargs: Any) -> None:
        """Build the network.

        Args:
            args: as the base class has them.
            shown: how many hints take the shortcut (see `Shortcut`).
            shared: whether policy and value share their layers.
            kwargs: as the base class has them.
        """
        self._shown, self._shared = shown, shared
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        if self._shared:
            assert isinstance(self.net_arch, dict)
            layers = self.net_arch["pi"]
            trunk: Any = SharedTrunk(self.features_dim, layers, self.activation_fn).to(self.device)
            self.mlp_extractor = trunk
        else:
            super()._build_mlp_extractor()
        if self._shown:
            self.mlp_extractor = Shortcut(self.mlp_extractor, self._shown)  # type: ignore[assignment]
