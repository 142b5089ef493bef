"""The table and the network's inputs, as RLlib's ``env_config``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pydantic import ValidationError

from kitchentable import Game, find_game
from kitchentable.core.state import BoolArray
from kitchentable_training.algorithms.settings import OpponentSettings
from kitchentable_training.named import name_module
from kitchentable_training.networks.inputs import MASK, OBSERVATION, Arrays, NetworkInputs
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.settings import Settings, Weight, errors_in

SEEN = "observations"
"""The key of the observation, as in RLlib's own masking module; so is that of the mask."""


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
        if table.network.tables:
            raise ValueError("network.tables: RLlib trains at one table; leave them out")
        if table.network.module is not None:
            name_module(table.network.module)
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
        return NetworkInputs(self.found, self.checked, self.network)

    @property
    def spaces(self) -> tuple[spaces.Dict, spaces.Discrete]:
        """The spaces of one seat: a dict of inputs and action mask, and the actions."""
        inputs = self.inputs
        observation_space = dict(inputs.space)
        mask = spaces.Box(0, 1, (inputs.num_actions,), np.int8)
        observation_space = {
            SEEN: observation_space.pop(OBSERVATION),
            **observation_space,
            MASK: mask,
        }
        return spaces.Dict(observation_space), spaces.Discrete(inputs.num_actions)

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


def named(inputs: Arrays, masks: BoolArray) -> Arrays:
    """Return inputs and masks by RLlib's names: values in the first of `Table.spaces`."""
    others = {name: array for name, array in inputs.items() if name != OBSERVATION}
    return {SEEN: inputs[OBSERVATION], **others, MASK: masks.view(np.int8)}
