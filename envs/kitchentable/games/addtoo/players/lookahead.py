"""The scripted players of Add-Too, and their search: plays of all seats, on a table of their own.

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
from kitchentable.core.rng import ANY_LEGAL
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.seats import seat_after
from kitchentable.core.state import (
    NO_ACTION,
    NOBODY,
    Bits,
    BoolArray,
    Floats,
    Ints,
    Stream,
    record_dtype,
)
from kitchentable.games.addtoo import board
from kitchentable.games.addtoo.board import place_of, points_for
from kitchentable.games.addtoo.geometry import FREE, NUM_TRIANGLES, WAYS
from kitchentable.games.addtoo.knowledge import Knowledge, unseen
from kitchentable.games.addtoo.rules import ends_hand, play
from kitchentable.games.addtoo.state import (
    AT_LAST,
    HAND,
    LEFT_PENALTY,
    MAX_SPOTS,
    NO_TILE,
    NO_TILES,
    NUM_TILES,
    ONE,
    TILE,
    Fits,
    Numbers,
    Position,
)

RECORD = np.dtype((np.record, record_dtype(Position)))
WORDS = RECORD.itemsize // 8
"""The size of a table in words of 64 bits."""
SAVED = (RECORD.itemsize - NUM_TRIANGLES) // 8
"""The size of what comes before the grid, the last field."""
MOST_PLAYS = HAND * (WAYS + MAX_SPOTS)
"""An upper bound on the plays of a hand."""
DEPTH = 4
"""Depth of the search in plays against one opponent; against several, it is one round."""
TILE_BITS, ACTION_BITS = 6, 10
"""A play is one number: from the lowest bits its diamond, its action, and its points."""

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


class Buffers(NamedTuple):
    """Working memory of a search; the first index is the level, where level 0 is the current table.

    The search has one table, on which it makes plays and takes them back.
    """

    words: Bits
    """The table, a record of `Position`; shape (WORDS,)."""
    saved: Bits
    """The table before a play of each level, without the grid; shape (levels, SAVED)."""
    plays: Ints
    """The plays; shape (levels, MOST_PLAYS)."""
    counts: Ints
    """Number of plays; shape (levels,)."""
    tried: Ints
    """Number of plays tried so far; shape (levels,)."""
    bounds: Floats
    """Value that seat 0 is sure of, and value that the others allow at most; shape (levels, 2)."""
    values: Floats
    """Value of each play at level 0; shape (MOST_PLAYS,)."""


@allocating_kernel
def make_buffers(depth: int) -> Buffers:
    """Return working memory for a search."""
    return Buffers(
        np.empty(WORDS, np.uint64),
        np.empty((depth, SAVED), np.uint64),
        np.empty((depth, MOST_PLAYS), np.int64),
        np.empty(depth, np.int64),
        np.empty(depth, np.int64),
        np.empty((depth, 2)),
        np.empty(MOST_PLAYS),
    )


@kernel
def table_in(words: Bits) -> Any:
    """Return the table that an array of `WORDS` words contains."""
    return words.view(RECORD)[0]


@kernel
def save(words: Bits, saved: Bits) -> None:
    """Copy a table before a play, without the grid."""
    for i in range(SAVED):
        saved[i] = words[i]


@kernel
def take_back(words: Bits, saved: Bits, tile: int) -> None:
    """Take back the last play, which laid ``tile``; see `save`."""
    table = table_in(words)
    up = board.up_half(table, tile)
    table.grid[up] = table.grid[board.down_half(up, int(table.axes[tile]))] = FREE
    for i in range(SAVED):
        words[i] = saved[i]


@subroutine
def lay_out(known: Knowledge, table: Position, numbers: Numbers, fits: Fits) -> None:
    """Write what a seat knows of the current hand into a record on which it can try plays.

    The diamonds are laid in the order of their ids, the last one last, because the seat does not
    know the real order; equal plays are tried in the order of the spots.
    """
    table.num_players, table.current_player = known.num_players, known.to_act
    table.turned, table.strict_colors = known.turned, known.strict_colors
    table.sealed_ends_hand, table.hand = known.sealed_ends_hand, known.hand
    table.phase, table.chosen, table.in_play = known.phase, known.chosen, known.in_play
    for seat in range(known.num_players):
        table.hands[seat], table.points[seat] = known.hands[seat], known.points[seat]
    table.grid[:] = FREE
    board.start(table)
    for tile in range(NUM_TILES):
        if tile != known.last and (known.lying >> np.uint64(tile)) & ONE != NO_TILES:
            x, y = int(known.xs[tile]), int(known.ys[tile])
            place = x, y, int(known.axes[tile]), int(known.flips[tile])
            board.lay(table, tile, place, numbers, fits)
    if known.last != NO_TILE:
        board.lay(table, known.last, (0, 0, 0, 0), numbers, fits)


@kernel
def only_legal(mask: BoolArray) -> int:
    """Return the only legal action, or `NO_ACTION` if there is not exactly one."""
    only = NO_ACTION
    for action in range(mask.shape[0]):
        if mask[action]:
            if only != NO_ACTION:
                return NO_ACTION
            only = action
    return only


# --- Plays ----------------------------------------------------------------------------------------


@kernel
def parts_of(play: int) -> tuple[int, int, int]:
    """Return the diamond of a play, the action by which it is laid, and the points."""
    action = (play >> TILE_BITS) & ((1 << ACTION_BITS) - 1)
    return play & ((1 << TILE_BITS) - 1), action, play >> (TILE_BITS + ACTION_BITS)


@subroutine
def find_plays(
    table: Position, tiles: np.uint64, numbers: Numbers, plays: Ints
) -> tuple[int, int, np.uint64]:
    """List the plays of a set of diamonds, high scores first.

    Args:
        table: the record.
        tiles: the diamonds, as a bit set.
        numbers: see `state.tables`.
        plays: receives the plays, or those that score most if there are more; one-dimensional.

    Returns:
        The number of all plays, the sum of their points, and the set of diamonds that can score.
    """
    count, total, scoring = 0, 0, NO_TILES
    if table.num_laid == 0:
        while tiles != NO_TILES:
            _insert(plays, count, lowest_bit(tiles))
            count += 1
            tiles &= tiles - ONE
    for i in range(num_places(table, tiles)):
        rest = tiles & fitting(table, i)
        while rest != NO_TILES:
            tile = lowest_bit(rest)
            rest &= rest - ONE
            points = points_at(table, i, tile, numbers)
            _insert(plays, count, (points << ACTION_BITS | action_at(table, i)) << TILE_BITS | tile)
            count += 1
            total += points
            if points > 0:
                scoring |= ONE << np.uint64(tile)
    return count, total, scoring


@kernel
def _insert(plays: Ints, count: int, play: int) -> None:
    """Insert a play into a list in descending order of points; a full list loses its last play."""
    points, at = parts_of(play)[2], min(count, plays.shape[0])
    if at == plays.shape[0]:
        at -= 1
        if parts_of(plays[at])[2] >= points:
            return
    while at > 0 and parts_of(plays[at - 1])[2] < points:
        plays[at] = plays[at - 1]
        at -= 1
    plays[at] = play


@kernel
def num_places(table: Position, tiles: np.uint64) -> int:
    """Return the number of ways and spots to try for a set of diamonds, 0 if none can be laid."""
    return WAYS + table.num_spots if tiles & table.playable != NO_TILES else 0


@kernel
def fitting(table: Position, i: int) -> np.uint64:
    """Return the set of diamonds that can be laid in way ``i``, or at spot ``i - WAYS``."""
    return np.uint64(table.last_tiles[i] if i < WAYS else table.spot_tiles[i - WAYS])


@kernel
def action_at(table: Position, i: int) -> int:
    """Return the action of way ``i``, or of spot ``i - WAYS``."""
    return AT_LAST + i if i < WAYS else int(table.spot_actions[i - WAYS])


@kernel
def points_at(table: Position, i: int, tile: int, numbers: Numbers) -> int:
    """Return the points for laying a diamond in way ``i``, or at spot ``i - WAYS``."""
    return points_for(table, tile, place_of(table, action_at(table, i)), i >= WAYS, numbers)


@kernel
def to_play(table: Position) -> np.uint64:
    """Return the set of diamonds that seat 0, the seat to act, chooses from."""
    if table.chosen != NO_TILE:
        return ONE << np.uint64(table.chosen)
    return np.uint64(table.hands[0])


@kernel
def decision(known: Knowledge, play: int) -> int:
    """Return the next action of seat 0 toward one of its plays: the diamond, then the place."""
    tile, action, _ = parts_of(play)
    return tile if known.phase == TILE else action


# --- Estimates ------------------------------------------------------------------------------------


@kernel
def left(table: Position, player: int) -> int:
    """Return the number of diamonds a seat holds."""
    return count_bits(table.hands[player])


@kernel
def standing(table: Position) -> float:
    """Return seat 0's points in the current hand minus the mean of the others."""
    others = 0
    for player in range(1, table.num_players):
        others += table.points[player]
    return float(table.points[0] - others / (table.num_players - 1))


