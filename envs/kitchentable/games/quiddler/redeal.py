"""Redealing the cards that a seat of Quiddler cannot know."""

from __future__ import annotations

from typing import Any, NamedTuple

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import list_cards, take_top
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


class Hidden(NamedTuple):
    """The hidden cards that a redeal deals anew, and where they may have come from."""

    new: Ints
    """Cards of each kind of the last reshuffle that are not known to be drawn; shape (31,)."""
    old: Ints
    """The others of each kind, which have been hidden since before it; shape (31,)."""
    num_new: Ints
    """Cards that each seat drew since the reshuffle, and whose kinds are hidden; shape (8,)."""
    num_old: Ints
    """Hidden cards that each seat held before it; shape (8,)."""
    gone: Ints
    """Cards of each kind that left each hand since, to be traced; flat, shape (8 * 31,)."""
    gone_new: Ints
    """How many of them were traced to the draws since the reshuffle; flat, shape (8 * 31,)."""


@subroutine
def _exchange(state: State, viewer: int, kept_seat: int) -> None:
    """Redeal the draw pile and all hidden cards except those of seats ``viewer`` and ``kept_seat``.

    Only what those seats know is read, so the stream alone decides among the possible deals.
    """
    new, old = scratch_ints(NUM_KINDS), scratch_ints(NUM_KINDS)
    num_new, num_old = scratch_ints(MAX_PLAYERS), scratch_ints(MAX_PLAYERS)
    hidden = Hidden(new, old, num_new, num_old, scratch_shorts(CELLS), scratch_shorts(CELLS))
    traced = False
    while not traced:  # a wrong guess can leave no origin for a card; then all is guessed anew
        _count(state, viewer, kept_seat, hidden)
        traced = not state.reshuffled or _trace(state, viewer, kept_seat, hidden)
    # The draw pile: the ``old`` hidden cards shuffled on top of the ``new``.
    low = list_cards(new, state.deck, 0)
    state.deck_size = list_cards(old, state.deck, low)
    shuffle(state, state.deck, 0, low)
    shuffle(state, state.deck, low, state.deck_size)
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        if player != viewer and player != kept_seat:
            for kind in range(NUM_KINDS):
                state.hands[player, kind] = state.picked_up[player, kind]
                if state.reshuffled:
                    state.drawn_since[player, kind] = hidden.gone_new[player * NUM_KINDS + kind]
            for _ in range(num_old[player]):
                state.hands[player, take_top(state)] += 1
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        for _ in range(num_new[player]):
            kind = take_top(state)
            state.hands[player, kind] += 1
            state.drawn_since[player, kind] += 1


@kernel
def _count(state: State, viewer: int, kept_seat: int, hidden: Hidden) -> None:
    """Count the cards hidden at the last reshuffle, or at the deal, by kind and by seat.

    Neither ``viewer`` nor ``kept_seat`` has had them. Without a reshuffle none are new. Those of a
    seat include cards that have left its hand since.
    """
    new, old, num_new, num_old = hidden.new, hidden.old, hidden.num_new, hidden.num_old
    for kind in range(NUM_KINDS):
        new[kind] = state.recycled[kind]
        old[kind] = state.copies[kind] - state.pile_counts[kind] - state.recycled[kind]
    num_new[:] = 0
    num_old[:] = 0
    for player in range(state.num_players):
        for kind in range(NUM_KINDS):
            drawn, held = state.drawn_since[player, kind], state.hands[player, kind]
            gone = state.left_since[player, kind] - state.picked_up[player, kind]
            if player == viewer or player == kept_seat:
                new[kind] -= drawn
                old[kind] -= held - drawn
            else:
                old[kind] += gone
                num_new[player] += drawn
                num_old[player] += held + gone - drawn
        for i in range(state.num_laid[player]):
            old[state.laid[player, i]] -= 1


@kernel
def _trace(state: State, viewer: int, kept_seat: int, hidden: Hidden) -> bool:
    """Guess the origin of each card that left a hand, and take it from the counts.

    Returns:
        Whether every card has a possible origin.
    """
    for cell in range(CELLS):
        player, kind = cell // NUM_KINDS, cell % NUM_KINDS
        hides = player != viewer and player != kept_seat
        hidden.gone[cell] = state.left_since[player, kind] if hides else 0
        hidden.gone_new[cell] = 0
    while True:
        open_cell = _settle_forced(hidden)
        if open_cell < 0:
            return open_cell == ALL_SETTLED
        _settle(open_cell, _draw_origin(state, open_cell, hidden), hidden)


@kernel
def _settle_forced(hidden: Hidden) -> int:
    """Settle all cards that left a hand and have one possible origin.

    Returns:
        A cell of ``gone`` with two possible origins, `ALL_SETTLED`, or `IMPOSSIBLE`.
    """
    settled = True
    open_cell = ALL_SETTLED
    while settled:
        settled, open_cell = False, ALL_SETTLED
        for cell in range(CELLS):
            if hidden.gone[cell] > 0:
                player, kind = cell // NUM_KINDS, cell % NUM_KINDS
                may_be_new = hidden.num_new[player] > 0 and hidden.new[kind] > 0
                may_be_old = hidden.num_old[player] > 0 and hidden.old[kind] > 0
                if may_be_new and may_be_old:
                    open_cell = cell
                elif may_be_new or may_be_old:
                    _settle(cell, may_be_new, hidden)
                    settled = True
                else:
                    return IMPOSSIBLE
    return open_cell


@kernel
def _draw_origin(state: State, cell: int, hidden: Hidden) -> bool:
    """Return whether a card that left a hand was drawn since the reshuffle, by its odds.

    The odds are those that a card of this kind lies in one of the seat's places of either origin.
    """
    player, kind = cell // NUM_KINDS, cell % NUM_KINDS
    all_new, all_old = 0, 0
    for other in range(NUM_KINDS):
        all_new += hidden.new[other]
        all_old += hidden.old[other]
    for_new = hidden.num_new[player] * hidden.new[kind] * all_old
    for_old = hidden.num_old[player] * hidden.old[kind] * all_new
    return bool(next_below(state, for_new + for_old) < for_new)


@kernel
def _settle(cell: int, is_new: bool, hidden: Hidden) -> None:
    """Take a card that left a hand from the counts of its origin."""
    player, kind = cell // NUM_KINDS, cell % NUM_KINDS
    hidden.gone[cell] -= 1
    if is_new:
        hidden.gone_new[cell] += 1
        hidden.new[kind] -= 1
        hidden.num_new[player] -= 1
    else:
        hidden.old[kind] -= 1
        hidden.num_old[player] -= 1
