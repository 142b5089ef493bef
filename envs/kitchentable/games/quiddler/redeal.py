"""Redealing the cards that a seat of Quiddler cannot know."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.rng import advance, shuffle
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.seats import seat_after
from kitchentable.core.state import Ints
from kitchentable.games.quiddler.cards import NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.melding import (
    begin_meld,
    find_forbidden,
    find_worth_of_taking,
    is_spelling,
)
from kitchentable.games.quiddler.state import BY_ITSELF, MAX_PLAYERS, MELD, SOURCE, State

MOST_TRIES = 2000
"""Maximum number of deals tried until the seat that is laying words can finish."""


@subroutine
def redeal(state: State, viewer: int, *tables: Any) -> None:
    """Redeal, by ``state.rng``, the draw pile and the cards that ``viewer`` has not seen.

    Other seats keep the cards that everybody saw them pick up. After a reshuffle, everybody knows
    which cards are in the draw pile or were drawn from it, so these are exchanged only among
    themselves, as are the hidden cards held since before. Everybody also knows that a seat laying
    words can finish, so deals are tried until one allows that. If none of `MOST_TRIES` deals does,
    because the words need the last copies of their cards, the seat keeps its hand. The game's seed
    changes too, because it decides later deals.
    """
    mover = int(state.current_player)
    old, since = scratch_ints(NUM_KINDS), scratch_ints(NUM_KINDS)
    for kind in range(NUM_KINDS):
        since[kind] = state.drawn_since[mover, kind]
        old[kind] = state.hands[mover, kind] - state.picked_up[mover, kind] - since[kind]
    _exchange(state, viewer, False, old, since)
    if viewer != mover and state.phase == MELD:
        find_forbidden(state)
        begin_meld(state, *tables)
        tries = 1
        while not _can_go_on(state):
            _exchange(state, viewer, tries == MOST_TRIES, old, since)
            find_forbidden(state)
            begin_meld(state, *tables)
            tries += 1
    elif viewer != mover and state.phase == SOURCE and state.meld == BY_ITSELF:
        find_worth_of_taking(state, tables[2], tables[3])
    state.seed = advance(state.rng)


@kernel
def _can_go_on(state: State) -> bool:
    """Whether the current player has a legal action."""
    if is_spelling(state):
        return bool(state.may_end or state.next_kinds != 0)
    # Between words, a player going out needs another word or has only the discard left.
    left = int(state.left)
    return bool(not state.going_out or state.next_kinds != 0 or left & (left - 1) == 0)


@subroutine
def _exchange(state: State, viewer: int, keep: bool, old: Ints, since: Ints) -> None:
    """Redeal the draw pile and all cards unknown to ``viewer``.

    Args:
        state: the record.
        viewer: the seat that knows its own hand.
        keep: whether the seat to act gets back the cards in ``old`` and ``since``.
        old: its hidden cards of each kind from before the last reshuffle; shape (31,).
        since: its cards of each kind drawn since; shape (31,).
    """
    num_old, num_since = scratch_ints(MAX_PLAYERS), scratch_ints(MAX_PLAYERS)
    low = _gather(state, viewer, num_old, num_since)
    shuffle(state, state.deck, 0, low)
    shuffle(state, state.deck, low, state.deck_size)
    if keep:
        _bring_up(state, old, low)
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        for _ in range(num_old[player]):
            state.hands[player, _pop(state)] += 1
    if keep:
        _bring_up(state, since, 0)
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        for _ in range(num_since[player]):
            kind = _pop(state)
            state.hands[player, kind] += 1
            state.drawn_since[player, kind] += 1


@kernel
def _gather(state: State, viewer: int, num_old: Ints, num_since: Ints) -> int:
    """Put all unknown cards on the draw pile, and count those of each seat.

    Returns:
        The index in the draw pile of the first card that was not reshuffled; 0 without a reshuffle.
    """
    num_old[:] = 0
    num_since[:] = 0
    for player in range(state.num_players):
        for kind in range(NUM_KINDS):
            for _ in range(state.drawn_since[player, kind] if player != viewer else 0):
                _push(state, player, kind)
                state.drawn_since[player, kind] -= 1
                num_since[player] += 1
    low = int(state.deck_size) if state.reshuffled else 0
    for player in range(state.num_players):
        for kind in range(NUM_KINDS):
            hidden = state.hands[player, kind] - state.picked_up[player, kind]
            for _ in range(hidden if player != viewer else 0):
                _push(state, player, kind)
                num_old[player] += 1
    return low


@kernel
def _push(state: State, player: int, kind: int) -> None:
    state.hands[player, kind] -= 1
    state.deck[state.deck_size] = kind
    state.deck_size += 1


@kernel
def _pop(state: State) -> int:
    state.deck_size -= 1
    kind = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    return kind


@kernel
def _bring_up(state: State, wanted: Ints, low: int) -> None:
    """Move ``wanted`` cards of each kind to the top of the draw pile, from those at ``low`` on."""
    top = int(state.deck_size)
    for kind in range(NUM_KINDS):
        for _ in range(wanted[kind]):
            place = low
            while state.deck[place] != kind:
                place += 1
            top -= 1
            state.deck[place] = state.deck[top]
            state.deck[top] = kind
