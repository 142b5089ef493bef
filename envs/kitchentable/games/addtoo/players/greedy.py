"""The greedy player of Add-Too: it makes the play that scores most at once."""

from __future__ import annotations

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.rng import ANY_LEGAL
from kitchentable.core.state import BoolArray, FloatArray, Stream
from kitchentable.games.addtoo.players.lookahead import (
    Paper,
    decision,
    find_plays,
    make_paper,
    to_play,
)
from kitchentable.games.addtoo.players.reading import only_legal, read
from kitchentable.games.addtoo.state import Fits, Numbers, State


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: State,
    rng: Stream,  # noqa: ARG001
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Return the play that scores most at once; the first diamond of a hand is random."""
    only = only_legal(mask)
    if only >= 0:
        return only
    return _greedy(observation, variant, numbers, fits, make_paper(0))


@subroutine
def _greedy(
    observation: FloatArray,
    variant: State,
    numbers: Numbers,
    fits: Fits,
    paper: Paper,
) -> int:
    table = paper.tables[0]
    read(observation, variant, numbers, fits, table)
    if table.num_laid == 0:
        return ANY_LEGAL
    find_plays(table, to_play(table), numbers, paper.plays[0])
    return decision(paper, 0)
