"""The algorithms that a run may learn by: one entry of `ALGORITHMS` each.

All of them collect games and learn in the loop of sb3-contrib's MaskablePPO, and go by its names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sb3_contrib import MaskablePPO

from kitchentable_training.learn.dmc import DeepMonteCarlo, ValuesOfActions
from kitchentable_training.networks.trunk import TablePolicy


@dataclass(frozen=True)
class Algorithm:
    """A way to learn.

    Attributes:
        learner: what learns; it is made with what the settings have under `ppo` and under the
            algorithm's own name.
        policy: the class of the network.
        draws: whether a probability stands behind each action, so that opponents draw theirs; else
            they play the best one.
        refuses: settings that are to be null, with the reason.
    """

    learner: type[MaskablePPO] = MaskablePPO
    policy: type[TablePolicy] = TablePolicy
    draws: bool = True
    refuses: Mapping[str, str] = field(default_factory=dict)


ALGORITHMS: dict[str, Algorithm] = {
    "ppo": Algorithm(),
    "dmc": Algorithm(
        DeepMonteCarlo,
        ValuesOfActions,
        draws=False,
        refuses={"imitation": "learns values, no policy"},
    ),
}
"""By their names in the settings: proximal policy optimization, and deep Monte Carlo."""
