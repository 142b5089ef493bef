"""What comes before the first layer of a network: one entry of `FEATURES` each, by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, FlattenExtractor

from kitchentable import Game
from kitchentable_training.networks.card_layers import CardEmbeddings, CardKinds, CardRelations
from kitchentable_training.networks.map_layers import MapCells
from kitchentable_training.networks.parts import card_parts, find_kind_parts, find_slots
from kitchentable_training.networks.pass_by import ExtractorBesideRows
from kitchentable_training.networks.reply_layers import ReplySizes


class Need(NamedTuple):
    """What an observation must have for a layer to be built of it."""

    argument: str
    """Of the layer."""
    find: Callable[[Game, Any], Any]
    """Finds it for a game and its parameters; nothing if there is none."""
    missing: str
    """What is said of a game that has none."""


@dataclass(frozen=True)
class Features:
    """A layer that makes features of an observation, and lets the observation itself pass.

    Attributes:
        layer: its class; None: the observation alone is handed on.
        need: what it cannot do without.
        more: what else it is built of, by the names of its arguments; may be empty for a game.
    """

    layer: type[BaseFeaturesExtractor] | None = None
    need: Need | None = None
    more: Mapping[str, Callable[[Game, Any], Any]] = field(default_factory=dict)

    def missing(self, game: Game, params: Any) -> str:
        """Say what a game lacks for this layer, or nothing if it has all."""
        if self.need is None or self.need.find(game, params):
            return ""
        return self.need.missing

    def policy_kwargs(
        self, game: Game, params: Any, rows: tuple[int, int], replies: ReplySizes | None
    ) -> dict[str, Any]:
        """Return what sb3-contrib's policy wants to know of the layer.

        Args:
            game: whose observations are looked at.
            params: its parameters, made by ``game.make_params``.
            rows: of action features, which stand behind the observation and pass by the layer, and
                the length of each; 0 for none.
            replies: what is shown of how cards follow each other, in front of the rows.
        """
        layer: type[BaseFeaturesExtractor] = self.layer or FlattenExtractor
        kwargs: dict[str, Any] = {}
        if self.need is not None:
            kwargs = {
                "layout": dict(game.rules.observation_layout(params)),
                self.need.argument: self.need.find(game, params),
                **{name: find(game, params) for name, find in self.more.items()},
            }
        if all(rows):
            kwargs = {"extractor": layer, "rows": rows, "replies": replies, "kwargs": kwargs}
            layer = ExtractorBesideRows
        return {"features_extractor_class": layer, "features_extractor_kwargs": kwargs}


def _image_parts(game: Game, params: Any) -> dict[str, tuple[int, int, int]]:
    return dict(game.rules.image_parts(params))


CARDS = Need("card_parts", card_parts, "names no cards in its observations; choose flat")
MAPS = Need("image_parts", _image_parts, "has none in its observations")
FEATURES: dict[str, Features] = {
    "flat": Features(),
    "cards": Features(CardRelations, CARDS),
    "embeddings": Features(CardEmbeddings, CARDS, {"slots": find_slots}),
    "kinds": Features(CardKinds, CARDS, {"kind_parts": find_kind_parts}),
    "maps": Features(MapCells, MAPS),
}
"""By their names in the settings: nothing, how every two cards relate, a learned vector for each
card and layers that all slots share, layers that all kinds of card share, convolutions over maps.
"""
