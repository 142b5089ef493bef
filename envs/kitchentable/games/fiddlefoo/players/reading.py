"""What a Fiddlefoo player reads off an observation, as sets of cards and cells.

A `View` has the names of `state.State` where it has the same contents. So the rules of the map work
on it as they do on the record: `board.find_cells`, `board.find_pair`, `board.put`, `board.lift`,
`pairing.fits_range` and so on; what is tried out must be put back. Seats are counted from the seat
to act, which is seat 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import put
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import MINUS
from kitchentable.games.fiddlefoo.observation import (
    CARD_PLANES,
    FEW,
    NUM_PLANES,
    PAIR_PLANE,
    SCORE_SPAN,
    SPAN,
)
from kitchentable.games.fiddlefoo.state import BLOCKS, MAX_PLAYERS

Stream = NDArray[np.uint64]

# The sets of cards of a view, in the order of the observation's parts; then those of variants.
(
    HAND, SHOWN, PLAYABLE, CHOSEN, UNSEEN, RANGE, NOTES,
    ON_PILES, REMOVED, RECEIVED, SWAPPED, LAST, IN_PLAY, ON_MAP,
) = range(14)  # fmt: skip
NUM_SETS = 14


class Pair(NamedTuple):
    """What may be thrown at a pair."""

    low: int
    """The lower number; 0 if there is no pair."""
    high: int
    distance: int
    color: int
    """A color, `ANY_COLOR`, or `NOWHERE` if there is no pair."""
    safe: bool


class Extras(NamedTuple):
    """What only tables with Talkytoot have; seats are counted from the seat to act."""

    removed: Bits
    received: Bits
    """Cards received in this turn, by anybody; they are not thrown on in it."""
    swapped: Bits
    last_added: int
    """The card that a play added to the map last, or `NO_CARD` if there is no Talkytoot."""
    turn: int
    turn_color: int
    """The color of the first card played in this turn, or `NOWHERE`."""
    again: bool
    """Whether the active seat may play again after the throws."""
    effects: int
    """Cards of the pair whose effects are still to come."""
    removals: int
    swaps: int
    draws: int
    """Cards still to be drawn, at most 4."""
    nested: bool
    """Whether this play is in the middle of another turn or play, which goes on afterwards."""
    outer_active: int
    """The active seat of the other play, or `NOWHERE`."""
    outer_thrower: int
    """Who is asked to throw at it, or `NOWHERE`."""
    outer_pair: Pair


class View(NamedTuple):
    """A table as the seat to act sees it; seats are counted from it, so it is seat 0."""

    # Parameters, and places of the actions as in the record.
    num_players: int
    reward: int
    games: int
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
    boards: NDArray[np.uint64]
    """Cells of the cards of each color, and of all together; shape (5, 4)."""
    places: Ints
    """The cell of each card, or `NOWHERE`; shape (75,)."""
    cells: Ints
    """The card in each cell ``16 * row + column``, or `NO_CARD`; shape (256,)."""
    on_map: Bits
    pair_cells: Ints
    """The two cells of the pair under discussion, in ascending order, or `NOWHERE`."""
    # Cards.
    hand: Bits
    known: NDArray[np.uint64]
    """Cards that each seat is known to hold, seat 0 those that the others know; shape (6, 2)."""
    unseen: Bits
    """Cards that lie in the draw pile or unseen in another hand."""
    playable: Bits
    """Hand cards that may be chosen to play, if that is the decision."""
    chosen: int
    """The card about to be played, moved or swapped, still where it was; or `NO_CARD`."""
    fits_range: Bits
    """Cards that may be thrown as range cards, if throwing is the decision."""
    fits_notes: Bits
    # The decision.
    phase: int
    player: int
    """The active seat: who adds the card, or has added it and is thrown at."""
    pair: Pair
    thrown: bool
    """Whether a range card has been thrown already by seat 0 at this pair."""
    # The table.
    sizes: Ints
    """Cards in each hand; shape (6,)."""
    pile: int
    """Cards in the draw pile."""
    blocked: int
    starter: int
    games_done: int
    totals: Ints
    """Penalties of the games before; cooperative: full piles; shape (6,)."""
    # Cooperative.
    pile_tops: Ints
    pile_notes: Ints
    """Notes on each pile, at most 11."""
    on_piles: Bits
    extras: Extras


@allocating_kernel
def view_of(observation: FloatArray, variant: Ints) -> View:
    """Read an observation, part by part in the order of `observation_layout`.

    Args:
        observation: what the seat to act sees.
        variant: the parameters, from `state.variant`.
    """
    seats, size = int(variant[s.V_PLAYERS]), int(variant[s.V_MAP_SIZE])
    cooperative, actions = variant[s.V_COOPERATIVE] != 0, int(variant[s.V_TALKYTOOT])
    cards = c.NUM_BASE + actions
    sets = np.zeros((NUM_SETS, WORDS), np.uint64)
    known = np.zeros((MAX_PLAYERS, WORDS), np.uint64)
    action_cards = np.full(c.NUM_ACTIONS, c.NO_CARD)
    action_places = np.full(c.NUM_ACTIONS, s.NOWHERE)
    read_deck(variant, sets[IN_PLAY], action_cards, action_places)
    boards = np.zeros((c.NUM_COLORS + 1, BLOCKS), np.uint64)
    places, cells = np.full(c.NUM_CARDS, s.NOWHERE), np.full(s.NUM_CELLS, c.NO_CARD)
    pair_cells = np.full(2, s.NOWHERE)
    table = Map(boards, places, cells, sets[ON_MAP])
    at = read_map(observation, size, actions > 0, table, pair_cells)
    at = read_sets(observation, at, seats, cards, action_cards, sets, known)
    phase, player = (
        one_hot(observation, at, s.OVER),
        one_hot(observation, at + s.OVER + seats, seats),
    )
    at += s.OVER + 2 * seats
    pair, thrown = read_pair(observation, at), observation[at + 6 + c.NUM_COLORS] > 0
    at += 7 + c.NUM_COLORS
    sizes, totals = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    for seat in range(seats):
        sizes[seat] = read(observation, at + seat, cards)
    at += seats + FEW * seats
    pile, blocked = read(observation, at, cards), read(observation, at + 2, seats)
    starter = one_hot(observation, at + 3, seats)
    at += 3 + seats
    games_done = read(observation, at, variant[s.V_GAMES])
    read_totals(observation, at + 2, variant, totals)
    at += 2 + 2 * seats - 1
    pile_tops, pile_notes = np.zeros(c.NUM_COLORS, np.int64), np.zeros(c.NUM_COLORS, np.int64)
    if cooperative:
        at = read_piles(observation, at, cards, action_cards, sets, pile_tops, pile_notes)
    extras = read_extras(observation, at, seats, cards, action_cards, sets)
    at_throw = cards + size * size
    at_pass = at_throw + cards
    at_pile = at_pass + 1
    at_map = at_pile + cards * int(cooperative)
    chosen = first_card(sets[CHOSEN])
    return View(
        seats, int(variant[s.V_REWARD]), int(variant[s.V_GAMES]), size, variant[s.V_WILDCARD] != 0,
        cooperative, cards, at_throw, at_pass, at_pile, at_map,
        sets[IN_PLAY], action_cards, action_places, boards, places, cells, sets[ON_MAP],
        pair_cells, sets[HAND], known, sets[UNSEEN], sets[PLAYABLE], chosen,
        sets[RANGE], sets[NOTES], phase, player, pair, thrown, sizes, pile, blocked, starter,
        games_done, totals, pile_tops, pile_notes, sets[ON_PILES], extras,
    )  # fmt: skip


# --- Actions --------------------------------------------------------------------------------------


@kernel
def cell_action(view: View, cell: int) -> int:
    """Return the action that chooses a cell."""
    return int(view.num_cards + (cell // s.SIDE) * view.map_size + cell % s.SIDE)


@kernel
def pass_or_first(view: View, mask: BoolArray) -> int:
    """Return the action that passes if that is legal, else the first legal action."""
    action = int(view.at_pass)
    if not mask[action]:
        action = 0
        while not mask[action]:
            action += 1
    return action


# --- Numbers --------------------------------------------------------------------------------------


@kernel
def read(observation: FloatArray, at: int, span: int) -> int:
    """Return a whole number that is stored as a share of ``span``."""
    return int(float(observation[at]) * span + 0.5)


@subroutine
def one_hot(observation: FloatArray, at: int, size: int) -> int:
    """Return which of ``size`` places from ``at`` on is marked, or `NOWHERE`."""
    for i in range(size):
        if observation[at + i] > 0:
            return i
    return s.NOWHERE


@subroutine
def first_card(cards: Bits) -> int:
    """Return the lowest card of a set, or `NO_CARD` if it is empty."""
    for card in range(c.NUM_CARDS):
        if (cards[card >> 6] >> np.uint64(card & 63)) & np.uint64(1):
            return card
    return c.NO_CARD


@kernel
def base_card(color: int, number: int) -> int:
    """Return the card of the game with a color and a number, which there is."""
    if color < c.PURPLE:
        return c.HIGHEST * int(color) + int(number) - 1
    return c.HIGHEST * (c.BLUE + 1) + int(number) // (c.PURPLE_NUMBERS[1] - c.PURPLE_NUMBERS[0])


# --- Parts ----------------------------------------------------------------------------------------


class Map(NamedTuple):
    """The map alone, as `board.put` needs it."""

    boards: NDArray[np.uint64]
    places: Ints
    cells: Ints
    on_map: Bits


@kernel
def read_deck(variant: Ints, in_play: Bits, action_cards: Ints, action_places: Ints) -> None:
    """Write the cards in play, from the variant."""
    for card in range(c.NUM_BASE):
        c.add(in_play, card)
    for place in range(variant[s.V_TALKYTOOT]):
        card = int(variant[s.V_TALKYTOOT + 1 + place])
        c.add(in_play, card)
        action_cards[place] = card
        action_places[card - c.NUM_BASE] = place


@subroutine
def read_map(
    observation: FloatArray, size: int, talkytoot: bool, table: Any, pair_cells: Ints
) -> int:
    """Write the map; return where the next part begins."""
    plane = size * size
    for i in range(plane):
        for color in range(c.YELLOW, c.NUM_COLORS):
            if observation[color * plane + i] > 0:
                card = base_card(color, read(observation, CARD_PLANES * plane + i, c.HIGHEST))
                if talkytoot and observation[NUM_PLANES * plane + i] > 0:
                    action = read(observation, NUM_PLANES * plane + i, c.NUM_ACTIONS)
                    card = c.NUM_BASE + action - 1
                put(table, card, s.SIDE * (i // size) + i % size)
        if observation[PAIR_PLANE * plane + i] > 0:
            which = 0 if pair_cells[0] == s.NOWHERE else 1
            pair_cells[which] = s.SIDE * (i // size) + i % size
    return (NUM_PLANES + int(talkytoot)) * plane


@subroutine
def read_cards(
    observation: FloatArray, at: int, num_cards: int, action_cards: Ints, cards: Bits
) -> None:
    """Write a set of cards."""
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
    sets: NDArray[np.uint64],
    known: NDArray[np.uint64],
) -> int:
    """Write the sets of cards that every table has; return where the next part begins."""
    for which in range(CHOSEN + 1):
        read_cards(observation, at + which * cards, cards, action_cards, sets[which])
    for seat in range(1, seats):
        read_cards(observation, at + (CHOSEN + seat) * cards, cards, action_cards, known[seat])
    for word in range(WORDS):
        known[0, word] = sets[SHOWN, word]
    at += (CHOSEN + seats) * cards
    for i in range(NOTES + 1 - UNSEEN):
        read_cards(observation, at + i * cards, cards, action_cards, sets[UNSEEN + i])
    return at + (NOTES + 1 - UNSEEN) * cards


@kernel
def read_pair(observation: FloatArray, at: int) -> Pair:
    """Return a pair."""
    color = one_hot(observation, at + 6, c.NUM_COLORS)
    if observation[at + 5] > 0:
        color = s.ANY_COLOR
    return Pair(
        read(observation, at, c.HIGHEST),
        read(observation, at + 1, c.HIGHEST),
        read(observation, at + 3, SPAN),
        color,
        observation[at + 4] > 0,
    )


@kernel
def read_totals(observation: FloatArray, at: int, variant: Ints, totals: Ints) -> None:
    """Write the points of the games before."""
    games = int(variant[s.V_GAMES])
    for seat in range(variant[s.V_PLAYERS]):
        if variant[s.V_COOPERATIVE] != 0:
            totals[seat] = read(observation, at + seat, c.NUM_COLORS * games)
        else:
            totals[seat] = read(observation, at + seat, SCORE_SPAN * games) + MINUS * games


@subroutine
def read_piles(
    observation: FloatArray,
    at: int,
    cards: int,
    action_cards: Ints,
    sets: NDArray[np.uint64],
    tops: Ints,
    notes: Ints,
) -> int:
    """Write the cooperative piles; return where the next part begins."""
    for color in range(c.NUM_COLORS):
        tops[color] = read(observation, at + color, c.HIGHEST)
        place = at + c.NUM_COLORS + color * (s.FULL_PILE + 2)
        notes[color] = one_hot(observation, place, s.FULL_PILE + 2)
    at += c.NUM_COLORS * (s.FULL_PILE + 3)
    read_cards(observation, at, cards, action_cards, sets[ON_PILES])
    return at + 2 * cards


@allocating_kernel
def read_extras(
    observation: FloatArray,
    at: int,
    seats: int,
    cards: int,
    action_cards: Ints,
    sets: NDArray[np.uint64],
) -> Extras:
    """Return what only tables with Talkytoot have.

    It returns arrays, so it must count references to them.
    """
    if cards == c.NUM_BASE:
        return Extras(
            sets[REMOVED], sets[RECEIVED], sets[SWAPPED], c.NO_CARD, s.NOWHERE, s.NOWHERE, False,
            0, 0, 0, 0, False, s.NOWHERE, s.NOWHERE, Pair(0, 0, 0, s.NOWHERE, False),
        )  # fmt: skip
    for i in range(LAST + 1 - REMOVED):
        read_cards(observation, at + i * cards, cards, action_cards, sets[REMOVED + i])
    at += 4 * cards
    turn, color = one_hot(observation, at, seats), one_hot(observation, at + seats, c.NUM_COLORS)
    at += seats + c.NUM_COLORS
    outer = at + 5
    return Extras(
        sets[REMOVED], sets[RECEIVED], sets[SWAPPED], first_card(sets[LAST]), turn, color,
        observation[at] > 0, read(observation, at + 1, 2),
        read(observation, at + 2, s.MOST_REMOVALS), read(observation, at + 3, s.MOST_SWAPS),
        read(observation, at + 4, FEW),
        observation[outer] > 0, one_hot(observation, outer + 1, seats),
        one_hot(observation, outer + 1 + seats, seats),
        read_pair(observation, outer + 1 + 2 * seats),
    )  # fmt: skip