@kernel
def final_value(table: Position) -> float:
    """Return the value of a finished hand, with the penalty for diamonds left."""
    others = 0
    for player in range(1, table.num_players):
        others += left(table, player)
    return standing(table) + LEFT_PENALTY * (others / (table.num_players - 1) - left(table, 0))


@kernel
def _to_come(table: Position, mover: int, size: int) -> float:
    """Estimate the rest of the hand after a turn that leaves ``mover`` with ``size`` diamonds."""
    seats = int(table.num_players)
    value = 0.0
    for player in range(1, seats):
        own_size = size if mover == 0 else left(table, 0)
        other_size = size if mover == player else left(table, player)
        if mover < player:  # seat 0 acts later than ``player``
            value += OUTLOOK[own_size, other_size]
        else:
            value -= OUTLOOK[other_size, own_size]
    return value / (seats - 1)


@subroutine
def estimate(table: Position, mover: int, numbers: Numbers) -> float:
    """Estimate the value when seat ``mover`` is to act: it makes its highest play, or draws."""
    share = 1.0 if mover == 0 else -1.0 / (table.num_players - 1)
    now, size = standing(table), left(table, mover)
    best, pile = scratch_ints(1), unseen(table)
    count, _, _ = find_plays(table, table.hands[mover], numbers, best)
    if count > 0:
        points = parts_of(best[0])[2]
        return float(now + share * points + _to_come(table, mover, size - 1))
    count, total, _ = find_plays(table, pile, numbers, best)
    good, rest = count_bits(pile & table.playable), count_bits(pile)
    mean = total / count if count > 0 else 0.0
    value, chance = 0.0, 1.0
    while size < table.hand and rest > 0:
        hit = chance * good / rest
        value += hit * (share * mean + _to_come(table, mover, size))
        chance -= hit
        size += 1
        rest -= 1
    return float(now + value + chance * _to_come(table, mover, size))


