"""Decks and discard piles, as several games have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import Copies
from kitchentable.core.rng import shuffle

NO_CARD = -1
"""Stands where no card lies."""


class HasDeck(Protocol):
    """Any state record with a deck; its next card is at ``deck_size - 1``."""

    seed: np.uint64
    rng: np.uint64
    deck: NDArray[np.int8]
    deck_size: int


class HasPile(HasDeck, Protocol):
    """Any state record with a deck of `copies` of each kind and a discard pile."""

    pile: NDArray[np.int8]
    pile_size: int
    pile_counts: NDArray[np.int8]
    copies: NDArray[np.int8]


def deck_with(
    copies: Mapping[str, int] | Copies | None, real: Mapping[str, int]
) -> Mapping[str, int]:
    """Return the number of copies of each kind of card by name, 0 for kinds that are left out.

    Args:
        copies: the copies of a shortened deck, see `parameters.read_copies`; None: the real deck.
        real: the real deck.
    """
    return real if copies is None else dict.fromkeys(real, 0) | dict(copies)


@kernel
def stack(state: HasDeck, size: int, top: NDArray[np.int8]) -> None:
    """Shuffle the ``size`` cards in the deck, but for the cards ``top``, which lie on top."""
    for i in range(top.shape[0]):
        place, last = 0, size - 1 - i
        while state.deck[place] != top[i]:
            place += 1
        state.deck[place] = state.deck[last]
        state.deck[last] = top[i]
    shuffle(state, state.deck, 0, size - top.shape[0])
    state.deck_size = size


@kernel
def list_cards(counts: Any, cards: Any, size: int) -> int:
    """Write each card counted by kind to ``cards``, from ``size`` on; return where they end."""
    for kind in range(counts.shape[0]):
        for _ in range(counts[kind]):
            cards[size] = kind
            size += 1
    return size


@kernel
def new_deck(state: HasPile, top: NDArray[np.int8]) -> None:
    """Put all cards into the deck: the cards ``top`` on top, the rest shuffled."""
    state.pile[:] = NO_CARD
    state.pile_size = 0
    left = state.pile_counts  # used as a buffer here: the cards that are not in ``top``
    state.deck_size = 0
    for kind in range(left.shape[0]):
        left[kind] = state.copies[kind]
        state.deck_size += state.copies[kind]
    state.deck[state.deck_size :] = NO_CARD
    for i in range(top.shape[0]):
        left[top[i]] -= 1
        state.deck[state.deck_size - 1 - i] = top[i]
    count = list_cards(left, state.deck, 0)
    left[:] = 0
    shuffle(state, state.deck, 0, count)


@kernel
def take_top(state: HasDeck) -> int:
    """Remove and return the top card of the deck, which must not be empty."""
    state.deck_size -= 1
    card = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = NO_CARD
    return card


@kernel
def reshuffle(state: HasPile) -> None:
    """Shuffle all discards but the top one into a new deck."""
    top = int(state.pile[state.pile_size - 1])
    state.deck_size = state.pile_size - 1
    for i in range(state.deck_size):
        state.deck[i] = state.pile[i]
    state.pile[:] = NO_CARD
    state.pile_counts[:] = 0
    state.pile_size = 0
    discard(state, top)
    shuffle(state, state.deck, 0, state.deck_size)


@kernel
def discard(state: HasPile, kind: int) -> None:
    """Put a card on top of the discard pile."""
    state.pile[state.pile_size] = kind
    state.pile_size += 1
    state.pile_counts[kind] += 1


@kernel
def take(state: HasPile, kind: int) -> int:
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
