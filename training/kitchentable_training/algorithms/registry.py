"""The learning algorithms of training runs, one entry of `ALGORITHMS` each.

These are the facts that settings need; `runs.run.LEARNERS` has the classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Algorithm:
    """What settings need to know of a learning algorithm.

    Attributes:
        on_engine: whether rollouts are those of `selfplay`.
        draws: whether the outputs are action probabilities, so that opponents sample their actions;
            otherwise they play the best action.
        refuses: settings that must have their defaults, with the reason.
    """

    on_engine: bool = True
    draws: bool = True
    refuses: Mapping[str, str] = field(default_factory=dict)


_NO_POLICY, _NO_GROUP = "learns values, no policy", "does not read these settings"
_NO_ADVANTAGES = "has no advantages"
ALGORITHMS: dict[str, Algorithm] = {
    "selfplay": Algorithm(refuses={"dmc": _NO_GROUP}),
    "ppo": Algorithm(on_engine=False, refuses={"selfplay": _NO_GROUP, "dmc": _NO_GROUP}),
    "dmc": Algorithm(
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
