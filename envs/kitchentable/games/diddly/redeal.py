"""Dealing anew what a seat of Diddly cannot know."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance, shuffle
from kitchentable.games.diddly.state import NO_CARD, State, is_known


@kernel
def redeal(state: State, viewer: int) -> None:
    """Deal anew, by ``state.rng``, the deck and the face-down cards that ``viewer`` has not seen.

    Deck and board cards that nobody knows are exchangeable, so all that changes hands is their
    kinds. A deck made anew from the pile holds only what everybody saw go into it: then its cards
    stay in it, and those on the boards on them. The game's seed changes too: it decides later
    deals.
    """
    boundary = int(state.deck_size) if state.reshuffled else 0
    shuffle(state, state.deck, 0, boundary)
    for player in range(state.num_players):
        for slot in range(state.cards):
            if not is_known(state, viewer, player, slot):
                state.deck[state.deck_size] = state.boards[player, slot]
                state.deck_size += 1
    shuffle(state, state.deck, boundary, state.deck_size)
    state.seed = advance(state.rng)
    for player in range(state.num_players):
        for slot in range(state.cards):
            if not is_known(state, viewer, player, slot):
                state.deck_size -= 1
                state.boards[player, slot] = state.deck[state.deck_size]
                state.deck[state.deck_size] = NO_CARD
