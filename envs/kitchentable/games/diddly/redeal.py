"""Redeal of the cards that a seat of Diddly cannot know."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import take_top
from kitchentable.core.rng import advance, shuffle_hidden
from kitchentable.games.diddly.state import State, is_known


@kernel
def redeal(state: State, viewer: int) -> None:
    """Redeal, by ``state.rng``, the deck and the face-down cards that ``viewer`` has not seen.

    The unknown cards of the deck and of the boards are shuffled together. After a reshuffle, all
    seats know which kinds are in the deck, so deck and boards are shuffled separately. The seed of
    the game changes too, because it determines later deals.
    """
    boundary = int(state.deck_size) if state.reshuffled else 0
    shuffle_hidden(state, state.deck, 0, boundary)
    for player in range(state.num_players):
        for slot in range(state.cards):
            if not is_known(state, viewer, player, slot):
                state.deck[state.deck_size] = state.boards[player, slot]
                state.deck_size += 1
    shuffle_hidden(state, state.deck, boundary, state.deck_size)
    state.seed = advance(state.rng)
    for player in range(state.num_players):
        for slot in range(state.cards):
            if not is_known(state, viewer, player, slot):
                state.boards[player, slot] = take_top(state)
