"""The greedy player of Add-Too: it makes the play that scores most at once."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import ANY_LEGAL
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.state import NOBODY, BoolArray, Stream
from kitchentable.games.addtoo.knowledge import Knowledge
from kitchentable.games.addtoo.players.lookahead import (
    WORDS,
    decision,
    find_plays,
    lay_out,
    only_legal,
    table_in,
    to_play,
)
from kitchentable.games.addtoo.state import NO_TILE, Fits, Numbers


@kernel
def greedy(
    known: Knowledge,
    mask: BoolArray,
    rng: Stream,  # noqa: ARG001
    numbers: Numbers,
    fits: Fits,
) -> int:
    """Return the play that scores most at once; the first diamond of a hand is random."""
    only = only_legal(mask)
    if only != NOBODY:
        return only
    if known.last == NO_TILE:
        return ANY_LEGAL
    table, best = table_in(scratch_bits(WORDS)), scratch_ints(1)
    lay_out(known, table, numbers, fits)
    find_plays(table, to_play(table), numbers, best)
    return decision(known, best[0])
