"""Observations of Diddly: what one seat may see, as a flat vector of numbers from 0 to 1.

Seats are counted from the viewer: 0 is the viewer, 1 the seat to its left, and so on. A card is
one-hot over the 15 kinds (`state.CARD_NAMES`); a card that the viewer does not know is all zeros.
"""

from __future__ import annotations

import numpy as np

from kitchentable.core.bits import small
from kitchentable.core.kernels import kernel
from kitchentable.core.seats import place_of, seat_after
from kitchentable.core.state import ALL_SEEING, NOBODY, FloatArray
from kitchentable.games.diddly.state import (
    COPIES,
    FROM_NOWHERE,
    MAX_FLIPS,
    MOST_POINTS,
    NO_CARD,
    NUM_CARDS,
    NUM_KINDS,
    OVER,
    SWAP,
    Params,
    State,
    is_known,
)

SHARE = (1.0 / COPIES).astype(np.float32)
"""One card as a fraction of its kind's copies in the real deck; exact, as powers of two are."""
LEAD_SPAN = 40
"""Lead in points at which the part ``lead`` saturates."""
PER_CARD = 1.0 / NUM_CARDS
PER_LEAD = 1.0 / (2 * LEAD_SPAN)

CARD_PARTS = ("cards", "unseen", "discards", "top_discard", "held", "deck_kinds")
"""The parts of the layout that consist of vectors over the 15 kinds."""


def observation_layout(params: Params) -> dict[str, int]:
    """Return the length of each part by name, in order."""
    seats, cards = params.num_players, params.cards
    return {
        "phase": OVER,  # one-hot: flip, peek, swap first, swap second, source, place; zeros: over
        "to_act": seats,  # one-hot: the current player
        "cards": seats * cards * NUM_KINDS,  # one-hot per card, seat by seat, slot by slot
        "face_up": seats * cards,  # 1 if the card lies face up
        "peeked": seats * cards,  # 1 if it lies face down and its owner has looked at it
        "unseen": NUM_KINDS,  # per kind: cards in the deck or unknown, of the real deck's copies
        "discards": NUM_KINDS,  # per kind: cards in the discard pile, of the real deck's copies
        "top_discard": NUM_KINDS,  # one-hot: the top card of the discard pile
        "held": NUM_KINDS,  # one-hot: the card obtained and not yet placed
        "source": 3,  # one-hot: source of the held card: deck, discard, recycling
        "swap_slot": cards,  # one-hot: the first slot of a Swap
        "abilities": 2 * MAX_FLIPS,  # set-up: abilities to come in order, one-hot each: peek, swap
        "flips_left": 1,  # set-up: flips left, of MAX_FLIPS
        "draw_pile": 1,  # cards in the deck, of NUM_CARDS
        "starter": seats,  # one-hot: the seat with the first turn of this round
        "closer": seats,  # one-hot: the seat whose cards were all face up first
        "turns": seats,  # turns finished in this round, of the turn limit
        "hands_done": 2,  # finished rounds, of all rounds; whether this is the last round
        "totals": seats,  # points, of MOST_POINTS per card and round
        "lead": seats - 1,  # lead over each other seat: 0.5 if equal, 1 for LEAD_SPAN or more
        "hand_scores": seats * params.rounds,  # points, of MOST_POINTS per card; 0 if unplayed
        "deck_kinds": NUM_KINDS,  # as ``discards``, for the deck after a reshuffle; before it 0
    }


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of each part of the full state by name, in order."""
    everything = {f"player_0_{name}": size for name, size in observation_layout(params).items()}
    return everything | {"deck_order": NUM_CARDS}  # next card first, (kind + 1) / 15


@kernel
def observe(state: State, viewer: int, out: FloatArray) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which is zero on entry."""
    _write(state, viewer, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray) -> None:
    """Write the full state: player_0's observation with all cards open, then the deck in order."""
    at = _write(state, 0, ALL_SEEING, out)
    for i in range(state.deck_size):
        out[at + i] = (state.deck[state.deck_size - 1 - i] + 1) / NUM_KINDS


@kernel
def _write(state: State, first: int, viewer: int, out: FloatArray) -> int:
    """Write all parts, with seats counted from ``first`` and the cards that ``viewer`` knows."""
    seats = small(state.num_players)
    if state.phase != OVER:
        out[small(state.phase)] = 1.0
        out[OVER + small(place_of(state.current_player, first, seats))] = 1.0
    boards = OVER + seats
    unseen = boards + seats * small(state.cards) * (NUM_KINDS + 2)
    at = _write_piles(state, out, unseen)
    _write_boards(state, first, viewer, out, boards, unseen)
    at = _write_decision(state, out, at)
    out[at] = state.deck_size * PER_CARD
    at = _write_seats(state, first, out, at + 1)
    at = _write_scores(state, first, out, at)
    return _write_deck_kinds(state, out, at)


