"""What a network is told of an observation before its first layer."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from kitchentable.game import slices


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
