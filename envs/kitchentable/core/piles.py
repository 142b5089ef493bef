"""Decks and discard piles, as several games have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel
from kitchentable.core.parameters import Copies


class HasPile(Protocol):
    """Any state record with a discard pile."""

    pile: NDArray[np.int8]
    pile_size: int
    pile_counts: NDArray[np.int8]


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
def discard(state: HasPile, kind: int) -> None:
    """Put a card on top of the discard pile."""
    state.pile[state.pile_size] = kind
    state.pile_size += 1
    state.pile_counts[kind] += 1
