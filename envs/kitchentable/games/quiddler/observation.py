"""The observation of a seat in Quiddler, a flat vector of numbers from 0 to 1.

Seats are numbered from the viewer: 0 is the viewer, 1 the seat to its left, and so on. Sets of
cards have one entry for each of the 31 kinds (`cards.CARD_NAMES`), and counts are divided by the
copies in the real deck. Nothing shows whether a laid word is valid before it is challenged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.seats import place_of, seat_after
from kitchentable.core.state import NOBODY, FloatArray
from kitchentable.games.quiddler.cards import COPIES, LETTERS, MAX_HAND, NUM_CARDS, NUM_KINDS
from kitchentable.games.quiddler.melding import best_worth, can_lay_all_but, is_spelling
from kitchentable.games.quiddler.piles import cards_in_hand
from kitchentable.games.quiddler.scoring import (
    laid_points,
    longest_word,
    standing_words,
    word_start,
)
from kitchentable.games.quiddler.state import (
    BY_ITSELF,
    MELD,
    OVER,
    SOURCE,
    UNCHALLENGED,
    UPHELD,
    Params,
    State,
)
from kitchentable.games.quiddler.words.solver import MAX_HELD, MAX_WORDS, Cards

SHARE = (1.0 / COPIES).astype(np.float32)
"""The entry for one card of each kind: 1 / copies; float32, shape (31,)."""
POINTS_SPAN = 150
"""Upper bound of the points that a hand can win before bonuses, or lose."""
LEAD_SPAN = 60
"""Leads of this many points or more are clipped in the part ``lead``."""
GAIN_SPAN = 50
"""Gains and losses of this many points or more are clipped in ``worth`` and ``taking``."""
LETTERS_SPAN = MAX_HAND * int(LETTERS.max())
"""Letters in the longest possible word."""

CARD_PARTS = (
    "hand",
    "unseen",
    "discards",
    "top_discard",
    "recycled",
    "picked_up",
    "word",
    "accused_words",
    "worth",
    "out_without",
)
"""Parts of the layout made of one or more vectors with an entry for each of the 31 kinds."""


def observation_layout(params: Params) -> dict[str, int]:
    """Return the name and length of each part of the observation, in order.

    The parts that only automatic melds add are all zero unless the viewer is to act.
    """
    seats, longest = params.num_players, max(params.hand_sizes)
    parts = {
        "phase": OVER,  # one-hot: draw or take, meld and discard, challenge; all zero: game over
        "to_act": seats,  # one-hot: the seat to act
        "hand": NUM_KINDS,  # the viewer's cards of each kind
        "unseen": NUM_KINDS,  # cards of each kind in the draw pile or hidden in other hands
        "discards": NUM_KINDS,  # cards of each kind in the discard pile
        "top_discard": NUM_KINDS,  # one-hot: the top card of the discard pile
        "recycled": NUM_KINDS,  # cards of each kind in the last reshuffle of this hand
        "picked_up": (seats - 1) * NUM_KINDS,  # known cards in other hands, taken from the pile
        "draw_pile": 1,  # cards in the draw pile, of 118
        "hand_sizes": seats,  # cards in each hand, of 11
        "words": 3 * seats,  # words laid, of 5; letters of the longest, of 20; points, of 150
        "turns": seats,  # turns begun in this hand, of max_turns + 1
        "starter": seats,  # one-hot: the seat that began this hand
        "out": seats,  # one-hot: the seat that has gone out, if any
        "last_turns": 1,  # last turns left, of the number of seats
        "hands_done": 3,  # finished hands, of all; whether this is the last; cards dealt, of 10
        "totals": seats,  # total points, of 150 per hand
        "lead": seats - 1,  # lead over each other seat: 0.5 for none, 1 for 60 points or more
    }
    if params.meld == "auto":
        return parts | {
            "worth": NUM_KINDS,  # 1 minus the points lost against the best discard, of 50
            "out_without": NUM_KINDS,  # whether all other cards can be laid, by discarded kind
            "best": 1,  # points of the best arrangement: 0.5 for 0, 1 for 150
            "taking": 2,  # points that the top discard adds, of 50; whether all can be laid then
        }
    parts |= {"word": longest * NUM_KINDS}  # the word being spelled by the seat to act: its cards
    # in order, one-hot each
    if params.challenges:
        parts |= {
            "lost": seats,  # points lost by challenges in this hand, of 150
            "accused": seats,  # one-hot: the seat whose words may be challenged
            "accused_words": longest * NUM_KINDS,  # its laid cards in order, one-hot each
            "word_starts": longest,  # 1 where one of these cards begins a word
            "verdicts": 2 * MAX_WORDS,  # for each of its words: upheld, rejected
        }
    return parts


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of the parts of the full state after player_0's observation."""
    return {
        "hands": params.num_players * NUM_KINDS,  # cards of each kind, by seat
        "valid_words": params.num_players * MAX_WORDS,  # whether each word is in the lexicon
        "deck_order": NUM_CARDS,  # the draw pile from the next card on: (kind + 1) / 31
    }


