"""The expert player of Add-Too: it searches some plays ahead."""

from __future__ import annotations

from kitchentable.core.kernels import allocating_kernel
from kitchentable.core.state import NOBODY, BoolArray, Stream
from kitchentable.games.addtoo.knowledge import Knowledge
from kitchentable.games.addtoo.players.lookahead import (
    decision,
    lay_out,
    make_paper,
    only_legal,
    search,
    table_in,
    usual_depth,
)
from kitchentable.games.addtoo.state import Fits, Numbers


@allocating_kernel
def expert(
    known: Knowledge,
    mask: BoolArray,
    rng: Stream,  # noqa: ARG001
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Return the best play by the search of `lookahead`, at its usual depth."""
    only = only_legal(mask)
    if only != NOBODY:
        return only
    depth = usual_depth(int(known.num_players))
    paper = make_paper(depth)
    lay_out(known, table_in(paper.words), numbers, fits)
    best = search(paper, depth, False, numbers, fits)
    return decision(known, paper.plays[0, best])
