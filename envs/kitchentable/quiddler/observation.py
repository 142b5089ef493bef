"""What one player may see of Quiddler, as a flat vector of numbers from 0 to 1.

Seats are counted from the viewer: 0 is the viewer, 1 the seat to its left, and so on. Cards are
told apart by their kind (31 of them, `cards.CARD_NAMES`), counts are shares of the copies in the
deck. Whether a laid word is valid shows nowhere before it is challenged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.game import NOBODY, FloatArray
from kitchentable.jit import kernel
from kitchentable.quiddler.cards import COPIES, NUM_CARDS, NUM_KINDS
from kitchentable.quiddler.melding import is_spelling
from kitchentable.quiddler.scoring import laid_points, longest_word, standing_words
from kitchentable.quiddler.solver import MAX_HELD, MAX_WORDS
from kitchentable.quiddler.state import (
    BY_ITSELF,
    MAX_HAND,
    MELD,
    OVER,
    SOURCE,
    UNCHALLENGED,
    UPHELD,
    Params,
    State,
)

SHARE = (1.0 / COPIES).astype(np.float32)
"""One card of a kind, of all its copies."""
POINTS_SPAN = 150
"""More points than a hand can have, before bonuses; and than it can lose."""
LEAD_SPAN = 60
"""Leads of this many points or more look alike in the part ``lead``."""
LETTERS_SPAN = 2 * MAX_HAND

CARD_PARTS = ("hand", "unseen", "pile", "pile_top", "recycled", "picked_up", "word", "worth")
"""The parts of the layout that are vectors over the 31 kinds."""


def layout(params: Params) -> dict[str, int]:
    """Name and length of each part, in order."""
    seats, longest = params.num_players, max(params.hand_sizes)
    parts = {
        "phase": OVER,  # one-hot: draw or take, meld and discard, challenge; none: over
        "to_act": seats,  # one-hot
        "hand": NUM_KINDS,  # own cards of each kind
        "unseen": NUM_KINDS,  # cards of each kind that may be in the draw pile or another's hand
        "pile": NUM_KINDS,  # cards of each kind in the discard pile
        "pile_top": NUM_KINDS,  # one-hot
        "recycled": NUM_KINDS,  # cards that the last reshuffle made the draw pile of
        "picked_up": (seats - 1) * NUM_KINDS,  # the others' cards seen to come from the pile
        "draw_pile": 1,  # cards in it, of 118
        "hand_sizes": seats,  # cards in each hand, of 11
        "words": 3 * seats,  # laid: how many of 5, letters of the longest of 20, points of 150
        "turns": seats,  # begun in this hand, of the most there can be
        "starter": seats,  # one-hot: who began this hand
        "out": seats,  # one-hot: who has gone out
        "last_turns": 1,  # last turns still to be finished, of the seats
        "hands": 3,  # hands finished, of all; whether this is the last; cards dealt, of 10
        "totals": seats,  # points, of 150 a hand
        "lead": seats - 1,  # how far each other seat is behind: 0.5 equal, 1 by 60 points or more
    }
    if params.meld == "auto":
        # To the seat to act: points of the best arrangement, 0.5 for none, 1 for 150: for each
        # kind discarded; were the top discard taken; then, whether all cards could be laid.
        return parts | {"worth": NUM_KINDS, "taking": 2}
    # Of the seat to act: the cards of the word being spelled, in order, one-hot each.
    parts |= {"word": longest * NUM_KINDS}
    if params.challenges:
        parts |= {
            "lost": seats,  # points lost by challenges in this hand, of 150
            "accused": seats,  # one-hot: whose words may be challenged
            "accused_words": longest * NUM_KINDS,  # its cards in order, one-hot each
            "word_starts": longest,  # 1 where one of them begins a word
            "verdicts": 2 * MAX_WORDS,  # of each of its words: upheld, rejected
        }
    return parts


def state_layout(params: Params) -> dict[str, int]:
    """Name and length of each part of the full state, in order."""
    parts = {f"player_0_{name}": size for name, size in layout(params).items()}
    return parts | {
        "all_hands": params.num_players * NUM_KINDS,  # cards of each kind, by seat
        "valid_words": params.num_players * MAX_WORDS,  # whether each word is in the lexicon
        "deck_order": NUM_CARDS,  # from the next card on, (kind + 1) / 31
    }


@kernel
def observe(state: State, viewer: int, out: FloatArray, *_: Any) -> None:
    """Write what seat ``viewer`` sees into ``out``, which is zero on entry."""
    _write(state, viewer, out)


@kernel
def observe_state(state: State, out: FloatArray, *_: Any) -> None:
    """Write the full state: what player_0 sees, all hands, and the draw pile in order."""
    at = _write(state, 0, out)
    for player in range(state.num_players):
        for kind in range(NUM_KINDS):
            out[at + kind] = state.hands[player, kind] * SHARE[kind]
        at += NUM_KINDS
    for player in range(state.num_players):
        for word in range(MAX_WORDS):
            out[at + word] = state.in_lexicon[player, word]
        at += MAX_WORDS
    for i in range(state.deck_size):
        out[at + i] = (state.deck[state.deck_size - 1 - i] + 1) / NUM_KINDS


@kernel
def _write(state: State, viewer: int, out: FloatArray) -> int:
    """Write all parts as ``viewer`` knows them."""
    seats = int(state.num_players)
    if state.phase != OVER:
        out[state.phase] = 1.0
        out[OVER + int(state.current_player - viewer) % seats] = 1.0
    at = _write_cards(state, viewer, out, OVER + seats)
    at = _write_seats(state, viewer, out, at)
    at = _write_scores(state, viewer, out, at)
    if state.meld == BY_ITSELF:
        return _write_worth(state, viewer, out, at)
    at = _write_word(state, out, at)
    return _write_challenge(state, viewer, out, at) if state.challenges else at


@kernel
def _write_cards(state: State, viewer: int, out: FloatArray, at: int) -> int:
    seats = int(state.num_players)
    for kind in range(NUM_KINDS):
        held = state.hands[viewer, kind]
        seen = held + state.pile_counts[kind]
        for i in range(1, seats):
            picked_up = state.picked_up[(viewer + i) % seats, kind]
            out[at + (4 + i) * NUM_KINDS + kind] = picked_up * SHARE[kind]
            seen += picked_up
        out[at + kind] = held * SHARE[kind]
        out[at + NUM_KINDS + kind] = (COPIES[kind] - seen) * SHARE[kind]
        out[at + 2 * NUM_KINDS + kind] = state.pile_counts[kind] * SHARE[kind]
        out[at + 4 * NUM_KINDS + kind] = state.recycled[kind] * SHARE[kind]
    for player in range(seats):
        for i in range(state.num_laid[player]):
            kind = int(state.laid[player, i])
            out[at + NUM_KINDS + kind] -= SHARE[kind]
    if state.pile_size > 0:
        out[at + 3 * NUM_KINDS + int(state.pile[state.pile_size - 1])] = 1.0
    at += (4 + seats) * NUM_KINDS
    out[at] = state.deck_size / NUM_CARDS
    return at + 1


@kernel
def _write_seats(state: State, viewer: int, out: FloatArray, at: int) -> int:
    seats = int(state.num_players)
    for i in range(seats):
        player = (viewer + i) % seats
        out[at + i] = _cards_in_hand(state, player) / MAX_HELD
        words = at + seats + 3 * i
        if state.num_words[player] > 0:
            out[words] = standing_words(state, player) / MAX_WORDS
            out[words + 1] = longest_word(state, player) / LETTERS_SPAN
            out[words + 2] = max(0, laid_points(state, player)) / POINTS_SPAN
        out[at + 4 * seats + i] = state.turns[player] / (state.max_turns + 1)
    at += 5 * seats
    out[at + int(state.dealer + 1 - viewer) % seats] = 1.0
    if state.out != NOBODY:
        out[at + seats + int(state.out - viewer) % seats] = 1.0
    out[at + 2 * seats] = state.last_turns / seats
    return at + 2 * seats + 1


@kernel
def _cards_in_hand(state: State, player: int) -> int:
    """Return how many cards a seat holds, which everybody can count."""
    if state.phase == OVER:
        return 0
    cards = int(state.hand_sizes[state.hands_done] - state.num_laid[player])
    if player == state.current_player and state.phase == MELD:
        cards += 1
    return cards


@kernel
def _write_scores(state: State, viewer: int, out: FloatArray, at: int) -> int:
    seats, hands = int(state.num_players), int(state.num_hands)
    out[at] = state.hands_done / hands
    if state.hands_done < hands:
        out[at + 1] = state.hands_done == hands - 1
        out[at + 2] = state.hand_sizes[state.hands_done] / MAX_HAND
    at += 3
    for i in range(seats):
        player = (viewer + i) % seats
        out[at + i] = state.totals[player] / (POINTS_SPAN * hands)
        if i > 0:
            lead = int(state.totals[viewer] - state.totals[player])
            lead = min(max(lead, -LEAD_SPAN), LEAD_SPAN)
            out[at + seats + i - 1] = 0.5 + lead / (2 * LEAD_SPAN)
    return at + 2 * seats - 1


@kernel
def _write_worth(state: State, viewer: int, out: FloatArray, at: int) -> int:
    if viewer == state.current_player and state.phase == MELD:
        for kind in range(NUM_KINDS):
            if state.hands[viewer, kind] > 0:
                out[at + kind] = 0.5 + state.worth[kind] / (2 * POINTS_SPAN)
    if viewer == state.current_player and state.phase == SOURCE:
        out[at + NUM_KINDS] = 0.5 + state.worth_of_taking / (2 * POINTS_SPAN)
        out[at + NUM_KINDS + 1] = state.out_by_taking
    return at + NUM_KINDS + 2


@kernel
def _write_word(state: State, out: FloatArray, at: int) -> int:
    if state.phase == MELD and is_spelling(state):
        player = state.current_player
        words = state.num_words[player]
        start = int(state.word_ends[player, words - 1]) if words > 0 else 0
        for i in range(start, state.num_laid[player]):
            out[at + (i - start) * NUM_KINDS + int(state.laid[player, i])] = 1.0
    return at + int(state.largest_hand) * NUM_KINDS


@kernel
def _write_challenge(state: State, viewer: int, out: FloatArray, at: int) -> int:
    seats, longest = int(state.num_players), int(state.largest_hand)
    for i in range(seats):
        out[at + i] = min(int(state.lost[(viewer + i) % seats]), POINTS_SPAN) / POINTS_SPAN
    at += seats
    starts = at + seats + longest * NUM_KINDS
    if state.accused != NOBODY:
        out[at + int(state.accused - viewer) % seats] = 1.0
        for i in range(state.num_laid[state.accused]):
            out[at + seats + i * NUM_KINDS + int(state.laid[state.accused, i])] = 1.0
        start = 0
        for word in range(state.num_words[state.accused]):
            out[starts + start] = 1.0
            start = int(state.word_ends[state.accused, word])
            verdict = state.verdicts[state.accused, word]
            if verdict != UNCHALLENGED:
                out[starts + longest + 2 * word + int(verdict != UPHELD)] = 1.0
    return starts + longest + 2 * MAX_WORDS
