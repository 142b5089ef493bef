"""The deck and the discard pile of Diddly."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import reshuffle, take_top
from kitchentable.games.diddly.state import NO_CARD, State


@kernel
def draw(state: State) -> int:
    """Draw the top card; an empty deck is first reshuffled from the pile except its top card."""
    if state.deck_size == 0:
        reshuffle(state)
        state.reshuffled = True
    return take_top(state)


@kernel
def take(state: State, kind: int) -> int:
    """Take the topmost card of a kind from the discard pile, and return the kind."""
    place = state.pile_size - 1
    while state.pile[place] != kind:
        place -= 1
    for i in range(place, state.pile_size - 1):
        state.pile[i] = state.pile[i + 1]
    state.pile_size -= 1
    state.pile[state.pile_size] = NO_CARD
    state.pile_counts[kind] -= 1
    return int(kind)
