"""Convolutions over the maps of an observation."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from kitchentable.core.state import slices

Shape = tuple[int, int, int]


class MapCells(BaseFeaturesExtractor):
    """Convolutions over the maps of an observation, with the rest of the observation as context.

    A perceptron learns a pattern again for every position of a map; two convolutions learn it once.
    The other inputs, such as the hand, enter every cell through an additional layer, as the use of
    a cell depends on them. The output has the features of all cells and the other inputs.
    """

    maps: torch.Tensor
    others: torch.Tensor

    def __init__(
        self,
        observation_space: spaces.Box,
        layout: Mapping[str, int],
        image_parts: Mapping[str, Shape],
        channels: int = 16,
        out_channels: int = 8,
    ) -> None:
        """Create the layers.

        Args:
            observation_space: flat observations, shape (size,).
            layout: name and length of each part of an observation.
            image_parts: the parts that are maps, with (channels, height, width).
            channels: the channels of the first convolution.
            out_channels: the channels of the second one: the features of a cell.

        Raises:
            ValueError: the maps differ in height or width, or a part does not have the map's size.
        """
        self._check(layout, image_parts)
        where = slices(layout)
        height, width = next(iter(image_parts.values()))[1:]
        places = {name: torch.arange(part.start, part.stop) for name, part in where.items()}
        planes = torch.cat([places[name] for name in image_parts]).view(-1, height, width)
        rest = [places[name] for name in layout if name not in image_parts]
        others = torch.cat([planes.new_empty(0), *rest])
        count = len(others)
        super().__init__(observation_space, out_channels * height * width + count)
        self.first = nn.Conv2d(len(planes), channels, 3, padding=1)
        self.context = nn.Linear(count, channels, bias=False)
        self.second = nn.Conv2d(channels, out_channels, 3, padding=1)
        # The planes of a cell are contiguous, which is much faster with so few of them.
        self.register_buffer("maps", planes.permute(1, 2, 0).contiguous(), persistent=False)
        self.register_buffer("others", others, persistent=False)

    @staticmethod
    def _check(layout: Mapping[str, int], image_parts: Mapping[str, Shape]) -> None:
        sizes = {shape[1:] for shape in image_parts.values()}
        if len(sizes) != 1:
            raise ValueError(f"all maps need the same height and width, not {sorted(sizes)}")
        for name, shape in image_parts.items():
            if layout[name] != math.prod(shape):
                raise ValueError(f"map {name}: {layout[name]} numbers do not fill {shape}")

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features of all cells and other inputs; (batch, size) to (batch, features)."""
        images = observations[:, self.maps].permute(0, 3, 1, 2)
        others = observations[:, self.others]
        seen = self.first(images) + self.context(others)[:, :, None, None]
        cells = self.second(seen.relu()).relu()
        return torch.cat([cells.flatten(1), others], dim=1)
