"""Turn order of Fiddlefoo: the steps of plays, turns and games between two decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import take_top
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.seats import seat_after
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import effects, hands, pairing
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import any_cell, find_cells
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.state import BLOCKS, State


@subroutine
def go_on(state: State, top: NDArray[np.int8]) -> None:
    """Advance to the next decision; a deck that is dealt has the cards ``top`` on top."""
    while state.phase == s.RUNNING:
        if state.draws > 0:
            _draw(state)
        elif state.stage == s.EFFECTS:
            effects.next_effect(state)
        elif state.stage == s.SONG:
            _draw_for_song(state)
        elif state.stage == s.THROWS:
            _ask_to_throw(state)
        elif state.stage == s.PLAYED:
            _end_play(state)
        elif state.stage == s.DEAL:
            _deal(state, top)
        else:
            _ask_to_play(state)


# --- A play (sheet: Gameplay) ---------------------------------------------------------------------


@kernel
def _draw(state: State) -> None:
    """Draw one card for ``state.drawer``; an empty draw pile cancels all its draws."""
    if state.deck_size == 0:
        state.draws = 0
        return
    state.draws -= 1
    card = take_top(state)
    c.add(state.hands[state.drawer], card)
    if card >= c.NUM_BASE:
        effects.drawn_effect(state, card)


@kernel
def _draw_for_song(state: State) -> None:
    """Let the active seat draw a card if the pair is a Safe Song."""
    if state.safe:
        state.drawer = state.player
        state.draws = 1
    state.stage = s.THROWS


@kernel
def _ask_to_throw(state: State) -> None:
    """Ask the next seat that can throw."""
    pairing.find_fits(state)
    if pairing.find_thrower(state):
        state.current_player = state.thrower
        state.phase = s.THROW
    else:
        state.stage = s.PLAY_ON if state.again else s.PLAYED


@kernel
def _ask_to_play(state: State) -> None:
    """Ask the active seat for the card of its turn, or of an optional second play.

    A seat that cannot play in its turn draws one card (rules page: Turn).
    """
    find_playable(state)
    state.current_player = state.player
    if not c.is_empty(state.playable):
        state.phase = s.AGAIN if state.stage == s.PLAY_ON else s.CARD
    elif state.stage == s.TURN:
        state.blocked = state.blocked + 1 if state.deck_size == 0 else 0
        state.drawer = state.player
        state.draws = 1
    state.again = False
    state.stage = s.PLAYED


@subroutine
def find_playable(state: State) -> None:
    """Write the hand cards that the active seat may play into ``state.playable``.

    They have a legal cell and differ in color from the first card of this turn, if there was one.
    """
    c.clear(state.playable)
    cells = scratch_bits(BLOCKS)
    alike = state.num_cards == c.NUM_BASE  # then all cards of a color have the same cells
    checked = 0  # one bit per color
    possible = 0
    for word in range(WORDS):
        rest = state.hands[state.player, word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            color = 1 << c.COLOR[card]
            if not (alike and checked & color):
                checked |= color
                find_cells(state, card, cells)
                possible = possible | color if any_cell(cells) else possible & ~color
            if possible & color and c.COLOR[card] != state.turn_color:
                c.add(state.playable, card)


# --- A turn ---------------------------------------------------------------------------------------


@kernel
def _begin_turn(state: State, player: int) -> None:
    state.turn = player
    state.turn_color = s.NOWHERE
    state.player = player
    state.card = c.NO_CARD
    state.partner = c.NO_CARD
    c.clear(state.received)
    state.stage = s.TURN


@kernel
def _end_play(state: State) -> None:
    """Resume the turn or play that this one interrupted, begin the next turn, or end the game."""
    if state.nested:
        effects.resume(state)
        return
    with_cards = hands.seats_with_cards(state)
    enough = 2 if state.cooperative else state.num_players
    if with_cards < enough or state.blocked >= with_cards:
        _end_game(state)
    else:
        _begin_turn(state, hands.next_with_cards(state, state.turn))


# --- A game (sheet: Setup, Objective) -------------------------------------------------------------


@kernel
def _deal(state: State, top: NDArray[np.int8]) -> None:
    """Reset everything that a game changes, deal the next game and begin its first turn."""
    state.hands[:] = 0
    state.known[:] = 0
    c.clear(state.on_map)
    c.clear(state.removed)
    c.clear(state.on_piles)
    c.clear(state.swapped)
    c.clear(state.fits_range)
    c.clear(state.fits_notes)
    state.pile_tops[:] = 0
    state.pile_notes[:] = 0
    state.boards[:] = 0
    state.legal[:] = 0
    state.outer[:] = 0
    state.places[:] = s.NOWHERE
    state.cells[:] = c.NO_CARD
    _clear_play(state)
    hands.shuffle_all(state, top)
    hands.lay_block(state)
    hands.deal_hands(state)
    _begin_turn(state, state.starter)


@kernel
def _clear_play(state: State) -> None:
    """Clear the last play of the previous game."""
    state.chosen = c.NO_CARD
    state.blocked = 0
    state.cell = s.NOWHERE
    state.partner_cell = s.NOWHERE
    state.low = 0
    state.high = 0
    state.distance = 0
    state.color = s.NOWHERE
    state.safe = False
    state.effects[:] = c.NO_CARD
    state.removals = 0
    state.again = False
    state.thrower = 0
    state.thrown = s.DONE
    state.drawer = 0
    state.draws = 0
    state.swaps = 0
    state.nested = False


@kernel
def _end_game(state: State) -> None:
    """Score the game, then prepare the next one or terminate."""
    full = hands.full_piles(state)
    for player in range(state.num_players):
        points = full if state.cooperative else hands.penalty(state.hands[player])
        state.last_scores[player] = points
        state.totals[player] += points
        state.hand_points[player, state.games_done] = points
        c.copy(state.hands[player], state.last_hands[player])
    for color in range(c.NUM_COLORS):
        state.last_pile_notes[color] = state.pile_notes[color]
    state.games_won += full == c.NUM_COLORS
    state.games_done += 1
    state.hand_over = True
    if state.games_done == state.games:
        state.terminated = True
        state.phase = s.OVER
    else:
        state.starter = seat_after(state.starter, 1, state.num_players)
        state.stage = s.DEAL
