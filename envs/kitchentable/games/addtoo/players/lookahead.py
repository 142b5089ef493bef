"""How players of Add-Too look ahead: all plays of all seats some turns deep, on their own records.

All hands lie open, so for as long as nobody draws the game can be worked out. One rival is expected
to make the play that is best for itself; each of several, that which scores most. A line of play
ends when the hand does, when a seat has to draw, or at the full depth; what may come then is
estimated.

Values are points: those of the viewer, seat 0, less the mean of the others', when the hand ends.
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
"""More plays than any set of diamonds has."""
DEPTH = 4
"""Plays in a row that are tried out against one rival; against several, a round."""
DIAMOND, ACTION, POINTS = range(3)
"""What is noted of a play."""

# By the diamonds that a seat holds once its turn is over (row) and those of the next seat: the
# points by which the one will beat the other from then on. Means over 16,000 hands of two such
# players, one play less deep. No seat has five after a play; that row goes on as the others do.
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
    """What a search writes on; the first index is the level, 0 the table as it is.

    A search some plays deep needs one level more.
    """

    tables: Any
    """Records; shape (levels,)."""
    plays: Ints
    """Diamond, action and points; shape (levels, MOST_PLAYS, 3)."""
    counts: Ints
    """Number of plays; shape (levels,)."""
    tried: Ints
    """Plays tried so far; shape (levels,)."""
    bounds: Floats
    """What seat 0 has for sure, and what the others leave it at most; shape (levels, 2)."""
    values: Floats
    """What each play of level 0 is worth; shape (MOST_PLAYS,)."""


@kernel
def usual_depth(num_players: int) -> int:
    """Return how many plays in a row are worth to be tried out."""
    return DEPTH if num_players == 2 else num_players


@allocating_kernel
def make_paper(depth: int) -> Paper:
    """Return paper for a search; see `scratch_records` on how long it lasts."""
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
    """List what can be played from a set of diamonds, high scores first.

    Args:
        table: the table.
        tiles: the diamonds.
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
    """Add a play to a list in falling order of points."""
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
    """Return the diamonds that the seat to act, seat 0, chooses from."""
    if table.chosen != NO_TILE:
        return ONE << np.uint64(table.chosen)
    return np.uint64(table.hands[0])


@kernel
def decision(paper: Paper, number: int) -> int:
    """Return the action of seat 0 that leads to one of its plays: the diamond, then the place."""
    return int(paper.plays[0, number, DIAMOND if paper.tables[0].phase == TILE else ACTION])


# --- Estimates ------------------------------------------------------------------------------------


@kernel
def left(table: State, player: int) -> int:
    """Return the number of diamonds a seat holds."""
    return count_bits(table.hands[player])


@kernel
def standing(table: State) -> float:
    """Return the points of the running hand."""
    others = 0
    for player in range(1, table.num_players):
        others += table.points[player]
    return float(table.points[0] - others / (table.num_players - 1))


@kernel
def final_value(table: State) -> float:
    """Return what a hand that is over is worth."""
    others = 0
    for player in range(1, table.num_players):
        others += left(table, player)
    return standing(table) + LEFT_PENALTY * (others / (table.num_players - 1) - left(table, 0))


@kernel
def _to_come(table: State, mover: int, size: int) -> float:
    """Estimate what comes once a seat that holds ``size`` diamonds now has had its turn."""
    seats = int(table.num_players)
    value = 0.0
    for player in range(1, seats):
        mine = size if mover == 0 else left(table, 0)
        others = size if mover == player else left(table, player)
        if mover < player:  # of the two, seat 0 has its turn later
            value += OUTLOOK[mine, others]
        else:
            value -= OUTLOOK[others, mine]
    return value / (seats - 1)


@subroutine
def estimate(table: State, mover: int, numbers: Numbers, plays: Ints) -> float:
    """Estimate the value of a table where a seat is about to play or draw: it plays the highest."""
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
    """Return the play of seat 0 that is worth most.

    Alpha-beta (Knuth and Moore 1975), high scores first.

    Args:
        paper: for ``depth`` levels and one more, with the table at level 0. Receives the plays at
            level 0 and their values; without ``every`` only that of the best one is exact, and the
            others are worth no more than theirs.
        depth: plays in a row that are tried out.
        every: whether to find the exact value of every play.
        numbers: see `state.tables`.
        fits: likewise.

    Returns:
        The number of the play in ``paper.plays[0]``.
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
    """List what can be played at a level."""
    table = paper.tables[level]
    count = find_plays(table, tiles, numbers, paper.plays[level])
    # Several others do not act as one: each is taken to make the play that scores most.
    one_reply = table.num_players > 2 and table.current_player != 0
    paper.counts[level] = min(count, 1) if one_reply else count
    paper.tried[level] = 0


@kernel
def try_play(paper: Paper, level: int, number: int, numbers: Numbers, fits: Fits) -> bool:
    """Make a play of a level on the table of the level above; return whether that ends the hand."""
    tables, plays = paper.tables, paper.plays
    tables[level + 1] = tables[level]
    tile, action = plays[level, number, DIAMOND], plays[level, number, ACTION]
    play(tables[level + 1], tile, action, numbers, fits)
    return bool(ends_hand(tables[level + 1]))


@kernel
def _try_next(paper: Paper, level: int, numbers: Numbers, fits: Fits) -> int:
    """Make the next play of a level on the table of the level above.

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
