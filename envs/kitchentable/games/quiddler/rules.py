"""The rules of Quiddler; `render/rulebook.py` explains them to people.

Source: the Quiddler rule sheet (Set Enterprises, 1998); the sections named below are its sections.

Readings, where the sheet is silent:

- The dealer of the first hand is the last seat, so player_0 begins; the deal passes to the left.
- The score of a hand is at least zero before bonuses are added. The discard of a last turn costs
  nothing; every other card left over is subtracted. A player without a word gets no bonus, even if
  nobody else has a word.
- Going out and laying words are optional. A player may take the top discard and return it, except
  with the house rule ``forbid_returning_discard``, which applies to that one card: a player who
  holds another card of its kind may discard the other one.
- One card is always discarded, so in a last turn, too, one card that may be discarded is not laid.
- If the draw pile is empty when a card has to be drawn, all discards but the top one are shuffled
  into a new draw pile, whose cards are then known to all. If there is no other discard, nobody can
  draw.
- A hand that nobody ends is stopped when a player would begin turn ``max_turns`` + 1: every player,
  starting with that one, has one last turn, and the hand is scored.
- The house rule ``min_turns_before_out`` counts a player's own turns, including the current one:
  with 2, nobody can go out in their first turn.
- Spelled cards lie on the table: everybody sees the word that is being spelled. A player who begins
  to spell before anybody is out has to go out.
- Challenges (off by default, because masks are exact and every word that is laid is valid) follow
  each laying of words at once, in turn order from the left of the player who laid them; each
  challenger decides word by word. A word can be challenged once, and only its first challenger
  takes a risk: the value of a valid word is subtracted from the challenger's score of this hand,
  which is at least zero before bonuses. The cards of an invalid word count as unused, so a bluff
  that fails is no better than keeping the cards; the word earns no bonus, nothing is rearranged and
  the hand is not reopened. An invalid word that nobody challenges stands. Before a challenge
  nothing shows whether a word is valid.
- A game has at most 40 hands, and a hand at most 1,000 turns for each player: the record has a
  fixed size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import write_bits
from kitchentable.core.kernels import kernel
from kitchentable.core.piles import discard, new_deck, take
from kitchentable.core.rewards import MARGIN, pay_margins, pay_winners
from kitchentable.core.rng import start_game, start_stream
from kitchentable.core.seats import seat_after
from kitchentable.core.state import NO_CARDS, NOBODY, BoolArray, FloatArray, IntArray
from kitchentable.games.quiddler.cards import MAX_HAND, NO_CARD, NUM_KINDS, VALUES
from kitchentable.games.quiddler.melding import (
    can_lay_all_but,
    end_word,
    find_forbidden,
    forget_meld,
    is_spelling,
    lay_best,
    look_ahead,
    may_go_out,
    spell_card,
)
from kitchentable.games.quiddler.piles import draw, leave_hand
from kitchentable.games.quiddler.scoring import score_hand, word_sum
from kitchentable.games.quiddler.state import (
    BY_ITSELF,
    CHALLENGE,
    DISCARD,
    DRAW,
    JUDGE,
    LAY_LONGEST,
    LAY_MOST,
    MAX_PLAYERS,
    MELD,
    OVER,
    PASS,
    REJECTED,
    SOURCE,
    SPELL,
    STAY,
    TAKE,
    TURN_OVER,
    UNCHALLENGED,
    UPHELD,
    WORD,
    State,
)
from kitchentable.games.quiddler.words.solver import MAX_WORDS

# --- A game -------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8], *tables: Any) -> None:
    """Start a new game and deal its first hand; ``top`` lists the first cards of the deck."""
    start_game(state)
    state.hands_done = 0
    state.dealer = state.num_players - 1
    state.totals[:] = 0
    state.last_scores[:] = 0
    state.hand_points[:] = 0
    state.last_laid[:] = NO_CARD
    state.last_word_ends[:] = 0
    state.last_num_words[:] = 0
    state.last_verdicts[:] = UNCHALLENGED
    state.last_longest = NOBODY
    state.last_most = NOBODY
    state.ends[:] = 0  # all blocks: `forget_meld` only clears those of the current hand size
    forget_meld(state)
    _deal(state, top)
    look_ahead(state, *tables)


@kernel
def legal_action_mask(state: State, mask: BoolArray, *_: Any) -> None:
    """Mark the legal actions of the current player; ``mask`` is all False on entry."""
    if state.phase == SOURCE:
        mask[DRAW] = state.deck_size > 0 or state.pile_size > 1
        mask[TAKE] = True  # the deal and each turn leave a card on the pile
    elif state.phase == JUDGE:
        for word in range(state.num_words[state.accused]):
            mask[CHALLENGE + word] = state.verdicts[state.accused, word] == UNCHALLENGED
        mask[PASS] = True
    elif state.meld == BY_ITSELF:
        _mask_laying(state, mask)
    else:
        _mask_spelling(state, mask)


@kernel
def step(state: State, action: int, *tables: Any) -> None:
    """Play a legal ``action`` for the current player."""
    state.hand_over = False
    if state.phase == SOURCE:
        _obtain(state, action)
    elif state.phase == JUDGE:
        _judge(state, action)
    elif state.meld == BY_ITSELF:
        if action >= LAY_LONGEST:
            kind, objective = (action - STAY) % NUM_KINDS, int(action >= LAY_MOST)
            state.going_out = state.last_turns == 0
            lay_best(state, kind, objective, *tables)
        _discard(state, (action - STAY) % NUM_KINDS)
    elif action >= DISCARD:
        _discard(state, action - DISCARD)
    elif action == WORD:
        end_word(state)
    else:
        state.going_out = state.last_turns == 0
        spell_card(state, action - SPELL, tables[0], tables[1])
    if state.phase == TURN_OVER:
        _go_on(state)
    look_ahead(state, *tables)


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write the rewards of the last step by seat; ``out`` is zero on entry."""
    if state.reward == MARGIN:
        if state.hand_over:
            pay_margins(state.last_scores, state.num_players, 1, out)
    elif state.terminated:
        ranks(state, out)
        pay_winners(out, state.num_players)


