"""Settings of a network."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from kitchentable import Game
from kitchentable_training.named import is_place
from kitchentable_training.settings import Settings

PAIRS = "pairs"
"""The derived part that `reply_layers.ReplyLayers` read."""


class NetworkSettings(Settings):
    """Settings of the networks of policy and value."""

    module: str | None = None
    """Your own torch module, ``package.module:name`` or ``file.py:name``, instead of the network of
    the project (see `networks.network`). It receives the inputs that the settings below select."""
    options: dict[str, JsonValue] = Field(default_factory=dict)
    """The keyword arguments of ``module``."""
    tables: list[dict[str, JsonValue]] = Field(default_factory=list)
    """The parameters of the tables at which one network plays, for ``algorithm: ppo``. It also
    plays at other tables where nothing else is observed. Empty: at the table of the run only."""
    layers: list[Annotated[int, Field(ge=1, le=2**20)]] = Field(default=[256, 256], max_length=64)
    """The units of the layers that policy and value share, each followed by a ReLU."""
    derived_parts: bool = False
    """Whether the first layer's inputs include parts that are derived from the observation (see
    `kitchentable.core.game.DerivedParts`)."""
    relations: bool = False
    """Whether the inputs include the pairwise products of the vectors over kinds of card (see
    `inputs.NetworkInputs`)."""
    action_features: bool = False
    """Whether layers that all actions share receive the game's features of each legal action (see
    `network.ActionScorer`)."""
    action_units: Annotated[int, Field(ge=1, le=2**16)] = 64
    """The number of units of each of these shared layers."""
    best_row: bool = False
    """Whether the output for an action with several rows is the maximum over them instead of the
    log-sum-exp. ``algorithm: dmc`` needs it, as its outputs are action values."""
    value_of_actions: bool = False
    """Whether the value network receives the action features too (see `network.ValueOfActions`)."""
    reply_rounds: Annotated[int, Field(ge=0, le=64)] = 0
    """The number of rounds of message passing between cards that can be laid on each other (see
    `reply_layers.ReplyLayers`); 0: no such layers."""

    def check(self, game: Game) -> None:
        """Check that the game supports the settings.

        Raises:
            ValueError: it does not.
        """
        self._check_module()
        self._check_tables(game)
        if self.relations and not game.rules.card_parts:
            raise ValueError(f"network.relations: {game.name} names no cards in its observations")
        for name in ("action_features", "derived_parts"):
            if getattr(self, name) and getattr(game.players, name) is None:
                raise ValueError(f"network.{name}: {game.name} has none; set it to false")
        for name in ("best_row", "value_of_actions", "reply_rounds"):
            if getattr(self, name) and not self.action_features:
                raise ValueError(f"network.{name} wants network.action_features: true")
        derived = game.players.derived_parts
        parts = derived.layout(game.make_params()) if self.reply_rounds and derived else {}
        if self.reply_rounds and PAIRS not in parts:
            raise ValueError(
                f"network.reply_rounds: {game.name} does not say which cards follow each other; "
                "set it to 0"
            )

    def _check_tables(self, game: Game) -> None:
        if not self.tables:
            return
        if self.module or not self.layers or not self.action_features:
            raise ValueError(
                "network.tables: other tables have other inputs and actions; that wants layers and "
                "network.action_features: true, and no network.module"
            )
        feature_names = {game.feature_names(game.make_params(**table)) for table in self.tables}
        if len(feature_names) > 1:
            raise ValueError("network.tables: some are for a team and some are not; choose either")

    def _check_module(self) -> None:
        if self.options and self.module is None:
            raise ValueError("network.options are those of network.module, which is missing")
        if self.module is None:
            return
        if not is_place(self.module):
            raise ValueError(
                f"network.module: {self.module!r} is neither package.module:name nor file.py:name"
            )
        for name in ("best_row", "value_of_actions"):
            if getattr(self, name):
                raise ValueError(f"network.{name}: {self.module} does not read it; set it to false")
