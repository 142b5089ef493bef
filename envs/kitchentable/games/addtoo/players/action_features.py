"""Features of each legal play of Add-Too, as numbers for a network.

They describe the score of the play; which other visible diamonds could be played after it, and for
what score; and the room that is left after it and after each reply. A diamond to choose has one row
for every place where it may be laid. No feature uses the judgment of a scripted player.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, Ints
from kitchentable.games.addtoo.board import (
    add_spots,
    attached,
    last_tile,
    place_of,
    points_for,
    ways_at,
)
from kitchentable.games.addtoo.geometry import COLOR_WAYS, SIDES, TURNS, WAYS
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
from kitchentable.games.addtoo.players.reading import read
from kitchentable.games.addtoo.state import (
    AT_LAST,
    AT_SPOT,
    HAND,
    HIGHEST,
    NO_TILE,
    NO_TILES,
    ONE,
    SCORING,
    TILE,
    Fits,
    Numbers,
    State,
)

MOST = 32
"""Maximum number of rows; few turns have more plays."""
GROUP_NAMES = ("fit", "score", "best", "share", "none")
ROOM_NAMES = ("ways", "same_least", "same_most", "other_least", "other_most", "sealed")
NAMES = (
    "diamond",  # whether the action chooses a diamond, not a place
    "points",  # points of the play, of 40
    "bonus",  # whether it is a bonus play
    "places",  # number of places where the diamond may be laid, of 8
    "last_one",  # whether it is the last diamond of the hand
    *(f"{color}_{number}" for color in ("orange", "blue") for number in range(1, HIGHEST + 1)),
    *(f"side_{side}" for side in range(SIDES)),  # the side of the last diamond that it is laid at
    # For the pile, the rest of the hand, and the next seat's hand: how many diamonds could be laid
    # after the play, of 5; how many of these score, of 5; the best score, of 20; the share that
    # could be played; whether none could. None can if the play ends the hand.
    *(f"{group}_{what}" for group in ("pile", "own", "next") for what in GROUP_NAMES),
    *(f"slot_{slot}" for slot in range(HAND)),  # which of the hand's diamonds it is
    # For each color: the ways to attach a diamond to the laid one's sides of that color, of 4. For
    # diamonds attached like that: the fewest and the most ways to attach another one to their sides
    # of the same color, of 2, and of the other, of 4; and whether one leaves no room at all.
    *(f"room_{color}_{what}" for color in ("orange", "blue") for what in ROOM_NAMES),
    # For the rest of the hand and the next seat's hand, as if no diamond were the last one: the
    # best bonus play, of 40; how many diamonds have one, of 5. Both 0 if the play ends the hand.
    *(f"room_{group}_{what}" for group in ("own", "next") for what in ("bonus", "bonuses")),
    # For each diamond of the next seat, each way to attach it to the laid one and its best bonus
    # play: the points, from 0.5 for none; the ways to attach another diamond to its orange and its
    # blue sides, from 0.5 if there are any. All 0 if the diamond cannot be played like that.
    *(
        f"reply_{slot}_{way}_{what}"
        for slot in range(HAND)
        for way in (*range(WAYS), "bonus")
        for what in ("points", "orange", "blue")
    ),
)
# Column indices of these names, and offsets within a group of columns.
CHOICE, SCORED, IS_BONUS = map(NAMES.index, ("diamond", "points", "bonus"))
PLACES, LAST_ONE, NUMBER, SIDE = map(NAMES.index, ("places", "last_one", "orange_1", "side_0"))
GROUP, SLOT, ROOM = map(NAMES.index, ("pile_fit", "slot_0", "room_orange_ways"))
BONUSES, REPLY = NAMES.index("room_own_bonus"), NAMES.index("reply_0_0_points")
FIT, SCORE, BEST, SHARE, NONE = range(len(GROUP_NAMES))
ROOM_WAYS, SAME_LEAST, SAME_MOST, OTHER_LEAST, OTHER_MOST, SEALED = range(len(ROOM_NAMES))
MOST_POINTS, MOST_PLACES = 40, 8
PER_POINT = 1.0 / max(SCORING)


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: State,
    actions: Ints,
    out: FloatArray,
    numbers: Numbers,
    fits: Fits,
) -> None:
    """Write the features of the `MOST` legal plays that score most, one row each."""
    if mask.any():
        actions[:] = NOBODY
        _write(observation, variant, actions, numbers, fits, make_paper(1), out)


@subroutine
def _write(
    observation: FloatArray,
    variant: State,
    actions: Ints,
    numbers: Numbers,
    fits: Fits,
    paper: Paper,
    out: FloatArray,
) -> None:
    table = paper.tables[0]
    read(observation, variant, numbers, fits, table)
    paper.counts[0] = find_plays(table, to_play(table), numbers, paper.plays[0])
    # Signed, because numba turns operations on signed and unsigned integers into floats.
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
        out[row, CHOICE] = choice == DIAMOND
        _write_play(paper, row, out[row])
        out[row, LAST_ONE] = others == 0
        _write_numbers(numbers, tile, paper.plays[0, row, ACTION], out[row])
        over = try_play(paper, 0, row, numbers, fits)
        at = GROUP
        for group in (pile, others, theirs):
            _write_group(paper, group, over, numbers, out[row], at)
            at += len(GROUP_NAMES)
        out[row, SLOT + _slot(mine, tile)] = 1.0
        _write_room(paper.tables[1], out[row])
        _write_replies(paper, theirs, out[row])
        if not over:
            _write_bonuses(paper.tables[1], others, theirs, numbers, fits, out[row])


@kernel
def _write_play(paper: Paper, number: int, out: FloatArray) -> None:
    """Write the features of the play itself."""
    places = 0
    for i in range(paper.counts[0]):
        places += paper.plays[0, i, DIAMOND] == paper.plays[0, number, DIAMOND]
    out[SCORED] = min(paper.plays[0, number, POINTS] / MOST_POINTS, 1.0)
    out[IS_BONUS] = paper.plays[0, number, ACTION] >= AT_SPOT
    out[PLACES] = min(places / MOST_PLACES, 1.0)


@kernel
def _write_numbers(numbers: Numbers, tile: int, action: int, out: FloatArray) -> None:
    for color in range(2):
        out[NUMBER + HIGHEST * color + int(numbers[color, tile]) - 1] = 1.0
    if AT_LAST <= action < AT_SPOT:
        out[SIDE + (action - AT_LAST) // TURNS] = 1.0


@subroutine
def _write_group(
    paper: Paper, tiles: int, over: bool, numbers: Numbers, out: FloatArray, at: int
) -> None:
    """Write the features of a set of diamonds: which could be played at level 1."""
    table, plays = paper.tables[1], paper.plays[1]
    group = np.uint64(0) if over else np.uint64(tiles)
    count = find_plays(table, group, numbers, plays)
    paper.counts[1] = count
    fitting, scoring = NO_TILES, NO_TILES
    for i in range(count):
        tile = ONE << np.uint64(plays[i, DIAMOND])
        fitting |= tile
        if plays[i, POINTS] > 0:
            scoring |= tile
    out[at + FIT] = min(count_bits(fitting) / HAND, 1.0)
    out[at + SCORE] = min(count_bits(scoring) / HAND, 1.0)
    out[at + BEST] = min(plays[0, POINTS] * PER_POINT, 1.0) if count else 0.0
    out[at + SHARE] = count_bits(fitting) / max(count_bits(np.uint64(tiles)), 1)
    out[at + NONE] = count == 0


@kernel
def _slot(tiles: int, tile: int) -> int:
    """Return the position of a diamond in a set, in the order of ids."""
    return count_bits(tiles & ((1 << tile) - 1))


@kernel
def _write_room(table: State, out: FloatArray) -> None:
    """Write how much room there is at the last diamond, and at a diamond attached to it."""
    tile = last_tile(table)
    for color in range(2):
        at = ROOM + len(ROOM_NAMES) * color
        ways, least_same, most_same, least_other, most_other, sealed = 0, 2, 0, 4, 0, 0
        for way in range(COLOR_WAYS * color, COLOR_WAYS * (color + 1)):
            if table.room[way]:
                place = attached(table, tile, way)
                same, other = ways_at(table, place, color), ways_at(table, place, 1 - color)
                ways += 1
                least_same, most_same = min(least_same, same), max(most_same, same)
                least_other, most_other = min(least_other, other), max(most_other, other)
                sealed = max(sealed, int(same + other == 0))
        if ways > 0:
            out[at + ROOM_WAYS] = ways / COLOR_WAYS
            out[at + SAME_LEAST], out[at + SAME_MOST] = least_same / 2, most_same / 2
            out[at + OTHER_LEAST] = least_other / COLOR_WAYS
            out[at + OTHER_MOST] = most_other / COLOR_WAYS
            out[at + SEALED] = sealed


@kernel
def _write_replies(paper: Paper, theirs: int, out: FloatArray) -> None:
    """Write the replies of the next seat, which `_write_group` has left at level 1 of ``paper``."""
    table, plays = paper.tables[1], paper.plays[1]
    for i in range(paper.counts[1]):
        action = plays[i, ACTION]
        way = WAYS if action >= AT_SPOT else action - AT_LAST
        to = REPLY + 3 * ((WAYS + 1) * _slot(theirs, plays[i, DIAMOND]) + way)
        if out[to] == 0.0:  # the first bonus play is the best
            place = place_of(table, action)
            out[to] = 0.5 + 0.5 * min(plays[i, POINTS] / MOST_POINTS, 1.0)
            for color in range(2):
                ways = ways_at(table, place, color)
                if ways > 0:
                    out[to + 1 + color] = 0.5 + 0.5 * ways / COLOR_WAYS


@subroutine
def _write_bonuses(
    table: State,
    mine: int,
    theirs: int,
    numbers: Numbers,
    fits: Fits,
    out: FloatArray,
) -> None:
    """Write which bonus plays may be possible later; the table is invalid afterwards."""
    at, last = BONUSES, last_tile(table)
    table.laid[table.num_laid - 1] = NO_TILE
    add_spots(table, last, numbers, fits)
    for tiles in (np.uint64(mine), np.uint64(theirs)):
        best, fitting = 0, NO_TILES
        for i in range(table.num_spots):
            place = place_of(table, int(table.spot_actions[i]))
            rest = tiles & table.spot_tiles[i]
            fitting |= rest
            while rest != NO_TILES:
                points = points_for(table, lowest_bit(rest), place, True, numbers)
                best = max(best, points)
                rest &= rest - ONE
        out[at] = min(best / MOST_POINTS, 1.0)
        out[at + 1] = count_bits(fitting) / HAND
        at += 2
