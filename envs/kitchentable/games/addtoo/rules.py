"""The rules of Add-Too; `render/rulebook.py` explains them to people.

Source: the Add-Too booklet (E. E. Fairchild Corporation, 1940); the sections named below are its
sections. Its figures are lost. The geometry is the one that agrees with every worked example in the
text.

Readings, where the booklet is silent:

- Each color of a diamond has two whole sides, as the examples with three sides and with one color
  require; the cut runs along the short diagonal. Two diamonds touch along a whole side or not at
  all.
- A diamond can be laid on each side in two ways: parallel to the other one, or turned.
- Which number is orange: the lower one if the two add to an odd number. This agrees with the
  examples, and no simpler rule does: 9-10 meets 1-9 with its 9 and 3-10 with its 10.
- 5 beside 5 and 10 beside 10 both match and score.
- A play that touches the last diamond is an ordinary play whatever else it touches, as the note to
  Figure 5 says. Its other sides are unrestricted: they may meet the other color and any number.
  Those that meet their own color and add to a multiple of 5 score.
- A bonus play must be made if it is the only play that a player has.
- "The first player is the one who has the lowest diamond": totals are compared, then the second
  lowest diamonds, and so on; if all are equal, the lowest seat begins. This applies to every hand.
- A drawn diamond is played if possible, even the one that fills the hand to five ("he draws until
  he can make a play or has five"). With ``fifth_draw_plays=False``, which follows the other
  sentence, that one has to wait. Then a pass with a draw does not count toward the end of the
  hand, and the count starts again, because the player may be able to play next time.
- The first diamond of a hand can lie anywhere and scores nothing.
- A diamond with all four sides touched also ends the hand after an ordinary play, for the reason
  that the booklet gives. So does a last diamond that has an open side but no room for a diamond
  there, unless ``sealed_ends_hand=False``; then bonus plays may continue. With ``turned=False``
  only parallel diamonds count as having room.
- ``strict_colors`` restricts the colors of the other sides of an ordinary play, not their numbers.
- "The player with the highest hand wins": the highest total, then the highest last hand; if both
  are equal, the win is shared.
- At most 100 hands are played, because the record keeps the score of each. A game that nobody has
  won after ``max_hands`` is truncated, and its hands count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit, write_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import shuffle, start_game, start_stream
from kitchentable.core.seats import seat_after
from kitchentable.core.state import BoolArray, FloatArray, IntArray
from kitchentable.games.addtoo import board
from kitchentable.games.addtoo.geometry import FREE, WAYS
from kitchentable.games.addtoo.state import (
    AT_LAST,
    AT_SPOT,
    LEFT_PENALTY,
    NO_TILE,
    NO_TILES,
    NUM_TILES,
    ONE,
    OVER,
    PLACE,
    TILE,
    TOTALS,
    Fits,
    Numbers,
    Position,
    State,
)

MOST_TOTAL = int(TOTALS.max())

# Results of `_begin_turn`.
PLAYS, PASSES, DREW_AND_PASSES = range(3)


# --- A game ---------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8], *_: Any) -> None:
    """Start a new game and deal its first hand; ``top`` holds the first diamonds to draw."""
    start_game(state)
    state.hands_done = 0
    state.totals[:] = 0
    state.last_scores[:] = 0
    state.hand_points[:] = 0
    state.grid[:] = FREE
    board.start(state)
    _deal(state, top)


@kernel
def legal_action_mask(state: State, mask: BoolArray, *_: Any) -> None:
    """Mark the legal actions of the current player."""
    if state.phase == TILE:
        write_bits(state.hands[state.current_player] & state.playable, NUM_TILES, mask, 0)
    else:
        chosen = ONE << np.uint64(state.chosen)
        for way in range(WAYS):
            mask[AT_LAST + way] = (state.last_tiles[way] & chosen) != NO_TILES
        for i in range(state.num_spots):
            if state.spot_tiles[i] & chosen != NO_TILES:
                mask[state.spot_actions[i]] = True


@kernel
def step(state: State, action: int, numbers: Numbers, fits: Fits) -> None:
    """Play a legal ``action`` for the current player."""
    state.hand_over = False
    if state.phase == TILE:
        state.chosen = action
        state.phase = PLACE
        if state.num_laid > 0:
            return
    play(state, int(state.chosen), action, numbers, fits)
    _after_play(state)


@kernel
def play(state: Position, tile: int, action: int, numbers: Numbers, fits: Fits) -> None:
    """Lay a diamond from the current player's hand by an action, and score it.

    Args:
        state: the state record.
        tile: the id of the diamond.
        action: a ``last:`` or ``on:`` action; ignored for the first diamond of a hand.
        numbers: see `state.tables`.
        fits: see `state.tables`.
    """
    player = state.current_player
    place = (0, 0, 0, 0)
    if state.num_laid > 0:
        place = board.place_of(state, action)
        state.points[player] += board.points_for(state, tile, place, action >= AT_SPOT, numbers)
    state.hands[player] ^= ONE << np.uint64(tile)
    state.chosen = NO_TILE
    board.lay(state, tile, place, numbers, fits)


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write the rewards of the last step by seat."""
    if state.reward == MARGIN:
        if state.hand_over:
            pay_margins(state.last_scores, state.num_players, 1, out)
    elif state.terminated or state.truncated:
        ranks(state, out)
        pay_winners(out, state.num_players)


