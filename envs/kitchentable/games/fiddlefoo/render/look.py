"""Colours and sizes of the pictures of Fiddlefoo: of the wide one, and of the one for phones."""

from __future__ import annotations

from typing import NamedTuple

TABLE, PANEL, STATUS = "#211b17", "#332a24", "#16110e"
LIGHT, MUTED = "#f5f0ea", "#b8aa9d"

MARGIN = 24
GAP = 12
"""Between boxes."""
INNER = 16
"""Between a box and what it holds."""
LINE = 1.36
"""From one line to the next, as a part of the letters' size."""
NAME = 36
"""Height of a seat's first line."""


class Look(NamedTuple):
    """What differs between the two pictures wherever both draw the same thing."""

    width: float
    """Of a box."""
    decision: int
    """Size of the letters that say who decides what; then of other letters."""
    text: int
    foot: int
    name: int
    space: int
    """Between the cards of a hand."""
    largest: int
    """Sides of the cards of a hand."""
    smallest: int
    others: float
    """Size of the cards in other hands than the viewer's, as a part of those."""
    letters: int
    """The smallest letters on a card; a name that has no room for them is a mark of two letters."""
    compact: bool
    """Whether hidden cards, piles and possible pairs are drawn as a few signs."""

    @property
    def room(self) -> float:
        """Width of what a box holds."""
        return self.width - 2 * INNER

    def across(self, size: int) -> int:
        """Return how many cards of a size go side by side."""
        return int((self.room + self.space) // (size + self.space))


WIDE = Look(700, 20, 15, 13, 18, 9, 100, 16, 1.0, 0, compact=False)
TALL = Look(544, 20, 18, 16, 20, 8, 96, 31, 0.5, 16, compact=True)