@kernel
def observe(state: State, viewer: int, out: FloatArray, *_: Any) -> None:
    """Write the observation of seat ``viewer`` into ``out``, which is zero on entry."""
    _write(state, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray, *_: Any) -> None:
    """Write the full state: player_0's observation, all hands, valid words, the draw pile."""
    at = state.at
    _write(state, 0, out)
    for player in range(state.num_players):
        for kind in range(NUM_KINDS):
            out[at.hands + player * NUM_KINDS + kind] = state.hands[player, kind] * SHARE[kind]
        for word in range(MAX_WORDS):
            out[at.valid_words + player * MAX_WORDS + word] = state.in_lexicon[player, word]
    for i in range(state.deck_size):
        out[at.deck_order + i] = (state.deck[state.deck_size - 1 - i] + 1) / NUM_KINDS


@kernel
def _write(state: State, viewer: int, out: FloatArray) -> None:
    """Write all parts of the observation of ``viewer``."""
    if state.phase != OVER:
        out[state.at.phase + state.phase] = 1.0
        out[state.at.to_act + place_of(state.current_player, viewer, state.num_players)] = 1.0
    _write_cards(state, viewer, out)
    _write_seats(state, viewer, out)
    _write_scores(state, viewer, out)
    if state.meld == BY_ITSELF:
        _write_worth(state, viewer, out)
    else:
        _write_word(state, out)
    if state.challenges:
        _write_challenge(state, viewer, out)


@kernel
def _write_cards(state: State, viewer: int, out: FloatArray) -> None:
    """Write the parts over kinds one after another, in plain loops that LLVM vectorizes."""
    at, seats, hand = state.at, int(state.num_players), state.hands[viewer]
    unseen = scratch_ints(NUM_KINDS)
    for kind in range(NUM_KINDS):
        unseen[kind] = state.copies[kind] - hand[kind] - state.pile_counts[kind]
    _write_share(hand, out[at.hand : at.hand + NUM_KINDS])
    _write_share(state.pile_counts, out[at.discards : at.discards + NUM_KINDS])
    if state.pile_size > 0:
        out[at.top_discard + int(state.pile[state.pile_size - 1])] = 1.0
    if state.reshuffled:
        _write_share(state.recycled, out[at.recycled : at.recycled + NUM_KINDS])
    player, place = viewer, at.picked_up
    for i in range(seats):
        if i > 0:
            picked_up = state.picked_up[player]
            _write_share(picked_up, out[place : place + NUM_KINDS])
            for kind in range(NUM_KINDS):
                unseen[kind] -= picked_up[kind]
            place += NUM_KINDS
        for j in range(state.num_laid[player]):
            unseen[state.laid[player, j]] -= 1
        player = player + 1 if player + 1 < seats else 0
    _write_share(unseen, out[at.unseen : at.unseen + NUM_KINDS])
    out[at.draw_pile] = state.deck_size / NUM_CARDS


