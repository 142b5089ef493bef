"""The parts of an observation of Fiddlefoo, read back into sets of cards and cells for `view`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import FloatArray
from kitchentable.games.fiddlefoo.board import put
from kitchentable.games.fiddlefoo.cards import (
    BLUE,
    HIGHEST,
    NO_CARD,
    NUM_ACTIONS,
    NUM_BASE,
    NUM_CARDS,
    NUM_COLORS,
    PURPLE,
    PURPLE_NUMBERS,
    WORDS,
    YELLOW,
    Bits,
    add,
)
from kitchentable.games.fiddlefoo.observation import CARD_PLANES, FEW, NUM_PLANES, PAIR_PLANE, SPAN
from kitchentable.games.fiddlefoo.state import (
    ANY_COLOR,
    FULL_PILE,
    MOST_REMOVALS,
    MOST_SWAPS,
    NOWHERE,
    SIDE,
    V_COOPERATIVE,
    V_GAMES,
    V_PLAYERS,
    V_TALKYTOOT,
)

Ints = NDArray[np.int64]

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
    return NOWHERE


@subroutine
def first_card(cards: Bits) -> int:
    """Return the lowest card of a set, or `NO_CARD` if it is empty."""
    for card in range(NUM_CARDS):
        if (cards[card >> 6] >> np.uint64(card & 63)) & np.uint64(1):
            return card
    return NO_CARD


@kernel
def base_card(color: int, number: int) -> int:
    """Return the card of the game with a color and a number, which there is."""
    if color < PURPLE:
        return HIGHEST * int(color) + int(number) - 1
    return HIGHEST * (BLUE + 1) + int(number) // (PURPLE_NUMBERS[1] - PURPLE_NUMBERS[0])


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
    for card in range(NUM_BASE):
        add(in_play, card)
    for place in range(variant[V_TALKYTOOT]):
        card = int(variant[V_TALKYTOOT + 1 + place])
        add(in_play, card)
        action_cards[place] = card
        action_places[card - NUM_BASE] = place


@subroutine
def read_map(
    observation: FloatArray, size: int, talkytoot: bool, table: Any, pair_cells: Ints
) -> int:
    """Write the map; return where the next part begins."""
    plane = size * size
    for i in range(plane):
        for color in range(YELLOW, NUM_COLORS):
            if observation[color * plane + i] > 0:
                card = base_card(color, read(observation, CARD_PLANES * plane + i, HIGHEST))
                if talkytoot and observation[NUM_PLANES * plane + i] > 0:
                    action = read(observation, NUM_PLANES * plane + i, NUM_ACTIONS)
                    card = NUM_BASE + action - 1
                put(table, card, SIDE * (i // size) + i % size)
        if observation[PAIR_PLANE * plane + i] > 0:
            which = 0 if pair_cells[0] == NOWHERE else 1
            pair_cells[which] = SIDE * (i // size) + i % size
    return (NUM_PLANES + int(talkytoot)) * plane


@subroutine
def read_cards(
    observation: FloatArray, at: int, num_cards: int, action_cards: Ints, cards: Bits
) -> None:
    """Write a set of cards."""
    for index in range(num_cards):
        if observation[at + index] > 0:
            add(cards, index if index < NUM_BASE else action_cards[index - NUM_BASE])


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
    color = one_hot(observation, at + 6, NUM_COLORS)
    if observation[at + 5] > 0:
        color = ANY_COLOR
    return Pair(
        read(observation, at, HIGHEST),
        read(observation, at + 1, HIGHEST),
        read(observation, at + 3, SPAN),
        color,
        observation[at + 4] > 0,
    )


@kernel
def read_totals(observation: FloatArray, at: int, variant: Ints, totals: Ints) -> None:
    """Write the points of the games before."""
    games = int(variant[V_GAMES])
    for seat in range(variant[V_PLAYERS]):
        if variant[V_COOPERATIVE] != 0:
            totals[seat] = read(observation, at + seat, NUM_COLORS * games)
        else:
            totals[seat] = read(observation, at + seat, 210 * games) - 10 * games


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
    for color in range(NUM_COLORS):
        tops[color] = read(observation, at + color, HIGHEST)
        place = at + NUM_COLORS + color * (FULL_PILE + 2)
        notes[color] = one_hot(observation, place, FULL_PILE + 2)
    at += NUM_COLORS * (FULL_PILE + 3)
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
    if cards == NUM_BASE:
        return Extras(
            sets[REMOVED], sets[RECEIVED], sets[SWAPPED], NO_CARD, NOWHERE, NOWHERE, False, 0, 0,
            0, 0, False, NOWHERE, NOWHERE, Pair(0, 0, 0, NOWHERE, False),
        )  # fmt: skip
    for i in range(LAST + 1 - REMOVED):
        read_cards(observation, at + i * cards, cards, action_cards, sets[REMOVED + i])
    at += 4 * cards
    turn, color = one_hot(observation, at, seats), one_hot(observation, at + seats, NUM_COLORS)
    at += seats + NUM_COLORS
    outer = at + 5
    return Extras(
        sets[REMOVED], sets[RECEIVED], sets[SWAPPED], first_card(sets[LAST]), turn, color,
        observation[at] > 0, read(observation, at + 1, 2), read(observation, at + 2, MOST_REMOVALS),
        read(observation, at + 3, MOST_SWAPS), read(observation, at + 4, FEW),
        observation[outer] > 0, one_hot(observation, outer + 1, seats),
        one_hot(observation, outer + 1 + seats, seats),
        read_pair(observation, outer + 1 + 2 * seats),
    )  # fmt: skip
