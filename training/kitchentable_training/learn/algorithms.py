"""The algorithms that a run may learn by: one entry of `ALGORITHMS` each."""

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
    """What a run asks of an algorithm."""

    seating: Seating
    inputs: NetworkInputs

    @property
    def policy(self) -> TablePolicy:
        """The network that learns."""
        ...

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """What moves its weights."""
        ...

    @property
    def steps(self) -> int:
        """Decisions learned from so far."""
        ...

    def begin(self) -> None:
        """Take note of the policy that learning begins with."""
        ...

    def update(self, logger: Logger) -> None:
        """Play a rollout and learn from it; figures go into the log."""
        ...

    def export_own(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` goes on bit by bit.

        Weights of the policy, the seating, the optimizer's state and the global random generators
        are left out.
        """
        ...

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Go on from what `export_own` returned."""
        ...


@dataclass(frozen=True)
class Algorithm:
    """A way to learn.

    Attributes:
        make: makes what learns, of a run's settings and its league.
        draws: whether a probability stands behind each action, so that opponents draw theirs; else
            they play the best one.
        wants: groups of settings that may not be null.
        refuses: settings that are to be null, false or 0, with the reason.
    """

    make: Callable[[RunSettings, OpponentPool], Learner]
    draws: bool = True
    wants: tuple[str, ...] = ()
    refuses: Mapping[str, str] = field(default_factory=dict)


_NO_POLICY, _NO_GROUP = "learns values, no policy", "does not read these settings"
ALGORITHMS: dict[str, Algorithm] = {
    "selfplay": Algorithm(SelfPlay, wants=("selfplay",), refuses={"dmc": _NO_GROUP}),
    "ppo": Algorithm(SB3Learner, refuses={"selfplay": _NO_GROUP, "dmc": _NO_GROUP}),
    "dmc": Algorithm(
        DeepMonteCarlo,
        draws=False,
        wants=("dmc", "selfplay"),
        refuses={
            "imitation": _NO_POLICY,
            "selfplay.magnet_coef": _NO_POLICY,
            "selfplay.lookahead": _NO_POLICY,
            "selfplay.full_state_critic": "has no advantages",
            "selfplay.duplicates": "has no advantages",
            "selfplay.normalize_advantage": "has no advantages",
            "selfplay.shaping": "learns from all that is paid until the end",
        },
    ),
}
"""By their names in the settings: self-play on the engine; proximal policy optimization with
stable-baselines3, where one seat learns; and deep Monte Carlo on the rollouts of self-play."""