@kernel
def ranks(state: State, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by total, then by the last finished hand; 1 is the best."""
    for player in range(state.num_players):
        better = 0
        for other in range(state.num_players):
            if state.totals[other] == state.totals[player]:
                better += state.last_scores[other] > state.last_scores[player]
            else:
                better += state.totals[other] > state.totals[player]
        out[player] = 1 + better


def lays_the_last(records: Any, movers: NDArray[np.int64], seats: int) -> BoolArray:
    """Mark the movers with one diamond left in their hand; shape (records, seats)."""
    hands = records["hands"][np.arange(len(movers)), movers]
    single = (hands & (hands - np.uint64(1))) == 0
    return np.asarray((movers[:, None] == np.arange(seats)) & single[:, None])


def hand_scores(state: State, player: int) -> list[int]:
    """Return a seat's points in each finished hand."""
    return [int(score) for score in state.hand_points[player, : int(state.hands_done)]]


# --- A hand (booklet: How to Start) ---------------------------------------------------------------


@kernel
def _deal(state: State, top: NDArray[np.int8]) -> None:
    start_stream(state, state.hands_done)
    size = count_bits(state.in_play)
    state.pile[size:] = NO_TILE
    others = state.in_play
    for i in range(top.shape[0]):
        state.pile[size - 1 - i] = top[i]
        others ^= ONE << np.uint64(top[i])
    rest = 0
    for tile in range(NUM_TILES):
        if (others >> np.uint64(tile)) & ONE != NO_TILES:
            state.pile[rest] = tile
            rest += 1
    shuffle(state, state.pile, 0, rest)
    state.pile_size = size
    state.points[:] = 0
    state.hands[:] = NO_TILES
    state.passes = 0
    state.chosen = NO_TILE
    for _ in range(state.hand):
        for player in range(state.num_players):
            _draw(state, player)
    state.starter = _lowest_seat(state)
    state.current_player = state.starter
    state.phase = TILE


@kernel
def _draw(state: State, player: int) -> int:
    """Draw a diamond from the pile, which must not be empty, and return it."""
    state.pile_size -= 1
    tile = int(state.pile[state.pile_size])
    state.pile[state.pile_size] = NO_TILE
    state.hands[player] |= ONE << np.uint64(tile)
    return tile


@kernel
def _lowest_seat(state: State) -> int:
    """Return the seat whose lowest diamond has the lowest total; ties compare the next lowest."""
    highest, seat = 0, 0
    for player in range(state.num_players):
        # Three bits count the diamonds of each total; the lowest total has the highest bits.
        key = 0
        rest = state.hands[player]
        while rest != NO_TILES:
            key += 1 << 3 * (MOST_TOTAL - int(TOTALS[lowest_bit(rest)]))
            rest &= rest - ONE
        if key > highest:
            highest, seat = key, player
    return seat


# --- A turn (booklet: Rules for the Game, Drawing Diamonds) ---------------------------------------


@kernel
def _after_play(state: State) -> None:
    """End the hand, or find the next seat that can play; draws and passes need no decision."""
    state.passes = 0
    if not ends_hand(state):
        while state.passes < state.num_players:
            state.current_player = seat_after(state.current_player, 1, state.num_players)
            turn = _begin_turn(state, int(state.current_player))
            if turn == PLAYS:
                state.phase = TILE
                return
            state.passes += 1
            if turn == DREW_AND_PASSES and not state.fifth_draw_plays:
                state.passes = 0  # the drawn diamond may be playable next time
    _end_hand(state)


@kernel
def ends_hand(state: Position) -> bool:
    """Return whether the diamond just laid by the current player ends the hand."""
    if state.hands[state.current_player] == NO_TILES:
        return True
    return board.is_sealed(state) and (state.sealed_ends_hand or board.is_enclosed(state))


@kernel
def _begin_turn(state: State, player: int) -> int:
    """Draw as the rules require; return ``PLAYS``, ``PASSES`` or ``DREW_AND_PASSES``."""
    if state.hands[player] & state.playable != NO_TILES:
        return PLAYS
    turn = PASSES
    size = count_bits(state.hands[player])
    while size < state.hand and state.pile_size > 0:
        tile = _draw(state, player)
        size += 1
        turn = DREW_AND_PASSES
        if (state.playable >> np.uint64(tile)) & ONE != NO_TILES:
            return PLAYS if size < state.hand or state.fifth_draw_plays else turn
    return turn


@kernel
def _end_hand(state: State) -> None:
    """Score the hand, then deal the next one or end the game (booklet: Scoring)."""
    reached = False
    for player in range(state.num_players):
        score = state.points[player] - LEFT_PENALTY * count_bits(state.hands[player])
        state.last_scores[player] = score
        state.totals[player] += score
        state.hand_points[player, state.hands_done] = score
        reached = reached or state.totals[player] >= state.target
    state.hand_over = True
    state.hands_done += 1
    if reached:
        state.terminated = True
        state.phase = OVER
    elif state.hands_done == state.max_hands:
        state.truncated = True
        state.phase = OVER
    else:
        board.clear(state)
        _deal(state, state.pile[:0])
