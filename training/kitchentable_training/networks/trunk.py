"""The layers between the features of a network and its last ones, of policy and value."""

from __future__ import annotations

import math
from typing import Any, cast

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import nn

from kitchentable_training.networks.inputs import BASE, ROW_START

SCORER_UNITS = 64
"""Of each hidden layer of `ActionScorer`."""


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

    def __init__(self, layers: MlpExtractor | SharedTrunk, size: int, shown: int) -> None:
        """Lay the shortcut.

        Args:
            layers: of policy and value.
            size: of what these see, the first numbers of the features.
            shown: how many numbers take the shortcut, the last ones of the features.
        """
        super().__init__()
        self.layers = layers
        self.size, self.shown = size, shown
        self.latent_dim_pi = layers.latent_dim_pi + shown
        self.latent_dim_vf = layers.latent_dim_vf

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layers of policy and value see; (batch, ...) each."""
        latent_policy, latent_value = self.layers(features[:, : self.size])
        return self._with_hints(latent_policy, features), latent_value

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the actions sees; (batch, latent_dim_pi)."""
        return self._with_hints(self.layers.forward_actor(features[:, : self.size]), features)

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Return what the layer of the value sees; (batch, latent_dim_vf)."""
        return self.layers.forward_critic(features[:, : self.size])

    def _with_hints(self, latent: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([latent, features[:, -self.shown :]], dim=1)


class ActionScorer(nn.Module):
    """The last layers of a policy that is shown features of each action.

    All actions share them: what makes one action good is learned for all at once. An action whose
    features are not shown has the logit 0.
    """

    def __init__(self, size: int, num_actions: int, rows: tuple[int, int]) -> None:
        """Lay the layers out.

        Args:
            size: of what comes in; the rows of action features are its last numbers.
            num_actions: of the game.
            rows: of action features, and the length of each, as `NetworkInputs` writes them.
        """
        super().__init__()
        self.num_actions, self.rows = num_actions, rows
        self.context = nn.Linear(size - math.prod(rows), SCORER_UNITS)
        self.features = nn.Linear(rows[1] - ROW_START, SCORER_UNITS)
        self.layers = nn.Sequential(
            nn.ReLU(),
            nn.Linear(SCORER_UNITS, SCORER_UNITS),
            nn.ReLU(),
            nn.Linear(SCORER_UNITS, 1),
        )

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        """Return logits; (batch, size) to (batch, num_actions)."""
        shown = math.prod(self.rows)
        context = self.context(latent[:, :-shown])
        rows = latent[:, -shown:].reshape(-1, *self.rows)
        games, places = rows[:, :, 0].nonzero(as_tuple=True)
        rows = rows[games, places]
        actions = (BASE * rows[:, 1] + rows[:, 2]).long()
        scores = self.layers(self.features(rows[:, ROW_START:]) + context[games])[:, 0]
        logits = torch.zeros(
            len(latent), self.num_actions, dtype=scores.dtype, device=scores.device
        )
        return logits.index_put((games, actions), scores)


class TablePolicy(MaskableActorCriticPolicy):
    """A policy and its value, with layers of their own or shared, and what passes them by."""

    def __init__(
        self, *args: Any, shown: int, shared: bool, action_rows: tuple[int, int], **kwargs: Any
    ) -> None:
        """Build the network.

        Args:
            args: as the base class has them.
            shown: how many numbers take the shortcut (see `Shortcut`).
            shared: whether policy and value share their layers.
            action_rows: of action features, and their length (see `ActionScorer`); 0 for none.
            kwargs: as the base class has them.
        """
        self._shown, self._shared, self._action_rows = shown, shared, action_rows
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if all(self._action_rows):
            # Later than the other layers: weights of the last one that stay close to zero would
            # keep these from learning.
            before, make = cast("nn.Linear", self.action_net), cast("Any", self.optimizer_class)
            scorer = ActionScorer(before.in_features, before.out_features, self._action_rows)
            self.action_net = scorer.to(self.device)
            self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _build_mlp_extractor(self) -> None:
        size = self.features_dim - math.prod(self._action_rows)
        assert isinstance(self.net_arch, dict)
        layers: Any
        if self._shared:
            layers = SharedTrunk(size, self.net_arch["pi"], self.activation_fn).to(self.device)
        else:
            layers = MlpExtractor(size, self.net_arch, self.activation_fn, self.device)
        if self._shown:
            layers = Shortcut(layers, size, self._shown)
        self.mlp_extractor = layers
