"""The course of Fiddlefoo: games, turns, and what comes after what until somebody must decide."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.games.fiddlefoo.board import any_cell, find_cells
from kitchentable.games.fiddlefoo.cards import (
    COLOR,
    NO_CARD,
    NUM_BASE,
    NUM_COLORS,
    ONE,
    WORDS,
    add,
    clear,
    copy,
    is_empty,
)
from kitchentable.games.fiddlefoo.effects import drawn_effect, next_effect, take_up
from kitchentable.games.fiddlefoo.hands import (
    deal_hands,
    full_piles,
    lay_block,
    next_with_cards,
    penalty,
    seats_with_cards,
    shuffle_all,
    take_top,
)
from kitchentable.games.fiddlefoo.pairing import find_fits, find_thrower
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    BLOCKS,
    CARD,
    DEAL,
    DONE,
    EFFECTS,
    NOWHERE,
    OVER,
    PLAY_ON,
    PLAYED,
    RUNNING,
    SONG,
    THROW,
    THROWS,
    TURN,
    State,
)


@subroutine
def go_on(state: State, top: NDArray[np.int8]) -> None:
    """Go on to the next decision; ``top`` are the first cards of a deck that is dealt."""
    while state.phase == RUNNING:
        if state.draws > 0:
            _draw(state)
        elif state.stage == EFFECTS:
            next_effect(state)
        elif state.stage == SONG:
            _sing(state)
        elif state.stage == THROWS:
            _ask_to_throw(state)
        elif state.stage == PLAYED:
            _end_play(state)
        elif state.stage == DEAL:
            _deal(state, top)
        else:
            _ask_to_play(state)


# --- A play (sheet: Gameplay) ---------------------------------------------------------------------


@kernel
def _draw(state: State) -> None:
    """Draw one card for ``state.drawer``; from an empty pile nothing is drawn."""
    if state.deck_size == 0:
        state.draws = 0
        return
    state.draws -= 1
    card = take_top(state)
    add(state.hands[state.drawer], card)
    if card >= NUM_BASE:
        drawn_effect(state, card)


@kernel
def _sing(state: State) -> None:
    """Pay for a Safe Song with a card from the pile."""
    if state.safe:
        state.drawer = state.player
        state.draws = 1
    state.stage = THROWS


@kernel
def _ask_to_throw(state: State) -> None:
    """Ask the next seat that has something to throw."""
    find_fits(state)
    if find_thrower(state):
        state.current_player = state.thrower
        state.phase = THROW
    else:
        state.stage = PLAY_ON if state.again else PLAYED


@kernel
def _ask_to_play(state: State) -> None:
    """Ask the active seat for the card of its turn, or of another play if it likes.

    A seat that cannot play its turn draws one card (rules page: Turn).
    """
    find_playable(state)
    state.current_player = state.player
    if not is_empty(state.playable):
        state.phase = AGAIN if state.stage == PLAY_ON else CARD
    elif state.stage == TURN:
        state.blocked = state.blocked + 1 if state.deck_size == 0 else 0
        state.drawer = state.player
        state.draws = 1
    state.again = False
    state.stage = PLAYED


@subroutine
def find_playable(state: State) -> None:
    """Find the hand cards of the active seat that it may play now.

    They have a legal cell, and another color than the first card of this turn, if there was one.
    """
    clear(state.playable)
    cells = scratch_bits(BLOCKS)
    alike = state.num_cards == NUM_BASE  # then all cards of a color have the same cells
    asked = 0  # one bit a color
    possible = 0
    for word in range(WORDS):
        rest = state.hands[state.player, word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - ONE
            color = 1 << COLOR[card]
            if not (alike and asked & color):
                asked |= color
                find_cells(state, card, cells)
                possible = possible | color if any_cell(cells) else possible & ~color
            if possible & color and COLOR[card] != state.turn_color:
                add(state.playable, card)


# --- A turn ---------------------------------------------------------------------------------------


@kernel
def _begin_turn(state: State, player: int) -> None:
    state.turn = player
    state.turn_color = NOWHERE
    state.player = player
    state.card = NO_CARD
    state.partner = NO_CARD
    clear(state.received)
    state.stage = TURN


@kernel
def _end_play(state: State) -> None:
    """Go on with what this play was in the middle of, with the next turn, or end the game."""
    if state.nested:
        take_up(state)
        return
    with_cards = seats_with_cards(state)
    enough = 2 if state.cooperative else state.num_players
    if with_cards < enough or state.blocked >= with_cards:
        _end_game(state)
    else:
        _begin_turn(state, next_with_cards(state, state.turn))


# --- A game (sheet: Setup, Objective) -------------------------------------------------------------


@kernel
def _deal(state: State, top: NDArray[np.int8]) -> None:
    """Deal the next game and begin its first turn. Everything that a game changes is set anew."""
    for player in range(state.num_players):
        clear(state.hands[player])
        clear(state.known[player])
    clear(state.on_map)
    clear(state.removed)
    clear(state.on_piles)
    clear(state.swapped)
    clear(state.fits_range)
    clear(state.fits_notes)
    state.pile_tops[:] = 0
    state.pile_notes[:] = 0
    state.boards[:] = 0
    state.legal[:] = 0
    state.outer[:] = 0
    state.places[:] = NOWHERE
    state.cells[:] = NO_CARD
    _clear_play(state)
    shuffle_all(state, top)
    lay_block(state)
    deal_hands(state)
    _begin_turn(state, state.starter)


@kernel
def _clear_play(state: State) -> None:
    """Forget the last play of the game before."""
    state.chosen = NO_CARD
    state.blocked = 0
    state.cell = NOWHERE
    state.partner_cell = NOWHERE
    state.low = 0
    state.high = 0
    state.distance = 0
    state.color = NOWHERE
    state.safe = False
    state.effects[:] = NO_CARD
    state.removals = 0
    state.again = False
    state.thrower = 0
    state.thrown = DONE
    state.drawer = 0
    state.draws = 0
    state.swaps = 0
    state.nested = False


@kernel
def _end_game(state: State) -> None:
    """Score the game and go on to the next one, if there is one."""
    full = full_piles(state)
    for player in range(state.num_players):
        points = full if state.cooperative else penalty(state.hands[player])
        state.last_scores[player] = points
        state.totals[player] += points
        state.hand_points[player, state.games_done] = points
        copy(state.hands[player], state.last_hands[player])
    for color in range(NUM_COLORS):
        state.last_pile_notes[color] = state.pile_notes[color]
    state.games_won += full == NUM_COLORS
    state.games_done += 1
    state.hand_over = True
    if state.games_done == state.games:
        state.terminated = True
        state.phase = OVER
    else:
        state.starter = (state.starter + 1) % state.num_players
        state.stage = DEAL
