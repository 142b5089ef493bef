"""Settings of a network."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from kitchentable import Game
from kitchentable_training.networks.features import FEATURES
from kitchentable_training.settings import Settings, one_of


class NetworkSettings(Settings):
    """The multilayer perceptrons of policy and value."""

    features: Annotated[str, one_of(FEATURES)]
    """What comes before the first layer: one of `features.FEATURES`."""
    layers: Annotated[list[Annotated[int, Field(ge=1, le=2**20)]], Field(max_length=64)]
    activation: Literal["relu", "tanh"]
    shared: bool = False
    """Whether policy and value share their layers, or nothing but the features."""
    derived_parts: bool = False
    """Whether parts that follow from the observation, and belong to it at other tables of the game,
    are shown behind it (see `kitchentable.core.game.DerivedParts`)."""
    relations: bool = False
    """Whether the products of every two vectors over kinds of card are shown beside the observation
    (see `inputs.NetworkInputs`)."""
    action_features: bool = False
    """Whether the game's features of each legal action are shown, to layers that all actions share
    (see `trunk.ActionScorer`)."""
    action_units: Annotated[int, Field(ge=1, le=2**16)] = 64
    """Units of each of these shared layers."""
    best_row: bool = False
    """Whether an action of several rows is as good as its best one. ``algorithm: dmc`` wants it, as
    its network says what actions are worth."""
    value_of_actions: bool = False
    """Whether the value is shown the action features too (see `trunk.ValueOfActions`)."""
    reply_rounds: Annotated[int, Field(ge=0, le=64)] = 0
    """Rounds of message passing in layers that follow which cards can be laid on each other (see
    `reply_layers.ReplyLayers`); 0: there are no such layers."""
    reply_units: Annotated[int, Field(ge=1, le=2**16)] = 32
    """Length of a message."""

    def check(self, game: Game, params: Any) -> None:
        """Refuse what a game has not.

        Raises:
            ValueError: names the setting and the game.
        """
        missing = FEATURES[self.features].missing(game, params)
        if missing:
            raise ValueError(f"network.features: {self.features}; {game.name} {missing}")
        if self.relations and not game.rules.card_parts:
            raise ValueError(f"network.relations: {game.name} names no cards in its observations")
        for name in ("action_features", "derived_parts"):
            if getattr(self, name) and getattr(game.players, name) is None:
                raise ValueError(f"network.{name}: {game.name} has none; set it to false")
        for name in ("best_row", "value_of_actions", "reply_rounds"):
            if getattr(self, name) and not self.action_features:
                raise ValueError(f"network.{name} wants network.action_features: true")
        told = game.players.action_features
        if self.reply_rounds and not (told and told.write_pairs):
            raise ValueError(
                f"network.reply_rounds: {game.name} does not say which cards follow each other; "
                "set it to 0"
            )
