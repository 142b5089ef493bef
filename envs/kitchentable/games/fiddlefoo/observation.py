"""The observation of a seat in Fiddlefoo, a flat vector of numbers from 0 to 1.

Seats are numbered from the viewer: 0 is the viewer, 1 the seat to its left, and so on. Sets of
cards have one entry for each card in play, in the order of ``deck``. The part ``map`` is an image:
planes of ``map_size`` rows and columns (`image_parts`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import lowest_bit, small
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.seats import place_of, seat_after
from kitchentable.core.state import FloatArray
from kitchentable.games.fiddlefoo import board
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import MINUS, fill_unseen, fits_pile, sees_playable
from kitchentable.games.fiddlefoo.state import BLOCKS, Params, State

SPAN = c.HIGHEST - 2
"""The largest range, and the largest distance."""
FEW = 4
"""Hands of up to this many cards are one-hot encoded too."""
SCORE_SPAN = 210
"""Points per game, counted from the lowest score, that the part ``totals`` has room for."""
PER_CELL = 1.0 / SPAN
PER_DISTANCE = 1.0 / (SPAN + 1)
NUMBER_SHARE = (c.NUMBER / c.HIGHEST).astype(np.float32)
NOTES_SHARE = (c.NOTES / c.MOST_NOTES).astype(np.float32)
LEAD_SPAN = 40
"""Leads of this many points or more are clipped in the part ``lead``."""

PLANES = (
    *("yellow", "red", "blue", "purple"),  # 1: a card of this color
    "number",  # of the card, of 16
    "notes",  # of the card, of 4
    "pair",  # 1: a card of the counted pair
    # While a cell is being chosen, in each legal cell, about the pair that the card would make:
    "partner",  # number on the other card, of 16
    "range",  # numbers between those of the two cards, of 14
    "distance",  # cells between the two cards plus one, of 15, so never 0 in a legal cell
)
"""The planes of the part ``map``. With Talkytoot one more plane, ``action``, holds (n + 1) / 21 for
the n-th action card of the rules page, counted from 0."""
CARD_PLANES, PAIR_PLANE, PARTNER_PLANE = c.NUM_COLORS, 6, 7
NUM_PLANES = len(PLANES)

CARD_PARTS = (
    "hand", "shown", "playable", "chosen", "known", "unseen", "fits_range", "fits_notes",
    "on_piles", "fits_piles", "removed", "received", "swapped", "last_added",
)  # fmt: skip
"""Parts of the layout made of one or more vectors with an entry for each card in play."""


def image_parts(params: Params) -> dict[str, tuple[int, int, int]]:
    """Return the shape of each image part: (planes, rows, columns)."""
    planes = NUM_PLANES + bool(params.talkytoot)
    return {"map": (planes, params.map_size, params.map_size)}


def observation_layout(params: Params) -> dict[str, int]:
    """Return the name and length of each part of the observation, in order."""
    seats, cards = params.num_players, len(s.deck(params))
    parts = {
        "map": (NUM_PLANES + bool(params.talkytoot)) * params.map_size**2,  # see PLANES
        "hand": cards,  # cards in the hand of the viewer
        "shown": cards,  # cards in the hand of the viewer that all seats know of
        "playable": cards,  # cards that the viewer may play, while it chooses one
        "chosen": cards,  # one-hot: the chosen card, about to be played, moved or swapped
        "known": (seats - 1) * cards,  # cards that each other seat is known to hold, seat by seat
        "unseen": cards,  # cards in the draw pile or hidden in another hand
        "fits_range": cards,  # during throws: cards that may be thrown as range cards
        "fits_notes": cards,  # during throws: cards that may be thrown only for their notes
        "phase": s.OVER,  # one-hot: the decision, in the order of `state.PHASES`; zero once over
        "to_act": seats,  # one-hot: the seat to act
        "active": seats,  # one-hot: the active seat, which adds the card and is thrown at
        "pair": 6 + c.NUM_COLORS,  # lower and higher number, of 16; range and distance, of 14;
        # whether Safe Song; one-hot: any color, then the color; zero while there is no pair
        "thrown": 1,  # during throws: whether the seat to act has already thrown a range card
        "hand_sizes": seats,  # cards in each hand, of the cards in play
        "few_cards": seats * FEW,  # one-hot for each seat: one to four cards in the hand
        "draw_pile": 2,  # cards in the draw pile, of the cards in play; whether it is empty
        "blocked": 1,  # consecutive turns without a play or a draw, of the number of seats
        "starter": seats,  # one-hot: the seat that began this game
        "hands_done": 2,  # finished games, of all games; whether this is the last one
        "totals": seats,  # points + 10 per game, of 210 per game; of a team: full piles, of all
        "lead": seats - 1,  # how far each other seat is behind: 0.5 level, 1 by 40 points or more
    }
    if params.cooperative:
        parts |= {
            "pile_tops": c.NUM_COLORS,  # the highest number on each pile, of 16
            "pile_notes": c.NUM_COLORS
            * (s.FULL_PILE + 2),  # one-hot for each pile: notes, 0 to 11 or more
            "on_piles": cards,  # cards on the piles
            "fits_piles": cards,  # cards that are higher than the top of their pile
        }
    if params.talkytoot:
        parts |= {
            "removed": cards,  # cards removed from the game
            "received": cards,  # cards received in this turn, which may not be thrown in it
            "swapped": cards,  # cards swapped by the current effect
            "last_added": cards,  # one-hot: the card that was last added to the map by a play
            "turn": seats,  # one-hot: the seat whose turn it is
            "turn_color": c.NUM_COLORS,  # one-hot: color of the first card played in this turn
            "to_come": 5,  # another play; pending effects of the pair, of 2; removals and swaps,
            # of 3 each; cards to be drawn, of 4, clipped
            "outer": 1,  # whether a turn or play is interrupted
            "outer_active": seats,  # one-hot: its active seat
            "outer_thrower": seats,  # one-hot: the seat that is asked to throw at it
            "outer_pair": 6 + c.NUM_COLORS,  # the pair of the interrupted play, encoded like "pair"
        }
    return parts


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of the parts of the full state after player_0's observation."""
    cards = len(s.deck(params))
    return {
        "hands": (params.num_players - 1) * cards,  # hands of the other seats, seat by seat
        "deck_order": cards,  # next card first, (index + 1) / cards
    }


