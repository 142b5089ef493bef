"""The nodes of a tree by depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Indices = NDArray[np.int32]
Policy = list[Reals]
"""The probability of each (information set, action) pair, by depth; shape (pairs,) each."""


@dataclass(frozen=True)
class Level:
    """All nodes of one depth, and the information sets of the seats to act there.

    The legal actions of information set k are the *pairs* (set, action) from ``first_pair[k]`` to
    ``first_pair[k + 1]``. The children of a node are contiguous in the next level, one for each of
    these pairs in the same order.

    Attributes:
        movers: the seat to act, `NOBODY` where the game is over; int8, shape (nodes,).
        sets: index of the information set, -1 where the game is over; int32, shape (nodes,).
        first_child: index of the first child in the next level; int32, shape (nodes,).
        parents: index of the parent in the previous level; int32, shape (nodes,), empty at depth 0.
        parent_pairs: pair of the previous level that led to the node; like ``parents``.
        payoffs: total payoff of each seat in the nodes where the game is over, in order; float64,
            shape (ended nodes, seats).
        owners: the seat to act in each information set; int8, shape (sets,).
        first_pair: index of each set's first pair, and the number of pairs; shape (sets + 1,).
        set_of_pair: the information set of each pair; int32, shape (pairs,).
        actions: the action of each pair; int16, shape (pairs,).
        representatives: index of one node of each information set; int32, shape (sets,).
    """

    movers: NDArray[np.int8]
    sets: Indices
    first_child: Indices
    parents: Indices
    parent_pairs: Indices
    payoffs: Reals
    owners: NDArray[np.int8]
    first_pair: Indices
    set_of_pair: Indices
    actions: NDArray[np.int16]
    representatives: Indices
