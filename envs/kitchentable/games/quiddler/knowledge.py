"""What a seat of Quiddler knows, as a record; scripted players and action features read it."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.seats import place_or_nobody, seat_after
from kitchentable.core.state import NOBODY
from kitchentable.games.quiddler.cards import MAX_HAND, NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.melding import best_worth, can_lay_all_but, is_spelling
from kitchentable.games.quiddler.observation import GAIN_SPAN, POINTS_SPAN
from kitchentable.games.quiddler.piles import cards_in_hand, sees_hand
from kitchentable.games.quiddler.scoring import (
    laid_points,
    longest_word,
    standing_words,
    word_start,
)
from kitchentable.games.quiddler.state import (
    BY_ITSELF,
    MAX_PLAYERS,
    MELD,
    OVER,
    SOURCE,
    UNCHALLENGED,
    State,
)
from kitchentable.games.quiddler.words.solver import MAX_WORDS


class Knowledge:
    """What a seat knows; seats are counted from it, as seat 0."""

    # Parameters.
    num_players: Annotated[int, np.int8]
    num_hands: Annotated[int, np.int8]
    meld: Annotated[int, np.int8]
    two_player_bonus: Annotated[int, np.int8]
    challenges: Annotated[bool, np.bool_]
    forbid_returning_discard: Annotated[bool, np.bool_]
    max_turns: Annotated[int, np.int16]
    # The cards.
    hands: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS, NUM_KINDS)]
    """Cards of each kind that are known to be in each hand: of other seats those picked up."""
    unseen: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind in the draw pile or hidden in hands."""
    pile_counts: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    recycled: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind in the last reshuffle of this hand."""
    top: Annotated[int, np.int8]
    """The kind on top of the discard pile, or `NO_CARD`."""
    deck_size: Annotated[int, np.int8]
    # The seats.
    num_cards: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Cards in each hand."""
    words: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Finished words of each seat that are not rejected."""
    longest: Annotated[NDArray[np.int8], np.int8, (MAX_PLAYERS,)]
    """Letters in the longest of them."""
    points: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Points of all finished words, at least 0; rejected words are subtracted."""
    turns: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    totals: Annotated[NDArray[np.int32], np.int32, (MAX_PLAYERS,)]
    starter: Annotated[int, np.int8]
    """The seat that began this hand."""
    out: Annotated[int, np.int8]
    # The decision.
    phase: Annotated[int, np.int8]
    to_act: Annotated[int, np.int8]
    """The seat to act, or `NOBODY` when the game is over."""
    last_turns: Annotated[int, np.int8]
    hands_done: Annotated[int, np.int8]
    dealt: Annotated[int, np.int8]
    """Cards dealt to each seat in this hand; 0 when the game is over."""
    word: Annotated[NDArray[np.int8], np.int8, (MAX_HAND,)]
    """Kinds of the word being spelled in order, then `NO_CARD`."""
    # With ``meld="auto"``, what is computed for the seat to act if its hand is seen, else 0.
    worth: Annotated[NDArray[np.int16], np.int16, (NUM_KINDS,)]
    """Points of the best arrangement by discarded kind, at most `GAIN_SPAN` below the best one."""
    out_without: Annotated[int, np.uint32]
    """The set of kinds without one card of which words use up the hand: bit k is kind k."""
    worth_of_hand: Annotated[int, np.int16]
    worth_of_taking: Annotated[int, np.int16]
    """From ``worth_of_hand`` to `GAIN_SPAN` more."""
    out_by_taking: Annotated[bool, np.bool_]
    # With challenges.
    lost: Annotated[NDArray[np.int16], np.int16, (MAX_PLAYERS,)]
    """Points lost by challenges in this hand, at most `POINTS_SPAN`."""
    accused: Annotated[int, np.int8]
    accused_words: Annotated[NDArray[np.int8], np.int8, (MAX_HAND,)]
    """Kinds laid by that seat in order, then `NO_CARD`."""
    word_starts: Annotated[int, np.uint16]
    """The set of those that begin a word: bit i is ``accused_words[i]``."""
    verdicts: Annotated[NDArray[np.int8], np.int8, (MAX_WORDS,)]
    """The verdict on each of its words; `UNCHALLENGED` also stands for no word."""


