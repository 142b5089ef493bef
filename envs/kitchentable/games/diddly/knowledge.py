"""What a seat of Diddly knows, as a record; scripted players and action features read it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.seats import place_or_nobody, seat_after
from kitchentable.core.state import NOBODY
from kitchentable.games.diddly.state import (
    MAX_CARDS,
    MAX_FLIPS,
    MAX_PLAYERS,
    MAX_ROUNDS,
    NO_CARD,
    NUM_KINDS,
    OVER,
    UNKNOWN,
    State,
    is_known,
)


class Knowledge:
    """What a seat knows; seats are counted from it, as seat 0."""

    # Parameters.
    num_players: Annotated[int, np.int8]
    cards: Annotated[int, np.int8]
    rounds: Annotated[int, np.int8]
    turn_limit: Annotated[int, np.int16]
    # The table.
    boards: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_CARDS)]
    """Kinds or `UNKNOWN`, by seat and slot."""
    face_up: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_CARDS)]
    peeked: Annotated[NDArray[np.uint8], np.uint8, (MAX_PLAYERS, MAX_CARDS)]
    """Whether a card lies face down and its owner has looked at it."""
    unseen: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind in the deck or unknown on a board."""
    pile_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    deck_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind in the deck after a reshuffle; before it 0."""
    deck_size: Annotated[int, np.int8]
    top: Annotated[int, np.int8]
    """The kind of the top discard, or `NO_CARD`."""
    starter: Annotated[int, np.int8]
    """The seat with the first turn of this round."""
    closer: Annotated[int, np.int8]
    turns: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    # The decision.
    phase: Annotated[int, np.int8]
    to_act: Annotated[int, np.int8]
    """The seat to act, or `NOBODY` when the game is over."""
    flips_left: Annotated[int, np.int8]
    """0 after the set-up."""
    abilities: Annotated[NDArray[np.int8], np.int8, (MAX_FLIPS,)]
    """Peeks and Swaps flipped in the set-up and not yet started, in order, then `NO_CARD`."""
    held: Annotated[int, np.int8]
    source: Annotated[int, np.int8]
    swap_slot: Annotated[int, np.int8]
    # The score.
    rounds_done: Annotated[int, np.int8]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    round_scores: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, MAX_ROUNDS)]


@kernel
def know(state: State, viewer: int, known: Knowledge) -> None:
    """Write what ``viewer`` knows into the record ``known``."""
    seats, first = int(state.num_players), max(int(viewer), 0)
    known.num_players, known.cards = state.num_players, state.cards
    known.rounds, known.turn_limit = state.rounds, state.turn_limit
    known.phase = state.phase
    known.to_act = place_or_nobody(
        state.current_player if state.phase != OVER else NOBODY, first, seats
    )
    _know_piles(state, known)
    _know_boards(state, first, viewer, known)
    known.starter = place_or_nobody(seat_after(state.dealer, 1, seats), first, seats)
    known.closer = place_or_nobody(state.closer, first, seats)
    known.flips_left = state.flips_left if state.seats_to_flip > 0 else 0
    for i in range(MAX_FLIPS):
        known.abilities[i] = state.abilities[i] if i < state.num_abilities else NO_CARD
    known.held, known.source, known.swap_slot = state.held, state.source, state.swap_slot
    known.rounds_done = state.rounds_done
    for seat in range(seats):
        player = seat_after(first, seat, seats)
        known.turns[seat] = state.turns[player]
        known.totals[seat] = state.totals[player]
        for i in range(state.rounds):
            known.round_scores[seat, i] = state.round_scores[player, i]


@kernel
def _know_piles(state: State, known: Knowledge) -> None:
    """Write the piles, and into ``unseen`` all cards but those in the discard pile and in hand."""
    for kind in range(NUM_KINDS):
        known.pile_counts[kind] = state.pile_counts[kind]
        known.unseen[kind] = state.copies[kind] - state.pile_counts[kind]
        known.deck_counts[kind] = 0
    if state.held != NO_CARD:
        known.unseen[state.held] -= 1
    known.deck_size = state.deck_size
    known.top = state.pile[state.pile_size - 1] if state.pile_size > 0 else NO_CARD
    if state.reshuffled:  # all seats saw which cards went in and which were drawn
        for i in range(state.deck_size):
            known.deck_counts[state.deck[i]] += 1


@kernel
def _know_boards(state: State, first: int, viewer: int, known: Knowledge) -> None:
    seats = int(state.num_players)
    for seat in range(seats):
        player = seat_after(first, seat, seats)
        for slot in range(state.cards):
            kind = UNKNOWN
            if is_known(state, viewer, player, slot):
                kind = int(state.boards[player, slot])
                known.unseen[kind] -= 1
            face = state.face_up[player, slot]
            known.boards[seat, slot] = kind
            known.face_up[seat, slot] = face
            known.peeked[seat, slot] = state.peeked[player, slot] & (1 - face)
