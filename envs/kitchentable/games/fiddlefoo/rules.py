"""The rules of Fiddlefoo; `render/rulebook.py` explains them to people.

Source: the Fiddlefoo rule sheet (Pandaqi), and the rules page for what the sheet does not list: the
cards, and what the action cards of Talkytoot do. The sections named below are the sheet's.

Readings, where the sheet is silent:

- A card must touch the map, and the two cards of a pair are never neighbors. Lines continue across
  empty cells and across cards. If a card makes several pairs, the one with the largest range
  counts, then the one at the smaller distance, then the first one met going up, right, down, left.
  The range consists of the whole numbers strictly between the two cards.
- The printed game has no borders; here the map is a window of cells. A player without a legal card
  draws one, which ends the turn.
- In a shortened deck a color may have no base cards. The block then has no card of it, and the
  others lie in the first places.
- Players throw in turn order, card by card, and see what was thrown before. A card that fits both
  ways is a range card. Only range cards may follow a range card, and nothing may follow a notes
  card. Cards received in a turn cannot be thrown in the same turn. A player with nothing to throw
  is not asked.
- The game ends if any player has no cards at the end of a turn, whoever caused it. It also ends,
  and is scored, when the draw pile is empty and nobody could play for a whole round; the player
  who draws the last card may still play it. Drawing from an empty pile has no effect.
- The chosen card is visible to all from the moment it is chosen.
- Several games: player_0 begins the first one, the next player the second one, and so on. All are
  dealt from player_0 on.
- Wildcard: a purple card may lie next to another color but not next to purple. Here, too, the two
  cards of a pair are never neighbors.
- Cooperative: a card that could be thrown may go on the pile of its color instead, and counts as
  thrown in every respect. Players without cards are skipped. A team wins several games by winning
  each of them; ``"margin"`` pays at the end of each game.
- Talkytoot: an action card is played like any other card. The effects of a pair come first, those
  of the played card before those of its partner; then the draw of a Safe Song, the throws, and
  another play. The pair counts as it was made, even if its cards move afterwards. Effects that can
  do nothing are skipped.
- ``wildcard_pair`` makes a pair with any color, but not with a neighbor, and takes the color of
  the other card. A limit makes a cell illegal if the pair that would count there contains the card;
  no other pair counts instead.
- ``play_again``: the first card of the turn is the first one played in it, no matter by whom.
- The effects of drawn cards are resolved card by card, before further draws, for the player who
  draws them. ``instaplay`` is a full play by that player, with throws from their left, after which
  the interrupted turn continues. If the card cannot be played, it stays hidden in the hand.
  ``swap_map`` swaps as many cards as the hand and the map allow, each card at most once. The card
  last added to the map is at first the fourth one of the block. A card whose effect makes its owner
  draw again is shown.
- ``score_double_worst`` doubles the most notes on another card of the hand, or its own notes if it
  is the only card; ``score_minus_conditional`` is itself one of the cards of its color.
- At most 100 games are played: the record has a fixed size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import small, write_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import start_game
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import NO_CARDS, Bits, BoolArray, FloatArray, IntArray
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import effects, hands, pairing
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.board import open_cells
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.state import SIDE, State
from kitchentable.games.fiddlefoo.turns import go_on

# --- A game ---------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8], *_: Any) -> None:
    """Start a new game and deal its first hand, with the cards ``top`` on top of the deck."""
    start_game(state)
    state.games_done = 0
    state.games_won = 0
    state.starter = 0
    state.totals[:] = 0
    state.last_scores[:] = 0
    state.last_pile_notes[:] = 0
    state.hand_points[:] = 0
    state.last_hands[:] = 0
    state.phase = s.RUNNING
    state.stage = s.DEAL
    state.draws = 0
    go_on(state, top)


@kernel
def legal_action_mask(state: State, mask: BoolArray, *_: Any) -> None:
    """Write the action mask of the current player."""
    if state.phase in (s.CELL, s.MOVE_CELL):
        _mark_cells(state, mask)
        return
    cards = scratch_bits(WORDS)
    at = _fill_choices(state, cards)
    s.write_cards(state, cards, mask, at)
    if state.phase == s.THROW and state.cooperative:
        for index in range(state.num_cards):
            card = s.card_at(state, index)
            if c.has(cards, card):
                mask[state.at_pile + index] = hands.fits_pile(state, card)
    mask[state.at_pass] = state.phase not in (s.CARD, s.SWAP_CARD, s.SWAP_MAP)


@kernel
def step(state: State, action: int, *_: Any) -> None:
    """Play a legal ``action`` and advance to the next decision."""
    state.hand_over = False
    if action < state.num_cards:
        _choose(state, s.card_at(state, action))
    elif action < state.at_throw:
        _choose_cell(state, action - state.num_cards)
    elif action == state.at_pass:
        _pass(state)
    elif action < state.at_pass:
        _throw(state, s.card_at(state, action - state.at_throw), False)
    elif action < state.at_map:
        _throw(state, s.card_at(state, action - state.at_pile), True)
    else:
        _choose_map_card(state, s.card_at(state, action - state.at_map))
    go_on(state, NO_CARDS)


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write each seat's reward for the last step; a team's is 1 for a win or 0.25 per full pile."""
    if state.reward == MARGIN and state.hand_over:
        if state.cooperative:
            for player in range(state.num_players):
                out[player] = state.last_scores[player] / c.NUM_COLORS
        else:
            pay_margins(state.last_scores, state.num_players, -1, out)
    elif state.reward != MARGIN and state.terminated:
        if state.cooperative:
            for player in range(state.num_players):
                out[player] = has_won(state)
        else:
            ranks(state, out)
            pay_winners(out, state.num_players)


