"""The scripted player `greedy` of Quiddler Solitaire."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel
from kitchentable.core.scratch import scratch_ints, scratch_shorts
from kitchentable.core.state import BoolArray, Stream
from kitchentable.games.quiddler.cards import VALUES
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.players.hand import OPEN_SIZE, find_words
from kitchentable.games.quiddler.solitaire.players.moves import best_move
from kitchentable.games.quiddler.words.solver import HALVES, NUM_SETS, add_halves, sum_of


@allocating_kernel
def greedy(known: Knowledge, _mask: BoolArray, _rng: Stream, *tables: Any) -> int:
    """Make the word with the most points."""
    room, words = scratch_ints(OPEN_SIZE), scratch_shorts(NUM_SETS)
    hand = find_words(known, tables[2], tables[3], room, words)
    values = np.zeros(hand.num_words, np.float64)
    points = scratch_ints(HALVES)
    add_halves(hand.cards, hand.size, VALUES, points)
    for i in range(hand.num_words):
        values[i] = sum_of(points, hand.words[i])
    return best_move(known, hand, values, tables[0], tables[1])
