"""Decoding of Fiddlefoo observations into sets of cards and cells.

A `Look` uses the field names of `state.State` for the same contents, so the rules of the map work
on both: `board.find_cells`, `board.put`, `board.lift`, `pairing.pair_at`, `pairing.fits_range` and
so on. Code that tries a change on a `Look` must undo it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.reading import one_hot, read_number
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import put
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.observation import CARD_PLANES, FEW, NUM_PLANES
from kitchentable.games.fiddlefoo.state import BLOCKS, MAX_PLAYERS

# Indices of the sets of cards that `look_at` reads.
HAND, PLAYABLE, UNSEEN, RANGE, REMOVED, ON_MAP = range(6)
NUM_SETS = 6


class Look(NamedTuple):
    """A table as the seat to act sees it; seats are numbered from that seat, which is 0."""

    # Parameters, and indices of actions as in the record.
    num_players: int
    map_size: int
    wildcard: bool
    cooperative: bool
    num_cards: int
    at_throw: int
    at_pass: int
    at_pile: int
    at_map: int
    in_play: Bits
    action_cards: Ints
    action_places: Ints
    # The map.
    boards: Bits
    """The cells of the cards of each color, then of all cards; shape (5, 4)."""
    places: Ints
    """The cell of each card, or `NOWHERE`; shape (75,)."""
    cells: Ints
    """The card in each cell ``16 * row + column``, or `NO_CARD`; shape (256,)."""
    on_map: Bits
    # Cards.
    hand: Bits
    known: Bits
    """Cards that all seats know each seat to hold; shape (6, 2)."""
    unseen: Bits
    """Cards in the draw pile or hidden in another hand."""
    playable: Bits
    """Hand cards that may be played; empty in other decisions."""
    chosen: int
    """The card about to be played, moved or swapped, still in its place; or `NO_CARD`."""
    fits_range: Bits
    """Cards that may be thrown as range cards; empty in other decisions."""
    removed: Bits
    """Cards removed from the game."""
    # The decision.
    phase: int
    player: int
    """The active seat, which adds the card and is thrown at."""
    # The table.
    sizes: Ints
    """Number of cards in each hand; shape (6,)."""
    pile: int
    """Number of cards in the draw pile."""
    # Cooperative.
    pile_tops: Ints
    pile_notes: Ints
    """Notes on each pile; 11 stands for 11 or more."""


@allocating_kernel
def look_at(observation: FloatArray, variant: s.State) -> Look:
    """Read an observation, part by part, in the order of `observation.observation_layout`.

    Args:
        observation: of the seat to act; float32.
        variant: a record with the parameters.
    """
    seats, size = int(variant.num_players), int(variant.map_size)
    cooperative, cards = bool(variant.cooperative), int(variant.num_cards)
    talkytoot = cards > c.NUM_BASE
    action_cards = variant.action_cards.astype(np.int64)
    sets = np.zeros((NUM_SETS, WORDS), np.uint64)
    known = np.zeros((MAX_PLAYERS, WORDS), np.uint64)
    boards = np.zeros((c.NUM_COLORS + 1, BLOCKS), np.uint64)
    places, cells = np.full(c.NUM_CARDS, s.NOWHERE), np.full(s.NUM_CELLS, c.NO_CARD)
    at = read_map(observation, size, talkytoot, Map(boards, places, cells, sets[ON_MAP]))
    chosen = one_hot(observation, at + 3 * cards, cards)
    if chosen >= c.NUM_BASE:
        chosen = int(action_cards[chosen - c.NUM_BASE])
    at = read_sets(observation, at, seats, cards, action_cards, sets, known)
    phase = one_hot(observation, at, s.OVER)
    player = one_hot(observation, at + s.OVER + seats, seats)
    at += s.OVER + 2 * seats + 7 + c.NUM_COLORS  # the pair is skipped: ``fits_range`` is enough
    sizes = np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(seats):
        sizes[seat] = read_number(observation, at + seat, cards)
    at += seats + FEW * seats
    pile = read_number(observation, at, cards)
    at += 4 + 3 * seats  # blocked turns, starter and earlier games are skipped too
    pile_tops, pile_notes = np.zeros(c.NUM_COLORS, np.int64), np.zeros(c.NUM_COLORS, np.int64)
    if cooperative:
        read_piles(observation, at, pile_tops, pile_notes)
        at += c.NUM_COLORS * (s.FULL_PILE + 3) + 2 * cards
    if talkytoot:
        read_cards(observation, at, cards, action_cards, sets[REMOVED])
    return Look(
        seats, size, bool(variant.wildcard), cooperative, cards, int(variant.at_throw),
        int(variant.at_pass), int(variant.at_pile), int(variant.at_map), variant.in_play,
        action_cards, variant.action_places.astype(np.int64), boards, places, cells, sets[ON_MAP],
        sets[HAND], known, sets[UNSEEN], sets[PLAYABLE], chosen, sets[RANGE], sets[REMOVED],
        phase, player, sizes, pile, pile_tops, pile_notes,
    )  # fmt: skip


# --- Actions --------------------------------------------------------------------------------------


@kernel
def cell_action(seen: Look, cell: int) -> int:
    """Return the action that chooses a cell."""
    return int(seen.num_cards + (cell // s.SIDE) * seen.map_size + cell % s.SIDE)


@kernel
def pass_or_first(seen: Look, mask: BoolArray) -> int:
    """Return ``pass`` if it is legal, else the first legal action."""
    action = int(seen.at_pass)
    if not mask[action]:
        action = 0
        while not mask[action]:
            action += 1
    return action


# --- Parts ----------------------------------------------------------------------------------------


class Map(NamedTuple):
    """The fields of the map that `board.put` needs."""

    boards: Bits
    places: Ints
    cells: Ints
    on_map: Bits


@subroutine
def read_map(observation: FloatArray, size: int, talkytoot: bool, table: Any) -> int:
    """Read the map; return the index of the next part."""
    plane = size * size
    for i in range(plane):
        for color in range(c.YELLOW, c.NUM_COLORS):
            if observation[color * plane + i] > 0:
                number = read_number(observation, CARD_PLANES * plane + i, c.HIGHEST)
                card = base_card(color, number)
                if talkytoot and observation[NUM_PLANES * plane + i] > 0:
                    action = read_number(observation, NUM_PLANES * plane + i, c.NUM_ACTIONS)
                    card = c.NUM_BASE + action - 1
                put(table, card, s.SIDE * (i // size) + i % size)
    return (NUM_PLANES + int(talkytoot)) * plane


@kernel
def base_card(color: int, number: int) -> int:
    """Return the base card with a color and a number; it must exist."""
    if color < c.PURPLE:
        return c.HIGHEST * int(color) + int(number) - 1
    return c.HIGHEST * (c.BLUE + 1) + int(number) // (c.PURPLE_NUMBERS[1] - c.PURPLE_NUMBERS[0])


@subroutine
def read_cards(
    observation: FloatArray, at: int, num_cards: int, action_cards: Ints, cards: Bits
) -> None:
    """Read a set of cards and add them to ``cards``."""
    for index in range(num_cards):
        if observation[at + index] > 0:
            c.add(cards, index if index < c.NUM_BASE else action_cards[index - c.NUM_BASE])


@subroutine
def read_sets(
    observation: FloatArray,
    at: int,
    seats: int,
    cards: int,
    action_cards: Ints,
    sets: Bits,
    known: Bits,
) -> int:
    """Read the sets of cards that every table has; return the index of the next part."""
    read_cards(observation, at, cards, action_cards, sets[HAND])
    read_cards(observation, at + cards, cards, action_cards, known[0])
    read_cards(observation, at + 2 * cards, cards, action_cards, sets[PLAYABLE])
    at += 4 * cards
    for seat in range(1, seats):
        read_cards(observation, at, cards, action_cards, known[seat])
        at += cards
    read_cards(observation, at, cards, action_cards, sets[UNSEEN])
    read_cards(observation, at + cards, cards, action_cards, sets[RANGE])
    return at + 3 * cards


@subroutine
def read_piles(observation: FloatArray, at: int, tops: Ints, notes: Ints) -> None:
    """Read the highest number and the notes of each cooperative pile."""
    for color in range(c.NUM_COLORS):
        tops[color] = read_number(observation, at + color, c.HIGHEST)
        place = at + c.NUM_COLORS + color * (s.FULL_PILE + 2)
        notes[color] = one_hot(observation, place, s.FULL_PILE + 2)
