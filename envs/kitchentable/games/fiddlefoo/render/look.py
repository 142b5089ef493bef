"""Colors and sizes of Fiddlefoo's pictures, the wide one and the tall one for phones."""

from __future__ import annotations

from typing import NamedTuple

from kitchentable.games.fiddlefoo.cards import BLUE, PURPLE, RED, YELLOW
from kitchentable.games.fiddlefoo.state import Params, State
from kitchentable.render import scene as shared

Scene = shared.Scene[State, Params]

CHOICE, BY_NOTES, CHOSEN, PAIR = "#fbbf24", "#67e8f9", "#f472b6", "#ffffff"
"""Frame colors: may be chosen, may be thrown for its notes, is chosen, is part of the pair."""
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
"""Space between boxes."""
INNER = 16
"""Space between a box and its contents."""
NAME = 36
"""Height of the first line of a seat."""


class Look(NamedTuple):
    """The settings in which the two pictures differ; sizes are in pixels."""

    width: float
    """Width of a box."""
    decision: int
    """Letter size of the sentence on the decision; likewise for the next three fields."""
    text: int
    foot: int
    name: int
    space: int
    """Space between the cards of a hand."""
    largest: int
    """Largest side of a hand card; ``smallest`` is the smallest one."""
    smallest: int
    others: float
    """Size of cards in other hands, as a fraction of those in the viewer's hand."""
    letters: int
    """Minimum letter size on a card; names that do not fit become two-letter marks."""
    compact: bool
    """Whether hidden cards, piles and possible pairs are abbreviated."""

    @property
    def room(self) -> float:
        """Width of the contents of a box."""
        return self.width - 2 * INNER

    def across(self, size: int) -> int:
        """Return how many cards of a given size fit side by side."""
        return int((self.room + self.space) // (size + self.space))


WIDE = Look(520, 20, 16, 14, 18, 8, 100, 30, 0.7, 14, compact=False)
TALL = Look(544, 20, 18, 16, 20, 8, 96, 31, 0.5, 16, compact=True)
