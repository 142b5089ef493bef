"""Layers whose weights all slots of a table, or all kinds of card, share; and who has which layer.

A perceptron has weights of its own for every place of an observation, and learns for the third slot
anew what it knows of the second one. Where a game treats slots, seats, kinds of card or tiles
alike, one small network looks at each of them in turn, and at all of them together through their
mean (Zaheer et al., "Deep Sets", 2017). What else there is to see takes part through a layer of its
own, for what a slot is good for depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from kitchentable import Game
from kitchentable.core.state import slices
from kitchentable_training.networks.layers import BesideHints, CardRelations, MapCells

KINDS = ""
"""Stands for the number of kinds of card among the lengths of a table's parts."""


class Slots(NamedTuple):
    """Parts of an observation that say the same about each of several slots, one after another."""

    number: int
    cards: tuple[str, ...]
    """A vector over the kinds of card for each slot."""
    others: tuple[str, ...]
    """One number or several for each slot."""


def find_slots(game: Game, params: Any) -> list[Slots]:
    """Find the slots of an observation: places on boards and in words, hands of the other seats.

    A card part with several vectors has a slot for each. To these slots belongs what has as many
    numbers for each of them at every table of the game, however many slots that has: in Diddly
    whether a card lies face up, in Add-Too a seat's points. Where the number of slots is always the
    same that proves little, and only parts with a single number for each are taken.
    """
    tables = [_lengths(game, one) for one in _tables(game, params)]
    here = [part for part in tables[0] if part != KINDS]
    found: list[Slots] = []
    for name in _card_parts(game, params):
        counts = {table[name] for table in tables if name in table}
        if max(counts) == 1 or any(name in slots.cards for slots in found):
            continue
        each = {part: _numbers_each(part, name, tables) for part in here}
        cards = [part for part in here if part in game.rules.card_parts and each[part] == 1]
        others = [
            part
            for part in here
            if part not in game.rules.card_parts
            and (each[part] == 1 or (each[part] and len(counts) > 1))
        ]
        found.append(Slots(tables[0][name], tuple(cards), tuple(others)))
    return found


def find_kind_parts(game: Game, params: Any) -> list[str]:
    """Find the parts that are no card parts, but have numbers for each kind of card, kind by kind.

    In Add-Too, say, where each diamond lies.
    """
    tables = [_lengths(game, one) for one in _tables(game, params)]
    others = [part for part in tables[0] if part not in (*game.rules.card_parts, KINDS)]
    return [part for part in others if _numbers_each(part, KINDS, tables)]


def _tables(game: Game, params: Any) -> list[Any]:
    return [params, *(game.make_params(**variant) for variant in game.rules.variants)]


def _lengths(game: Game, params: Any) -> dict[str, int]:
    """Return lengths of parts at a table: of card parts in vectors, of all others in numbers."""
    kinds = len(game.rules.deck(params))
    layout = game.rules.observation_layout(params)
    lengths = {
        name: size // kinds if name in game.rules.card_parts else size
        for name, size in layout.items()
    }
    return {KINDS: kinds} | lengths


def _numbers_each(part: str, whose: str, tables: Sequence[Mapping[str, int]]) -> int:
    """Return how often ``part`` is as long as ``whose``; 0: not the same at all tables, or none."""
    both = [table for table in tables if part in table and whose in table]
    ratios = {table[part] / table[whose] for table in both}
    ratio = ratios.pop() if len(ratios) == 1 else 0.0
    return int(ratio) if ratio.is_integer() else 0


def _card_parts(game: Game, params: Any) -> list[str]:
    layout = game.rules.observation_layout(params)
    return [name for name in game.rules.card_parts if name in layout]


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
            slots: the parts that belong to slots (see `find_slots`).
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
                `find_kind_parts`).
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


def _all_places(
    where: Mapping[str, slice], names: Sequence[str] | Mapping[str, int]
) -> torch.Tensor:
    """Return the places of several parts, one part after another."""
    return torch.cat([torch.arange(where[name].start, where[name].stop) for name in names])


def extractor_kwargs(features: str, game: Game, params: Any, shown: int) -> dict[str, Any]:
    """Return what sb3-contrib's policy wants to know of what comes before its first layer.

    Args:
        features: ``network.features`` of the settings.
        game: whose observations are looked at.
        params: its parameters, made by ``game.make_params``.
        shown: how many hints stand behind the observation; they pass by the extractor.
    """
    if features == "flat":
        return {}
    layout = dict(game.rules.observation_layout(params))
    kwargs: dict[str, Any] = {"layout": layout}
    if features == "maps":
        kwargs["image_parts"] = dict(game.rules.image_parts(params))
    else:
        kinds = len(game.rules.deck(params))
        kwargs["card_parts"] = dict.fromkeys(_card_parts(game, params), kinds)
    if features == "embeddings":
        kwargs["slots"] = find_slots(game, params)
    if features == "kinds":
        kwargs["kind_parts"] = find_kind_parts(game, params)
    extractor = EXTRACTORS[features]
    if shown:
        kwargs = {"extractor": extractor, "shown": shown, "kwargs": kwargs}
        extractor = BesideHints
    return {"features_extractor_class": extractor, "features_extractor_kwargs": kwargs}


EXTRACTORS: dict[str, type[BaseFeaturesExtractor]] = {
    "cards": CardRelations,
    "embeddings": CardEmbeddings,
    "kinds": CardKinds,
    "maps": MapCells,
}
"""What comes before the first layer, by its name in the settings; ``flat``: nothing."""