@kernel
def _write_piles(state: State, out: FloatArray, at: int) -> int:
    """Write the discard pile, and into ``unseen`` all cards but those in the pile and in hand."""
    unseen, pile = at, at + NUM_KINDS
    for kind in range(NUM_KINDS):
        share = np.float32(state.pile_counts[kind]) * SHARE[kind]
        out[unseen + kind] = np.float32(state.copies[kind]) * SHARE[kind] - share
        out[pile + kind] = share
    if state.held != NO_CARD:
        out[unseen + small(state.held)] -= SHARE[small(state.held)]
    at = pile + NUM_KINDS
    if state.pile_size > 0:
        out[at + small(state.pile[small(state.pile_size) - 1])] = 1.0
    return at + NUM_KINDS


@kernel
def _write_boards(
    state: State, first: int, viewer: int, out: FloatArray, at: int, unseen: int
) -> None:
    """Write the boards, and subtract the known cards on them from ``unseen``."""
    seats, cards = small(state.num_players), small(state.cards)
    face_up = at + seats * cards * NUM_KINDS
    peeked = face_up + seats * cards
    player, place = small(first), 0
    for _ in range(seats):
        for slot in range(cards):
            # No branch, because it would be unpredictable: unknown cards write 0.
            known = np.float32(is_known(state, viewer, player, slot))
            kind = small(state.boards[player, slot])
            out[at + small(place) * NUM_KINDS + kind] = known
            out[unseen + kind] -= known * SHARE[kind]
            face = state.face_up[player, slot]
            out[face_up + small(place)] = face
            out[peeked + small(place)] = state.peeked[player, slot] & (1 - face)
            place += 1
        player = player + 1 if player + 1 < seats else 0


@kernel
def _write_decision(state: State, out: FloatArray, at: int) -> int:
    if state.held != NO_CARD:
        out[at + small(state.held)] = 1.0
    at += NUM_KINDS
    if state.source != FROM_NOWHERE:
        out[at + small(state.source) - 1] = 1.0
    at += 3
    if state.swap_slot != NOBODY:
        out[at + small(state.swap_slot)] = 1.0
    at += small(state.cards)
    for i in range(small(state.num_abilities)):
        out[at + 2 * i + int(state.abilities[i] == SWAP)] = 1.0
    at += 2 * MAX_FLIPS
    if state.seats_to_flip > 0:
        out[at] = state.flips_left / MAX_FLIPS
    return at + 1


@kernel
def _write_seats(state: State, first: int, out: FloatArray, at: int) -> int:
    seats = small(state.num_players)
    out[at + small(place_of(seat_after(state.dealer, 1, seats), first, seats))] = 1.0
    at += seats
    if state.closer != NOBODY:
        out[at + small(place_of(state.closer, first, seats))] = 1.0
    at += seats
    per_turn = 1.0 / state.turn_limit
    for i in range(seats):
        out[at + i] = state.turns[small(seat_after(first, i, seats))] * per_turn
    return at + seats


@kernel
def _write_scores(state: State, first: int, out: FloatArray, at: int) -> int:
    seats, rounds = small(state.num_players), small(state.rounds)
    per_round = 1.0 / rounds
    per_point = 1.0 / (MOST_POINTS * small(state.cards))
    per_total = 1.0 / (MOST_POINTS * small(state.cards) * rounds)
    out[at] = state.rounds_done * per_round
    out[at + 1] = state.rounds_done == rounds - 1
    at += 2
    place = at + 2 * seats - 1
    for i in range(seats):
        player = small(seat_after(first, i, seats))
        out[at + i] = state.totals[player] * per_total
        if i > 0:
            lead = int(state.totals[player] - state.totals[first])
            out[at + seats + i - 1] = 0.5 + min(max(lead, -LEAD_SPAN), LEAD_SPAN) * PER_LEAD
        for j in range(rounds):  # rounds to come stay 0
            out[place] = state.round_scores[player, j] * per_point
            place += 1
    return place


@kernel
def _write_deck_kinds(state: State, out: FloatArray, at: int) -> int:
    kinds = out[at : at + NUM_KINDS]
    if state.reshuffled:  # all seats saw which cards went in and which were drawn
        for i in range(state.deck_size):
            kinds[state.deck[i]] += SHARE[state.deck[i]]
    return at + NUM_KINDS
