"""Features of each legal play of Add-Too, as numbers for a network.

They describe the score of the play; which other visible diamonds could be played after it, and for
what score; and the room that is left after it and after each reply. A diamond to choose has one row
for every place where it may be laid. No feature uses the judgment of a scripted player.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import NO_ACTION, BoolArray, FloatArray, Ints
from kitchentable.games.addtoo.board import add_spots, attached, last_tile, place_of, ways_at
from kitchentable.games.addtoo.geometry import COLOR_WAYS, SIDES, TURNS, WAYS
from kitchentable.games.addtoo.knowledge import Knowledge, unseen
from kitchentable.games.addtoo.players.lookahead import (
    SAVED,
    WORDS,
    action_at,
    decision,
    find_plays,
    fitting,
    lay_out,
    num_places,
    parts_of,
    points_at,
    save,
    table_in,
    take_back,
    to_play,
)
from kitchentable.games.addtoo.rules import ends_hand, play
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
    Position,
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


@subroutine
def write(
    known: Knowledge,
    _mask: BoolArray,
    actions: Ints,
    out: FloatArray,
    numbers: Numbers,
    fits: Fits,
) -> None:
    """Write the features of the `MOST` legal plays that score most, one row each."""
    words, saved, plays = scratch_bits(WORDS), scratch_bits(SAVED), scratch_ints(MOST)
    table = table_in(words)
    lay_out(known, table, numbers, fits)
    count, _, _ = find_plays(table, to_play(table), numbers, plays)
    save(words, saved)
    actions[:] = NO_ACTION
    for row in range(min(count, MOST)):  # the best plays come first
        tile, action, points = parts_of(plays[row])
        actions[row] = decision(known, plays[row])
        _write_play(table, tile, action, points, numbers, out[row])
        play(table, tile, action, numbers, fits)
        over = ends_hand(table)
        _write_groups(table, over, numbers, out[row])
        _write_room(table, out[row])
        if not over:
            _write_replies(table, numbers, out[row])
            _write_bonuses(table, numbers, fits, out[row])
        take_back(words, saved, tile)


@kernel
def _write_play(
    table: Position, tile: int, action: int, points: int, numbers: Numbers, out: FloatArray
) -> None:
    """Write the features of the play itself."""
    bit, hand = ONE << np.uint64(tile), np.uint64(table.hands[0])
    places = 0
    for i in range(num_places(table, bit)):
        places += (fitting(table, i) & bit) != NO_TILES
    out[CHOICE] = table.phase == TILE
    out[SCORED] = min(points / MOST_POINTS, 1.0)
    out[IS_BONUS] = action >= AT_SPOT
    out[PLACES] = min(max(places, 1) / MOST_PLACES, 1.0)  # the first diamond has one place
    out[LAST_ONE] = hand == bit
    out[SLOT + _slot(hand, tile)] = 1.0
    for color in range(2):
        out[NUMBER + HIGHEST * color + int(numbers[color, tile]) - 1] = 1.0
    if AT_LAST <= action < AT_SPOT:
        out[SIDE + (action - AT_LAST) // TURNS] = 1.0


@subroutine
def _write_groups(table: Position, over: bool, numbers: Numbers, out: FloatArray) -> None:
    """Write which diamonds of the pile, of the hand and of the next hand could be played."""
    best = scratch_ints(1)
    for group in range(3):
        held = unseen(table) if group == 0 else np.uint64(table.hands[group - 1])
        tiles = NO_TILES if over else held & table.playable
        count, _, scoring = find_plays(table, tiles, numbers, best)
        at = GROUP + len(GROUP_NAMES) * group
        out[at + FIT] = min(count_bits(tiles) / HAND, 1.0)
        out[at + SCORE] = min(count_bits(scoring) / HAND, 1.0)
        out[at + BEST] = min(parts_of(best[0])[2] * PER_POINT, 1.0) if count > 0 else 0.0
        out[at + SHARE] = count_bits(tiles) / max(count_bits(held), 1)
        out[at + NONE] = count == 0


@kernel
def _slot(tiles: np.uint64, tile: int) -> int:
    """Return the position of a diamond in a set, in the order of ids."""
    return count_bits(tiles & ((ONE << np.uint64(tile)) - ONE))


@kernel
def _write_room(table: Position, out: FloatArray) -> None:
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


@subroutine
def _write_replies(table: Position, numbers: Numbers, out: FloatArray) -> None:
    """Write the replies of the next seat."""
    hand = np.uint64(table.hands[1])
    bonuses = scratch_shorts(HAND)
    for slot in range(HAND):
        bonuses[slot] = -1
    for i in range(num_places(table, hand)):
        rest = hand & fitting(table, i)
        while rest != NO_TILES:
            tile = lowest_bit(rest)
            rest &= rest - ONE
            slot, points = _slot(hand, tile), points_at(table, i, tile, numbers)
            if i >= WAYS:  # the first of the best bonus plays is described
                if points <= bonuses[slot]:
                    continue
                bonuses[slot] = points
            at = REPLY + 3 * ((WAYS + 1) * slot + min(i, WAYS))
            out[at] = 0.5 + 0.5 * min(points / MOST_POINTS, 1.0)
            place = place_of(table, action_at(table, i))
            for color in range(2):
                ways = ways_at(table, place, color)
                out[at + 1 + color] = 0.5 + 0.5 * ways / COLOR_WAYS if ways > 0 else 0.0


@subroutine
def _write_bonuses(table: Position, numbers: Numbers, fits: Fits, out: FloatArray) -> None:
    """Write which bonus plays may be possible later; the table is invalid afterwards."""
    last, best = last_tile(table), scratch_ints(1)
    table.laid[table.num_laid - 1] = NO_TILE
    add_spots(table, last, numbers, fits)
    table.last_tiles[:] = NO_TILES
    table.playable = table.in_play
    for seat in range(2):
        count, _, bonuses = find_plays(table, table.hands[seat], numbers, best)
        at = BONUSES + 2 * seat
        out[at] = min(parts_of(best[0])[2] / MOST_POINTS, 1.0) if count > 0 else 0.0
        out[at + 1] = count_bits(bonuses) / HAND  # every bonus play scores