@kernel
def ranks(state: State, out: IntArray | FloatArray) -> None:
    """Write each seat's rank by its total, 1 the best; equal totals share one (sheet: Scoring)."""
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += state.totals[other] > state.totals[player]


def hand_scores(state: State, player: int) -> list[int]:
    """Return a seat's points in each finished hand."""
    return [int(points) for points in state.hand_points[player, : int(state.hands_done)]]


# --- A hand (sheet: The Deal) -------------------------------------------------------------------


@kernel
def _deal(state: State, top: NDArray[np.int8]) -> None:
    """Deal a hand, one card at a time from the dealer's left; the next card is the first discard.

    Reset all fields that change during a hand.
    """
    start_stream(state, state.hands_done)
    new_deck(state, top)
    state.reshuffled = False
    state.recycled[:] = 0
    state.hands[:] = 0
    state.drawn_since[:] = 0
    state.left_since[:] = 0
    state.picked_up[:] = 0
    state.laid[:] = NO_CARD
    state.num_laid[:] = 0
    state.word_ends[:] = 0
    state.num_words[:] = 0
    state.in_lexicon[:] = 0
    state.verdicts[:] = UNCHALLENGED
    state.lost[:] = 0
    state.turns[:] = 0
    state.out = NOBODY
    state.called = False
    state.last_turns = 0
    state.accused = NOBODY
    first = seat_after(state.dealer, 1, state.num_players)
    for _ in range(state.hand_sizes[state.hands_done]):
        for i in range(state.num_players):
            state.hands[seat_after(first, i, state.num_players), draw(state)] += 1
    discard(state, draw(state))
    _begin_turn(state, first)


@kernel
def _end_hand(state: State) -> None:
    """Score the hand, keep its words for display, and deal the next hand or end the game."""
    score_hand(state)
    # Loop over `MAX_PLAYERS`: NVVM computes wrong addresses in a loop up to `num_players`.
    for player in range(MAX_PLAYERS):
        state.last_num_words[player] = state.num_words[player]
        for i in range(MAX_HAND):
            state.last_laid[player, i] = state.laid[player, i]
        for word in range(MAX_WORDS):
            state.last_word_ends[player, word] = state.word_ends[player, word]
            state.last_verdicts[player, word] = state.verdicts[player, word]
    state.hand_over = True
    state.hands_done += 1
    if state.hands_done == state.num_hands:
        state.terminated = True
        state.phase = OVER
    else:
        state.dealer = seat_after(state.dealer, 1, state.num_players)
        _deal(state, NO_CARDS)


