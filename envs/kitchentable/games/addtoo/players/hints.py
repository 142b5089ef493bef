"""What a player of Add-Too can work out from an observation, as numbers for a network.

What each play scores, and what it is worth when one looks ahead as far as `expert` does
(`lookahead`): a network would have to learn the whole geometry for that. Trained players depend on
these numbers: a test holds them fast.
"""

from __future__ import annotations

import math

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.addtoo.players.lookahead import (
    POINTS,
    Paper,
    decision,
    make_paper,
    search,
    usual_depth,
)
from kitchentable.games.addtoo.players.reading import Ints, read
from kitchentable.games.addtoo.state import NUM_ACTIONS, V_PLAYERS, Fits, Numbers, Params

MERIT_SLOPE = 1.5
"""What is worth 1 point less has the e^1.5th part of the merit."""
SPAN = 40.0
"""Points from which on plays look alike in ``ease`` and ``gain``."""
KINDS = ("merit", "ease", "gain")
"""What is hinted about an action, 0 where it is illegal; of a diamond, about its best place:

- ``merit``: how close it comes to the best one: 1 for that, less and less for what is worth less;
- ``ease``: likewise, but evenly: 0 for what is worth 40 points less, or more;
- ``gain``: the points it scores at once, of 40.
"""


def layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order."""
    del params
    prospect = {"prospect": 1}  # what the best play is worth: 0.5 equal, 1 for 100 points or more
    return prospect | dict.fromkeys(KINDS, NUM_ACTIONS)


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    out: FloatArray,
    numbers: Numbers,
    fits: Fits,
) -> None:
    """Write the hints for the seat to act into ``out``, which is zero on entry."""
    if mask.any():
        paper = make_paper(usual_depth(variant[V_PLAYERS]))
        _hint(observation, variant, numbers, fits, paper, out)


@subroutine
def _hint(
    observation: FloatArray,
    variant: Ints,
    numbers: Numbers,
    fits: Fits,
    paper: Paper,
    out: FloatArray,
) -> None:
    read(observation, variant, numbers, fits, paper.tables[0])
    best = paper.values[search(paper, usual_depth(variant[V_PLAYERS]), True, numbers, fits)]
    out[0] = min(max(0.5 + best / 200.0, 0.0), 1.0)
    for i in range(paper.counts[0]):
        loss, points = best - paper.values[i], paper.plays[0, i, POINTS]
        _write(out, 1 + decision(paper, i), loss, points)


@kernel
def _write(out: FloatArray, at: int, loss: float, points: int) -> None:
    """Write the hints about an action, unless another place for the same diamond is better."""
    merit = math.exp(-MERIT_SLOPE * loss)
    if merit > out[at]:
        out[at] = merit
        out[at + NUM_ACTIONS] = max(1.0 - loss / SPAN, 0.0)
        out[at + 2 * NUM_ACTIONS] = min(points / SPAN, 1.0)
