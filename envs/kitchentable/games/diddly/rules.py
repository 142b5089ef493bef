"""The rules of Diddly; `render/rulebook.py` explains them to people.

Source: the two Diddly rule sheets (Endless Games, 2012); the sections named below are theirs.

Readings, where the sheets are silent:

- With six cards up to eight players can play: the sheet offers the eight-card board "for 2-6
  players", so the smaller board leaves room for more. Eight boards take 48 cards; 56 remain.
- The dealer of round 1 is the last seat, so player_0 begins. Cards are dealt one at a time, card k
  to slot k. Arranging cards that nobody has seen would gain a player nothing.
- Each player flips all their cards and then resolves the Peeks and Swaps among them, in the order
  flipped, before the next player flips. A Peek or Swap turned up as the first discard does nothing.
- With two cards on a board, which the sheets do not have, each player flips one card at set-up.
- A Peek must be used if there is a face-down card (looking costs nothing) and is skipped if there
  is none. A player may look at the same card again.
- "If you draw" a Peek or Swap covers all three sources: the sheet says so for the Peek, and a
  recycled Swap is used like a drawn one, before it is placed.
- Everybody sees the card that is taken: it lies face up before anybody else decides, and a Peek or
  Swap is revealed when it is used.
- A recycled card is the topmost of its kind in the pile; equal cards are interchangeable.
- A recycled card can replace the Recycle only in the slot where the Recycle lies after any Swap
  used on the way.
- If the deck is empty when a card has to be drawn, the discard pile except for its top card is
  shuffled into a new deck, whose kinds are then known to all. If there is no other discard, nobody
  can draw.
- The whole discard pile is public, and so is which slot was peeked at.
- Halving rounds up on every board (the sheets' table says so for columns: 9 and 10 score 5).
- Lines of three run along rows, columns and both long diagonals. A Half also halves the other cards
  of its lines when it is itself part of a line worth zero ("turn every card halved sideways" comes
  first).
- A game has at most 100 rounds, because the record keeps the score of every round to break ties,
  and a round has at most 10,000 turns for each player. The game is truncated when a player would
  begin another turn; finished rounds count.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import discard, new_deck, reshuffle, take, take_top
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import start_game, start_stream
from kitchentable.core.seats import seat_after
from kitchentable.core.state import NO_CARDS, NOBODY, BoolArray, FloatArray, IntArray
from kitchentable.games.diddly.scoring import board_score
from kitchentable.games.diddly.state import (
    DRAW,
    FLIP,
    FROM_DECK,
    FROM_NOWHERE,
    FROM_PILE,
    FROM_RECYCLING,
    MAX_CARDS,
    MAX_FLIPS,
    MIN_CARDS,
    NO_CARD,
    NUM_KINDS,
    OVER,
    PASS,
    PEEK,
    PLACE,
    RECYCLE,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
    USE_PEEK,
    WORST_HAND,
    State,
    exchange,
)

# --- A game -------------------------------------------------------------------------------------


@subroutine
def init(state: State, top: NDArray[np.int8]) -> None:
    """Start a new game and deal its first round; ``top`` holds the first kinds to draw."""
    start_game(state)
    state.rounds_done = 0
    state.dealer = state.num_players - 1
    state.totals[:] = 0
    state.last_scores[:] = 0
    state.last_boards[:] = NO_CARD
    state.round_scores[:] = 0
    _deal(state, top)


@kernel
def legal_action_mask(state: State, mask: BoolArray) -> None:
    """Mark the legal actions of the current player."""
    board = state.boards[state.current_player]
    face_up = state.face_up[state.current_player]
    phase = state.phase
    if phase == SOURCE:
        mask[DRAW] = state.deck_size > 0 or state.pile_size > 1
        mask[TAKE] = state.pile_size > 0
        if _has_face_up_recycle(state, state.current_player):
            for kind in range(NUM_KINDS):
                mask[RECYCLE_KIND + kind] = state.pile_counts[kind] > 0
    else:
        for slot in range(state.cards):
            if phase == FLIP or phase == USE_PEEK:
                mask[SLOT + slot] = not face_up[slot]
            elif phase == SWAP_SECOND:
                mask[SLOT + slot] = slot != state.swap_slot
            elif phase == PLACE and state.source == FROM_RECYCLING:
                mask[SLOT + slot] = face_up[slot] and board[slot] == RECYCLE
            else:
                mask[SLOT + slot] = True
        mask[PASS] = phase == SWAP_FIRST


@kernel
def step(state: State, action: int) -> None:
    """Play a legal ``action`` for the current player."""
    state.hand_over = False
    phase = state.phase
    if phase == SOURCE:
        _obtain(state, action)
    elif phase == PLACE:
        _place(state, action - SLOT)
    elif phase == FLIP:
        _flip(state, action - SLOT)
    elif phase == USE_PEEK:
        state.peeked[state.current_player, action - SLOT] = 1
        _after_ability(state)
    elif phase == SWAP_FIRST and action != PASS:
        state.swap_slot = action - SLOT
        state.phase = SWAP_SECOND
    else:
        if phase == SWAP_SECOND:
            exchange(state, state.current_player, state.swap_slot, action - SLOT)
            state.swap_slot = NOBODY
        _after_ability(state)


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write the rewards of the last step by seat."""
    if state.reward == MARGIN:
        if state.hand_over:
            pay_margins(state.last_scores, state.num_players, -1, out)
    elif state.terminated or state.truncated:
        ranks(state, out)
        pay_winners(out, state.num_players)


