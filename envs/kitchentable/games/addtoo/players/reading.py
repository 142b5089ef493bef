"""Reading of an Add-Too observation: the table itself, except for the order of the pile.

The table becomes a state record like the game's own, so the rules work on it and a player can try
plays. Seats are counted from the seat to act, which is seat 0; the layout is relative to the last
diamond, as in the observation.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.reading import one_hot
from kitchentable.core.state import BoolArray, FloatArray, record_dtype
from kitchentable.games.addtoo import board
from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.geometry import AXES, FREE, SIDES, WAYS
from kitchentable.games.addtoo.observation import CHANNELS, PLACE_SIZE, SPAN, WIDTH
from kitchentable.games.addtoo.state import Fits, Numbers, State

RECORD = record_dtype(State)


@subroutine
def read(
    observation: FloatArray, variant: s.State, numbers: Numbers, fits: Fits, table: State
) -> None:
    """Write what seat 0, the seat to act, can see into a state record.

    Args:
        observation: the observation of the seat to act, in the current hand.
        variant: a record with the parameters.
        numbers: see `state.tables`.
        fits: see `state.tables`.
        table: the record; its content does not matter. Fields that affect neither plays nor the end
            of the hand stay unchanged: seeds, passes, the scores of earlier hands.
    """
    _read_variant(variant, table)
    seats = int(table.num_players)
    table.phase = s.TILE if observation[s.TILE] > 0 else s.PLACE
    table.current_player = 0
    for player in range(seats):
        table.hands[player] = read_hand(observation, seats, player)
    at = s.OVER + seats + (s.NUM_TILES + s.HAND) * seats
    pile = _read_tiles(observation, at)
    table.pile_size = 0
    for tile in range(s.NUM_TILES):
        if (pile >> np.uint64(tile)) & s.ONE != s.NO_TILES:
            table.pile[table.pile_size] = tile
            table.pile_size += 1
    table.chosen = one_hot(observation, at + s.NUM_TILES, s.NUM_TILES)
    last = one_hot(observation, at + 2 * s.NUM_TILES, s.NUM_TILES)
    at += 4 * s.NUM_TILES + 2 * s.HIGHEST + SIDES + WAYS
    table.grid[:] = FREE
    table.num_spots = 0
    board.start(table)
    for tile in range(s.NUM_TILES):
        if tile != last and _lies(observation, at, tile):
            board.lay(table, tile, _read_place(observation, at, tile), numbers, fits)
    if last != s.NO_TILE:
        board.lay(table, last, (0, 0, 0, 0), numbers, fits)
    at += PLACE_SIZE * s.NUM_TILES + CHANNELS * WIDTH * WIDTH
    at += 4  # the size of the pile, passes and finished hands do not matter
    for player in range(seats):
        table.points[player] = round(observation[at + 2 * player + 1] * s.WORST_HAND)


@kernel
def read_hand(observation: FloatArray, seats: int, seat: int) -> np.uint64:
    """Return the set of diamonds of a seat, counted from the seat to act."""
    return _read_tiles(observation, s.OVER + seats + s.NUM_TILES * seat)


@kernel
def _read_variant(variant: s.State, table: State) -> None:
    table.num_players = variant.num_players
    table.turned = variant.turned
    table.strict_colors = variant.strict_colors
    table.sealed_ends_hand = variant.sealed_ends_hand
    table.hand = variant.hand
    table.in_play = variant.in_play


@kernel
def _read_tiles(observation: FloatArray, at: int) -> np.uint64:
    tiles = s.NO_TILES
    for tile in range(s.NUM_TILES):
        if observation[at + tile] > 0:
            tiles |= s.ONE << np.uint64(tile)
    return tiles


@kernel
def _lies(observation: FloatArray, at: int, tile: int) -> bool:
    axes = at + PLACE_SIZE * tile + 2
    return bool(observation[axes] + observation[axes + 1] + observation[axes + 2] > 0)


@kernel
def _read_place(observation: FloatArray, at: int, tile: int) -> board.Place:
    place = at + PLACE_SIZE * tile
    x = round(observation[place] * (2 * SPAN)) - SPAN
    y = round(observation[place + 1] * (2 * SPAN)) - SPAN
    axis = 0
    for k in range(1, AXES):
        if observation[place + 2 + k] > 0:
            axis = k
    return int(x), int(y), axis, int(observation[place + 2 + AXES])


@kernel
def only_legal(mask: BoolArray) -> int:
    """Return the only legal action, or -1 if there is not exactly one."""
    only = -1
    for action in range(mask.shape[0]):
        if mask[action]:
            if only >= 0:
                return -1
            only = action
    return only
