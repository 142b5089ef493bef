"""The deck and the discard pile of Diddly."""

from __future__ import annotations

from kitchentable.core.kernels import kernel
from kitchentable.core.piles import reshuffle, take_top
from kitchentable.core.rng import shuffle, start_stream
from kitchentable.games.diddly.state import NO_CARD, NUM_KINDS, State


@kernel
def gather(state: State) -> None:
    """Begin a round: start its random stream and collect all cards, to be shuffled.

    The counts by kind are written to ``pile_counts``, the number of cards to ``deck_size``.
    """
    start_stream(state, state.rounds_done)
    state.deck_size = 0
    for kind in range(NUM_KINDS):
        state.pile_counts[kind] = state.copies[kind]
        state.deck_size += state.copies[kind]


@kernel
def shuffle_in(state: State) -> None:
    """Shuffle the gathered cards into the deck, below the cards that already lie on top."""
    count = 0
    for kind in range(NUM_KINDS):
        for _ in range(state.pile_counts[kind]):
            state.deck[count] = kind
            count += 1
    shuffle(state, state.deck, 0, count)


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
