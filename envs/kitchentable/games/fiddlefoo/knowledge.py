"""What a seat of Fiddlefoo knows, as a record; scripted players and action features read it.

`Knowledge` uses the field names of `state.State` for the same contents, so the rules of the map
work on both: `board.find_cells`, `board.put`, `board.lift`, `pairing.pair_at`, `pairing.fits_range`
and so on. Code that tries a change on the record must undo it.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.seats import place_of, seat_after
from kitchentable.core.state import NOBODY, Bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import fill_unseen, in_sight, sees_playable
from kitchentable.games.fiddlefoo.state import BLOCKS, MAX_PLAYERS, State

LOW, HIGH, DISTANCE, COLOR, SAFE = range(5)
"""Indices into a pair: its lower and higher number, its distance, its color or `ANY_COLOR`, and
whether it is a Safe Song. If there is no pair, the color is `NOWHERE` and the rest is 0."""


class Knowledge:
    """What a viewer knows; seats are counted from it, as seat 0."""

    # Parameters, and indices of actions.
    num_players: Annotated[int, np.int8]
    games: Annotated[int, np.int8]
    map_size: Annotated[int, np.int16]
    wildcard: Annotated[bool, np.bool_]
    cooperative: Annotated[bool, np.bool_]
    num_cards: Annotated[int, np.int16]
    at_throw: Annotated[int, np.int16]
    at_pass: Annotated[int, np.int16]
    at_pile: Annotated[int, np.int16]
    at_map: Annotated[int, np.int16]
    in_play: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    action_cards: Annotated[NDArray[np.int8], np.int8, (c.NUM_ACTIONS,)]
    action_places: Annotated[NDArray[np.int8], np.int8, (c.NUM_ACTIONS,)]
    # The map, in the forms that the rules need.
    on_map: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    boards: Annotated[NDArray[np.uint64], np.uint64, (c.NUM_COLORS + 1, BLOCKS)]
    places: Annotated[NDArray[np.int16], np.int16, (c.NUM_CARDS,)]
    cells: Annotated[NDArray[np.int8], np.int8, (s.NUM_CELLS,)]
    # Cards.
    hands: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS, WORDS)]
    """Cards that the viewer knows each seat to hold."""
    known: Annotated[NDArray[np.uint64], np.uint64, (MAX_PLAYERS, WORDS)]
    """Cards that all seats know each seat to hold."""
    sizes: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Number of cards in each hand."""
    deck_size: Annotated[int, np.int8]
    unseen: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Cards in the draw pile or hidden in a hand."""
    # The decision.
    phase: Annotated[int, np.int8]
    to_act: Annotated[int, np.int8]
    """The seat to act, or `NOBODY` when the game is over."""
    player: Annotated[int, np.int8]
    """The active seat, which adds the card and is thrown at; `NOBODY` when the game is over."""
    playable: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """Own cards that may be played; empty in other decisions and for other seats."""
    chosen: Annotated[int, np.int8]
    legal: Annotated[NDArray[np.uint64], np.uint64, (BLOCKS,)]
    """Legal cells while one is chosen for a card to be played, else empty."""
    fits_range: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    """During throws, else empty; so is the next one."""
    fits_notes: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    thrown: Annotated[int, np.int8]
    """During throws, `RANGE_CARDS` if the seat to act has thrown some; else `NOTHING`."""
    pair: Annotated[NDArray[np.int8], np.int8, (SAFE + 1,)]
    """The counted pair."""
    pair_cells: Annotated[NDArray[np.uint64], np.uint64, (BLOCKS,)]
    """The cells in which it was made."""
    # The game.
    blocked: Annotated[int, np.int8]
    starter: Annotated[int, np.int8]
    games_done: Annotated[int, np.int8]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    # Cooperative, else blank: the piles.
    on_piles: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    pile_tops: Annotated[NDArray[np.int8], np.int8, (c.NUM_COLORS,)]
    pile_notes: Annotated[NDArray[np.int8], np.int8, (c.NUM_COLORS,)]
    """Notes on each pile; more than `FULL_PILE` count as one more."""
    # Talkytoot, else blank.
    removed: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    received: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    swapped: Annotated[NDArray[np.uint64], np.uint64, (WORDS,)]
    last_added: Annotated[int, np.int8]
    turn: Annotated[int, np.int8]
    turn_color: Annotated[int, np.int8]
    again: Annotated[bool, np.bool_]
    num_effects: Annotated[int, np.int8]
    """Effects of the pair that have not been resolved yet."""
    removals: Annotated[int, np.int8]
    swaps: Annotated[int, np.int8]
    draws: Annotated[int, np.int8]
    """Cards that must still be drawn, at most `MOST_DRAWS`."""
    outer_player: Annotated[int, np.int8]
    """The active seat of the turn or play that this play interrupts, or `NOBODY`."""
    outer_thrower: Annotated[int, np.int8]
    """The seat that is asked to throw there, or `NOBODY`."""
    outer_pair: Annotated[NDArray[np.int8], np.int8, (SAFE + 1,)]
    """The counted pair there."""


@subroutine
def know(state: State, viewer: int, known: Knowledge) -> None:
    """Write what ``viewer`` knows into the record ``known``."""
    first = max(int(viewer), 0)
    _know_parameters(state, known)
    _know_map(state, known)
    _know_cards(state, viewer, first, known)
    _know_decision(state, viewer, first, known)
    _know_game(state, first, known)
    _know_talkytoot(state, first, known)


@kernel
def _know_parameters(state: State, known: Knowledge) -> None:
    known.num_players, known.games, known.map_size = state.num_players, state.games, state.map_size
    known.wildcard, known.cooperative = state.wildcard, state.cooperative
    known.num_cards, known.at_throw, known.at_pass = state.num_cards, state.at_throw, state.at_pass
    known.at_pile, known.at_map = state.at_pile, state.at_map
    c.copy(state.in_play, known.in_play)
    for i in range(c.NUM_ACTIONS):
        known.action_cards[i] = state.action_cards[i]
        known.action_places[i] = state.action_places[i]


@kernel
def _know_map(state: State, known: Knowledge) -> None:
    c.copy(state.on_map, known.on_map)
    for color in range(c.NUM_COLORS + 1):
        for block in range(BLOCKS):
            known.boards[color, block] = state.boards[color, block]
    for card in range(c.NUM_CARDS):
        known.places[card] = state.places[card]
    for cell in range(s.NUM_CELLS):
        known.cells[cell] = state.cells[cell]


@kernel
def _know_cards(state: State, viewer: int, first: int, known: Knowledge) -> None:
    for seat in range(state.num_players):
        player = seat_after(first, seat, state.num_players)
        known.sizes[seat] = c.count(state.hands[player])
        c.copy(state.known[player], known.known[seat])
        for word in range(WORDS):
            known.hands[seat, word] = in_sight(state, viewer, player, word)
    known.deck_size = state.deck_size
    fill_unseen(state, viewer, known.unseen)


@kernel
def _know_decision(state: State, viewer: int, first: int, known: Knowledge) -> None:
    seats, phase = state.num_players, state.phase
    known.phase, known.to_act, known.player = phase, NOBODY, NOBODY
    if phase != s.OVER:
        known.to_act = place_of(state.current_player, first, seats)
        known.player = place_of(state.player, first, seats)
    _tell(sees_playable(state, viewer), state.playable, known.playable)
    _tell(phase == s.THROW, state.fits_range, known.fits_range)
    _tell(phase == s.THROW, state.fits_notes, known.fits_notes)
    has_thrown = phase == s.THROW and state.thrown != s.NOTHING
    known.thrown = s.RANGE_CARDS if has_thrown else s.NOTHING
    known.chosen = state.chosen
    _tell(phase == s.CELL, state.legal, known.legal)
    known.pair_cells[:] = 0
    _write_pair(0, 0, 0, s.NOWHERE, False, known.pair)
    if state.card != c.NO_CARD:
        low, high, distance = state.low, state.high, state.distance
        _write_pair(low, high, distance, state.color, state.safe, known.pair)
        for cell in (int(state.cell), int(state.partner_cell)):
            known.pair_cells[cell >> 6] |= c.bit(cell & 63)


@kernel
def _know_game(state: State, first: int, known: Knowledge) -> None:
    known.blocked, known.games_done = state.blocked, state.games_done
    known.starter = place_of(state.starter, first, state.num_players)
    for seat in range(state.num_players):
        known.totals[seat] = state.totals[seat_after(first, seat, state.num_players)]
    c.copy(state.on_piles, known.on_piles)
    for color in range(c.NUM_COLORS):
        known.pile_tops[color] = state.pile_tops[color]
        known.pile_notes[color] = min(int(state.pile_notes[color]), s.FULL_PILE + 1)


@kernel
def _know_talkytoot(state: State, first: int, known: Knowledge) -> None:
    talkytoot = state.num_cards > c.NUM_BASE
    c.copy(state.removed, known.removed)
    _tell(talkytoot, state.received, known.received)
    _tell(state.swaps > 0, state.swapped, known.swapped)
    known.last_added = state.last_added if talkytoot else c.NO_CARD
    known.turn = place_of(state.turn, first, state.num_players) if talkytoot else NOBODY
    known.turn_color = state.turn_color if talkytoot else s.NOWHERE
    known.again, known.removals, known.swaps = state.again, state.removals, state.swaps
    known.draws = min(int(state.draws), s.MOST_DRAWS)
    known.num_effects = int(state.effects[0] != c.NO_CARD) + int(state.effects[1] != c.NO_CARD)
    known.outer_player, known.outer_thrower = NOBODY, NOBODY
    _write_pair(0, 0, 0, s.NOWHERE, False, known.outer_pair)
    if state.nested:
        _know_outer(state, first, known)


@kernel
def _know_outer(state: State, first: int, known: Knowledge) -> None:
    """Write the turn or play that the current play interrupts."""
    outer = state.outer
    known.outer_player = place_of(outer[s.OUTER_PLAYER], first, state.num_players)
    if outer[s.OUTER_STAGE] == s.THROWS:
        known.outer_thrower = place_of(outer[s.OUTER_THROWER], first, state.num_players)
    if outer[s.OUTER_CARD] != c.NO_CARD:
        low, high, distance = outer[s.OUTER_LOW], outer[s.OUTER_HIGH], outer[s.OUTER_DISTANCE]
        safe = outer[s.OUTER_SAFE] != 0
        _write_pair(low, high, distance, outer[s.OUTER_COLOR], safe, known.outer_pair)


@kernel
def _write_pair(low: int, high: int, distance: int, color: int, safe: bool, pair: Any) -> None:
    pair[LOW], pair[HIGH], pair[DISTANCE] = low, high, distance
    pair[COLOR], pair[SAFE] = color, safe


@kernel
def _tell(is_told: bool, bits: Bits, to: Bits) -> None:
    """Copy a set of cards or cells if the viewer is told of it, else clear the copy."""
    for word in range(to.shape[0]):
        to[word] = 0
        if is_told:
            to[word] = bits[word]


@kernel
def num_hidden(known: Knowledge, seat: int) -> int:
    """Return the number of cards in a hand that the viewer does not know."""
    return int(known.sizes[seat]) - c.count(known.hands[seat])
