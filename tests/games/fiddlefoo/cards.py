"""The cards and pairs of Fiddlefoo for its tests, from the rules page alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]

NOTES = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 3, 8: 4, 9: 4, 10: 3, 11: 3, 12: 3, 13: 2, 14: 2,
         15: 1, 16: 1}  # fmt: skip
NUMBERS = {"Y": range(1, 17), "R": range(1, 17), "B": range(1, 17), "P": (1, 4, 7, 10, 13, 16)}
BASE = [f"{color}{number}" for color in NUMBERS for number in NUMBERS[color]]
ACTION_CARDS = {
    "discard": ("Y", 11), "move": ("P", 12), "play_again": ("P", 3), "remove_cards": ("R", 2),
    "wildcard_pair": ("R", 9), "throw_other_colors": ("R", 10), "safety_rule_disable": ("R", 9),
    "range_limit": ("B", 7), "distance_limit": ("R", 12), "draw": ("B", 5),
    "notes_match_penalty": ("Y", 4), "notes_match_forbid": ("P", 8), "wildcard_throw": ("R", 11),
    "cant_throw": ("P", 4), "instaplay": ("Y", 6), "reveal_to_all": ("Y", 3),
    "swap_map": ("B", 16), "hand_match_penalty": ("B", 15), "hand_match_note_penalty": ("P", 8),
    "score_double_worst": ("P", 1), "score_minus_conditional": ("Y", 10),
}  # fmt: skip
"""Color and number of each action card, in the order of the page."""


def color(card: str) -> str:
    """Return a card's color, one letter."""
    return ACTION_CARDS[card][0] if card in ACTION_CARDS else card[0]


def number(card: str) -> int:
    """Return a card's number."""
    return ACTION_CARDS[card][1] if card in ACTION_CARDS else int(card[1:])


def notes(card: str) -> int:
    """Return the number of music notes on a card."""
    return NOTES[number(card)]


def ways_to_fill(cards: Collection[str], top: int, missing: int) -> int:
    """Return the number of rising sequences of cards that add up to the missing notes.

    Args:
        cards: cards of the pile's color.
        top: number of the pile's top card, 0 if it is empty.
        missing: number of missing notes.
    """
    if missing <= 0:
        return int(missing == 0)
    higher = [card for card in cards if number(card) > top]
    return sum(ways_to_fill(higher, number(card), missing - notes(card)) for card in higher)


def full_deck(
    talkytoot: str | Sequence[str] = (), copies: Collection[str] | None = None
) -> list[str]:
    """Return all cards, unshuffled; of the base cards only those in ``copies``, if given."""
    chosen = list(ACTION_CARDS) if talkytoot == "all" else talkytoot
    base = [name for name in BASE if copies is None or name in copies]
    return [*base, *(name for name in ACTION_CARDS if name in chosen)]


def neighbors(cell: Cell) -> list[Cell]:
    """Return the cells above, right of, below and left of a cell."""
    row, column = cell
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def direction(start: Cell, other: Cell) -> int:
    """Return the direction of a cell in the same row or column: 0 up, 1 right, 2 down, 3 left."""
    if start[1] == other[1]:
        return 0 if other[0] < start[0] else 2
    return 1 if other[1] > start[1] else 3


def penalty(hand: Sequence[str]) -> int:
    """Return the penalty points of a hand at the end of a game."""
    colors = [color(card) for card in hand]
    total = 0
    for card in hand:
        if card == "score_double_worst":
            others = [notes(other) for other in hand if other != card]
            total += 2 * max(others, default=notes(card))
        elif card == "score_minus_conditional" and colors.count("Y") == max(
            colors.count(c) for c in "YRBP"
        ):
            total -= 10
        else:
            total += notes(card)
    return total


@dataclass(frozen=True)
class Pair:
    """A card just played, and the card of the map that it makes a pair with."""

    new: str
    old: str
    distance: int
    direction: int

    @property
    def cards(self) -> tuple[str, str]:
        """Both cards, the played one first."""
        return self.new, self.old

    @property
    def between(self) -> list[int]:
        """The numbers in the range."""
        low, high = sorted(map(number, self.cards))
        return list(range(low + 1, high))

    @property
    def colors(self) -> set[str]:
        """The colors of the pair: `wildcard_pair` takes the color of the other card."""
        return {color(card) for card in self.cards if card != "wildcard_pair"}


class Map(dict[Cell, str]):
    """The cards on the map by (row, column).

    Attributes:
        size: side length of the window.
        wildcard: whether purple counts as any color.
    """

    size: int
    wildcard: bool

    def place(self, card: str) -> Cell:
        """Return the cell of a card."""
        return next(cell for cell, other in self.items() if other == card)

    def beside(self, places: Collection[Cell]) -> list[Cell]:
        """Return the cells of the window that touch these places without being one of them."""
        side = range(self.size)
        cells = {cell for place in places for cell in neighbors(place)} - set(places)
        return sorted((row, column) for row, column in cells if row in side and column in side)

    def targets(self, card: str) -> list[Cell]:
        """Return the cells to which a card of the map may be moved."""
        place = self.place(card)
        return [cell for cell in self.beside(set(self) - {place}) if cell != place]

    def cells(self, card: str) -> list[Cell]:
        """Return the cells where a card may be played."""
        return [cell for cell in self.beside(self) if self.pair_at(card, cell)]

    def pair_at(self, card: str, cell: Cell) -> Pair | None:
        """Return the pair that a card makes in a cell, or None if it must not be played there."""
        if any(color(self[n]) == color(card) for n in neighbors(cell) if n in self):
            return None
        pairs = []
        for place, other in self.items():
            if place[0] != cell[0] and place[1] != cell[1]:
                continue
            away = abs(place[0] - cell[0]) + abs(place[1] - cell[1])
            if away > 1 and self._matches(card, other):
                pairs.append(Pair(card, other, away - 1, direction(cell, place)))
        if not pairs:
            return None
        counted = min(pairs, key=lambda pair: (-len(pair.between), pair.distance, pair.direction))
        if "range_limit" in counted.cards and len(counted.between) < 4:
            return None
        if "distance_limit" in counted.cards and counted.distance > 2:
            return None
        return counted

    def _matches(self, one: str, other: str) -> bool:
        wild = self.wildcard and "P" in (color(one), color(other))
        return color(one) == color(other) or wild or "wildcard_pair" in (one, other)
