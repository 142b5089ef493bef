"""Rows of action features pass by the layers that see the rest, on their way to the last ones.

They are the last numbers of what a network is shown. The empty ones are left out, and the others
are kept in a tensor of their own: in one tensor with all else they would be copied, and their
gradients worked out, at every layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn
from torch.nn import functional

from kitchentable_training.networks.reply_layers import ReplyLayers, ReplySizes

if TYPE_CHECKING:
    from kitchentable_training.networks.trunk import SharedTrunk


class BesideRows(NamedTuple):
    """What layers have made of all else that is shown, and the rows of action features."""

    made: torch.Tensor
    """Shape (batch, ...)."""
    rows: torch.Tensor
    """Those that are not empty, as `NetworkInputs` writes them and with what was made of replies
    behind, and then padding (see `_padding`); shape (rows, length)."""
    games: torch.Tensor
    """Index in the batch of the game that each row is about; shape (rows,)."""
    used: int
    """How many rows come before the padding."""

    @classmethod
    def of(cls, made: torch.Tensor, rows: torch.Tensor) -> BesideRows:
        """Leave out the empty ones among all rows, (batch, rows, length)."""
        places = rows[:, :, 0].nonzero()
        count = len(places)
        games, order = functional.pad(places, (0, 0, 0, _padding(count))).unbind(1)
        return cls(made, rows[games, order], games, count)


def _padding(count: int) -> int:
    """Return how many rows to add to so many, so that few different numbers occur.

    Kernels for bfloat16 are made anew for every shape, which takes longer than running them.
    """
    return -count % max(1, 1 << count.bit_length() >> 5)


class ExtractorBesideRows(BaseFeaturesExtractor):
    """Another extractor's features, and beside them the rows, with what replies they lead to."""

    def __init__(
        self,
        observation_space: spaces.Box,
        extractor: type[BaseFeaturesExtractor],
        rows: tuple[int, int],
        replies: ReplySizes | None,
        kwargs: Mapping[str, Any],
    ) -> None:
        """Build the other extractor.

        Args:
            observation_space: flat observations with how cards follow each other, if that is shown,
                and the rows behind them; shape (size,).
            extractor: its class; it sees the observation alone.
            rows: of action features, and the length of each.
            replies: what is shown of how cards follow each other; None: nothing.
            kwargs: what the extractor is built with.
        """
        pair_numbers = replies.numbers if replies else 0
        size = int(observation_space.shape[0]) - pair_numbers - rows[0] * rows[1]
        inner = extractor(spaces.Box(0.0, 1.0, (size,)), **kwargs)
        super().__init__(observation_space, inner.features_dim)
        self.inner = inner
        self.size, self.pair_numbers, self.rows = size, pair_numbers, rows
        self.replies = ReplyLayers(replies) if replies else None

    def forward(self, observations: torch.Tensor) -> BesideRows:
        """Return features, (batch, features_dim), and rows, of observations, (batch, size)."""
        at = self.size + self.pair_numbers
        seen = self.inner(observations[:, : self.size])
        found = BesideRows.of(seen, observations[:, at:].view(-1, *self.rows))
        if self.replies is None:
            return found
        more = self.replies(observations[:, self.size : at], found.rows, found.games)
        return found._replace(rows=torch.cat([found.rows, more], dim=1))


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
