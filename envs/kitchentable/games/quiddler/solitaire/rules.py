"""The rules of Quiddler Solitaire; `render/rulebook.py` explains them to people.

Source: the Quiddler rule sheet (Set Enterprises, 1998), section Solitaire. The words and cards are
those of Quiddler.

Readings, where the sheet is silent:

- An empty place is filled with the top card of the stack with the most cards (the first of
  several), and that stack turns up its next card. Face-down cards are exchangeable, so the choice
  of the stack does not affect which cards may turn up, only how many cards each stack has left.
- Only a stack of two or more cards gives one away, since the last card of a stack is open already.
  If there is no such stack, places stay empty. Several places are filled one by one, starting with
  the first.
- A word is spelled card by card: ``place:i`` adds the open card of stack i, and ``word`` ends the
  word. The cards are removed when the word ends. A card can be added only if the open cards can
  still complete a word. So the player never gets stuck in the middle of a word, and the game is
  over exactly when no word can be made.
- The same word may be made again, as in Quiddler.
- Cards are dealt stack by stack from the bottom: six to stack 0, the last one face up, six to stack
  1, and so on. The other 70 cards are not used, and the player does not know which they are.
- A deal in which no word can be made is dealt again. If that does not help, because there are very
  few words or all cards are prescribed, the game is lost from the start.
- The score is the number of cards used. The player's rank is 1 after a win and 2 after a loss.
- The reward is paid at the end: 1 or 0 with ``"win"``, the share of the 48 cards that were used
  with ``"margin"``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.piles import list_cards
from kitchentable.core.rewards import MARGIN
from kitchentable.core.rng import advance, next_below, start_stream
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, IntArray, Ints
from kitchentable.games.quiddler.cards import COPIES, NO_CARD, NUM_CARDS, NUM_KINDS
from kitchentable.games.quiddler.solitaire.state import (
    NUM_DEALT,
    NUM_STACKS,
    PLACE,
    STACK_SIZE,
    WORD,
    HasStacks,
    State,
)
from kitchentable.games.quiddler.words.graph import TARGET_SHIFT, WORD_BIT
from kitchentable.games.quiddler.words.solver import (
    BLOCKS,
    EVERY_SET,
    MAX_HELD,
    NUM_SETS,
    Graph,
    find_cover,
    find_places,
    follow,
    has,
    list_words,
    next_kinds,
    sort_hand,
)

MOST_DEALS = 1000
"""Maximum number of deals tried until the open cards can make a word."""

# --- A game -------------------------------------------------------------------------------------


@kernel
def init(state: State, top: NDArray[np.int8], *tables: Any) -> None:
    """Start a new game; ``top`` lists the first cards of the deck."""
    state.seed = advance(state.seed)
    start_stream(state, 0)
    state.current_player = 0
    state.truncated = False
    state.won = False
    state.used = 0
    state.words[:] = NO_CARD
    state.word_ends[:] = 0
    state.num_words = 0
    for _ in range(MOST_DEALS if top.shape[0] < NUM_DEALT else 1):
        state.hand_over = False
        state.terminated = False
        _deal(state, top)
        _begin_word(state)
        look_ahead(state, *tables)
        if not state.terminated:
            break


@kernel
def legal_action_mask(state: State, mask: BoolArray, *tables: Any) -> None:  # noqa: ARG001
    """Mark the stacks whose cards lead to a word, and `WORD` if the cards placed are one."""
    for stack in range(NUM_STACKS):
        if state.left >> stack & 1:
            mask[PLACE + stack] = state.next_kinds >> open_card(state, stack) & 1
    mask[WORD] = state.may_end


@kernel
def step(state: State, action: int, *tables: Any) -> None:
    """Play a legal ``action``."""
    if action == WORD:
        _remove_word(state)
        _refill(state)
        _begin_word(state)
    else:
        _place(state, action - PLACE, tables[0], tables[1])
    look_ahead(state, *tables)


@kernel
def rewards(state: State, out: FloatArray) -> None:
    """Write the reward of the last step, which is zero until the game ends."""
    if state.terminated:
        out[0] = state.used / NUM_DEALT if state.reward == MARGIN else state.won


@kernel
def scores(state: State, out: IntArray) -> None:
    """Write the number of cards used so far; higher is better."""
    out[0] = state.used


@kernel
def ranks(state: State, out: IntArray) -> None:
    """Write 1 if the game is won, 2 if it is lost or not over."""
    out[0] = 1 if state.won else 2


# --- Dealing ------------------------------------------------------------------------------------


@subroutine
def _deal(state: State, top: NDArray[np.int8]) -> None:
    """Deal all stacks: first the cards in ``top``, then random ones."""
    pool = scratch_ints(NUM_CARDS)
    unseen = scratch_ints(NUM_KINDS)
    for kind in range(NUM_KINDS):
        unseen[kind] = COPIES[kind]
    for i in range(top.shape[0]):
        unseen[top[i]] -= 1
    size = list_cards(unseen, pool, 0)
    for stack in range(NUM_STACKS):
        state.heights[stack] = STACK_SIZE
        for level in range(STACK_SIZE):
            i = stack * STACK_SIZE + level
            if i < top.shape[0]:
                state.stacks[stack, level] = top[i]
            else:
                state.stacks[stack, level] = draw(state, pool, size)
                size -= 1


@kernel
def draw(state: State, pool: Ints, size: int) -> int:
    """Remove and return a random one of the first ``size`` cards; the last one fills the gap."""
    at = next_below(state, size)
    kind = int(pool[at])
    pool[at] = pool[size - 1]
    return kind


# --- Stacks -------------------------------------------------------------------------------------


@kernel
def open_card(table: HasStacks, stack: int) -> int:
    """Return the kind of the open card of a stack, which must not be empty."""
    return int(table.stacks[stack, table.heights[stack] - 1])


@kernel
def _take_top(state: State, stack: int) -> int:
    """Remove and return the open card of a stack; the next card, if any, becomes open."""
    kind = open_card(state, stack)
    state.heights[stack] -= 1
    state.stacks[stack, state.heights[stack]] = NO_CARD
    return kind


@kernel
def _remove_word(state: State) -> None:
    """Move the cards of the word being spelled from the stacks to ``state.words``."""
    for i in range(state.num_placed):
        state.words[state.used] = _take_top(state, int(state.placed[i]))
        state.used += 1
    state.word_ends[state.num_words] = state.used
    state.num_words += 1


@kernel
def _refill(state: State) -> None:
    """Fill each empty place from the stack with the most cards."""
    for stack in range(NUM_STACKS):
        if state.heights[stack] == 0:
            giver = 0
            for other in range(1, NUM_STACKS):
                if state.heights[other] > state.heights[giver]:
                    giver = other
            if state.heights[giver] >= 2:
                state.stacks[stack, 0] = _take_top(state, giver)
                state.heights[stack] = 1


# --- Words --------------------------------------------------------------------------------------


@kernel
def _begin_word(state: State) -> None:
    state.placed[:] = NOBODY
    state.num_placed = 0
    state.node = 0
    state.may_end = False
    state.left = 0
    for stack in range(NUM_STACKS):
        if state.heights[stack] > 0:
            state.left |= 1 << stack


@kernel
def _place(state: State, stack: int, nodes: Graph, edges: Graph) -> None:
    """Add the open card of a stack to the word, and follow its edge in the word graph."""
    state.placed[state.num_placed] = stack
    state.num_placed += 1
    state.left ^= 1 << stack
    kind, node = open_card(state, stack), int(state.node)
    edge = follow(node, kind, nodes, edges)
    state.node = edge >> TARGET_SHIFT
    state.may_end = edge & WORD_BIT != 0


@subroutine
def look_ahead(state: State, *tables: Any) -> None:
    """Compute the legal actions at the end of each step; the game is over if there are none."""
    places, ends = scratch_ints(NUM_KINDS), scratch_bits(BLOCKS)
    places[:] = 0
    ends[:] = EVERY_SET  # a word may end whatever is left
    left = int(state.left)
    for stack in range(NUM_STACKS):
        if left >> stack & 1:
            places[open_card(state, stack)] |= 1 << stack
    state.next_kinds = next_kinds(int(state.node), left, places, ends, tables[0], tables[1])
    if state.next_kinds == 0 and not state.may_end:
        state.terminated = True
        state.hand_over = True
        state.won = state.used == NUM_DEALT
    _find_winning(state, *tables)


@subroutine
def _find_winning(state: State, *tables: Any) -> None:
    """Once all cards are open, find the actions after which they can all be used up."""
    state.winning_kinds = 0
    state.wins_by_ending = False
    counts, cards = scratch_ints(NUM_KINDS), scratch_ints(MAX_HELD)
    words = scratch_shorts(NUM_SETS)
    counts[:] = 0
    for stack in range(NUM_STACKS):
        if state.heights[stack] > 1 or state.terminated:
            return
        if state.left >> stack & 1:
            counts[open_card(state, stack)] += 1
    nodes, edges, index, marks = tables[:4]
    size = sort_hand(counts, cards)
    count = list_words(cards, size, index, marks, words)
    _find_ways(state, cards, size, words, count, nodes, edges)


# A separate function, so that its buffers are allocated after `list_words` has returned: NVVM 13.0
# let buffers that were allocated before, and written later, overlap those of `next_kinds`.
@subroutine
def _find_ways(
    state: State, cards: Ints, size: int, words: Ints, count: int, nodes: Graph, edges: Graph
) -> None:
    """Find how the word being spelled can go on so that words use up all open cards."""
    places, cover = scratch_ints(NUM_KINDS), scratch_bits(BLOCKS)
    find_cover(words, count, size, cover)
    find_places(cards, size, places)
    everything = (1 << size) - 1
    state.winning_kinds = next_kinds(int(state.node), everything, places, cover, nodes, edges)
    state.wins_by_ending = state.may_end and has(cover, everything)
