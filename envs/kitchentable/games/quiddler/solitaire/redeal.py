"""Redealing the cards that the player of Quiddler Solitaire cannot know."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import subroutine
from kitchentable.core.piles import list_cards
from kitchentable.core.rng import advance
from kitchentable.core.scratch import scratch_ints
from kitchentable.games.quiddler.cards import NUM_CARDS, NUM_KINDS
from kitchentable.games.quiddler.solitaire.observation import count_unseen
from kitchentable.games.quiddler.solitaire.rules import draw
from kitchentable.games.quiddler.solitaire.state import NUM_STACKS, State


@subroutine
def redeal(state: State, viewer: int, *tables: Any) -> None:  # noqa: ARG001
    """Redeal the face-down cards, by ``state.rng``, from all cards that were never open.

    The game's seed changes too, because it determines the deal.
    """
    pool, unseen = scratch_ints(NUM_CARDS), scratch_ints(NUM_KINDS)
    count_unseen(state, unseen)
    size = list_cards(unseen, pool, 0)
    for stack in range(NUM_STACKS):
        for level in range(state.heights[stack] - 1):
            state.stacks[stack, level] = draw(state, pool, size)
            size -= 1
    state.seed = advance(state.rng)
