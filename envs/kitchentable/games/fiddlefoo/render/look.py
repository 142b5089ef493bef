"""Colours and sizes of the pictures of Fiddlefoo: of the wide one, and of the one for phones."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.fiddlefoo.cards import BLUE, PURPLE, RED, YELLOW
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render import scene as shared

Scene = shared.Scene[State, Params]

CHOICE, BY_NOTES, CHOSEN, PAIR = "#fbbf24", "#67e8f9", "#f472b6", "#ffffff"
"""Frames around what may be chosen, may be thrown for its notes, is chosen, and makes the pair."""
PALETTE = shared.Palette(
    table="#211b17",
    panel="#332a24",
    strip="#16110e",
    empty="#332a24",
    light="#f5f0ea",
    muted="#b8aa9d",
    accent=CHOICE,
    corner=14,
)
PAPERS = {YELLOW: "#f5c531", RED: "#d63a2f", BLUE: "#2456a6", PURPLE: "#cfa6ee"}
DARK, WHITE, PLATE = "#1c1917", "#ffffff", "#fdfcf7"
INKS = {YELLOW: DARK, RED: WHITE, BLUE: WHITE, PURPLE: DARK}
BACK, BACK_EDGE, BACK_PATTERN = "#4a4440", "#a8a29e", "#6b635d"

MARGIN = 24
GAP = 12
"""Between boxes."""
INNER = 16
"""Between a box and what it holds."""
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