# --- Search ---------------------------------------------------------------------------------------


@subroutine
def search(buffers: Buffers, depth: int, every: bool, numbers: Numbers, fits: Fits) -> int:
    """Return the best play of seat 0.

    Alpha-beta search (Knuth and Moore 1975) that tries high scores first.

    Args:
        buffers: working memory for ``depth`` levels, with the table. Receives the plays at level 0
            and their values; without ``every`` only the value of the best play is exact, and those
            of the others are upper bounds.
        depth: the depth in plays.
        every: whether to find the exact value of every play.
        numbers: see `state.tables`.
        fits: see `state.tables`.

    Returns:
        The index of the play in ``buffers.plays[0]``.
    """
    table, bounds = table_in(buffers.words), buffers.bounds
    _begin(buffers, table, 0, to_play(table), numbers)
    bounds[0, 0], bounds[0, 1] = -np.inf, np.inf
    level = best = 0
    while level > 0 or buffers.tried[0] < buffers.counts[0]:
        if buffers.tried[level] < buffers.counts[level] and bounds[level, 0] < bounds[level, 1]:
            following = _try_next(buffers, table, level, numbers, fits)
            if following == NOBODY:
                value = final_value(table)
            else:
                hand = table.hands[following]
                if level + 1 < depth and hand & table.playable != NO_TILES:
                    level += 1
                    _begin(buffers, table, level, hand, numbers)
                    bounds[level, 0], bounds[level, 1] = bounds[level - 1, 0], bounds[level - 1, 1]
                    continue
                value = estimate(table, following, numbers)
        else:
            value = bounds[level, 0 if table.current_player == 0 else 1]
            level -= 1
        tile, _, _ = parts_of(buffers.plays[level, buffers.tried[level] - 1])
        take_back(buffers.words, buffers.saved[level], tile)
        if level == 0:
            number = buffers.tried[0] - 1
            buffers.values[number] = value
            best = number if value > buffers.values[best] else best
            if every:
                continue
        if table.current_player == 0:
            bounds[level, 0] = max(bounds[level, 0], value)
        else:
            bounds[level, 1] = min(bounds[level, 1], value)
    return best


