"""Scripted players."""

from __future__ import annotations

import numpy as np

from kitchentable.jit import kernel
from kitchentable.rng import pick_legal


@kernel
def random(observation, mask, variant, rng):  # noqa
    return pick_legal(mask, rng)


greedy = random
expert = random
