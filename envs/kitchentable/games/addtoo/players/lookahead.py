"""Search for players of Add-Too: plays of all seats to a limited depth, on records of their own.

All hands lie open, so the game is deterministic until a seat draws. A single opponent is assumed to
make the play that is best for itself; several opponents are each assumed to make the play that
scores most. A line of play ends with the hand, when a seat has to draw, or at full depth; the rest
of the hand is then estimated.

Values are points at the end of the hand: those of seat 0, the viewer, minus the mean of the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_records
from kitchentable.core.state import NOBODY, Floats, Ints
from kitchentable.games.addtoo.board import place_of, points_for
from kitchentable.games.addtoo.geometry import WAYS
from kitchentable.games.addtoo.players.reading import RECORD
from kitchentable.games.addtoo.rules import ends_hand, play
from kitchentable.games.addtoo.state import (
    AT_LAST,
    AT_SPOT,
    LEFT_PENALTY,
    MAX_SPOTS,
    NO_TILE,
    NO_TILES,
    NUM_TILES,
    ONE,
    TILE,
    Fits,
    Numbers,
    State,
)

MOST_PLAYS = NUM_TILES * (WAYS + MAX_SPOTS)
"""An upper bound on the plays of any set of diamonds."""
DEPTH = 4
"""Depth of the search in plays against one opponent; against several, it is one round."""
DIAMOND, ACTION, POINTS = range(3)
"""Columns of a play in `Paper.plays`."""

# Points by which a seat will beat the next seat in the rest of the hand, by the number of diamonds
# that it holds after its turn (row) and that the next seat holds. Means over 16,000 hands of two
# such players, one play less deep. No seat has five after a play; that row is extrapolated.
OUTLOOK = np.array(
    [
        [0.0, 10.0, 20.0, 30.0, 40.0, 50.0],
        [-10.0, -7.0, -0.5, 5.3, 10.9, 22.5],
        [-20.0, -14.7, -5.2, -3.1, -0.2, 7.3],
        [-30.0, -21.5, -9.9, -5.3, -2.4, 0.2],
        [-40.0, -30.1, -15.9, -7.9, -9.5, 3.5],
        [-50.0, -38.0, -22.0, -12.0, -10.0, -7.0],
    ]
)


class Paper(NamedTuple):
    """Working memory of a search; the first index is the level, where level 0 is the current table.

    A search of some depth needs one level more.
    """

    tables: Any
    """State records; shape (levels,)."""
    plays: Ints
    """Diamond, action and points of each play; shape (levels, MOST_PLAYS, 3)."""
    counts: Ints
    """Number of plays; shape (levels,)."""
    tried: Ints
    """Number of plays tried so far; shape (levels,)."""
    bounds: Floats
    """Value that seat 0 is sure of, and value that the others allow at most; shape (levels, 2)."""
    values: Floats
    """Value of each play at level 0; shape (MOST_PLAYS,)."""


@kernel
def usual_depth(num_players: int) -> int:
    """Return the default depth of the search in plays."""
    return DEPTH if num_players == 2 else num_players


@allocating_kernel
def make_paper(depth: int) -> Paper:
    """Return working memory for a search; see `scratch_records` for its lifetime."""
    levels = depth + 1
    return Paper(
        scratch_records(RECORD, levels),
        np.empty((levels, MOST_PLAYS, 3), np.int64),
        np.empty(levels, np.int64),
        np.empty(levels, np.int64),
        np.empty((levels, 2)),
        np.empty(MOST_PLAYS),
    )


# --- Plays ----------------------------------------------------------------------------------------


@subroutine
def find_plays(table: State, tiles: np.uint64, numbers: Numbers, plays: Ints) -> int:
    """List the plays of a set of diamonds, high scores first.

    Args:
        table: the state record.
        tiles: the diamonds, as a bit set.
        numbers: see `state.tables`.
        plays: receives diamond, action and points of each play; shape (`MOST_PLAYS`, 3).

    Returns:
        The number of plays.
    """
    count = 0
    if table.num_laid == 0:
        rest = tiles
        while rest != NO_TILES:
            count = _insert(plays, count, lowest_bit(rest), 0, 0)
            rest &= rest - ONE
        return count
    mine = tiles & table.playable
    if mine == NO_TILES:
        return 0
    for i in range(WAYS + table.num_spots):
        if i < WAYS:
            rest, action = mine & table.last_tiles[i], AT_LAST + i
        else:
            rest, action = mine & table.spot_tiles[i - WAYS], int(table.spot_actions[i - WAYS])
        if rest != NO_TILES:
            place = place_of(table, action)
            while rest != NO_TILES:
                tile = lowest_bit(rest)
                rest &= rest - ONE
                points = points_for(table, tile, place, action >= AT_SPOT, numbers)
                count = _insert(plays, count, tile, action, points)
    return count


@kernel
def _insert(plays: Ints, count: int, tile: int, action: int, points: int) -> int:
    """Insert a play into a list in descending order of points; return the new number of plays."""
    at = count
    while at > 0 and plays[at - 1, POINTS] < points:
        for column in range(3):
            plays[at, column] = plays[at - 1, column]
        at -= 1
    plays[at, DIAMOND] = tile
    plays[at, ACTION] = action
    plays[at, POINTS] = points
    return count + 1


@kernel
def to_play(table: State) -> np.uint64:
    """Return the set of diamonds that seat 0, the seat to act, chooses from."""
    if table.chosen != NO_TILE:
        return ONE << np.uint64(table.chosen)
    return np.uint64(table.hands[0])


@kernel
def decision(paper: Paper, number: int) -> int:
    """Return the next action of seat 0 toward one of its plays: the diamond, then the place."""
    return int(paper.plays[0, number, DIAMOND if paper.tables[0].phase == TILE else ACTION])


# --- Estimates ------------------------------------------------------------------------------------


@kernel
def left(table: State, player: int) -> int:
    """Return the number of diamonds a seat holds."""
    return count_bits(table.hands[player])


@kernel
def standing(table: State) -> float:
    """Return seat 0's points in the current hand minus the mean of the others."""
    others = 0
    for player in range(1, table.num_players):
        others += table.points[player]
    return float(table.points[0] - others / (table.num_players - 1))


