"""Layers for the cards of an observation: how they relate, and what all slots or kinds share.

A perceptron has weights of its own for every place of an observation, and learns for the third slot
anew what it knows of the second one. Where a game treats slots, seats, kinds of card or tiles
alike, one small network looks at each of them in turn, and at all of them together through their
mean (Zaheer et al., "Deep Sets", 2017). What else there is to see takes part through a layer of its
own, for what a slot is good for depends on it.
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
    """The observation, and how every two of its cards relate.

    The observation names its parts that are vectors over the kinds of card: each card on a board,
    the pile, what is unseen. The scalar product of two such vectors says whether two cards are
    equal, or how many of a card's kind are left in a pile: what card games are about, and what a
    perceptron learns only slowly, kind by kind and place by place. This layer forms all these
    products (the Gram matrix) and hands them on beside the observation itself. A few learned
    vectors over the kinds (what a card is worth, say) take part.

    `NetworkInputs` shows such products too, with ``relations: true``: with derived parts and
    without learned vectors. There they are worked out once, on the CPU, before any layer, and each
    has a name that `carry_over` goes by. This layer (``features: cards``) forms them on the
    network's device, anew whenever the network is asked.
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
    """Two layers that look at each of several things alike, and at their surroundings."""

    def __init__(self, channels: int, surroundings: int, width: int, out: int) -> None:
        """Lay them out.

        Args:
            channels: numbers that each thing has.
            surroundings: numbers that all of them share.
            width: of the first layer.
            out: of the second one.
        """
        super().__init__()
        self.first = nn.Linear(channels, width)
        self.context = nn.Linear(surroundings, width, bias=False)
        self.second = nn.Linear(width, out)

    def forward(self, things: torch.Tensor, surroundings: torch.Tensor) -> torch.Tensor:
        """Return what was made of each, one after another, and their mean.

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
    """The observation, its cards as learned vectors, and its slots through shared layers.

    Each kind of card has one learned vector, wherever it lies; several cards (a hand, a pile) are
    the sum of theirs. The cards of a slot and whatever else is known of it go through layers that
    all slots of its sort share.
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
        """Lay out the layers.

        Args:
            observation_space: flat observations, shape (numbers,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds; a
                part may hold several vectors, one after another.
            slots: the parts that belong to slots (see `parts.find_slots`).
            size: of a card's learned vector.
            width: of the first shared layer.
            out: of the second one: features of a slot.
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

    Where cards are told apart by their kind (a hand is a vector over the kinds, and an action names
    one) all that is known of a kind stands in one column: whether it is in the hand, in the pile,
    seen with another seat, where it lies. The shared layers look at each column; what makes a kind
    different from others they are told by a learned vector of its own.
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
        """Lay out the layers.

        Args:
            observation_space: flat observations, shape (numbers,).
            layout: name and length of each part of an observation.
            card_parts: the parts that are vectors over kinds of card, with the number of kinds; a
                part may hold several vectors, one after another.
            kind_parts: other parts that have numbers for each kind, kind by kind (see
                `parts.find_kind_parts`).
            size: of a kind's learned vector.
            width: of the first shared layer.
            out: of the second one: features of a kind.
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
    """Return the places of a part that has as many numbers for each item; shape (count, each)."""
    return torch.arange(part.start, part.stop).view(count, -1)


def _all_places(where: Mapping[str, slice], names: Iterable[str]) -> torch.Tensor:
    """Return the places of several parts, one part after another."""
    return torch.cat([torch.arange(where[name].start, where[name].stop) for name in names])
