"""Redealing the cards that a seat of Fiddlefoo cannot know."""

from __future__ import annotations

from typing import Any

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import take_top
from kitchentable.core.rng import advance, shuffle_hidden
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.seats import seat_after
from kitchentable.core.state import Bits
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.hands import in_sight, sees_hand
from kitchentable.games.fiddlefoo.pairing import fill_throws
from kitchentable.games.fiddlefoo.state import MAX_PLAYERS, State
from kitchentable.games.fiddlefoo.turns import find_playable

MOST_TRIES = 2000
"""Maximum number of deals tried until the seat to act has something to play or throw."""


@subroutine
def redeal(state: State, viewer: int, *_: Any) -> None:
    """Redeal the draw pile and the hidden cards that ``viewer`` does not know, by ``state.rng``.

    Cards that all seats know of stay where they are. A seat that must play or throw is known to
    have a card for it: deals are tried until it has one, and after `MOST_TRIES` it keeps its hand.
    That a seat was skipped because it had nothing to throw gives no information: at a real table
    seats are not asked one by one. The game's seed, which decides later deals, changes too.
    """
    mover = int(state.current_player)
    hand = scratch_bits(WORDS)
    c.copy(state.hands[mover], hand)
    if state.phase not in (s.CARD, s.AGAIN):
        c.clear(state.playable)  # it shows what some seat could play when it last chose a card
    must_act = not sees_hand(viewer, mover) and state.phase in (s.CARD, s.AGAIN, s.THROW)
    tries = 0
    able = False
    while not able:
        _exchange(state, viewer, hand, must_act and tries == MOST_TRIES)
        able = not must_act or _can_act(state)
        tries += 1
    state.seed = advance(state.rng)


@kernel
def _can_act(state: State) -> bool:
    """Return whether the current player has something to play or to throw."""
    cards = scratch_bits(WORDS)
    if state.phase == s.THROW:
        fill_throws(state, state.current_player, cards)
    else:
        find_playable(state)
        c.copy(state.playable, cards)
    return not c.is_empty(cards)


@kernel
def _exchange(state: State, viewer: int, hand: Bits, keep: bool) -> None:
    """Redeal the draw pile and all hidden cards unknown to ``viewer`` once.

    Args:
        state: the table.
        viewer: the seat whose hand stays as it is.
        hand: the original hand of the seat to act.
        keep: whether that seat gets its original hand back.
    """
    sizes = scratch_ints(MAX_PLAYERS)
    for player in range(state.num_players):
        sizes[player] = _lay_down(state, viewer, player)
    shuffle_hidden(state, state.deck, 0, state.deck_size)
    if keep:
        _bring_up(state, hand)
    for i in range(state.num_players):
        player = seat_after(state.current_player, i, state.num_players)
        for _ in range(sizes[player]):
            c.add(state.hands[player], take_top(state))


@kernel
def _lay_down(state: State, viewer: int, player: int) -> int:
    """Put the cards of a hand that ``viewer`` cannot see on the draw pile; return their number."""
    size = 0
    for word in range(WORDS):
        visible = in_sight(state, viewer, player, word)
        rest = state.hands[player, word] & ~visible
        state.hands[player, word] = visible
        while rest != 0:
            state.deck[state.deck_size] = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            state.deck_size += 1
            size += 1
    return size


@kernel
def _bring_up(state: State, cards: Bits) -> None:
    """Move the cards of a set that are in the draw pile to its top."""
    top = int(state.deck_size)
    place = 0
    while place < top:
        card = int(state.deck[place])
        if c.has(cards, card):
            top -= 1
            state.deck[place] = state.deck[top]
            state.deck[top] = card
        else:
            place += 1