@kernel
def final_value(table: State) -> float:
    """Return the value of a finished hand, with the penalty for diamonds left."""
    others = 0
    for player in range(1, table.num_players):
        others += left(table, player)
    return standing(table) + LEFT_PENALTY * (others / (table.num_players - 1) - left(table, 0))


@kernel
def _to_come(table: State, mover: int, size: int) -> float:
    """Estimate the rest of the hand after a turn that leaves ``mover`` with ``size`` diamonds."""
    seats = int(table.num_players)
    value = 0.0
    for player in range(1, seats):
        mine = size if mover == 0 else left(table, 0)
        others = size if mover == player else left(table, player)
        if mover < player:  # seat 0 acts later than ``player``
            value += OUTLOOK[mine, others]
        else:
            value -= OUTLOOK[others, mine]
    return value / (seats - 1)


@subroutine
def estimate(table: State, mover: int, numbers: Numbers, plays: Ints) -> float:
    """Estimate the value when seat ``mover`` is to act: it makes its highest play, or draws."""
    share = 1.0 if mover == 0 else -1.0 / (table.num_players - 1)
    now, size = standing(table), left(table, mover)
    count = find_plays(table, table.hands[mover], numbers, plays)
    if count > 0:
        return float(now + share * plays[0, POINTS] + _to_come(table, mover, size - 1))
    pile = NO_TILES
    for i in range(table.pile_size):
        pile |= ONE << np.uint64(table.pile[i])
    count = find_plays(table, pile, numbers, plays)
    good, rest = count_bits(pile & table.playable), int(table.pile_size)
    points = 0.0
    for i in range(count):
        points += plays[i, POINTS]
    if count > 0:
        points /= count
    value, chance = 0.0, 1.0
    while size < table.hand and rest > 0:
        hit = chance * good / rest
        value += hit * (share * points + _to_come(table, mover, size))
        chance -= hit
        size += 1
        rest -= 1
    return float(now + value + chance * _to_come(table, mover, size))


