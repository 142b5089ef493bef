"""Helpers for showing an Add-Too table: the layout, open sides, hands, places for a diamond.

All of it is public; only the order of the pile is hidden.
"""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.state import ALL_SEEING
from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.board import (
    Place,
    across,
    attached,
    is_open,
    last_tile,
    place_of,
    points_for,
)
from kitchentable.games.addtoo.geometry import FREE, SIDES, TURNS, WAYS, triangle
from kitchentable.games.addtoo.state import Params, State
from kitchentable.render import view as shared

View = shared.View[State, Params]

LETTERS = ascii_uppercase + ascii_lowercase


@lru_cache
def numbers_of(params: Params) -> NDArray[np.int8]:
    """Return the orange and the blue number of each diamond; int8, shape (2, 45)."""
    return s.tables(params)[0]


def colored(params: Params, tile: int) -> str:
    """Return a diamond's name with its colors, such as ``b3-o10``."""
    orange = int(numbers_of(params)[s.ORANGE, tile])
    return "-".join(f"{'o' if number == orange else 'b'}{number}" for number in s.PAIRS[tile])


def tiles_of(bits: np.uint64) -> list[int]:
    """Return the ids of the diamonds in a set, in ascending order."""
    return [tile for tile in range(s.NUM_TILES) if int(bits) >> tile & 1]


# --- The layout ---------------------------------------------------------------------------------


def place_by_tile(state: State) -> dict[int, Place]:
    """Return the place of each lying diamond, in the order laid."""
    laid = [int(tile) for tile in state.laid[: int(state.num_laid)]]
    x, y, axis, flip = state.xs, state.ys, state.axes, state.flips
    return {tile: (int(x[tile]), int(y[tile]), int(axis[tile]), int(flip[tile])) for tile in laid}


def within_reach(state: State) -> list[Place]:
    """Return all places that may be shown: lying diamonds, places at the last one, and spots."""
    last = last_tile(state)
    if last == s.NO_TILE:
        return [(0, 0, 0, 0)]
    at_last = [attached(state, last, way) for way in range(WAYS)]
    spots = [place_of(state, int(action)) for action in _spots(state)]
    return [*place_by_tile(state).values(), *at_last, *spots]


def _spots(state: State) -> NDArray[np.int16]:
    return state.spot_actions[: int(state.num_spots)]


class Side(NamedTuple):
    """A side of the last diamond."""

    is_open: bool
    """Whether nothing touches it."""
    has_room: bool
    """Whether a diamond can lie there, whatever its colors and numbers."""


def last_sides(state: State) -> list[Side]:
    """Return the four sides of the last diamond; there must be one."""
    tile, room = last_tile(state), state.room.reshape(SIDES, TURNS)
    return [Side(is_open(state, tile, side), bool(room[side].any())) for side in range(SIDES)]


def touched(state: State, place: Place) -> list[int]:
    """Return the lying diamonds that a diamond at a place would touch, by id."""
    x, y, axis, _ = place
    codes = [int(state.grid[across(triangle(x, y), axis, edge)]) for edge in range(SIDES)]
    return sorted(code >> 1 for code in codes if code != FREE)


def numbers_that_fit(number: int) -> list[int]:
    """Return the numbers that match a number or score with it."""
    return [other for other in range(1, s.HIGHEST + 1) if s.fit(number, other)]


# --- What may be done ---------------------------------------------------------------------------


def choosable(state: State) -> list[int]:
    """Return the diamonds that the seat to act can choose now."""
    if state.phase != s.TILE:
        return []
    return tiles_of(state.hands[state.current_player] & state.playable)


class Offer(NamedTuple):
    """A place where a diamond may be laid."""

    letter: str
    """Letter for the place in a drawing."""
    action: int
    place: Place
    is_bonus: bool
    points: int
    """Points of the play, including the bonus."""

    @property
    def name(self) -> str:
        """Name of the action."""
        return s.ACTION_NAMES[self.action]


def offers(view: View) -> list[Offer]:
    """Return the places for the chosen diamond; empty if none is chosen."""
    return places_for(view, int(view.state.chosen)) if view.state.phase == s.PLACE else []


def places_for(view: View, tile: int) -> list[Offer]:
    """Return the places for a diamond, ordered by action; empty before the first one lies."""
    state, numbers = view.state, numbers_of(view.params)
    bit = np.uint64(1 << tile)
    actions = [s.AT_LAST + way for way in range(WAYS) if state.last_tiles[way] & bit]
    spots = zip(_spots(state), state.spot_tiles, strict=False)
    actions += sorted(int(action) for action, fitting in spots if fitting & bit)
    places = []
    for i, action in enumerate(actions):
        letter = LETTERS[i] if i < len(LETTERS) else str(i + 1)
        place, is_bonus = place_of(state, action), action >= s.AT_SPOT
        points = points_for(state, tile, place, is_bonus, numbers)
        places.append(Offer(letter, action, place, is_bonus, int(points)))
    return places


class Spot(NamedTuple):
    """A place for a bonus play."""

    action: int
    place: Place
    holders: dict[int, int]
    """Seat by diamond, for the diamonds in hands that fit."""

    @property
    def name(self) -> str:
        """Name of the action."""
        return s.ACTION_NAMES[self.action]


def spots(state: State) -> list[Spot]:
    """Return the places for bonus plays, ordered by action, and the seats that can play there."""
    seats = range(int(state.num_players))
    places = []
    for action, fitting in zip(_spots(state), state.spot_tiles, strict=False):
        held = {t: seat for seat in seats for t in tiles_of(fitting & state.hands[seat])}
        places.append(Spot(int(action), place_of(state, int(action)), held))
    return sorted(places)


def pile_order(view: View) -> list[str]:
    """Return the names of the pile's diamonds, next one first, to a viewer who sees every card."""
    if view.viewer != ALL_SEEING:
        return []
    return [s.NAMES[tile] for tile in view.state.pile[: int(view.state.pile_size)][::-1]]
