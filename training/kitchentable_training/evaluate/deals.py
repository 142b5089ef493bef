"""The sets of deals. What a player learned from or was chosen by is not what it is measured on.

Players learn from *training deals*, which follow from the seed of a run: they are drawn from child
sequences of that seed, so they differ from the deals below even if the seed is the same. Runs,
checkpoints and settings are compared on the *selection deals*. Whoever picks the best of several
results picks some luck too, so what is published is measured on the *report deals*, by which no
player, checkpoint or setting is chosen.
"""

from __future__ import annotations

from enum import IntEnum


class Deals(IntEnum):
    """The seeds of the sets of deals on which players are measured."""

    SELECTION = 20_261_121
    """For choosing: evaluations during and at the end of a run."""
    REPORT = 20_270_101
    """For publishing: `evaluate`, `tournament`, `exploit` and the tables of results."""
    BENCHMARK = 20_261_122
    """The report deals of the benchmark's protocol, which never change."""


def describe_deals(seed: int) -> str:
    """Return a set of deals in words: ``the report deals (seed 20270101)``."""
    if seed in list(Deals):
        return f"the {Deals(seed).name.lower()} deals (seed {int(seed)})"
    return f"the deals of seed {seed}"
