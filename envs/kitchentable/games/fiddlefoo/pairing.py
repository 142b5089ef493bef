"""A card is added to the map: the pair it makes, and what may be thrown at it (sheet: Gameplay)."""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits
from kitchentable.games.fiddlefoo import board
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import FEWEST_TO_THROW, leave_hand
from kitchentable.games.fiddlefoo.state import BLOCKS, State

NONE = np.uint64(0)


@subroutine
def add_to_map(state: State, cell: int) -> None:
    """Add the chosen card to the map: the pair counts and its effects are next."""
    player, card = int(state.current_player), int(state.chosen)
    matches = scratch_bits(BLOCKS)
    board.fill_matches(state, card, matches)
    pair = board.find_pair(state, card, cell, matches)
    leave_hand(state, player, card)
    board.put(state, card, cell)
    state.chosen = c.NO_CARD
    state.last_added = card
    state.blocked = 0
    if state.turn_color == s.NOWHERE:
        state.turn_color = c.COLOR[card]
    state.player = player
    state.card = card
    state.cell = cell
    _discuss(state, card, pair)
    state.stage = s.EFFECTS
    state.thrower = player
    state.thrown = s.DONE


@kernel
def _discuss(state: State, card: int, pair: int) -> None:
    """Make a pair the one that counts."""
    state.partner_cell = board.pair_cell(pair)
    partner = int(state.cells[state.partner_cell])
    state.partner = partner
    state.low = min(c.NUMBER[card], c.NUMBER[partner])
    state.high = max(c.NUMBER[card], c.NUMBER[partner])
    state.distance = board.pair_distance(pair)
    state.color = color_of_pair(state, card, partner)
    state.safe = is_safe(card, partner, state.distance)
    state.effects[0] = card if card >= c.NUM_BASE else c.NO_CARD
    state.effects[1] = partner if partner >= c.NUM_BASE else c.NO_CARD
    state.again = card == c.PLAY_AGAIN or partner == c.PLAY_AGAIN


@kernel
def is_safe(card: int, partner: int, distance: int) -> bool:
    """Whether a pair makes a Safe Song."""
    lifted = card == c.SAFETY_RULE_DISABLE or partner == c.SAFETY_RULE_DISABLE
    return bool(distance > s.LONGEST and not lifted)


@kernel
def color_of_pair(state: State, card: int, partner: int) -> int:
    """Return the color of the cards that may be thrown at a pair, or `ANY_COLOR`.

    Of two colors it is the one that is not wild: the wild card takes it on.
    """
    any_color = card == c.THROW_OTHER_COLORS or partner == c.THROW_OTHER_COLORS
    if state.wildcard:
        any_color |= c.COLOR[card] == c.PURPLE or c.COLOR[partner] == c.PURPLE
    if any_color:
        return s.ANY_COLOR
    return int(c.COLOR[partner] if board.is_wild(state, card) else c.COLOR[card])


@kernel
def find_fits(state: State) -> None:
    """Find the cards that may be thrown at the pair under discussion."""
    low, high = int(state.low), int(state.high)
    color, distance = int(state.color), int(state.distance)
    for word in range(WORDS):
        state.fits_range[word] = fits_range(state, low, high, color, state.safe, word)
        fits = fits_notes(state, distance, state.safe, word)
        state.fits_notes[word] = fits & ~state.fits_range[word]


@kernel
def fits_range(state: State, low: int, high: int, color: int, safe: bool, word: int) -> np.uint64:
    """Return one number of the set of the cards that may be thrown at a pair as range cards.

    At a Safe Song there is none, but `WILDCARD_THROW`.
    """
    cards = c.BELOW[high, word] & ~c.BELOW[low + 1, word] & state.in_play[word]
    if color != s.ANY_COLOR:
        colors = c.OF_COLOR[color, word]
        if state.wildcard:
            colors |= c.OF_COLOR[c.PURPLE, word]
        cards &= colors
    if safe:
        cards = NONE
    if word == c.NOTES_MATCH_FORBID >> 6:
        cards &= ~c.bit(c.NOTES_MATCH_FORBID & 63)
    if word == c.WILDCARD_THROW >> 6:
        cards |= state.in_play[word] & c.bit(c.WILDCARD_THROW & 63)
    return np.uint64(cards)


@kernel
def fits_notes(state: State, distance: int, safe: bool, word: int) -> np.uint64:
    """Return one number of the set of the cards with as many notes as there are cells between."""
    return NONE if safe else np.uint64(c.OF_NOTES[distance, word] & state.in_play[word])


@kernel
def fill_throws(state: State, player: int, cards: Bits) -> None:
    """Write the cards that a seat may throw now, as far as the seat has thrown ``state.thrown``."""
    by_notes = state.thrown == s.NOTHING
    for word in range(WORDS):
        fitting = state.fits_range[word]
        if by_notes:
            fitting |= state.fits_notes[word]
        cards[word] = fitting & state.hands[player, word] & ~state.received[word]
    if c.has(cards, c.CANT_THROW) and c.count(state.hands[player]) < FEWEST_TO_THROW:
        c.drop(cards, c.CANT_THROW)


@kernel
def find_thrower(state: State) -> bool:
    """Find the next seat that has something to throw, in turn order, the same seat first.

    Returns:
        Whether there is one; then it is ``state.thrower``.
    """
    cards = scratch_bits(WORDS)
    for _ in range(state.num_players):
        if state.thrown != s.DONE:
            fill_throws(state, state.thrower, cards)
            if not c.is_empty(cards):
                return True
        state.thrower = state.thrower + 1 if state.thrower + 1 < state.num_players else 0
        state.thrown = s.NOTHING
        if state.thrower == state.player:
            state.thrown = s.DONE
            return False
    return False