@kernel
def _begin(
    buffers: Buffers, table: Position, level: int, tiles: np.uint64, numbers: Numbers
) -> None:
    """List the plays of a level, and save the table as it is before them."""
    count, _, _ = find_plays(table, tiles, numbers, buffers.plays[level])
    # Several opponents do not cooperate: each is assumed to make the play that scores most.
    one_reply = table.num_players > 2 and table.current_player != 0
    buffers.counts[level] = min(count, 1) if one_reply else count
    buffers.tried[level] = 0
    save(buffers.words, buffers.saved[level])


@kernel
def _try_next(buffers: Buffers, table: Position, level: int, numbers: Numbers, fits: Fits) -> int:
    """Make the next play of a level.

    Returns:
        The seat whose turn is next, or `NOBODY` if the hand is over.
    """
    tile, action, _ = parts_of(buffers.plays[level, buffers.tried[level]])
    buffers.tried[level] += 1
    play(table, tile, action, numbers, fits)
    if ends_hand(table):
        return NOBODY
    table.current_player = seat_after(table.current_player, 1, table.num_players)
    return table.current_player


# --- The players ----------------------------------------------------------------------------------


@kernel
def greedy(known: Knowledge, mask: BoolArray, _rng: Stream, numbers: Numbers, fits: Fits) -> int:
    """Return the play that scores most at once; the first diamond of a hand is random."""
    only = only_legal(mask)
    if only != NO_ACTION:
        return only
    if known.last == NO_TILE:
        return ANY_LEGAL
    table, best = table_in(scratch_bits(WORDS)), scratch_ints(1)
    lay_out(known, table, numbers, fits)
    find_plays(table, to_play(table), numbers, best)
    return decision(known, best[0])


@allocating_kernel
def expert(known: Knowledge, mask: BoolArray, _rng: Stream, numbers: Numbers, fits: Fits) -> int:
    """Return the best play by a search of some plays ahead."""
    only = only_legal(mask)
    if only != NO_ACTION:
        return only
    depth = DEPTH if known.num_players == 2 else int(known.num_players)
    buffers = make_buffers(depth)
    lay_out(known, table_in(buffers.words), numbers, fits)
    best = search(buffers, depth, False, numbers, fits)
    return decision(known, buffers.plays[0, best])
