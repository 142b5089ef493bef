"""Scripted players of Add-Too.

Each is a function ``(observation, mask, variant, rng, *tables) -> action`` that sees only what its
seat may see.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.rng import pick_legal
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.addtoo.players.lookahead import (
    ACTION,
    DIAMOND,
    Paper,
    find_plays,
    make_paper,
    search,
    to_play,
    usual_depth,
)
from kitchentable.games.addtoo.players.reading import read
from kitchentable.games.addtoo.state import TILE, V_PLAYERS, Fits, Numbers

Integers = NDArray[np.int64]
Stream = NDArray[np.uint64]


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,
    rng: Stream,
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Make the play that scores most at once; begin a hand with any diamond."""
    only = _only(mask)
    if only >= 0:
        return only
    paper = make_paper(0)
    return _greedy(observation, mask, variant, rng, numbers, fits, paper)


@subroutine
def _greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,
    rng: Stream,
    numbers: Numbers,
    fits: Fits,
    paper: Paper,
) -> int:
    table, plays = paper.tables[0], paper.plays[0]
    read(observation, variant, numbers, fits, table)
    if table.num_laid == 0:
        return pick_legal(mask, rng)
    find_plays(table, to_play(table), numbers, plays)
    return int(plays[0, DIAMOND if table.phase == TILE else ACTION])


@allocating_kernel
def expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,
    rng: Stream,  # noqa: ARG001
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Look some plays ahead, as `lookahead` says, and make the best one."""
    only = _only(mask)
    if only >= 0:
        return only
    depth = usual_depth(variant[V_PLAYERS])
    return _expert(observation, variant, numbers, fits, depth, make_paper(depth))


@subroutine
def _expert(
    observation: FloatArray,
    variant: Integers,
    numbers: Numbers,
    fits: Fits,
    depth: int,
    paper: Paper,
) -> int:
    read(observation, variant, numbers, fits, paper.tables[0])
    best = search(paper, depth, False, numbers, fits)
    return int(paper.plays[0, best, DIAMOND if paper.tables[0].phase == TILE else ACTION])


@kernel
def _only(mask: BoolArray) -> int:
    """Return the only legal action, or -1 if there are several."""
    only = -1
    for action in range(mask.shape[0]):
        if mask[action]:
            if only >= 0:
                return -1
            only = action
    return only


SCRIPTED = {"greedy": greedy, "expert": expert}
"""The players by name, the weakest first."""
