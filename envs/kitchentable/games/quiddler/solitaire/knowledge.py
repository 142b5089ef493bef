"""What the player of Quiddler Solitaire knows, as a record.

Scripted players and action features read it.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.games.quiddler.cards import NO_CARD, NUM_KINDS
from kitchentable.games.quiddler.solitaire.observation import count_unseen
from kitchentable.games.quiddler.solitaire.rules import open_card
from kitchentable.games.quiddler.solitaire.state import (
    NUM_STACKS,
    PLACE,
    STACK_SIZE,
    WORD,
    State,
)


class Knowledge:
    """What the player knows."""

    num_players: Annotated[int, np.int8]
    reward: Annotated[int, np.int8]
    stacks: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS, STACK_SIZE)]
    """Kinds as in `State`; `NO_CARD` for each card face down."""
    heights: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    unseen: Annotated[NDArray[np.int8], np.int8, (NUM_KINDS,)]
    """Cards of each kind face down or not dealt."""
    used: Annotated[int, np.int8]
    num_words: Annotated[int, np.int8]
    placed: Annotated[NDArray[np.int8], np.int8, (NUM_STACKS,)]
    """The stacks of the cards of the word being spelled in order, then `NOBODY`."""
    may_follow: Annotated[int, np.uint16]
    """The set of legal actions: bit i is action i."""
    wins: Annotated[int, np.uint16]
    """Once all cards are open: the set of those after which all can be used up."""


@kernel
def know(state: State, viewer: int, known: Knowledge, *_: Any) -> None:
    """Write what ``viewer`` knows into the record ``known``."""
    known.num_players, known.reward = state.num_players, state.reward
    known.used, known.num_words = state.used, state.num_words
    known.may_follow = int(state.may_end) << WORD
    known.wins = int(state.wins_by_ending) << WORD
    known.stacks[:] = NO_CARD
    count_unseen(state, known.unseen)
    for stack in range(NUM_STACKS):
        top = int(state.heights[stack]) - 1
        known.heights[stack] = state.heights[stack]
        known.placed[stack] = state.placed[stack] if stack < state.num_placed else NOBODY
        if viewer == ALL_SEEING:
            for level in range(top):
                known.stacks[stack, level] = state.stacks[stack, level]
                known.unseen[state.stacks[stack, level]] -= 1
        if top >= 0:
            kind = open_card(state, stack)
            known.stacks[stack, top] = kind
            if state.left >> stack & 1:
                known.may_follow |= int(state.next_kinds >> kind & 1) << (PLACE + stack)
                known.wins |= int(state.winning_kinds >> kind & 1) << (PLACE + stack)