@kernel
def _write_share(counts: Cards, out: FloatArray) -> None:
    for kind in range(NUM_KINDS):
        out[kind] = np.float32(counts[kind]) * SHARE[kind]


@kernel
def _write_seats(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, int(state.num_players)
    for i in range(seats):
        player = seat_after(viewer, i, seats)
        out[at.hand_sizes + i] = cards_in_hand(state, player) / MAX_HELD
        if state.num_words[player] > 0:
            words = at.words + 3 * i
            out[words] = standing_words(state, player) / MAX_WORDS
            out[words + 1] = longest_word(state, player) / LETTERS_SPAN
            out[words + 2] = max(0, laid_points(state, player)) / POINTS_SPAN
        out[at.turns + i] = state.turns[player] / (state.max_turns + 1)
    out[at.starter + place_of(seat_after(state.dealer, 1, seats), viewer, seats)] = 1.0
    if state.out != NOBODY:
        out[at.out + place_of(state.out, viewer, seats)] = 1.0
    out[at.last_turns] = state.last_turns / seats


@kernel
def _write_scores(state: State, viewer: int, out: FloatArray) -> None:
    at, seats, hands = state.at, int(state.num_players), int(state.num_hands)
    out[at.hands_done] = state.hands_done / hands
    if state.hands_done < hands:
        out[at.hands_done + 1] = state.hands_done == hands - 1
        out[at.hands_done + 2] = state.hand_sizes[state.hands_done] / MAX_HAND
    for i in range(seats):
        player = seat_after(viewer, i, seats)
        out[at.totals + i] = state.totals[player] / (POINTS_SPAN * hands)
        if i > 0:
            lead = int(state.totals[viewer] - state.totals[player])
            lead = min(max(lead, -LEAD_SPAN), LEAD_SPAN)
            out[at.lead + i - 1] = 0.5 + lead / (2 * LEAD_SPAN)


@kernel
def _write_worth(state: State, viewer: int, out: FloatArray) -> None:
    at = state.at
    if viewer == state.current_player and state.phase == MELD:
        best = best_worth(state)
        for kind in range(NUM_KINDS):
            if state.hands[viewer, kind] > 0:
                out[at.worth + kind] = max(0.0, 1.0 - (best - state.worth[kind]) / GAIN_SPAN)
                out[at.out_without + kind] = can_lay_all_but(state, kind)
        out[at.best] = 0.5 + best / (2 * POINTS_SPAN)
    if viewer == state.current_player and state.phase == SOURCE:
        gain = int(state.worth_of_taking - state.worth_of_hand)
        out[at.best] = 0.5 + state.worth_of_hand / (2 * POINTS_SPAN)
        out[at.taking] = min(max(gain, 0), GAIN_SPAN) / GAIN_SPAN
        out[at.taking + 1] = state.out_by_taking


@kernel
def _write_word(state: State, out: FloatArray) -> None:
    if state.phase == MELD and is_spelling(state):
        player = state.current_player
        start = word_start(state, player, state.num_words[player])
        for i in range(start, state.num_laid[player]):
            out[state.at.word + (i - start) * NUM_KINDS + int(state.laid[player, i])] = 1.0


@kernel
def _write_challenge(state: State, viewer: int, out: FloatArray) -> None:
    at, seats = state.at, int(state.num_players)
    for i in range(seats):
        lost = min(int(state.lost[seat_after(viewer, i, seats)]), POINTS_SPAN)
        out[at.lost + i] = lost / POINTS_SPAN
    if state.accused != NOBODY:
        out[at.accused + place_of(state.accused, viewer, seats)] = 1.0
        for i in range(state.num_laid[state.accused]):
            out[at.accused_words + i * NUM_KINDS + int(state.laid[state.accused, i])] = 1.0
        start = 0
        for word in range(state.num_words[state.accused]):
            out[at.word_starts + start] = 1.0
            start = int(state.word_ends[state.accused, word])
            verdict = state.verdicts[state.accused, word]
            if verdict != UNCHALLENGED:
                out[at.verdicts + 2 * word + int(verdict != UPHELD)] = 1.0
