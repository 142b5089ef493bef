"""Redealing the cards that a seat of Quiddler cannot know."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import take_top
from kitchentable.core.rng import advance, next_below, shuffle
from kitchentable.core.scratch import scratch_ints, scratch_shorts
from kitchentable.core.seats import seat_after
from kitchentable.core.state import Ints
from kitchentable.games.quiddler.cards import NUM_KINDS
from kitchentable.games.quiddler.melding import (
    begin_meld,
    find_forbidden,
    find_worth_of_taking,
    forget_meld,
    is_spelling,
)
from kitchentable.games.quiddler.state import BY_ITSELF, MAX_PLAYERS, MELD, SOURCE, State

MOST_TRIES = 2000
"""Maximum number of deals tried until the seat that is laying words can finish."""
CELLS = MAX_PLAYERS * NUM_KINDS
ALL_SETTLED, IMPOSSIBLE = -1, -2


@subroutine
def redeal(state: State, viewer: int, *tables: Any) -> None:
    """Redeal, by ``state.rng``, the draw pile and the cards that ``viewer`` has not seen.

    Other seats keep the cards that everybody saw them pick up. After a reshuffle, everybody knows
    which cards were in the new draw pile, and how many of them each seat has drawn: a seat's other
    hidden cards are from before. Nobody else knows which of the two kinds of cards a seat has
    discarded or laid since, so that is drawn by its odds, as if seats discarded at random.

    Everybody also knows that a seat laying words can finish, so deals are tried until one allows
    that. If none of `MOST_TRIES` deals does, because the words need the last copies of their cards,
    the seat keeps its hand. The game's seed changes too, because it decides later deals.
    """
    mover = int(state.current_player)
    hand, drawn = scratch_ints(NUM_KINDS), scratch_ints(NUM_KINDS)
    for kind in range(NUM_KINDS):
        hand[kind] = state.hands[mover, kind]
        drawn[kind] = state.drawn_since[mover, kind]
    _exchange(state, viewer, viewer)
    if viewer != mover and state.phase == MELD:
        forget_meld(state)
        find_forbidden(state)
        begin_meld(state, *tables)
        tries = 1
        while not _can_go_on(state):
            kept_seat = viewer
            if tries == MOST_TRIES:
                kept_seat = mover
                for kind in range(NUM_KINDS):
                    state.hands[mover, kind] = hand[kind]
                    state.drawn_since[mover, kind] = drawn[kind]
            _exchange(state, viewer, kept_seat)
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
def _exchange(state: State, viewer: int, kept_seat: int) -> None:
    """Redeal the draw pile and all hidden cards except those of seats ``viewer`` and ``kept_seat``.

    Only what those seats know is read, so the stream alone decides among the possible deals.
    """
    new, old = scratch_ints(NUM_KINDS), scratch_ints(NUM_KINDS)
    num_new, num_old = scratch_ints(MAX_PLAYERS), scratch_ints(MAX_PLAYERS)
    gone, gone_new = scratch_shorts(CELLS), scratch_shorts(CELLS)
    traced = False
    while not traced:  # a wrong guess can leave no origin for a card; then all is guessed anew
        _count(state, viewer, kept_seat, new, old)
        _count_places(state, viewer, kept_seat, num_new, num_old)
        traced = not state.reshuffled or _trace(
            state, viewer, kept_seat, new, old, num_new, num_old, gone, gone_new
        )
    _fill_deck(state, new, old)
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        if player != viewer and player != kept_seat:
            for kind in range(NUM_KINDS):
                state.hands[player, kind] = state.picked_up[player, kind]
                if state.reshuffled:
                    state.drawn_since[player, kind] = gone_new[player * NUM_KINDS + kind]
            for _ in range(num_old[player]):
                state.hands[player, take_top(state)] += 1
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        for _ in range(num_new[player]):
            kind = take_top(state)
            state.hands[player, kind] += 1
            state.drawn_since[player, kind] += 1


@kernel
def _count(state: State, viewer: int, kept_seat: int, new: Ints, old: Ints) -> None:
    """Count the cards of each kind that were hidden at the last reshuffle, or at the deal.

    Args:
        state: the record.
        viewer: a seat whose cards are known.
        kept_seat: another one.
        new: output: those of the new draw pile that neither seat has drawn; shape (31,). Without a
            reshuffle there are none.
        old: output: the others, which also neither seat had; shape (31,).
    """
    for kind in range(NUM_KINDS):
        new[kind] = state.recycled[kind]
        old[kind] = state.copies[kind] - state.pile_counts[kind] - state.recycled[kind]
    for player in range(state.num_players):
        if player == viewer or player == kept_seat:
            for kind in range(NUM_KINDS):
                new[kind] -= state.drawn_since[player, kind]
                old[kind] -= state.hands[player, kind] - state.drawn_since[player, kind]
        else:
            for kind in range(NUM_KINDS):
                old[kind] += state.left_since[player, kind] - state.picked_up[player, kind]
        for i in range(state.num_laid[player]):
            old[state.laid[player, i]] -= 1


@kernel
def _count_places(state: State, viewer: int, kept_seat: int, num_new: Ints, num_old: Ints) -> None:
    """Count, by seat, the cards drawn since the last reshuffle, and those that were hidden then.

    Both include cards that have left the hand since. For ``viewer`` and ``kept_seat`` they are 0.
    """
    for player in range(MAX_PLAYERS):
        num_new[player] = 0
        num_old[player] = 0
        if player < state.num_players and player != viewer and player != kept_seat:
            for kind in range(NUM_KINDS):
                num_new[player] += state.drawn_since[player, kind]
                num_old[player] += state.hands[player, kind] + state.left_since[player, kind]
                num_old[player] -= state.picked_up[player, kind]
            num_old[player] -= num_new[player]


@kernel
def _trace(
    state: State,
    viewer: int,
    kept_seat: int,
    new: Ints,
    old: Ints,
    num_new: Ints,
    num_old: Ints,
    gone: Ints,
    gone_new: Ints,
) -> bool:
    """Guess the origin of each card that left a hand, and take it from the counts.

    Args:
        state: the record.
        viewer: a seat whose cards are known.
        kept_seat: another one.
        new: cards of each kind in the new draw pile, see `_count`; shape (31,).
        old: cards of each kind that were hidden before; shape (31,).
        num_new: cards that each seat drew since the reshuffle; shape (8,).
        num_old: hidden cards that each seat held before; shape (8,).
        gone: a buffer for the cards of each kind that left each hand; flat, shape (8 * 31,).
        gone_new: output: how many of them were drawn since the reshuffle; shape (8 * 31,).

    Returns:
        Whether every card has a possible origin.
    """
    for cell in range(CELLS):
        player, kind = cell // NUM_KINDS, cell % NUM_KINDS
        hides = player != viewer and player != kept_seat
        gone[cell] = state.left_since[player, kind] if hides else 0
        gone_new[cell] = 0
    while True:
        open_cell = _settle_forced(new, old, num_new, num_old, gone, gone_new)
        if open_cell < 0:
            return open_cell == ALL_SETTLED
        is_new = _draw_origin(state, open_cell, new, old, num_new, num_old)
        _settle(open_cell, is_new, new, old, num_new, num_old, gone, gone_new)


@kernel
def _settle_forced(
    new: Ints, old: Ints, num_new: Ints, num_old: Ints, gone: Ints, gone_new: Ints
) -> int:
    """Settle all cards that left a hand and have one possible origin, see `_trace`.

    Returns:
        A cell of ``gone`` with two possible origins, `ALL_SETTLED`, or `IMPOSSIBLE`.
    """
    settled = True
    open_cell = ALL_SETTLED
    while settled:
        settled, open_cell = False, ALL_SETTLED
        for cell in range(CELLS):
            if gone[cell] > 0:
                player, kind = cell // NUM_KINDS, cell % NUM_KINDS
                may_be_new = num_new[player] > 0 and new[kind] > 0
                may_be_old = num_old[player] > 0 and old[kind] > 0
                if may_be_new and may_be_old:
                    open_cell = cell
                elif may_be_new or may_be_old:
                    _settle(cell, may_be_new, new, old, num_new, num_old, gone, gone_new)
                    settled = True
                else:
                    return IMPOSSIBLE
    return open_cell


@kernel
def _draw_origin(
    state: State, cell: int, new: Ints, old: Ints, num_new: Ints, num_old: Ints
) -> bool:
    """Return whether a card that left a hand was drawn since the reshuffle, by its odds.

    The odds are those that a card of this kind lies in one of the seat's places of either origin.
    """
    player, kind = cell // NUM_KINDS, cell % NUM_KINDS
    all_new, all_old = 0, 0
    for other in range(NUM_KINDS):
        all_new += new[other]
        all_old += old[other]
    for_new = num_new[player] * new[kind] * all_old
    for_old = num_old[player] * old[kind] * all_new
    return bool(next_below(state, for_new + for_old) < for_new)


@kernel
def _settle(
    cell: int,
    is_new: bool,
    new: Ints,
    old: Ints,
    num_new: Ints,
    num_old: Ints,
    gone: Ints,
    gone_new: Ints,
) -> None:
    """Take a card that left a hand from the counts of its origin, see `_trace`."""
    player, kind = cell // NUM_KINDS, cell % NUM_KINDS
    gone[cell] -= 1
    if is_new:
        gone_new[cell] += 1
        new[kind] -= 1
        num_new[player] -= 1
    else:
        old[kind] -= 1
        num_old[player] -= 1


@kernel
def _fill_deck(state: State, new: Ints, old: Ints) -> None:
    """Make the draw pile of all hidden cards: the ``old`` ones shuffled on top of the ``new``."""
    state.deck_size = 0
    for kind in range(NUM_KINDS):
        for _ in range(new[kind]):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
    low = int(state.deck_size)
    for kind in range(NUM_KINDS):
        for _ in range(old[kind]):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
    shuffle(state, state.deck, 0, low)
    shuffle(state, state.deck, low, state.deck_size)
