"""The table and the network's inputs, as RLlib's ``env_config``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pydantic import ValidationError

from kitchentable import Game, find_game
from kitchentable_training.algorithms.league import OpponentSettings
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.settings import Settings, Weight, errors_in

SEEN, MASK = "observations", "action_mask"
"""The keys of an observation, the same as in RLlib's own masking module."""


class Table(Settings):
    """The validated ``env_config`` of the env runner and of `TableMultiAgentEnv`."""

    game: str
    params: dict[str, Any]
    """The game's parameters."""
    network: NetworkSettings
    """The settings of the network, which determine its inputs."""
    opponents: dict[str, Weight] | None = None
    """The players of all seats but one with their weights: scripted players by name, trained ones
    by a checkpoint's folder or name. None: every seat learns."""

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> Table:
        """Validate an ``env_config``.

        Raises:
            ValueError: something is missing or invalid.
        """
        try:
            table = cls.model_validate(dict(config))
        except ValidationError as error:
            lines = "; ".join(errors_in(error, cls))
            raise ValueError(f"env_config: {lines}") from None
        table.network.check(table.found)
        table.league()
        return table

    @property
    def found(self) -> Game:
        """The game."""
        return find_game(self.game)

    @property
    def checked(self) -> Any:
        """The game's parameters, made by ``game.make_params``."""
        return self.found.make_params(**self.params)

    @property
    def inputs(self) -> NetworkInputs:
        """The inputs of the network."""
        return NetworkInputs.of(self.network, self.found, self.checked)

    @property
    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete]:
        """The spaces of one seat: a dict of inputs and action mask, and the actions."""
        num_actions, inputs = len(self.found.rules.action_names(self.checked)), self.inputs
        # Observations are in [0, 1]; other inputs have no bounds.
        low, high = (0.0, 1.0) if inputs.is_observation else (-np.inf, np.inf)
        seen = spaces.Box(low, high, (inputs.size,), np.float32)
        mask = spaces.Box(0, 1, (num_actions,), np.int8)
        return spaces.Dict({SEEN: seen, MASK: mask}), spaces.Discrete(num_actions)

    def league(self) -> OpponentSettings:
        """Return the players of the other seats.

        Raises:
            ValueError: no opponent has a weight above 0, or there are no other seats.
        """
        if self.opponents is None:
            return OpponentSettings()
        if self.checked.num_players == 1:
            raise ValueError("opponents: a game for one seat has none; leave them out")
        if not any(self.opponents.values()):
            raise ValueError(
                "opponents: give at least one a weight above 0, or None to let every seat learn"
            )
        return OpponentSettings.of(self.found, self.opponents)
