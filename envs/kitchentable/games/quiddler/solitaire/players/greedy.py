"""The scripted player `greedy` of Quiddler Solitaire."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import BoolArray, FloatArray, Ints, Stream
from kitchentable.games.quiddler.cards import VALUES
from kitchentable.games.quiddler.solitaire.players.moves import best_move
from kitchentable.games.quiddler.solitaire.players.reading import find_words, look_at
from kitchentable.games.quiddler.solitaire.state import State


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,  # noqa: ARG001
    variant: State,  # noqa: ARG001
    rng: Stream,  # noqa: ARG001
    *tables: Any,
) -> int:
    """Make the word with the most points."""
    seen = look_at(observation)
    hand = find_words(seen, tables[2], tables[3])
    values = np.zeros(hand.num_words, np.float64)
    for i in range(hand.num_words):
        values[i] = _points_of(hand.words[i], hand.cards, hand.size)
    return best_move(seen, hand, values, tables[0], tables[1])


@kernel
def _points_of(word: int, cards: Ints, size: int) -> int:
    """Return the total points of the cards of a word."""
    total = 0
    for p in range(size):
        if word >> p & 1:
            total += VALUES[cards[p]]
    return total
