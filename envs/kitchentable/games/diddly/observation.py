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


def part_shapes(params: Params) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the parts with an axis of cards or rounds for each seat."""
    seats, cards = params.num_players, params.cards
    boards = {"cards": (seats, cards, NUM_KINDS), "face_up": (seats, cards)}
    return boards | {"peeked": (seats, cards), "hand_scores": (seats, params.rounds)}


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of the parts of the full state after player_0's observation."""
    del params
    return {"deck_order": NUM_CARDS}  # next card first, (kind + 1) / 15


@kernel
def observe(state: State, viewer: int, out: FloatArray) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which is zero on entry."""
    _write(state, viewer, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray) -> None:
    """Write the full state: player_0's observation with all cards open, then the deck in order."""
    _write(state, 0, ALL_SEEING, out)
    for i in range(state.deck_size):
        out[state.at.deck_order + i] = (state.deck[state.deck_size - 1 - i] + 1) / NUM_KINDS


@kernel
def _write(state: State, first: int, viewer: int, out: FloatArray) -> None:
    """Write all parts, with seats counted from ``first`` and the cards that ``viewer`` knows."""
    _write_piles(state, out)
    _write_boards(state, first, viewer, out)
    _write_decision(state, first, out)
    _write_seats(state, first, out)
    _write_scores(state, first, out)


@kernel
def _write_piles(state: State, out: FloatArray) -> None:
    """Write the piles, and into ``unseen`` all cards but those in the discard pile and in hand."""
    unseen, discards, at = state.at.unseen, state.at.discards, state.at
    for kind in range(NUM_KINDS):
        share = np.float32(state.pile_counts[kind]) * SHARE[kind]
        out[unseen + kind] = np.float32(state.copies[kind]) * SHARE[kind] - share
        out[discards + kind] = share
    if state.held != NO_CARD:
        out[unseen + small(state.held)] -= SHARE[small(state.held)]
        out[at.held + small(state.held)] = 1.0
    if state.pile_size > 0:
        out[at.top_discard + small(state.pile[small(state.pile_size) - 1])] = 1.0
    out[at.draw_pile] = state.deck_size * PER_CARD
    kinds = out[at.deck_kinds : at.deck_kinds + NUM_KINDS]
    if state.reshuffled:  # all seats saw which cards went in and which were drawn
        for i in range(state.deck_size):
            kinds[state.deck[i]] += SHARE[state.deck[i]]


@kernel
def _write_boards(state: State, first: int, viewer: int, out: FloatArray) -> None:
    """Write the boards, and subtract the known cards on them from ``unseen``."""
    seats, slots = small(state.num_players), small(state.cards)
    cards, unseen = state.at.cards, state.at.unseen
    face_up, peeked = state.at.face_up, state.at.peeked
    player, place = small(first), 0
    for _ in range(seats):
        for slot in range(slots):
            # No branch, because it would be unpredictable: unknown cards write 0.
            known = np.float32(is_known(state, viewer, player, slot))
            kind = small(state.boards[player, slot])
            out[cards + small(place) * NUM_KINDS + kind] = known
            out[unseen + kind] -= known * SHARE[kind]
            face = state.face_up[player, slot]
            out[face_up + small(place)] = face
            out[peeked + small(place)] = state.peeked[player, slot] & (1 - face)
            place += 1
        player = player + 1 if player + 1 < seats else 0


@kernel
def _write_decision(state: State, first: int, out: FloatArray) -> None:
    at = state.at
    if state.phase != OVER:
        out[at.phase + small(state.phase)] = 1.0
        out[at.to_act + small(place_of(state.current_player, first, state.num_players))] = 1.0
    if state.source != FROM_NOWHERE:
        out[at.source + small(state.source) - 1] = 1.0
    if state.swap_slot != NOBODY:
        out[at.swap_slot + small(state.swap_slot)] = 1.0
    for i in range(small(state.num_abilities)):
        out[at.abilities + 2 * i + int(state.abilities[i] == SWAP)] = 1.0
    if state.seats_to_flip > 0:
        out[at.flips_left] = state.flips_left / MAX_FLIPS


@kernel
def _write_seats(state: State, first: int, out: FloatArray) -> None:
    at, seats = state.at, small(state.num_players)
    out[at.starter + small(place_of(seat_after(state.dealer, 1, seats), first, seats))] = 1.0
    if state.closer != NOBODY:
        out[at.closer + small(place_of(state.closer, first, seats))] = 1.0
    turns, per_turn = at.turns, 1.0 / state.turn_limit
    for i in range(seats):
        out[turns + i] = state.turns[small(seat_after(first, i, seats))] * per_turn


@kernel
def _write_scores(state: State, first: int, out: FloatArray) -> None:
    at, seats, rounds = state.at, small(state.num_players), small(state.rounds)
    per_point = 1.0 / (MOST_POINTS * small(state.cards))
    per_total = 1.0 / (MOST_POINTS * small(state.cards) * rounds)
    out[at.hands_done] = state.rounds_done * (1.0 / rounds)
    out[at.hands_done + 1] = state.rounds_done == rounds - 1
    totals, leads, place = at.totals, at.lead, at.hand_scores
    for i in range(seats):
        player = small(seat_after(first, i, seats))
        out[totals + i] = state.totals[player] * per_total
        if i > 0:
            lead = int(state.totals[player] - state.totals[first])
            out[leads + i - 1] = 0.5 + min(max(lead, -LEAD_SPAN), LEAD_SPAN) * PER_LEAD
        for j in range(rounds):  # rounds to come stay 0
            out[place + j] = state.round_scores[player, j] * per_point
        place += rounds
