"""The project's networks as an RLlib module."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from kitchentable_training.networks.inputs import MASK, OBSERVATION, Inputs, pack
from kitchentable_training.networks.network import build_network, masked_logits_and_values
from kitchentable_training.rllib.table import SEEN, Table

TABLE = "table"
"""The key of the ``env_config`` in a module's ``model_config``."""


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A network of the project that never chooses an illegal action, with its value function.

    ``model_config`` is ``{"table": env_config}``, see `table.Table`. Observations are dicts of
    ``"observations"`` (float32), ``"action_mask"`` (0 or 1) and the network's other inputs. The
    logits of illegal actions are so low that their probability is exactly 0. Any algorithm can use
    it that needs the logits of a categorical distribution and a value function, such as PPO.
    """

    def setup(self) -> None:
        """Create the network; called by RLlib.

        Raises:
            ValueError: ``model_config`` has no table, or an invalid one.
        """
        config = self.model_config
        if not isinstance(config, dict) or TABLE not in config:
            raise ValueError(
                f"model_config: give {{{TABLE!r}: env_config}}, as ppo_config(...) does"
            )
        self.table = Table.read(config[TABLE])
        game, params = self.table.found, self.table.checked
        self.network = build_network(game, params, self.table.network)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return masked logits, for playing."""
        del kwargs
        logits, _ = masked_logits_and_values(self.network, _read(batch))
        return {Columns.ACTION_DIST_INPUTS: logits}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return masked logits and, as embeddings, the values computed in the same pass."""
        del kwargs
        logits, values = masked_logits_and_values(self.network, _read(batch))
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the value of each observation, (batch,); called by RLlib."""
        if embeddings is not None:
            values: torch.Tensor = embeddings
            return values
        return masked_logits_and_values(self.network, _read(batch))[1]


def _read(batch: dict[str, Any]) -> Inputs:
    """Return the inputs of the network."""
    seen = dict(batch[Columns.OBS])
    return pack({**seen, OBSERVATION: seen.pop(SEEN), MASK: seen[MASK].bool()})
