"""The learning algorithms by name: where their classes are, and their settings.

Your own algorithm is named by where it is: ``package.module:Class`` or ``file.py:Class``. It
is a `learner.Learner` with an attribute ``Settings``, a class derived from `TrainingSettings`.
Naming it runs its module, so only a person may name it: in settings, not in a checkpoint.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from kitchentable.core.parameters import did_you_mean
from kitchentable_training.algorithms.settings import (
    DMCSettings,
    MMDSettings,
    NFSPSettings,
    PPOSettings,
    PSROSettings,
    RNaDSettings,
    SB3PPOSettings,
    TrainingSettings,
)
from kitchentable_training.named import import_object, is_place

HERE = __name__.rpartition(".")[0]


class Algorithm(NamedTuple):
    """A learning algorithm."""

    place: str
    """Where its class is, which is imported only when a run begins."""
    settings: type[TrainingSettings]

    def load(self) -> Any:
        """Import the class, a `learner.Learner`; it is made with settings and opponents."""
        return _import_class(self.place)


@cache
def _import_class(place: str) -> Any:
    """Import a class once, as settings of the same class can be compared."""
    return import_object(place, "algorithm")


ALGORITHMS = {
    "ppo": Algorithm(f"{HERE}.ppo:PPO", PPOSettings),
    "mmd": Algorithm(f"{HERE}.mmd:MagneticMirrorDescent", MMDSettings),
    "rnad": Algorithm(f"{HERE}.rnad:RegularizedNashDynamics", RNaDSettings),
    "dmc": Algorithm(f"{HERE}.dmc:DeepMonteCarlo", DMCSettings),
    "nfsp": Algorithm(f"{HERE}.nfsp:NFSP", NFSPSettings),
    "psro": Algorithm(f"{HERE}.psro:PSRO", PSROSettings),
    "sb3_ppo": Algorithm(f"{HERE}.sb3:SB3Learner", SB3PPOSettings),
}
"""The algorithms of the project: proximal policy optimization by self-play; on the same rollouts
magnetic mirror descent, regularized Nash dynamics and deep Monte Carlo; neural fictitious
self-play; policy-space response oracles; and MaskablePPO of
sb3-contrib, where one seat learns."""
DEFAULT = "ppo"
"""The algorithm of settings that name none."""


def find_algorithm(word: str) -> Algorithm:
    """Return an algorithm by its name; your own by its place, and import it.

    Raises:
        ValueError: there is no such algorithm, or it lacks its settings.
    """
    if word in ALGORITHMS:
        return ALGORITHMS[word]
    if not is_place(word):
        possible = (
            f"; choose from {', '.join(ALGORITHMS)}, or name your own class, as in "
            "package.module:Class or file.py:Class"
        )
        close = did_you_mean(word, ALGORITHMS) or possible
        raise ValueError(f"there is no algorithm {word!r}{close}")
    settings = getattr(_import_class(word), "Settings", None)
    if not (isinstance(settings, type) and issubclass(settings, TrainingSettings)):
        base = f"{TrainingSettings.__module__}.{TrainingSettings.__name__}"
        raise ValueError(f"algorithm {word!r} needs an attribute Settings, a subclass of {base}")
    return Algorithm(word, settings)
