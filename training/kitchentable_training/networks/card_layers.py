"""Layers for the cards of an observation: products of cards, and layers shared by slots or kinds.

A perceptron has separate weights for every position of an observation, so it learns the same things
again for every slot. Where a game treats slots, seats, kinds of card or tiles alike, one small
network is applied to each of them, and its outputs are also averaged (Zaheer et al., "Deep Sets",
2017). The whole observation enters through an additional layer, as the use of a slot depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from kitchentable.core.state import slices
from kitchentable_training.networks.parts import Slots


class CardRelations(BaseFeaturesExtractor):
    """The observation, and the products of every two of its cards.

    The observation names its parts that are vectors over the kinds of card: each card on a board,
    the discard pile, the unseen cards. The scalar product of two such vectors says whether two
    cards are equal, or how many cards of a kind are left in a pile. These relations matter in card
    games, but a perceptron learns them only slowly, for every kind and position. This layer
    computes all products (the Gram matrix) and appends them to the observation. A few learned
    vectors over the kinds, such as a card's worth, are included.

    With ``relations: true``, `NetworkInputs` computes such products too, with derived parts but
    without learned vectors. They are computed once, on the CPU, before any layer, and have names
    for `carry_over`. This layer (``features: cards``) computes them on the network's device in
    every forward pass.
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
        """Set up the products.

        Args:
            observation_space: flat observations, shape (size,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds;
                a part may contain several consecutive vectors.
            learned: the number of learned vectors.

        Raises:
            ValueError: the parts have different numbers of kinds.
        """
        size = int(observation_space.shape[0])
        kinds = set(card_parts.values())
        if len(kinds) != 1:
            raise ValueError(f"all card parts need the same number of kinds, not {sorted(kinds)}")
        self.num_kinds = kinds.pop()
        places = _all_places(slices(layout), card_parts)
        count = len(places) // self.num_kinds + learned
        first, second = torch.triu_indices(count, count)
        super().__init__(observation_space, size + len(first))
        self.learned = nn.Parameter(torch.randn(learned, self.num_kinds) / self.num_kinds**0.5)
        self.register_buffer("places", places, persistent=False)
        self.register_buffer("pairs", first * count + second, persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return observations with products appended; (batch, size) to (batch, features_dim)."""
        batch = observations.shape[0]
        cards = observations[:, self.places].view(batch, -1, self.num_kinds)
        vectors = torch.cat([cards, self.learned.expand(batch, -1, -1)], dim=1)
        products = torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)
        return torch.cat([observations, products[:, self.pairs]], dim=1)


class SharedLayers(nn.Module):
    """Two layers that are applied to each of several items, with a shared context."""

    def __init__(self, channels: int, surroundings: int, width: int, out: int) -> None:
        """Create the layers.

        Args:
            channels: the number of inputs of each item.
            surroundings: the number of inputs that all items share.
            width: the units of the first layer.
            out: the units of the second layer.
        """
        super().__init__()
        self.first = nn.Linear(channels, width)
        self.context = nn.Linear(surroundings, width, bias=False)
        self.second = nn.Linear(width, out)

    def forward(self, things: torch.Tensor, surroundings: torch.Tensor) -> torch.Tensor:
        """Return the outputs of all items, concatenated, and their mean.

        Args:
            things: shape (batch, count, channels).
            surroundings: shape (batch, numbers).

        Returns:
            Shape (batch, (count + 1) * out).
        """
        seen = self.first(things) + self.context(surroundings)[:, None]
        made = self.second(seen.relu()).relu()
        return torch.cat([made.flatten(1), made.mean(dim=1)], dim=1)


class CardEmbeddings(BaseFeaturesExtractor):
    """The observation, embeddings of its cards, and its slots through shared layers.

    Each kind of card has one learned vector for all positions; several cards (a hand, a pile) are
    embedded as the sum of their vectors. The cards of a slot and its other inputs go through layers
    that all slots of the same sort share.
    """

    places: torch.Tensor

    def __init__(
        self,
        observation_space: spaces.Box,
        layout: Mapping[str, int],
        card_parts: Mapping[str, int],
        slots: Sequence[Slots],
        size: int = 16,
        width: int = 32,
        out: int = 8,
    ) -> None:
        """Create the layers.

        Args:
            observation_space: flat observations, shape (numbers,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds; a
                part may contain several consecutive vectors.
            slots: the parts that belong to slots (see `parts.find_slots`).
            size: the length of a card's learned vector.
            width: the units of the first shared layer.
            out: the units of the second shared layer: the features of a slot.
        """
        numbers = int(observation_space.shape[0])
        self.num_kinds = max(card_parts.values())
        where = slices(layout)
        in_slots = {name for one in slots for name in one.cards}
        order = [name for name in card_parts if name not in in_slots]
        single = sum(layout[name] for name in order) // self.num_kinds
        made = sum((one.number + 1) * out for one in slots)
        super().__init__(observation_space, numbers + single * size + made)
        self.slots, self.single = list(slots), single
        self.embedding = nn.Linear(self.num_kinds, size, bias=False)
        self.shared = nn.ModuleList()
        order += [name for one in slots for name in one.cards]
        for i, one in enumerate(slots):
            others = [_item_by_item(where[name], one.number) for name in one.others]
            index = torch.cat([torch.empty(one.number, 0, dtype=torch.long), *others], dim=1)
            self.register_buffer(f"others_{i}", index, persistent=False)
            channels = size * len(one.cards) + index.shape[1]
            self.shared.append(SharedLayers(channels, numbers, width, out))
        self.register_buffer("places", _all_places(where, order), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return observations, cards and slots; (batch, numbers) to (batch, features_dim)."""
        batch = observations.shape[0]
        cards = observations[:, self.places].view(batch, -1, self.num_kinds)
        vectors = self.embedding(cards)
        seen, at = [observations, vectors[:, : self.single].flatten(1)], self.single
        for i, (one, shared) in enumerate(zip(self.slots, self.shared, strict=True)):
            things = [observations[:, self.get_buffer(f"others_{i}")]]
            for _ in one.cards:
                things.append(vectors[:, at : at + one.number])
                at += one.number
            seen.append(shared(torch.cat(things, dim=2), observations))
        return torch.cat(seen, dim=1)


class CardKinds(BaseFeaturesExtractor):
    """The observation, and each kind of card through layers that all kinds share.

    For games that identify cards by kind: a hand is a vector over the kinds, and an action names a
    kind. All inputs about a kind form a column: whether it is in the hand, in the pile, seen in
    another seat's hand, and its position. The shared layers are applied to each column, with a
    learned vector that distinguishes the kinds.
    """

    columns: torch.Tensor

    def __init__(
        self,
        observation_space: spaces.Box,
        layout: Mapping[str, int],
        card_parts: Mapping[str, int],
        kind_parts: Sequence[str],
        size: int = 16,
        width: int = 32,
        out: int = 8,
    ) -> None:
        """Create the layers.

        Args:
            observation_space: flat observations, shape (numbers,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds; a
                part may contain several consecutive vectors.
            kind_parts: other parts with numbers for each kind, kind by kind (see
                `parts.find_kind_parts`).
            size: the length of a kind's learned vector.
            width: the units of the first shared layer.
            out: the units of the second shared layer: the features of a kind.
        """
        numbers, kinds = int(observation_space.shape[0]), max(card_parts.values())
        super().__init__(observation_space, numbers + (kinds + 1) * out)
        where = slices(layout)
        by_vector = _all_places(where, card_parts).view(-1, kinds).T
        columns = [by_vector, *(_item_by_item(where[name], kinds) for name in kind_parts)]
        self.register_buffer("columns", torch.cat(columns, dim=1), persistent=False)
        self.learned = nn.Parameter(torch.randn(kinds, size) / size**0.5)
        self.shared = SharedLayers(size + self.columns.shape[1], numbers, width, out)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return observations and kinds; (batch, numbers) to (batch, features_dim)."""
        learned = self.learned.expand(observations.shape[0], -1, -1)
        things = torch.cat([observations[:, self.columns], learned], dim=2)
        return torch.cat([observations, self.shared(things, observations)], dim=1)


def _item_by_item(part: slice, count: int) -> torch.Tensor:
    """Return the positions of a part with equally many numbers per item; shape (count, each)."""
    return torch.arange(part.start, part.stop).view(count, -1)


def _all_places(where: Mapping[str, slice], names: Iterable[str]) -> torch.Tensor:
    """Return the positions of several parts, one part after another."""
    return torch.cat([torch.arange(where[name].start, where[name].stop) for name in names])
