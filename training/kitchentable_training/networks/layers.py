"""What a network is told of an observation before its first layer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

from kitchentable.core.state import slices

Shape = tuple[int, int, int]


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


class CardRelations(BaseFeaturesExtractor):
    """The observation, and how every two of its cards relate.

    The observation names its parts that are vectors over the kinds of card: each card on a board,
    the pile, what is unseen. The scalar product of two such vectors says whether two cards are
    equal, or how many of a card's kind are left in a pile: what card games are about, and what a
    perceptron learns only slowly, kind by kind and place by place. This layer forms all these
    products (the Gram matrix) and hands them on beside the observation itself. A few learned
    vectors over the kinds (what a card is worth, say) take part.
    """

    places: torch.Tensor
    pairs: torch.Tensor

    def __init__(
        self,
        observation_space: spaces.Box,
        layout: Mapping[str, int],
        card_parts: Mapping[str, int],
        learned: int = 4,
    ) -> None:
        """Lay out the products.

        Args:
            observation_space: flat observations, shape (size,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds;
                a part may hold several vectors, one after another.
            learned: how many learned vectors take part.
        """
        size = int(observation_space.shape[0])
        kinds = set(card_parts.values())
        if len(kinds) != 1:
            raise ValueError(f"card parts of one number of kinds are wanted, not {sorted(kinds)}")
        self.num_kinds = kinds.pop()
        where = slices(layout)
        places = [torch.arange(where[name].start, where[name].stop) for name in card_parts]
        count = sum(len(part) for part in places) // self.num_kinds + learned
        first, second = torch.triu_indices(count, count)
        super().__init__(observation_space, size + len(first))
        self.learned = nn.Parameter(torch.randn(learned, self.num_kinds) / self.num_kinds**0.5)
        self.register_buffer("places", torch.cat(places), persistent=False)
        self.register_buffer("pairs", first * count + second, persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return observations with products appended; (batch, size) to (batch, features_dim)."""
        batch = observations.shape[0]
        cards = observations[:, self.places].view(batch, -1, self.num_kinds)
        vectors = torch.cat([cards, self.learned.expand(batch, -1, -1)], dim=1)
        products = torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)
        return torch.cat([observations, products[:, self.pairs]], dim=1)


class MapCells(BaseFeaturesExtractor):
    """What every cell of the maps in an observation shows together with the cells around it.

    A perceptron learns a pattern anew for every place of a map; two convolutions learn it once for
    all. What is no map (a hand, say) takes part in every cell through a layer of its own, for what
    a cell is good for depends on it. Both are handed on, side by side.
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
        """Lay out the convolutions.

        Args:
            observation_space: flat observations, shape (size,).
            layout: name and length of each part of an observation.
            image_parts: the parts that are maps, with (channels, height, width), all of one height
                and width.
            channels: of the first convolution.
            out_channels: of the second one: features of a cell.
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
        # The planes of a cell lie side by side: with so few of them that is much faster.
        self.register_buffer("maps", planes.permute(1, 2, 0).contiguous(), persistent=False)
        self.register_buffer("others", others, persistent=False)

    @staticmethod
    def _check(layout: Mapping[str, int], image_parts: Mapping[str, Shape]) -> None:
        sizes = {shape[1:] for shape in image_parts.values()}
        if len(sizes) != 1:
            raise ValueError(f"maps of one height and width are wanted, not {sorted(sizes)}")
        for name, shape in image_parts.items():
            if layout[name] != math.prod(shape):
                raise ValueError(f"map {name}: {layout[name]} numbers do not fill {shape}")

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features of all cells, and what is no map; (batch, size) to (batch, features)."""
        images = observations[:, self.maps].permute(0, 3, 1, 2)
        others = observations[:, self.others]
        seen = self.first(images) + self.context(others)[:, :, None, None]
        cells = self.second(seen.relu()).relu()
        return torch.cat([cells.flatten(1), others], dim=1)
