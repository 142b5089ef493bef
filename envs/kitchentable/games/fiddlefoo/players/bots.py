"""Scripted players of Fiddlefoo.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what its
seat may see. Seats that cooperate want something else than rivals: for them there are others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.players.expert import rival_expert
from kitchentable.games.fiddlefoo.players.greedy import rival_greedy
from kitchentable.games.fiddlefoo.players.team import team_expert
from kitchentable.games.fiddlefoo.players.team_greedy import team_greedy
from kitchentable.games.fiddlefoo.state import V_COOPERATIVE

Integers = NDArray[np.int64]
Stream = NDArray[np.uint64]


@allocating_kernel
def greedy(
    observation: FloatArray, mask: BoolArray, variant: Integers, rng: Stream, *_: Any
) -> int:
    """Do the obvious: as a rival (`rival_greedy`) or in a team (`team_greedy`)."""
    if variant[V_COOPERATIVE] != 0:
        return team_greedy(observation, mask, variant, rng)
    return rival_greedy(observation, mask, variant, rng)


@allocating_kernel
def expert(
    observation: FloatArray, mask: BoolArray, variant: Integers, rng: Stream, *_: Any
) -> int:
    """Play as well as possible: as a rival (`rival_expert`) or in a team (`team_expert`)."""
    if variant[V_COOPERATIVE] != 0:
        return team_expert(observation, mask, variant, rng)
    return rival_expert(observation, mask, variant, rng)


SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
