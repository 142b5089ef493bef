"""A card is added to the map: the pair it makes, and what may be thrown at it (sheet: Gameplay)."""

from __future__ import annotations

import numpy as np

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_pair,
    is_wild,
    pair_cell,
    pair_distance,
    put,
)
from kitchentable.games.fiddlefoo.cards import (
    BELOW,
    CANT_THROW,
    COLOR,
    NO_CARD,
    NOTES_MATCH_FORBID,
    NUM_BASE,
    NUMBER,
    OF_COLOR,
    OF_NOTES,
    PLAY_AGAIN,
    PURPLE,
    SAFETY_RULE_DISABLE,
    THROW_OTHER_COLORS,
    WILDCARD_THROW,
    WORDS,
    Bits,
    bit,
    count,
    drop,
    has,
    is_empty,
)
from kitchentable.games.fiddlefoo.hands import FEWEST_TO_THROW, leave_hand
from kitchentable.games.fiddlefoo.state import (
    ANY_COLOR,
    BLOCKS,
    DONE,
    EFFECTS,
    LONGEST,
    NOTHING,
    NOWHERE,
    State,
)

NONE = np.uint64(0)


@subroutine
def add_to_map(state: State, cell: int) -> None:
    """Add the chosen card to the map: the pair counts and its effects are next."""
    player, card = int(state.current_player), int(state.chosen)
    matches = scratch_bits(BLOCKS)
    fill_matches(state, card, matches)
    pair = find_pair(state, card, cell, matches)
    leave_hand(state, player, card)
    put(state, card, cell)
    state.chosen = NO_CARD
    state.last_added = card
    state.blocked = 0
    if state.turn_color == NOWHERE:
        state.turn_color = COLOR[card]
    state.player = player
    state.card = card
    state.cell = cell
    _discuss(state, card, pair)
    state.stage = EFFECTS
    state.thrower = player
    state.thrown = DONE


@kernel
def _discuss(state: State, card: int, pair: int) -> None:
    """Make a pair the one that counts."""
    state.partner_cell = pair_cell(pair)
    partner = int(state.cells[state.partner_cell])
    state.partner = partner
    state.low = min(NUMBER[card], NUMBER[partner])
    state.high = max(NUMBER[card], NUMBER[partner])
    state.distance = pair_distance(pair)
    state.color = color_of_pair(state, card, partner)
    state.safe = is_safe(card, partner, state.distance)
    state.effects[0] = card if card >= NUM_BASE else NO_CARD
    state.effects[1] = partner if partner >= NUM_BASE else NO_CARD
    state.again = card == PLAY_AGAIN or partner == PLAY_AGAIN


@kernel
def is_safe(card: int, partner: int, distance: int) -> bool:
    """Whether a pair makes a Safe Song."""
    lifted = card == SAFETY_RULE_DISABLE or partner == SAFETY_RULE_DISABLE
    return bool(distance > LONGEST and not lifted)


@kernel
def color_of_pair(state: State, card: int, partner: int) -> int:
    """Return the color of the cards that may be thrown at a pair, or `ANY_COLOR`.

    Of two colors it is the one that is not wild: the wild card takes it on.
    """
    any_color = card == THROW_OTHER_COLORS or partner == THROW_OTHER_COLORS
    if state.wildcard:
        any_color |= COLOR[card] == PURPLE or COLOR[partner] == PURPLE
    if any_color:
        return ANY_COLOR
    return int(COLOR[partner] if is_wild(state, card) else COLOR[card])


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
    cards = BELOW[high, word] & ~BELOW[low + 1, word] & state.in_play[word]
    if color != ANY_COLOR:
        colors = OF_COLOR[color, word]
        if state.wildcard:
            colors |= OF_COLOR[PURPLE, word]
        cards &= colors
    if safe:
        cards = NONE
    if word == NOTES_MATCH_FORBID >> 6:
        cards &= ~bit(NOTES_MATCH_FORBID & 63)
    if word == WILDCARD_THROW >> 6:
        cards |= state.in_play[word] & bit(WILDCARD_THROW & 63)
    return np.uint64(cards)


@kernel
def fits_notes(state: State, distance: int, safe: bool, word: int) -> np.uint64:
    """Return one number of the set of the cards with as many notes as there are cells between."""
    return NONE if safe else np.uint64(OF_NOTES[distance, word] & state.in_play[word])


@kernel
def fill_throws(state: State, player: int, cards: Bits) -> None:
    """Write the cards that a seat may throw now, as far as the seat has thrown ``state.thrown``."""
    by_notes = state.thrown == NOTHING
    for word in range(WORDS):
        fitting = state.fits_range[word]
        if by_notes:
            fitting |= state.fits_notes[word]
        cards[word] = fitting & state.hands[player, word] & ~state.received[word]
    if has(cards, CANT_THROW) and count(state.hands[player]) < FEWEST_TO_THROW:
        drop(cards, CANT_THROW)


@kernel
def find_thrower(state: State) -> bool:
    """Find the next seat that has something to throw, in turn order, the same seat first.

    Returns:
        Whether there is one; then it is ``state.thrower``.
    """
    cards = scratch_bits(WORDS)
    for _ in range(state.num_players):
        if state.thrown != DONE:
            fill_throws(state, state.thrower, cards)
            if not is_empty(cards):
                return True
        state.thrower = state.thrower + 1 if state.thrower + 1 < state.num_players else 0
        state.thrown = NOTHING
        if state.thrower == state.player:
            state.thrown = DONE
            return False
    return False