# --- Search ---------------------------------------------------------------------------------------


@subroutine
def search(paper: Paper, depth: int, every: bool, numbers: Numbers, fits: Fits) -> int:
    """Return the best play of seat 0.

    Alpha-beta search (Knuth and Moore 1975) that tries high scores first.

    Args:
        paper: working memory for ``depth`` levels and one more, with the table at level 0. Receives
            the plays at level 0 and their values; without ``every`` only the value of the best play
            is exact, and those of the others are upper bounds.
        depth: the depth in plays.
        every: whether to find the exact value of every play.
        numbers: see `state.tables`.
        fits: see `state.tables`.

    Returns:
        The index of the play in ``paper.plays[0]``.
    """
    tables, bounds = paper.tables, paper.bounds
    _begin(paper, 0, to_play(tables[0]), numbers)
    bounds[0, 0], bounds[0, 1] = -np.inf, np.inf
    level = best = 0
    while level > 0 or paper.tried[0] < paper.counts[0]:
        if paper.tried[level] < paper.counts[level] and bounds[level, 0] < bounds[level, 1]:
            following = _try_next(paper, level, numbers, fits)
            if following == NOBODY:
                value = final_value(tables[level + 1])
            else:
                hand = tables[level + 1].hands[following]
                if level + 1 < depth and hand & tables[level + 1].playable != NO_TILES:
                    level += 1
                    _begin(paper, level, hand, numbers)
                    bounds[level, 0], bounds[level, 1] = bounds[level - 1, 0], bounds[level - 1, 1]
                    continue
                value = estimate(tables[level + 1], following, numbers, paper.plays[level + 1])
        else:
            value = bounds[level, 0 if tables[level].current_player == 0 else 1]
            level -= 1
        if level == 0:
            number = paper.tried[0] - 1
            paper.values[number] = value
            best = number if value > paper.values[best] else best
            if every:
                continue
        if tables[level].current_player == 0:
            bounds[level, 0] = max(bounds[level, 0], value)
        else:
            bounds[level, 1] = min(bounds[level, 1], value)
    return best


@kernel
def _begin(paper: Paper, level: int, tiles: np.uint64, numbers: Numbers) -> None:
    """List the plays of a level."""
    table = paper.tables[level]
    count = find_plays(table, tiles, numbers, paper.plays[level])
    # Several opponents do not cooperate: each is assumed to make the play that scores most.
    one_reply = table.num_players > 2 and table.current_player != 0
    paper.counts[level] = min(count, 1) if one_reply else count
    paper.tried[level] = 0


@kernel
def try_play(paper: Paper, level: int, number: int, numbers: Numbers, fits: Fits) -> bool:
    """Make a play of a level on the table of the next level; return whether it ends the hand."""
    tables, plays = paper.tables, paper.plays
    tables[level + 1] = tables[level]
    tile, action = plays[level, number, DIAMOND], plays[level, number, ACTION]
    play(tables[level + 1], tile, action, numbers, fits)
    return bool(ends_hand(tables[level + 1]))


@kernel
def _try_next(paper: Paper, level: int, numbers: Numbers, fits: Fits) -> int:
    """Make the next play of a level on the table of the next level.

    Returns:
        The seat whose turn is next, or `NOBODY` if the hand is over.
    """
    tables, number = paper.tables, paper.tried[level]
    paper.tried[level] += 1
    if try_play(paper, level, number, numbers, fits):
        return NOBODY
    following = int(tables[level].current_player) + 1
    following = following if following < tables[level].num_players else 0
    tables[level + 1].current_player = following
    return following
