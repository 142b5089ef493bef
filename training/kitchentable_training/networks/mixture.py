"""Mixtures of networks: at the start of a game, one member is drawn for each seat.

A mixed strategy over several policies is not a policy of one network: a seat keeps the member that
was drawn until the game ends. The draw needs no memory, as it follows from the random seed in the
record of the game and from the seat. Deals follow from other numbers than the draw (see
`kitchentable.core.rng`), so neither tells anything about the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from kitchentable.core.rng import mix
from kitchentable.engine.compiling import loop

SALT = 1_000_003
"""What is added to the seat; hands, whose streams come from the same seed, have smaller numbers."""
UNIT = 2.0**-53


class Mixture(nn.Module):
    """Networks with the same inputs, and the probability of each of them.

    Attributes:
        members: the networks.
        shares: their probabilities; float64, shape (members,).
    """

    shares: torch.Tensor

    def __init__(self, members: Sequence[nn.Module]) -> None:
        """Take over the members; the first one is always drawn."""
        super().__init__()
        self.members = nn.ModuleList(members)
        shares = torch.zeros(len(members), dtype=torch.float64)
        shares[0] = 1.0
        self.register_buffer("shares", shares)

    def draw(self, batch: Any, games: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the members that the seats to act have in some games; int64, shape (k,)."""
        seeds, seats = batch.states["seed"][games], batch.current_player[games]
        members = np.zeros(len(seeds), np.int64)
        _choose_members(seeds, seats, self.shares.cpu().cumsum(0).numpy(), members)
        return members


def _choose(seeds: Any, seats: Any, sums: Any, members: Any) -> None:
    """Choose the member of the seat to act in each game; see `Mixture.draw`."""
    for i in range(len(seeds)):
        bits = mix(seeds[i], SALT + seats[i])
        threshold = np.float64(bits >> np.uint64(11)) * UNIT * sums[-1]
        chosen = 0
        while threshold >= sums[chosen]:
            chosen += 1
        members[i] = chosen


_choose_members: Any = loop(_choose, game=None, name="choose_members")