@kernel
def ranks(state: State, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by total, the lowest first; equal totals share it (sheet: Objective).

    In the cooperative variant every seat has rank 1 once the team has won, else 2.
    """
    for player in range(state.num_players):
        out[player] = 1
        if state.cooperative:
            out[player] = 1 if has_won(state) else 2
        else:
            for other in range(state.num_players):
                out[player] += state.totals[other] < state.totals[player]


@kernel
def has_won(state: State) -> bool:
    """Return whether the team has won all games."""
    return bool(state.terminated and state.games_won == state.games)


def has_no_cards(records: Any, movers: NDArray[np.int64], seats: int) -> BoolArray:
    """Return which seats had no cards when the game was scored; bool, shape (records, seats)."""
    del movers
    return np.asarray(~records["last_hands"][:, :seats].any(axis=-1))


def team_potential(records: NDArray[Any]) -> NDArray[np.float64]:
    """Return how close the piles are to being full, from 0 to 1; shape (records,).

    A pile that the cards in hands and the draw pile can no longer fill exactly adds nothing. Any
    other pile adds half of its share, plus the other half in proportion to its notes.
    """
    potential = np.zeros(len(records))
    gone = records["on_map"] | records["on_piles"] | records["removed"]
    for color in range(c.NUM_COLORS):
        share = 1.0 + records["pile_notes"][:, color] / s.FULL_PILE
        potential += _can_be_full(records, color, records["in_play"] & ~gone) * share
    return potential / (2 * c.NUM_COLORS)


def _can_be_full(records: NDArray[Any], color: int, cards: Bits) -> BoolArray:
    """Return whether some of the cards, in order, can fill a pile exactly; shape (records,)."""
    missing = s.FULL_PILE - records["pile_notes"][:, color]
    sums = np.ones(len(records), np.int64)  # bit n: whether some of the cards have n notes in total
    for number in range(1, c.HIGHEST + 1):
        matching = c.OF_COLOR[color] & c.BELOW[number + 1] & ~c.BELOW[number]
        fits = (cards & matching).any(axis=1) & (number > records["pile_tops"][:, color])
        sums |= (sums << c.NOTES_OF_NUMBER[number]) * fits
    return np.asarray((missing >= 0) & (sums >> missing.clip(0) & 1 == 1))


def hand_scores(state: State, player: int) -> list[int]:
    """Return a seat's points in each finished game."""
    return [int(points) for points in state.hand_points[player, : int(state.games_done)]]


# --- Legal actions --------------------------------------------------------------------------------


@kernel
def _fill_choices(state: State, cards: Bits) -> int:
    """Write the cards that may be chosen, and return the index of the first of their actions."""
    if state.phase == s.THROW:
        pairing.fill_throws(state, state.current_player, cards)
        return int(state.at_throw)
    if state.phase in (s.CARD, s.AGAIN):
        c.copy(state.playable, cards)
        return 0
    if state.phase == s.MOVE:
        effects.fill_movable(state, cards)
    elif state.phase == s.REMOVE:
        effects.fill_others(state, cards)
    elif state.phase == s.SWAP_MAP:
        c.copy(state.on_map, cards)
    else:
        c.copy(state.hands[state.current_player], cards)
    if state.phase in (s.SWAP_CARD, s.SWAP_MAP):
        for word in range(WORDS):
            cards[word] &= ~state.swapped[word]
    return int(state.at_map) if state.phase in (s.MOVE, s.REMOVE, s.SWAP_MAP) else 0


@kernel
def _mark_cells(state: State, mask: BoolArray) -> None:
    size = small(state.map_size)
    for row in range(size):
        cells = state.legal[row >> 2] >> np.uint64(SIDE * (row & 3))
        # `SIDE` bits are written for each row; the next row overwrites those beyond the window.
        write_bits(cells, SIDE, mask, small(state.num_cards) + row * size)


# --- Playing actions ------------------------------------------------------------------------------


@kernel
def _choose(state: State, card: int) -> None:
    """Choose a hand card to play, or for an effect."""
    if state.phase == s.DISCARD:
        effects.discard(state, card)
    elif state.phase == s.SWAP_CARD:
        effects.choose_to_swap(state, card)
    else:
        state.chosen = card
        c.add(state.known[state.current_player], card)
        open_cells(state, card)
        state.phase = s.CELL


@kernel
def _choose_cell(state: State, number: int) -> None:
    """Put the chosen card into a cell, given by its index in the window."""
    cell = s.cell_at(state, number)
    if state.phase == s.MOVE_CELL:
        effects.move(state, cell)
    else:
        pairing.add_to_map(state, cell)
        state.phase = s.RUNNING


@kernel
def _choose_map_card(state: State, card: int) -> None:
    if state.phase == s.MOVE:
        effects.choose_to_move(state, card)
    elif state.phase == s.REMOVE:
        effects.remove(state, card)
    else:
        effects.swap(state, card)


@kernel
def _pass(state: State) -> None:
    """Stop throwing, or decline an effect."""
    if state.phase == s.THROW:
        state.thrown = s.DONE
    elif state.phase == s.REMOVE:
        effects.end_removal(state)
    state.phase = s.RUNNING


@kernel
def _throw(state: State, card: int, to_pile: bool) -> None:
    """Throw a card at the active seat, or put it on its color's pile (sheet: Gameplay)."""
    thrower = int(state.current_player)
    by_notes = not c.has(state.fits_range, card)
    hands.leave_hand(state, thrower, card)
    if to_pile:
        hands.put_on_pile(state, card)
    else:
        hands.enter_hand(state, state.player, card)
        c.add(state.received, card)
    state.thrown = s.DONE if by_notes else s.RANGE_CARDS
    effects.thrown_effect(state, thrower, card, by_notes)
    state.phase = s.RUNNING
