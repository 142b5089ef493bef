"""What can be said at once of each legal play of Add-Too, as numbers for a network.

What it scores, and which of the other diamonds in sight could be played on the table as it leaves
it, and for what score. A diamond to be chosen has a row for every place where it may be laid. What
fits on a reply is told by the numbers of the diamonds alone, wherever they may lie. Nothing is
taken from a scripted player's judgement.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import NOBODY, BoolArray, FloatArray
from kitchentable.games.addtoo.geometry import SIDES, TURNS
from kitchentable.games.addtoo.players.lookahead import (
    ACTION,
    DIAMOND,
    POINTS,
    Paper,
    find_plays,
    make_paper,
    to_play,
    try_play,
)
from kitchentable.games.addtoo.players.reading import Ints, read
from kitchentable.games.addtoo.state import (
    AT_LAST,
    AT_SPOT,
    HAND,
    HIGHEST,
    MULTIPLE,
    NO_TILE,
    NO_TILES,
    ONE,
    SCORING,
    TILE,
    Fits,
    Numbers,
)

MOST = 32
"""Rows; a turn seldom has more plays."""
NAMES = (
    "diamond",  # a diamond is chosen, not its place
    "points",  # scored at once, of 40
    "bonus",  # whether it is a bonus play
    "places",  # where the diamond may be laid, of 8
    "last_one",  # whether it is the only one of the hand
    *(f"{color}_{number}" for color in ("orange", "blue") for number in range(1, HIGHEST + 1)),
    *(f"side_{side}" for side in range(SIDES)),  # of the last diamond, that it is laid at
    # Of the next seat's diamonds, of the own ones, of those in the pile: how many could be played
    # then, and how many of these score, of 5; the best score, of 20; the share that could be
    # played; whether none could. None can when the play ends the hand.
    *(
        f"{group}_{what}"
        for group in ("next", "own", "pile")
        for what in ("fit", "score", "best", "share", "none")
    ),
    # Of the next seat's diamonds that fit on this one by their numbers, the best first: what it
    # scores; on it, the best score of the own ones, and how many of these fit, of 5. Scores go from
    # 0.5 for no points.
    *(f"reply_{rank}_{what}" for rank in range(HAND) for what in ("points", "answer", "answers")),
)
MOST_POINTS, MOST_PLACES = 40, 8
PER_POINT = 1.0 / max(SCORING)
UNFIT = -1


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    actions: Ints,
    out: FloatArray,
    numbers: Numbers,
    fits: Fits,
) -> None:
    """Describe the `MOST` legal plays of the seat to act that score most, in rows of ``out``."""
    if mask.any():
        actions[:] = NOBODY
        _write(observation, variant, actions, numbers, fits, make_paper(1), out)


@subroutine
def _write(
    observation: FloatArray,
    variant: Ints,
    actions: Ints,
    numbers: Numbers,
    fits: Fits,
    paper: Paper,
    out: FloatArray,
) -> None:
    table = paper.tables[0]
    read(observation, variant, numbers, fits, table)
    paper.counts[0] = find_plays(table, to_play(table), numbers, paper.plays[0])
    # As signed numbers: numba makes floats of unsigned and signed ones together.
    mine: Any = np.int64(table.hands[0])
    theirs: Any = np.int64(table.hands[1])
    pile: Any = np.int64(0)
    for i in range(table.pile_size):
        pile |= np.int64(1) << np.int64(table.pile[i])
    choice = DIAMOND if table.phase == TILE else ACTION
    for row in range(min(paper.counts[0], MOST)):  # the best plays come first
        actions[row] = paper.plays[0, row, choice]
        tile = int(paper.plays[0, row, DIAMOND])
        others = mine & ~(1 << tile)
        out[row, 0] = choice == DIAMOND
        at = _write_play(paper, row, out[row])
        out[row, at] = others == 0
        at = _write_numbers(numbers, tile, paper.plays[0, row, ACTION], out[row], at + 1)
        over = try_play(paper, 0, row, numbers, fits)
        for group in (theirs, others, pile):
            at = _write_group(paper, group, over, numbers, out[row], at)
        _write_replies(numbers, tile, theirs, others, out[row], at)


@kernel
def _write_play(paper: Paper, number: int, out: FloatArray) -> int:
    """Write what the play itself is."""
    places = 0
    for i in range(paper.counts[0]):
        places += paper.plays[0, i, DIAMOND] == paper.plays[0, number, DIAMOND]
    out[1] = min(paper.plays[0, number, POINTS] / MOST_POINTS, 1.0)
    out[2] = paper.plays[0, number, ACTION] >= AT_SPOT
    out[3] = min(places / MOST_PLACES, 1.0)
    return 4


@kernel
def _write_numbers(numbers: Numbers, tile: int, action: int, out: FloatArray, at: int) -> int:
    for color in range(2):
        out[at + int(numbers[color, tile]) - 1] = 1.0
        at += HIGHEST
    if AT_LAST <= action < AT_SPOT:
        out[at + (action - AT_LAST) // TURNS] = 1.0
    return at + SIDES


@kernel
def _score(numbers: Numbers, lying: int, tile: int) -> int:
    """Return the most that a diamond scores on another one at one side, or `UNFIT`."""
    best = UNFIT
    for color in range(2):
        first, second = int(numbers[color, lying]), int(numbers[color, tile])
        if (first + second) % MULTIPLE == 0:
            best = max(best, first + second)
        elif first == second:
            best = max(best, 0)
    return best


@subroutine
def _write_group(
    paper: Paper, tiles: int, over: bool, numbers: Numbers, out: FloatArray, at: int
) -> int:
    """Write which of some diamonds could be played at level 1."""
    table, plays = paper.tables[1], paper.plays[1]
    group = np.uint64(0) if over else np.uint64(tiles)
    count = find_plays(table, group, numbers, plays)
    fitting, scoring = NO_TILES, NO_TILES
    for i in range(count):
        tile = ONE << np.uint64(plays[i, DIAMOND])
        fitting |= tile
        if plays[i, POINTS] > 0:
            scoring |= tile
    out[at] = min(count_bits(fitting) / HAND, 1.0)
    out[at + 1] = min(count_bits(scoring) / HAND, 1.0)
    out[at + 2] = min(plays[0, POINTS] * PER_POINT, 1.0) if count else 0.0
    out[at + 3] = count_bits(fitting) / max(count_bits(np.uint64(tiles)), 1)
    out[at + 4] = count == 0
    return at + 5


@subroutine
def _write_replies(
    numbers: Numbers, lying: int, theirs: int, mine: int, out: FloatArray, at: int
) -> None:
    """Write the next seat's diamonds that fit on one, the best first, and what fits on them."""
    for _ in range(HAND):
        best, reply = UNFIT, NO_TILE
        rest = theirs
        while rest:
            tile = lowest_bit(rest)
            rest &= rest - 1
            score = _score(numbers, lying, tile)
            if score > best:
                best, reply = score, tile
        if reply == NO_TILE:
            return
        theirs &= ~(1 << reply)
        answer, answers, rest = UNFIT, 0, mine
        while rest:
            score = _score(numbers, reply, lowest_bit(rest))
            rest &= rest - 1
            answers += score != UNFIT
            answer = max(answer, score)
        out[at] = 0.5 + 0.5 * best * PER_POINT
        out[at + 1] = 0.5 + 0.5 * answer * PER_POINT if answers else 0.0
        out[at + 2] = answers / HAND
        at += 3
