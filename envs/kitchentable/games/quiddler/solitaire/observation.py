"""The observation of Quiddler Solitaire, a flat vector of numbers from 0 to 1.

Sets of cards have one entry for each of the 31 kinds (`cards.CARD_NAMES`). Face-down cards are
exchangeable: all that can be known of them is which cards have not been seen yet.
"""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_ints
from kitchentable.core.state import FloatArray
from kitchentable.games.quiddler.cards import COPIES, NUM_KINDS
from kitchentable.games.quiddler.observation import SHARE
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import (
    MAX_WORDS,
    NUM_ACTIONS,
    NUM_DEALT,
    NUM_STACKS,
    PLACE,
    STACK_SIZE,
    WORD,
    Params,
    State,
)
from kitchentable.games.quiddler.words.solver import Cards

CARD_PARTS = ("open", "unseen")
"""Parts of the layout made of one or more vectors with an entry for each of the 31 kinds."""


def observation_layout(params: Params) -> dict[str, int]:
    """Return the name and length of each part of the observation, in order."""
    del params
    return {
        "open": NUM_STACKS * NUM_KINDS,  # one-hot: the open card of each stack; all zero: empty
        "heights": NUM_STACKS,  # cards in each stack, including the open one, of 6
        "unseen": NUM_KINDS,  # cards of each kind face down or not dealt, of its copies
        "progress": 2,  # cards used, of 48; words made, of 24
        "word": NUM_STACKS * NUM_STACKS,  # one-hot: the stack of each card of the word, in order
        "may_follow": NUM_ACTIONS,  # stacks whose cards may be added; whether the word may end
        "wins": NUM_ACTIONS,  # once all cards are open: which of these actions can still win
    }


def state_layout(params: Params) -> dict[str, int]:
    """Return the length of the parts of the full state after player_0's observation."""
    del params
    return {"stacks": NUM_DEALT}  # each from the lowest card up: (kind + 1) / 31


@kernel
def observe(state: State, viewer: int, out: FloatArray, *tables: Any) -> None:  # noqa: ARG001
    """Write the observation into ``out``, which is zero on entry."""
    _write(state, out)


@kernel
def observe_state(state: State, out: FloatArray, *tables: Any) -> None:  # noqa: ARG001
    """Write the full state: the observation and all stacks."""
    _write(state, out)
    for stack in range(NUM_STACKS):
        for level in range(state.heights[stack]):
            kind = int(state.stacks[stack, level])
            out[state.at.stacks + stack * STACK_SIZE + level] = (kind + 1) / NUM_KINDS


@kernel
def count_unseen(state: State, unseen: Cards) -> None:
    """Write the number of cards of each kind that were never open; shape (31,)."""
    for kind in range(NUM_KINDS):
        unseen[kind] = COPIES[kind]
    for i in range(state.used):
        unseen[state.words[i]] -= 1
    for stack in range(NUM_STACKS):
        if state.heights[stack] > 0:
            unseen[open_card(state, stack)] -= 1


@subroutine
def _write(state: State, out: FloatArray) -> None:
    at, unseen = state.at, scratch_ints(NUM_KINDS)
    count_unseen(state, unseen)
    for kind in range(NUM_KINDS):
        out[at.unseen + kind] = unseen[kind] * SHARE[kind]
    for stack in range(NUM_STACKS):
        height = int(state.heights[stack])
        out[at.heights + stack] = height / STACK_SIZE
        if height > 0:
            kind = open_card(state, stack)
            out[at.open + stack * NUM_KINDS + kind] = 1.0
            if state.left >> stack & 1:
                out[at.may_follow + PLACE + stack] = state.next_kinds >> kind & 1
                out[at.wins + PLACE + stack] = state.winning_kinds >> kind & 1
    out[at.may_follow + WORD] = state.may_end
    out[at.wins + WORD] = state.wins_by_ending
    out[at.progress] = state.used / NUM_DEALT
    out[at.progress + 1] = state.num_words / MAX_WORDS
    for i in range(state.num_placed):
        out[at.word + i * NUM_STACKS + int(state.placed[i])] = 1.0
