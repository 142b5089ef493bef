"""What can be said at once of each legal play of Add-Too, as numbers for a network.

What it scores, and which of the other diamonds in sight could be played on the table as it leaves
it, and for what score; how much room there is then for more, and after each reply. A diamond to be
chosen has a row for every place where it may be laid. Nothing is taken from a scripted player's
judgement.
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
from kitchentable.games.addtoo.players.reading import read, read_hand
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
    V_PLAYERS,
    Fits,
    Numbers,
    State,
)

MOST = 32
"""Rows; a turn seldom has more plays."""
GROUP_NAMES = ("fit", "score", "best", "share", "none")
ROOM_NAMES = ("ways", "same_least", "same_most", "other_least", "other_most", "sealed")
NAMES = (
    "diamond",  # a diamond is chosen, not its place
    "points",  # scored at once, of 40
    "bonus",  # whether it is a bonus play
    "places",  # where the diamond may be laid, of 8
    "last_one",  # whether it is the only one of the hand
    *(f"{color}_{number}" for color in ("orange", "blue") for number in range(1, HIGHEST + 1)),
    *(f"side_{side}" for side in range(SIDES)),  # of the last diamond, that it is laid at
    # Of the diamonds in the pile, of the own ones, of the next seat's: how many could be played
    # then, and how many of these score, of 5; the best score, of 20; the share that could be
    # played; whether none could. None can when the play ends the hand.
    *(f"{group}_{what}" for group in ("pile", "own", "next") for what in GROUP_NAMES),
    *(f"slot_{slot}" for slot in range(HAND)),  # which of the hand's diamonds it is
    # For each color: the ways in which a diamond could be laid on its sides of that color, of 4. On
    # such a diamond, where it leaves the least and the most room: the ways on its sides of the same
    # color, of 2, and of the other one, of 4; and whether one would leave no room at all.
    *(f"room_{color}_{what}" for color in ("orange", "blue") for what in ROOM_NAMES),
    # Of the own diamonds and the next seat's, as if no diamond were the last one: the most that a
    # bonus play scores, of 40, and how many diamonds have one, of 5. Not told when the hand ends.
    *(f"room_{group}_{what}" for group in ("own", "next") for what in ("bonus", "bonuses")),
    # Of each of the next seat's diamonds, for each way to lay it on this one and for its best bonus
    # play: what it would score, from 0.5 for no points; and in how many ways another diamond could
    # then be laid on its orange and on its blue sides, from 0.5 too if there are any.
    *(
        f"reply_{slot}_{way}_{what}"
        for slot in range(HAND)
        for way in (*range(WAYS), "bonus")
        for what in ("points", "orange", "blue")
    ),
)
# The columns with these names, and the places in a group of them.
CHOICE, SCORED, IS_BONUS = map(NAMES.index, ("diamond", "points", "bonus"))
PLACES, LAST_ONE, NUMBER, SIDE = map(NAMES.index, ("places", "last_one", "orange_1", "side_0"))
GROUP, SLOT, ROOM = map(NAMES.index, ("pile_fit", "slot_0", "room_orange_ways"))
BONUSES, REPLY = NAMES.index("room_own_bonus"), NAMES.index("reply_0_0_points")
FIT, SCORE, BEST, SHARE, NONE = range(len(GROUP_NAMES))
ROOM_WAYS, SAME_LEAST, SAME_MOST, OTHER_LEAST, OTHER_MOST, SEALED = range(len(ROOM_NAMES))
PAIR_NUMBERS = 2
"""What a diamond scores on another one by orange, and by blue."""
MOST_POINTS, MOST_PLACES = 40, 8
PER_POINT = 1.0 / max(SCORING)


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
    """Write what the play itself is."""
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
    """Write which of some diamonds could be played at level 1."""
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
    """Return the place of a diamond among others, the lowest id first."""
    return count_bits(tiles & ((1 << tile) - 1))


@kernel
def _write_room(table: State, out: FloatArray) -> None:
    """Write how much room there is on the last diamond, and on one that is laid on it."""
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
    """Write how the next seat's diamonds could be played; the plays are on the paper still."""
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
    """Write which bonus plays there may be later; the table is of no other use from then on."""
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


@kernel
def write_pairs(
    observation: FloatArray,
    variant: Ints,
    out: FloatArray,
    numbers: Numbers,
    fits: Fits,  # noqa: ARG001
) -> None:
    """Write what each seat's diamonds score on those of the seat before it, by their numbers."""
    at, seats = 0, variant[V_PLAYERS]
    for seat in range(seats):
        hand = read_hand(observation, seats, seat)
        following = read_hand(observation, seats, (seat + 1) % seats)
        end = at + HAND * (HAND * PAIR_NUMBERS + 1)
        while hand != NO_TILES:
            _write_pairs_on(numbers, lowest_bit(hand), following, out, at)
            hand &= hand - ONE
            at += HAND * PAIR_NUMBERS + 1
        at = end


@kernel
def _write_pairs_on(
    numbers: Numbers, lying: int, tiles: np.uint64, out: FloatArray, at: int
) -> None:
    out[at + HAND * PAIR_NUMBERS] = 1.0
    while tiles != NO_TILES:
        tile = lowest_bit(tiles)
        tiles &= tiles - ONE
        for color in range(2):
            first, second = int(numbers[color, lying]), int(numbers[color, tile])
            score = first + second if (first + second) % MULTIPLE == 0 else 0
            if score > 0 or first == second:
                out[at + color] = 0.5 + 0.5 * score * PER_POINT
        at += PAIR_NUMBERS
