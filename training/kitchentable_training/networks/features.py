"""The feature extractors before the first layer of a network, by name in `FEATURES`."""

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
    """What an observation must contain for a layer."""

    argument: str
    """The argument of the layer that receives it."""
    find: Callable[[Game, Any], Any]
    """Returns it for a game and its parameters; an empty value if there is none."""
    missing: str
    """The error message for games that do not have it."""


@dataclass(frozen=True)
class Features:
    """A layer that appends features to an observation.

    Attributes:
        layer: the class of the layer; None for the observation alone.
        need: what the layer requires of the observation.
        more: functions for its other arguments, by name; their values may be empty for a game.
    """

    layer: type[BaseFeaturesExtractor] | None = None
    need: Need | None = None
    more: Mapping[str, Callable[[Game, Any], Any]] = field(default_factory=dict)

    def missing(self, game: Game, params: Any) -> str:
        """Return the error message if a game lacks what the layer requires, or an empty string."""
        if self.need is None or self.need.find(game, params):
            return ""
        return self.need.missing

    def policy_kwargs(
        self, game: Game, params: Any, rows: tuple[int, int], replies: ReplySizes | None
    ) -> dict[str, Any]:
        """Return the arguments for sb3-contrib's policy.

        Args:
            game: the game with the observations.
            params: its parameters, made by ``game.make_params``.
            rows: the number of rows of action features, which follow the observation and bypass the
                layer, and the length of each; 0 for none.
            replies: the sizes of the parts about sequences of cards, which precede the rows.
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
"""Feature extractors by their names in the settings: none, the products of every two cards, a
learned vector for each card with layers shared by all slots, layers shared by all kinds of card,
convolutions over maps."""
