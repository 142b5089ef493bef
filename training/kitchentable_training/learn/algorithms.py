"""The learning algorithms of training runs, one entry of `ALGORITHMS` each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import torch
from stable_baselines3.common.logger import Logger

from kitchentable_training.learn.dmc import DeepMonteCarlo
from kitchentable_training.learn.league import OpponentPool
from kitchentable_training.learn.sb3 import SB3Learner
from kitchentable_training.learn.seating import Seating
from kitchentable_training.learn.selfplay import SelfPlay
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.trunk import TablePolicy

if TYPE_CHECKING:
    from kitchentable_training.learn.settings import RunSettings


class Learner(Protocol):
    """The interface between a run and an algorithm."""

    seating: Seating
    inputs: NetworkInputs

    @property
    def policy(self) -> TablePolicy:
        """The network that is trained."""
        ...

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """The optimizer of the network's weights."""
        ...

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        ...

    def begin(self) -> None:
        """Take note of the policy that learning starts from."""
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


@dataclass(frozen=True)
class Algorithm:
    """A learning algorithm.

    Attributes:
        make: makes the learner from the settings of a run and its league.
        on_engine: whether rollouts are those of `selfplay`.
        draws: whether the outputs are action probabilities, so that opponents sample their actions;
            otherwise they play the best action.
        refuses: settings that must have their defaults, with the reason.
    """

    make: Callable[[RunSettings, OpponentPool], Learner]
    on_engine: bool = True
    draws: bool = True
    refuses: Mapping[str, str] = field(default_factory=dict)


_NO_POLICY, _NO_GROUP = "learns values, no policy", "does not read these settings"
_NO_ADVANTAGES = "has no advantages"
ALGORITHMS: dict[str, Algorithm] = {
    "selfplay": Algorithm(SelfPlay, refuses={"dmc": _NO_GROUP}),
    "ppo": Algorithm(
        SB3Learner, on_engine=False, refuses={"selfplay": _NO_GROUP, "dmc": _NO_GROUP}
    ),
    "dmc": Algorithm(
        DeepMonteCarlo,
        draws=False,
        refuses={
            "imitation": _NO_POLICY,
            "selfplay.magnet_coef": _NO_POLICY,
            "selfplay.lookahead": _NO_POLICY,
            "selfplay.full_state_critic": _NO_ADVANTAGES,
            "selfplay.duplicates": _NO_ADVANTAGES,
            "selfplay.normalize_advantage": _NO_ADVANTAGES,
            "selfplay.shaping": "learns from all that is paid until the end",
        },
    ),
}
"""Algorithms by their names in the settings: self-play on the engine; proximal policy optimization
with stable-baselines3, where one seat learns; deep Monte Carlo on the rollouts of self-play."""