@kernel
def ranks(state: State, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by the finished rounds, 1 for the best (sheet: Winning the Game)."""
    for player in range(state.num_players):
        better = 0
        for other in range(state.num_players):
            better += other != player and _is_ahead(state, other, player)
        out[player] = 1 + better


def hand_scores(state: State, player: int) -> list[int]:
    """Return a seat's points in each finished round."""
    return [int(score) for score in state.round_scores[player, : int(state.rounds_done)]]


# --- A round (sheets: Setup) --------------------------------------------------------------------


@subroutine
def _deal(state: State, top: NDArray[np.int8]) -> None:
    """Deal a round from a new deck, and reset all fields that change during a round."""
    start_stream(state, state.rounds_done)
    new_deck(state, top)
    state.boards[:] = NO_CARD
    state.face_up[:] = 0
    state.peeked[:] = 0
    state.turns[:] = 0
    state.reshuffled = False
    state.closer = NOBODY
    state.held = NO_CARD
    state.source = FROM_NOWHERE
    state.swap_slot = NOBODY
    state.abilities[:] = NO_CARD
    state.num_abilities = 0
    for slot in range(state.cards):
        for i in range(state.num_players):
            player = seat_after(state.dealer, 1 + i, state.num_players)
            state.boards[player, slot] = _draw(state)
    state.seats_to_flip = state.num_players
    _begin_flips(state, seat_after(state.dealer, 1, state.num_players))


@kernel
def _begin_flips(state: State, player: int) -> None:
    state.current_player = player
    state.flips_left = num_flips(state.cards)
    state.phase = FLIP


@kernel
def num_flips(cards: int) -> int:
    """Return the number of cards that each seat turns face up in the set-up."""
    if cards == MIN_CARDS:
        return 1
    return MAX_FLIPS if cards == MAX_CARDS else 2


@kernel
def _flip(state: State, slot: int) -> None:
    player = state.current_player
    state.face_up[player, slot] = 1
    kind = state.boards[player, slot]
    if kind == PEEK or kind == SWAP:
        state.abilities[state.num_abilities] = kind
        state.num_abilities += 1
    state.flips_left -= 1
    if state.flips_left == 0:
        _continue_setup(state)


@kernel
def _continue_setup(state: State) -> None:
    """Start the next flipped ability; if there is none, the next seat's flips or the first turn."""
    while state.num_abilities > 0:
        kind = state.abilities[0]
        for i in range(1, MAX_FLIPS):
            state.abilities[i - 1] = state.abilities[i]
        state.num_abilities -= 1
        state.abilities[state.num_abilities] = NO_CARD
        if _begin_ability(state, kind):
            return
    state.seats_to_flip -= 1
    following = seat_after(state.current_player, 1, state.num_players)
    if state.seats_to_flip > 0:
        _begin_flips(state, following)
    else:
        discard(state, _draw(state))
        _begin_turn(state, following)


@kernel
def _end_round(state: State) -> None:
    """Turn up and score all cards, then deal the next round or end the game.

    The deal passes to the next seat (sheets: A Turn, Starting a Round).
    """
    state.face_up[:] = 1
    for player in range(state.num_players):
        score = int(board_score(state.boards[player, : state.cards]))
        state.last_scores[player] = score
        state.round_scores[player, state.rounds_done] = score
        state.totals[player] += score
        for slot in range(state.cards):
            state.last_boards[player, slot] = state.boards[player, slot]
    state.hand_over = True
    state.rounds_done += 1
    if state.rounds_done == state.rounds:
        state.terminated = True
        state.phase = OVER
    else:
        state.dealer = seat_after(state.dealer, 1, state.num_players)
        _deal(state, NO_CARDS)


@kernel
def _is_ahead(state: State, player: int, other: int) -> bool:
    """Return whether ``player`` beats ``other``: lower total, then lowest round, next lowest, ...

    Both have played the same number of rounds. Their sorted round scores first differ at the lowest
    score that one of them made more often, and that player is ahead.
    """
    if state.totals[player] != state.totals[other]:
        return bool(state.totals[player] < state.totals[other])
    for score in range(WORST_HAND + 1):
        more = 0
        for i in range(state.rounds_done):
            more += state.round_scores[player, i] == score
            more -= state.round_scores[other, i] == score
        if more != 0:
            return more > 0
    return False


# --- A turn (sheets: A Turn) --------------------------------------------------------------------


@kernel
def _begin_turn(state: State, player: int) -> None:
    state.current_player = player
    if state.turns[player] >= state.turn_limit:
        state.truncated = True
        state.phase = OVER
    else:
        state.phase = SOURCE


@kernel
def _draw(state: State) -> int:
    """Draw the top card; an empty deck is first reshuffled from the pile except its top card."""
    if state.deck_size == 0:
        reshuffle(state)
        state.reshuffled = True
    return take_top(state)


@kernel
def _obtain(state: State, action: int) -> None:
    if action == DRAW:
        state.held = _draw(state)
        state.source = FROM_DECK
    elif action == TAKE:
        state.held = take(state, state.pile[state.pile_size - 1])
        state.source = FROM_PILE
    else:
        state.held = take(state, action - RECYCLE_KIND)
        state.source = FROM_RECYCLING
    if not _begin_ability(state, state.held):
        state.phase = PLACE


@kernel
def _begin_ability(state: State, kind: int) -> bool:
    """Start the decision that a Peek or Swap needs; return False if the card does nothing now."""
    if kind == SWAP:
        state.phase = SWAP_FIRST
        return True
    if kind == PEEK:
        for slot in range(state.cards):
            if not state.face_up[state.current_player, slot]:
                state.phase = USE_PEEK
                return True
    return False


@kernel
def _after_ability(state: State) -> None:
    if state.seats_to_flip > 0:
        _continue_setup(state)
    else:
        state.phase = PLACE


@kernel
def _place(state: State, slot: int) -> None:
    """Put the held card into a slot, discard the replaced card, and end the turn."""
    player = state.current_player
    replaced = state.boards[player, slot]
    state.boards[player, slot] = state.held
    state.face_up[player, slot] = 1
    state.peeked[player, slot] = 0
    state.held = NO_CARD
    state.source = FROM_NOWHERE
    discard(state, replaced)
    state.turns[player] += 1
    if state.closer == NOBODY and _is_open(state, player):
        state.closer = player
    following = seat_after(player, 1, state.num_players)
    if following == state.closer:
        _end_round(state)
    else:
        _begin_turn(state, following)


@kernel
def _is_open(state: State, player: int) -> bool:
    for slot in range(state.cards):
        if not state.face_up[player, slot]:
            return False
    return True


@kernel
def _has_face_up_recycle(state: State, player: int) -> bool:
    for slot in range(state.cards):
        if state.face_up[player, slot] and state.boards[player, slot] == RECYCLE:
            return True
    return False