@kernel
def know(state: State, viewer: int, known: Knowledge, *_: Any) -> None:
    """Write what ``viewer`` knows into the record ``known``."""
    seats, first = int(state.num_players), max(int(viewer), 0)
    known.num_players, known.num_hands = state.num_players, state.num_hands
    known.meld, known.challenges = state.meld, state.challenges
    known.two_player_bonus = state.two_player_bonus
    known.forbid_returning_discard = state.forbid_returning_discard
    known.max_turns = state.max_turns
    known.phase, known.last_turns = state.phase, state.last_turns
    mover = state.current_player if state.phase != OVER else NOBODY
    known.to_act = place_or_nobody(mover, first, seats)
    known.starter = place_or_nobody(seat_after(state.dealer, 1, seats), first, seats)
    known.out = place_or_nobody(state.out, first, seats)
    known.hands_done = state.hands_done
    known.dealt = state.hand_sizes[state.hands_done] if state.hands_done < state.num_hands else 0
    _know_cards(state, viewer, known)
    for seat in range(seats):
        player = seat_after(first, seat, seats)
        known.num_cards[seat] = cards_in_hand(state, player)
        known.words[seat] = standing_words(state, player)
        known.longest[seat] = longest_word(state, player)
        known.points[seat] = max(laid_points(state, player), 0)
        known.turns[seat] = state.turns[player]
        known.totals[seat] = state.totals[player]
        known.lost[seat] = min(int(state.lost[player]), POINTS_SPAN) if state.challenges else 0
    _know_word(state, known)
    _know_worth(state, viewer, known)
    _know_accused(state, first, known)


@kernel
def _know_cards(state: State, viewer: int, known: Knowledge) -> None:
    """Write the piles and hands, and into ``unseen`` all cards but those known there or laid."""
    seats, first = int(state.num_players), max(int(viewer), 0)
    known.deck_size = state.deck_size
    known.top = state.pile[state.pile_size - 1] if state.pile_size > 0 else NO_CARD
    for kind in range(NUM_KINDS):
        known.pile_counts[kind] = state.pile_counts[kind]
        known.recycled[kind] = state.recycled[kind] if state.reshuffled else 0
        known.unseen[kind] = state.copies[kind] - state.pile_counts[kind]
    for seat in range(seats):
        player = seat_after(first, seat, seats)
        seen = state.hands[player] if sees_hand(viewer, player) else state.picked_up[player]
        for kind in range(NUM_KINDS):
            known.hands[seat, kind] = seen[kind]
            known.unseen[kind] -= seen[kind]
        for i in range(state.num_laid[player]):
            known.unseen[state.laid[player, i]] -= 1


@kernel
def _know_word(state: State, known: Knowledge) -> None:
    known.word[:] = NO_CARD
    if state.phase == MELD and is_spelling(state):
        player = state.current_player
        start = word_start(state, player, state.num_words[player])
        for i in range(start, state.num_laid[player]):
            known.word[i - start] = state.laid[player, i]


@kernel
def _know_worth(state: State, viewer: int, known: Knowledge) -> None:
    """Write what follows from the hand of the seat to act."""
    known.worth[:] = 0
    known.out_without = 0
    known.worth_of_hand = 0
    known.worth_of_taking = 0
    known.out_by_taking = False
    mover = state.current_player
    if state.meld != BY_ITSELF or not sees_hand(viewer, mover):
        return
    if state.phase == MELD:
        best = best_worth(state)
        for kind in range(NUM_KINDS):
            if state.hands[mover, kind] > 0:
                known.worth[kind] = max(int(state.worth[kind]), best - GAIN_SPAN)
                known.out_without |= int(can_lay_all_but(state, kind)) << kind
    elif state.phase == SOURCE:
        gain = min(max(int(state.worth_of_taking - state.worth_of_hand), 0), GAIN_SPAN)
        known.worth_of_hand = state.worth_of_hand
        known.worth_of_taking = state.worth_of_hand + gain
        known.out_by_taking = state.out_by_taking


@kernel
def _know_accused(state: State, first: int, known: Knowledge) -> None:
    known.accused = NOBODY
    known.accused_words[:] = NO_CARD
    known.word_starts = 0
    known.verdicts[:] = UNCHALLENGED
    accused = state.accused
    if state.challenges and accused != NOBODY:
        known.accused = place_or_nobody(accused, first, int(state.num_players))
        for i in range(state.num_laid[accused]):
            known.accused_words[i] = state.laid[accused, i]
        for word in range(state.num_words[accused]):
            known.word_starts |= 1 << word_start(state, accused, word)
            known.verdicts[word] = state.verdicts[accused, word]


@kernel
def num_spelled(known: Knowledge) -> int:
    """Return the number of cards in the word being spelled."""
    length = 0
    while length < MAX_HAND and known.word[length] != NO_CARD:
        length += 1
    return length