# --- A turn (sheet: The Play, Going Out) --------------------------------------------------------


@kernel
def _begin_turn(state: State, player: int) -> None:
    if state.last_turns == 0 and state.turns[player] >= state.max_turns:
        state.called = True
        state.last_turns = state.num_players
    state.current_player = player
    state.turns[player] += 1
    state.phase = SOURCE
    state.taken = NO_CARD
    state.forbidden = NO_CARD
    state.going_out = False


@kernel
def _obtain(state: State, action: int) -> None:
    player = state.current_player
    if action == DRAW:
        kind = draw(state)
        state.drawn_since[player, kind] += state.reshuffled
    else:
        kind = take(state, state.pile[state.pile_size - 1])
        state.taken = kind
        state.picked_up[player, kind] += 1
    state.hands[player, kind] += 1
    find_forbidden(state)
    state.phase = MELD


@kernel
def _mask_spelling(state: State, mask: BoolArray) -> None:
    player = state.current_player
    mask[WORD] = state.may_end
    write_bits(np.uint64(state.next_kinds), NUM_KINDS, mask, SPELL)
    # When going out, a player may discard only when no word can follow: one card is left then.
    if not is_spelling(state) and not (state.going_out and state.next_kinds != 0):
        for kind in range(NUM_KINDS):
            mask[DISCARD + kind] = state.hands[player, kind] > 0
        if state.forbidden != NO_CARD:
            mask[DISCARD + state.forbidden] = False


@kernel
def _mask_laying(state: State, mask: BoolArray) -> None:
    """Mark the legal discards, and those that lay words first."""
    player = state.current_player
    last_turn = state.last_turns > 0
    out = may_go_out(state)
    for kind in range(NUM_KINDS):
        if state.hands[player, kind] > 0 and kind != state.forbidden:
            lays = last_turn or (out and can_lay_all_but(state, kind))
            mask[STAY + kind] = not last_turn
            mask[LAY_LONGEST + kind] = lays
            mask[LAY_MOST + kind] = lays


@kernel
def _discard(state: State, kind: int) -> None:
    """Discard and end the turn; if the player goes out, each other seat has one last turn."""
    player = state.current_player
    leave_hand(state, player, kind)
    discard(state, kind)
    forget_meld(state)
    if state.last_turns > 0:
        state.last_turns -= 1
    elif state.going_out:
        state.out = player
        state.last_turns = state.num_players - 1
    state.phase = TURN_OVER
    if state.challenges and state.num_words[player] > 0:
        state.accused = player
        state.phase = JUDGE
        state.current_player = seat_after(player, 1, state.num_players)


@kernel
def _go_on(state: State) -> None:
    """Begin the next turn or end the hand, after the current player's words were judged."""
    if (state.called or state.out != NOBODY) and state.last_turns == 0:
        _end_hand(state)
    else:
        _begin_turn(state, seat_after(state.current_player, 1, state.num_players))


# --- Challenges (sheet: Challenges) -------------------------------------------------------------


@kernel
def _judge(state: State, action: int) -> None:
    """Challenge a word of the accused seat, or pass."""
    accused, judge = state.accused, state.current_player
    if action == PASS:
        state.current_player = seat_after(judge, 1, state.num_players)
    else:
        word = action - CHALLENGE
        if state.in_lexicon[accused, word]:
            state.verdicts[accused, word] = UPHELD
            state.lost[judge] += word_sum(state, accused, word, VALUES)
        else:
            state.verdicts[accused, word] = REJECTED
    unchallenged = 0
    for word in range(state.num_words[accused]):
        unchallenged += state.verdicts[accused, word] == UNCHALLENGED
    if unchallenged == 0 or state.current_player == accused:
        state.current_player = accused
        state.accused = NOBODY
        state.phase = TURN_OVER
