"""Rows of action features, which bypass most layers on their way to the last ones.

The rows are the last inputs of a network. Empty rows are left out, and the others are kept in a
separate tensor: in one tensor with the other inputs, every layer would copy them and compute their
gradients.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch.nn import functional

from kitchentable_training.networks.reply_layers import ReplyLayers, ReplySizes


class BesideRows(NamedTuple):
    """The outputs of layers for the other inputs, and the rows of action features."""

    made: torch.Tensor
    """Shape (batch, ...)."""
    rows: torch.Tensor
    """The nonempty rows of `NetworkInputs`, with the outputs of `ReplyLayers` appended, followed by
    padding (see `_padding`); shape (rows, length)."""
    games: torch.Tensor
    """The index in the batch of each row's game; int64, shape (rows,)."""
    used: int
    """The number of rows before the padding."""

    @classmethod
    def of(cls, made: torch.Tensor, rows: torch.Tensor) -> BesideRows:
        """Select the nonempty ones of all rows, (batch, rows, length)."""
        places = rows[:, :, 0].nonzero()
        count = len(places)
        games, order = functional.pad(places, (0, 0, 0, _padding(count))).unbind(1)
        return cls(made, rows[games, order], games, count)


def _padding(count: int) -> int:
    """Return the number of padding rows, so that few different shapes occur.

    Kernels for bfloat16 are generated for every shape, which takes longer than running them.
    """
    return -count % max(1, 1 << count.bit_length() >> 5)


class InputsBesideRows(BaseFeaturesExtractor):
    """The inputs before the rows, and the rows with the outputs of `ReplyLayers`."""

    def __init__(
        self, observation_space: spaces.Box, rows: tuple[int, int], replies: ReplySizes | None
    ) -> None:
        """Set up the layers.

        Args:
            observation_space: flat inputs: the observation, the pairs if included, and the rows;
                shape (size,).
            rows: the number of rows of action features, and their length.
            replies: the sizes of `ReplyLayers`; None without these layers.
        """
        pair_numbers = replies.numbers if replies else 0
        size = int(observation_space.shape[0]) - pair_numbers - rows[0] * rows[1]
        super().__init__(observation_space, size)
        self.pair_numbers, self.rows = pair_numbers, rows
        self.replies = ReplyLayers(replies) if replies else None

    def forward(self, observations: torch.Tensor) -> BesideRows:
        """Return inputs, (batch, features_dim), with rows, for all inputs, (batch, size)."""
        size, at = self.features_dim, self.features_dim + self.pair_numbers
        found = BesideRows.of(observations[:, :size], observations[:, at:].view(-1, *self.rows))
        if self.replies is None:
            return found
        more = self.replies(observations[:, size:at], found.rows, found.games)
        return found._replace(rows=torch.cat([found.rows, more], dim=1))
