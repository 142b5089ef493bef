"""The interface between a run and its learning algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import torch
from stable_baselines3.common.logger import Logger
from torch import nn

from kitchentable_training.algorithms.seating import Seating
from kitchentable_training.networks.inputs import NetworkInputs


class Learner(Protocol):
    """A learning algorithm at work; `registry.ALGORITHMS` has the classes.

    It is made with the settings of a run and the `league.OpponentPool` of the other seats.

    Attributes:
        seating: the players at the tables.
        inputs: what the network is shown.
        optimizer: the optimizer of the network's weights.
    """

    seating: Seating
    inputs: NetworkInputs
    optimizer: torch.optim.Optimizer

    @property
    def network(self) -> nn.Module:
        """The network that is trained; see `networks.network`."""
        ...

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        ...

    def update(self, logger: Logger) -> None:
        """Play a rollout, learn from it and log figures."""
        ...

    def export_own(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results.

        The policy's weights, the seating, the optimizer's state and the global random generators
        are not included.
        """
        ...

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        ...
