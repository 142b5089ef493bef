"""Redeal of the order of the pile, which no seat of Add-Too knows."""

from __future__ import annotations

from typing import Any

from kitchentable.core.kernels import kernel
from kitchentable.core.rng import advance, shuffle_hidden
from kitchentable.games.addtoo.state import State


@kernel
def redeal(state: State, viewer: int, *_: Any) -> None:  # noqa: ARG001 - all seats know the same
    """Shuffle the pile by ``state.rng``; its order is all that is hidden.

    The seed of the game changes too, because it determines later deals.
    """
    shuffle_hidden(state, state.pile, 0, state.pile_size)
    state.seed = advance(state.rng)
