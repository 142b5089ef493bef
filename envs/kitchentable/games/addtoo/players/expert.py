"""The expert player of Add-Too: it searches some plays ahead."""

from __future__ import annotations

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray, Stream
from kitchentable.games.addtoo.players.lookahead import (
    Paper,
    decision,
    make_paper,
    search,
    usual_depth,
)
from kitchentable.games.addtoo.players.reading import only_legal, read
from kitchentable.games.addtoo.state import Fits, Numbers, State


@allocating_kernel
def expert(
    observation: FloatArray,
    mask: BoolArray,
    variant: State,
    rng: Stream,  # noqa: ARG001
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Return the best play by the search of `lookahead`, at its usual depth."""
    only = only_legal(mask)
    if only >= 0:
        return only
    depth = usual_depth(int(variant.num_players))
    return _expert(observation, variant, numbers, fits, depth, make_paper(depth))


@subroutine
def _expert(
    observation: FloatArray, variant: State, numbers: Numbers, fits: Fits, depth: int, paper: Paper
) -> int:
    read(observation, variant, numbers, fits, paper.tables[0])
    return decision(paper, search(paper, depth, False, numbers, fits))
