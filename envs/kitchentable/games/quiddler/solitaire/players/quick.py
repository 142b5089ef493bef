"""The scripted player `quick` of Quiddler Solitaire.

It prefers words that use up hard cards and keep the stacks and the share of vowels even.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kitchentable.core.kernels import allocating_kernel, subroutine
from kitchentable.core.scratch import scratch_ints, scratch_shorts
from kitchentable.core.state import BoolArray, Floats, Stream
from kitchentable.games.quiddler.cards import CARD_NAMES
from kitchentable.games.quiddler.solitaire.knowledge import Knowledge
from kitchentable.games.quiddler.solitaire.players.hand import (
    OPEN_SIZE,
    Hand,
    find_words,
)
from kitchentable.games.quiddler.solitaire.players.moves import best_move
from kitchentable.games.quiddler.words.solver import NUM_SETS, Cards

# Found by a cross-entropy search for the weights with which `rollout.play_on` wins most games.
_TABLE = (
    "a -1.2, b 0.8, c 2.7, d 1.8, e -0.1, f 2.6, g 1.5, h -0.5, i -1, j 7, k 4.5, l 2.4, m 0, "
    "n 0.8, o -2, p 0.8, q 13.3, r 1.3, s -0.8, t -0.6, u -1.4, v 6.9, w 4.9, x 3.9, y 0.5, z "
    "9.2, qu 8.2, in 3.2, er 4.3, th 5.3, cl 7.2"
)
_WEIGHTS = np.array([float(entry.split()[1]) for entry in _TABLE.split(", ")])
"""Worth of using up a card, by kind."""
_LAST = -1.5
"""Worth of using the last card of a stack."""
_IMBALANCE = 5.0
"""Cost of each vowel too many or too few among the open cards left."""
_VOWELS = 0.55
"""Share of vowels that the open cards left should have."""
_OTHERS = 1.9
"""Factor of the square root of the number of words in the open cards left."""
_STRANDED = 1.0
"""Cost of each open card that is in none of these words."""
_IS_VOWEL = np.array([name in "aeiou" for name in CARD_NAMES])


@allocating_kernel
def quick(known: Knowledge, _mask: BoolArray, _rng: Stream, *tables: Any) -> int:
    """Make the word with the highest worth: use hard cards, keep stacks and vowels even."""
    room, words = scratch_ints(OPEN_SIZE), scratch_shorts(NUM_SETS)
    hand = find_words(known, tables[2], tables[3], room, words)
    return best_move(known, hand, worths_of(known, hand), tables[0], tables[1])


@allocating_kernel
def worths_of(known: Knowledge, hand: Hand) -> Floats:
    """Return the worth of each word; shape (words,)."""
    values = np.zeros(hand.num_words, np.float64)
    for i in range(hand.num_words):
        values[i] = worth_of(i, hand, known.heights)
    return values


@subroutine
def worth_of(i: int, hand: Hand, heights: Cards) -> float:
    """Return the worth of word ``i`` by the cards that it uses and those that it leaves open."""
    word = hand.words[i]
    others, covered = 0, word
    for j in range(hand.num_words):
        if hand.words[j] & word == 0:
            others += 1
            covered |= hand.words[j]
    worth, vowels, left = _OTHERS * math.sqrt(others), 0, 0
    for p in range(hand.size):
        if word >> p & 1:
            worth += _WEIGHTS[hand.cards[p]] + _LAST * (heights[hand.stacks[p]] == 1)
        else:
            left += 1
            vowels += _IS_VOWEL[hand.cards[p]]
            worth -= _STRANDED * (covered >> p & 1 == 0)
    return worth - _IMBALANCE * abs(vowels - _VOWELS * left)
