"""The cards of Quiddler and Quiddler Solitaire: 118 cards of 31 kinds."""

from __future__ import annotations

import numpy as np

# A kind is an index into these names (sheet: The Deck, Letter Frequency).
CARD_NAMES: tuple[str, ...] = (*"abcdefghijklmnopqrstuvwxyz", "qu", "in", "er", "th", "cl")
NUM_KINDS = len(CARD_NAMES)
NO_CARD = -1
TO_CARDS = bytes.maketrans(bytes(range(97, 123)), bytes(range(26)))
"""Table for `bytes.translate` from the letters a to z to kinds, one card per letter."""
PAIRS = [(kind, name) for kind, name in enumerate(CARD_NAMES) if len(name) == 2]
"""Kind and name of each two-letter card."""

_TABLE = (
    "a 2/10, b 8/2, c 8/2, d 5/4, e 2/12, f 6/2, g 6/4, h 7/2, i 2/8, j 13/2, k 8/2, l 3/4, m 5/2, "
    "n 5/6, o 2/8, p 6/2, q 15/2, r 5/6, s 3/4, t 3/6, u 4/6, v 11/2, w 10/2, x 12/2, y 4/4, "
    "z 14/2, qu 9/2, in 7/2, er 7/2, th 9/2, cl 10/2"
)
_NUMBERS = [entry.split()[1].split("/") for entry in _TABLE.split(", ")]
VALUES = np.array([int(value) for value, _ in _NUMBERS])
"""Points of each kind; the sheet does not print them, but eleven public tables agree."""
COPIES = np.array([int(copies) for _, copies in _NUMBERS])
LETTERS = np.array([len(name) for name in CARD_NAMES])
NUM_CARDS = int(COPIES.sum())
DECK = dict(zip(CARD_NAMES, COPIES.tolist(), strict=True))
"""The real deck: number of copies of each kind by name."""
MAX_HAND = 10
"""Cards dealt in the largest hand (sheet: The Deal)."""

BY_RARITY = np.argsort(COPIES, kind="stable").astype(np.int8)
"""Kinds from the rarest to the most frequent; int8, shape (31,). Hands are sorted in this order."""
RARITY = np.argsort(BY_RARITY, kind="stable").astype(np.int8)
"""The position of each kind in `BY_RARITY`; int8, shape (31,)."""
