"""A table of Add-Too dealt anew as far as a seat knows it."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance, shuffle
from kitchentable.games.addtoo.state import State


@kernel
def redeal(state: State, viewer: int, *_: Any) -> None:  # noqa: ARG001 - all seats know the same
    """Shuffle, by ``state.rng``, the pile: its order is all that nobody knows.

    The game's seed changes too: it decides later deals.
    """
    shuffle(state, state.pile, 0, state.pile_size)
    state.seed = advance(state.rng)
