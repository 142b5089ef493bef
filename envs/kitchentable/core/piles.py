"""What the decks and the discard piles of several games have in common."""

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
    """Return the copies of each kind of card by name.

    Args:
        copies: of a shortened deck, see `parameters.read_copies`; None: of the real one.
        real: the real deck.
    """
    return real if copies is None else dict.fromkeys(real, 0) | dict(copies)


@kernel
def discard(state: HasPile, kind: int) -> None:
    """Lay a card face up on the discard pile."""
    state.pile[state.pile_size] = kind
    state.pile_size += 1
    state.pile_counts[kind] += 1
