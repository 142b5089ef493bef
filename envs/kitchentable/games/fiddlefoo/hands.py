"""Hands, draw pile and cooperative piles of Fiddlefoo, and the cards known to all seats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import take_top
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.seats import seat_after
from kitchentable.core.state import ALL_SEEING, Bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import put
from kitchentable.games.fiddlefoo.cards import NUM_COLORS, WORDS
from kitchentable.games.fiddlefoo.state import State

FEWEST_TO_THROW = 4
"""Minimum hand size for throwing `CANT_THROW`."""
MINUS = -10
"""Points of `SCORE_MINUS_CONDITIONAL` if its condition holds; also the lowest cost of a hand."""


# --- The deal (sheet: Setup) ----------------------------------------------------------------------


@kernel
def shuffle_all(state: State, top: NDArray[np.int8]) -> None:
    """Build the deck of all cards in play: ``top`` (positions) on top, the others shuffled."""
    start_stream(state, state.games_done)
    cards = c.count(state.in_play)
    state.deck[:] = c.NO_CARD
    placed = state.received  # used as scratch memory: the cards in `top`
    c.clear(placed)
    for i in range(top.shape[0]):
        card = s.card_at(state, top[i])
        c.add(placed, card)
        state.deck[cards - 1 - i] = card
    size = 0
    for index in range(state.num_cards):
        card = s.card_at(state, index)
        if c.has(state.in_play, card) and not c.has(placed, card):
            state.deck[size] = card
            size += 1
    c.clear(placed)
    shuffle(state, state.deck, 0, size)
    state.deck_size = cards


@kernel
def lay_block(state: State) -> None:
    """Lay out the first base card of each color from the top; the others keep their order."""
    middle = state.map_size // 2
    laid_colors = 0  # one bit per color
    laid = 0
    place = int(state.deck_size) - 1
    while laid < NUM_COLORS and place >= 0:
        card = int(state.deck[place])
        color = 1 << c.COLOR[card]
        if card < c.NUM_BASE and not laid_colors & color:
            laid_colors |= color
            row = middle - 1 if laid < 2 else middle
            column = middle - 1 if laid in (0, 3) else middle
            put(state, card, s.SIDE * row + column)
            state.last_added = card
            state.deck[place] = c.NO_CARD
            laid += 1
        place -= 1
    size = 0
    for i in range(state.deck_size):
        card = int(state.deck[i])
        if card != c.NO_CARD:
            state.deck[i] = c.NO_CARD
            state.deck[size] = card
            size += 1
    state.deck_size = size


@kernel
def deal_hands(state: State) -> None:
    """Deal each seat its hand, one card at a time, ``player_0`` first."""
    for _ in range(state.hand):
        for player in range(state.num_players):
            c.add(state.hands[player], take_top(state))


# --- Cards that change hands ----------------------------------------------------------------------


@kernel
def leave_hand(state: State, player: int, card: int) -> None:
    """Remove a card from a hand."""
    c.drop(state.hands[player], card)
    c.drop(state.known[player], card)


@kernel
def enter_hand(state: State, player: int, card: int) -> None:
    """Add a card to a hand; all seats know of it."""
    c.add(state.hands[player], card)
    c.add(state.known[player], card)


@kernel
def fits_pile(state: State, card: int) -> bool:
    """Return whether a card is higher than its pile's top (sheet: Variant Cooperative)."""
    return bool(c.NUMBER[card] > state.pile_tops[c.COLOR[card]])


@kernel
def put_on_pile(state: State, card: int) -> None:
    """Put a card on the pile of its color."""
    state.pile_tops[c.COLOR[card]] = c.NUMBER[card]
    state.pile_notes[c.COLOR[card]] += c.NOTES[card]
    c.add(state.on_piles, card)


@kernel
def seats_with_cards(state: State) -> int:
    """Return the number of seats with cards."""
    seats = 0
    for player in range(state.num_players):
        seats += c.count(state.hands[player]) > 0
    return seats


@kernel
def next_with_cards(state: State, player: int) -> int:
    """Return the next seat with cards after ``player``, or ``player`` if no other has any."""
    for i in range(1, state.num_players):
        other = seat_after(player, i, state.num_players)
        if c.count(state.hands[other]) > 0:
            return other
    return int(player)


# --- What a viewer sees ---------------------------------------------------------------------------


@kernel
def sees_hand(viewer: int, player: int) -> bool:
    """Return whether a viewer may see all cards in a seat's hand."""
    return viewer in (player, ALL_SEEING)


@kernel
def in_sight(state: State, viewer: int, player: int, word: int) -> np.uint64:
    """Return one word of the set of cards that a viewer knows a seat to hold."""
    if sees_hand(viewer, player):
        return np.uint64(state.hands[player, word])
    return np.uint64(state.known[player, word])


@kernel
def fill_unseen(state: State, viewer: int, unseen: Bits) -> None:
    """Write the cards whose place a viewer does not know."""
    for word in range(WORDS):
        seen = state.on_map[word] | state.removed[word] | state.on_piles[word]
        for player in range(state.num_players):
            seen |= in_sight(state, viewer, player, word)
        unseen[word] = state.in_play[word] & ~seen


@kernel
def sees_playable(state: State, viewer: int) -> bool:
    """Return whether a viewer may see which cards can be played; a card is chosen then."""
    return state.phase in (s.CARD, s.AGAIN) and sees_hand(viewer, state.current_player)


# --- Scores (sheet: Objective) --------------------------------------------------------------------


@kernel
def full_piles(state: State) -> int:
    """Return the number of piles with exactly `FULL_PILE` notes."""
    full = 0
    for color in range(NUM_COLORS):
        full += state.pile_notes[color] == s.FULL_PILE
    return full


@subroutine
def penalty(hand: Bits) -> int:
    """Return the penalty of a hand: its music notes, changed by scoring action cards."""
    colors = scratch_ints(NUM_COLORS)
    colors[:] = 0
    points = 0
    worst = 0  # the most notes on a card other than SCORE_DOUBLE_WORST
    for word in range(WORDS):
        rest = hand[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            points += c.NOTES[card]
            colors[c.COLOR[card]] += 1
            if card != c.SCORE_DOUBLE_WORST:
                worst = max(worst, c.NOTES[card])
    if c.has(hand, c.SCORE_DOUBLE_WORST):
        own = c.NOTES[c.SCORE_DOUBLE_WORST]
        points += 2 * (worst if worst > 0 else own) - own
    if c.has(hand, c.SCORE_MINUS_CONDITIONAL):
        most = True
        for color in range(NUM_COLORS):
            most &= colors[color] <= colors[c.YELLOW]
        if most:
            points += MINUS - c.NOTES[c.SCORE_MINUS_CONDITIONAL]
    return int(points)