@subroutine
def observe(state: State, viewer: int, out: FloatArray, *_: Any) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which must be zero on entry."""
    _write_map(state, out)
    _write_sets(state, viewer, out)
    _write_turn(state, viewer, out)
    _write_table(state, viewer, out)
    _write_scores(state, viewer, out)
    if state.cooperative:
        _write_piles(state, out)
    if state.num_cards > c.NUM_BASE:
        _write_talkytoot(state, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray, *_: Any) -> None:
    """Write the full state: the observation of player_0, all other hands, and the draw pile."""
    observe(state, 0, out)
    for player in range(1, state.num_players):
        at = state.at.hands + (player - 1) * state.num_cards
        s.write_cards(state, state.hands[player], out, at)
    for i in range(state.deck_size):
        card = int(state.deck[state.deck_size - 1 - i])
        out[state.at.deck_order + i] = (s.index_of(state, card) + 1) / state.num_cards


# --- The map --------------------------------------------------------------------------------------


@kernel
def _write_map(state: State, out: FloatArray) -> None:
    at, size = state.at.map, small(state.map_size)
    plane = size * size
    for block in range(BLOCKS):
        rest = state.boards[s.ALL_COLORS, block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            card = small(state.cells[cell])
            place = at + _in_plane(cell, size)
            out[small(c.COLOR[card]) * plane + place] = 1.0
            out[CARD_PLANES * plane + place] = NUMBER_SHARE[card]
            out[(CARD_PLANES + 1) * plane + place] = NOTES_SHARE[card]
            if card >= c.NUM_BASE:  # with Talkytoot
                out[NUM_PLANES * plane + place] = (card - c.NUM_BASE + 1) / c.NUM_ACTIONS
    if state.card != c.NO_CARD:
        for cell in (int(state.cell), int(state.partner_cell)):
            out[at + PAIR_PLANE * plane + _in_plane(cell, size)] = 1.0
    if state.phase == s.CELL:
        _write_pairs(state, out, size)


@kernel
def _in_plane(cell: int, size: int) -> int:
    """Return the index of a cell in a plane, row by row."""
    return (cell >> 4) * size + (cell & 15)


@kernel
def _write_pairs(state: State, out: FloatArray, size: int) -> None:
    """Write the pair that the chosen card would make in each legal cell."""
    card, plane = int(state.chosen), size * size
    partners = state.at.map + PARTNER_PLANE * plane
    matches = scratch_bits(BLOCKS)
    board.fill_matches(state, card, matches)
    for block in range(BLOCKS):
        rest = state.legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            pair = board.find_pair(state, card, cell, matches)
            place = partners + _in_plane(cell, size)
            out[place] = NUMBER_SHARE[small(state.cells[board.pair_cell(pair)])]
            out[place + plane] = board.pair_range(pair) * PER_CELL
            out[place + 2 * plane] = (board.pair_distance(pair) + 1) * PER_DISTANCE


# --- Cards ----------------------------------------------------------------------------------------


@kernel
def _write_sets(state: State, viewer: int, out: FloatArray) -> None:
    at, seats, cards = state.at, small(state.num_players), small(state.num_cards)
    unseen = scratch_bits(WORDS)
    fill_unseen(state, viewer, unseen)
    s.write_cards(state, unseen, out, at.unseen)
    s.write_cards(state, state.hands[viewer], out, at.hand)
    s.write_cards(state, state.known[viewer], out, at.shown)
    if sees_playable(state, viewer):
        s.write_cards(state, state.playable, out, at.playable)
    if state.chosen != c.NO_CARD:
        out[at.chosen + small(s.index_of(state, state.chosen))] = 1.0
    for i in range(1, seats):
        known = state.known[seat_after(viewer, i, seats)]
        s.write_cards(state, known, out, at.known + (i - 1) * cards)
    if state.phase == s.THROW:
        s.write_cards(state, state.fits_range, out, at.fits_range)
        s.write_cards(state, state.fits_notes, out, at.fits_notes)


# --- The decision ---------------------------------------------------------------------------------


@kernel
def _write_turn(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, small(state.num_players)
    if state.phase != s.OVER:
        out[at.phase + small(state.phase)] = 1.0
        out[at.to_act + small(place_of(state.current_player, viewer, seats))] = 1.0
        out[at.active + small(place_of(state.player, viewer, seats))] = 1.0
    if state.card != c.NO_CARD:
        low, high = int(state.low), int(state.high)
        _write_pair(low, high, int(state.distance), int(state.color), state.safe, out, at.pair)
    out[at.thrown] = state.phase == s.THROW and state.thrown != 0


@kernel
def _write_pair(
    low: int, high: int, distance: int, color: int, safe: bool, out: FloatArray, at: int
) -> None:
    out[at] = low / c.HIGHEST
    out[at + 1] = high / c.HIGHEST
    out[at + 2] = max(high - low - 1, 0) / SPAN
    out[at + 3] = distance / SPAN
    out[at + 4] = safe
    if color == s.ANY_COLOR:
        out[at + 5] = 1.0
    elif color != s.NOWHERE:
        out[at + 6 + color] = 1.0


@kernel
def _write_table(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, small(state.num_players)
    sizes, few = at.hand_sizes, at.few_cards
    for i in range(seats):
        size = c.count(state.hands[seat_after(viewer, i, seats)])
        out[sizes + i] = size / state.num_cards
        if 0 < size <= FEW:
            out[few + FEW * i + size - 1] = 1.0
    out[at.draw_pile] = state.deck_size / state.num_cards
    out[at.draw_pile + 1] = state.deck_size == 0
    out[at.blocked] = state.blocked / seats
    out[at.starter + small(place_of(state.starter, viewer, seats))] = 1.0
    out[at.hands_done] = state.games_done / state.games
    out[at.hands_done + 1] = state.games_done == state.games - 1


@kernel
def _write_scores(state: State, viewer: int, out: FloatArray) -> None:
    seats, games = small(state.num_players), small(state.games)
    totals, leads = state.at.totals, state.at.lead
    for i in range(seats):
        player = seat_after(viewer, i, seats)
        if state.cooperative:
            out[totals + i] = state.totals[player] / (c.NUM_COLORS * games)
        else:
            out[totals + i] = (state.totals[player] - MINUS * games) / (SCORE_SPAN * games)
        if i > 0:
            lead = int(state.totals[player] - state.totals[viewer])
            lead = min(max(lead, -LEAD_SPAN), LEAD_SPAN)
            out[leads + i - 1] = 0.5 + lead / (2 * LEAD_SPAN)


# --- Variants -------------------------------------------------------------------------------------


@kernel
def _write_piles(state: State, out: FloatArray) -> None:
    at = state.at
    for color in range(c.NUM_COLORS):
        notes = min(int(state.pile_notes[color]), s.FULL_PILE + 1)
        out[at.pile_tops + color] = state.pile_tops[color] / c.HIGHEST
        out[at.pile_notes + color * (s.FULL_PILE + 2) + notes] = 1.0
    s.write_cards(state, state.on_piles, out, at.on_piles)
    fits = at.fits_piles
    for index in range(state.num_cards):
        out[fits + index] = fits_pile(state, s.card_at(state, index))


@subroutine
def _write_talkytoot(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, small(state.num_players)
    s.write_cards(state, state.removed, out, at.removed)
    s.write_cards(state, state.received, out, at.received)
    if state.swaps > 0:
        s.write_cards(state, state.swapped, out, at.swapped)
    out[at.last_added + s.index_of(state, state.last_added)] = 1.0
    out[at.turn + small(place_of(state.turn, viewer, seats))] = 1.0
    if state.turn_color != s.NOWHERE:
        out[at.turn_color + int(state.turn_color)] = 1.0
    effects = int(state.effects[0] != c.NO_CARD) + int(state.effects[1] != c.NO_CARD)
    out[at.to_come] = state.again
    out[at.to_come + 1] = effects / 2
    out[at.to_come + 2] = state.removals / s.MOST_REMOVALS
    out[at.to_come + 3] = state.swaps / s.MOST_SWAPS
    out[at.to_come + 4] = min(int(state.draws), s.MOST_DRAWS) / s.MOST_DRAWS
    if state.nested:
        _write_outer(state, viewer, out)


@kernel
def _write_outer(state: State, viewer: int, out: FloatArray) -> None:
    """Write the turn or play that the current play interrupts."""
    seats, outer = small(state.num_players), state.outer
    out[state.at.outer] = 1.0
    out[state.at.outer_active + place_of(outer[s.OUTER_PLAYER], viewer, seats)] = 1.0
    if outer[s.OUTER_STAGE] == s.THROWS:
        out[state.at.outer_thrower + place_of(outer[s.OUTER_THROWER], viewer, seats)] = 1.0
    if outer[s.OUTER_CARD] != c.NO_CARD:
        low, high = int(outer[s.OUTER_LOW]), int(outer[s.OUTER_HIGH])
        distance, color = int(outer[s.OUTER_DISTANCE]), int(outer[s.OUTER_COLOR])
        safe = outer[s.OUTER_SAFE] != 0
        _write_pair(low, high, distance, color, safe, out, state.at.outer_pair)
