"""The pair that a card makes on the map, and what may be thrown at it (sheet: Gameplay)."""

from __future__ import annotations

from typing import NamedTuple

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


class Pair(NamedTuple):
    """The counted pair of a card added to the map, and what may be thrown at it."""

    partner: int
    """The other card, already on the map."""
    low: int
    """The lower number of the two."""
    high: int
    distance: int
    """Cells between the cards."""
    color: int
    """Color of the cards that may be thrown as range cards, or `ANY_COLOR`."""
    safe: bool
    """Whether the pair is a Safe Song."""


@subroutine
def add_to_map(state: State, cell: int) -> None:
    """Add the chosen card to the map and make its pair the counted one; its effects come next."""
    player, card = int(state.current_player), int(state.chosen)
    matches = scratch_bits(BLOCKS)
    board.fill_matches(state, card, matches)
    pair = pair_at(state, card, cell, matches)
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
    _record_pair(state, card, pair)
    state.stage = s.EFFECTS
    state.thrower = player
    state.thrown = s.DONE


@kernel
def _record_pair(state: State, card: int, pair: Pair) -> None:
    """Write a pair into the record as the counted pair."""
    partner = pair.partner
    state.partner = partner
    state.partner_cell = state.places[partner]
    state.low = pair.low
    state.high = pair.high
    state.distance = pair.distance
    state.color = pair.color
    state.safe = pair.safe
    state.effects[0] = card if card >= c.NUM_BASE else c.NO_CARD
    state.effects[1] = partner if partner >= c.NUM_BASE else c.NO_CARD
    state.again = card == c.PLAY_AGAIN or partner == c.PLAY_AGAIN


@kernel
def pair_at(state: State, card: int, cell: int, matches: Bits) -> Pair:
    """Return the counted pair of a card in a legal cell.

    Args:
        state: the table, or a `Knowledge`.
        card: the card to be added.
        cell: a legal cell for it.
        matches: from `board.fill_matches`.
    """
    pair = board.find_pair(state, card, cell, matches)
    partner, distance = int(state.cells[board.pair_cell(pair)]), board.pair_distance(pair)
    return Pair(
        partner,
        min(c.NUMBER[card], c.NUMBER[partner]),
        max(c.NUMBER[card], c.NUMBER[partner]),
        distance,
        color_of_pair(state, card, partner),
        is_safe(card, partner, distance),
    )


@kernel
def is_safe(card: int, partner: int, distance: int) -> bool:
    """Return whether a pair is a Safe Song."""
    lifted = card == c.SAFETY_RULE_DISABLE or partner == c.SAFETY_RULE_DISABLE
    return bool(distance > s.LONGEST and not lifted)


@kernel
def color_of_pair(state: State, card: int, partner: int) -> int:
    """Return the color of the cards that may be thrown as range cards, or `ANY_COLOR`.

    `WILDCARD_PAIR` takes on the color of the other card; wild purple allows any color.
    """
    any_color = card == c.THROW_OTHER_COLORS or partner == c.THROW_OTHER_COLORS
    if state.wildcard:
        any_color |= c.COLOR[card] == c.PURPLE or c.COLOR[partner] == c.PURPLE
    if any_color:
        return s.ANY_COLOR
    return int(c.COLOR[partner] if board.is_wild(state, card) else c.COLOR[card])


@kernel
def find_fits(state: State) -> None:
    """Write the cards that may be thrown at the counted pair into the record."""
    pair = Pair(
        int(state.partner), int(state.low), int(state.high), int(state.distance),
        int(state.color), bool(state.safe),
    )  # fmt: skip
    for word in range(WORDS):
        state.fits_range[word] = fits_range(state, pair, word)
        fits = fits_notes(state, pair, word)
        state.fits_notes[word] = fits & ~state.fits_range[word]


@kernel
def fits_range(state: State, pair: Pair, word: int) -> np.uint64:
    """Return one word of the set of cards that may be thrown at a pair as range cards.

    At a Safe Song that is only `WILDCARD_THROW`.
    """
    cards = c.BELOW[pair.high, word] & ~c.BELOW[pair.low + 1, word] & state.in_play[word]
    if pair.color != s.ANY_COLOR:
        colors = c.OF_COLOR[pair.color, word]
        if state.wildcard:
            colors |= c.OF_COLOR[c.PURPLE, word]
        cards &= colors
    if pair.safe:
        cards = NONE
    if word == c.NOTES_MATCH_FORBID >> 6:
        cards &= ~c.bit(c.NOTES_MATCH_FORBID & 63)
    if word == c.WILDCARD_THROW >> 6:
        cards |= state.in_play[word] & c.bit(c.WILDCARD_THROW & 63)
    return np.uint64(cards)


@kernel
def fits_notes(state: State, pair: Pair, word: int) -> np.uint64:
    """Return one word of the set of cards whose notes equal the distance; none at a Safe Song."""
    return NONE if pair.safe else np.uint64(c.OF_NOTES[pair.distance, word] & state.in_play[word])


@kernel
def fill_throws(state: State, player: int, cards: Bits) -> None:
    """Write the cards that a seat may throw now, given what it has thrown (``state.thrown``)."""
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
    """Find the next seat that can throw, in turn order, beginning with the current thrower.

    Returns:
        Whether a seat can throw; ``state.thrower`` is then that seat.
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
