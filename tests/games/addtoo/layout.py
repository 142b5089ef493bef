"""The grid and plays of Add-Too for its tests, from the rules page and the booklet alone.

A triangle is the sum of its three corners on the lattice, so finding the triangle across an edge
takes little arithmetic; a place is the pair of triangles under the orange and the blue half. All
legal plays are found by trying every place that touches something.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

Point = tuple[int, int]
Place = tuple[Point, Point]
"""The triangles under the orange and the blue half."""

DIAMONDS = [f"{low}-{high}" for low, high in combinations(range(1, 11), 2)]


# --- The grid -----------------------------------------------------------------------------------


@cache
def corners(triangle: Point) -> list[Point]:
    """Return the corners of a triangle, counter-clockwise."""
    x, y = triangle[0] // 3, triangle[1] // 3
    if triangle[0] % 3 == 1:
        return [(x, y), (x + 1, y), (x, y + 1)]
    return [(x + 1, y), (x + 1, y + 1), (x, y + 1)]


def beyond(triangle: Point, one: Point, other: Point) -> Point:
    """Return the triangle across the edge between two corners of a triangle."""
    x, y = (3 * (a + b) - c for a, b, c in zip(one, other, triangle, strict=True))
    return x, y


@cache
def neighbors(triangle: Point) -> list[Point]:
    """Return the triangles across the three edges of a triangle, counter-clockwise."""
    a, b, c = corners(triangle)
    return [beyond(triangle, a, b), beyond(triangle, b, c), beyond(triangle, c, a)]


@cache
def outside(place: Place) -> list[Point]:
    """Return the triangles across sides 0 ... 3 of a diamond: orange, orange, blue, blue."""
    around = []
    for half, other in (place, place[::-1]):
        edges = neighbors(half)
        inner = edges.index(other)
        around += [edges[(inner + 1) % 3], edges[(inner + 2) % 3]]
    return around


def beside(place: Place, side: int, turn: int) -> Place:
    """Return the place of a diamond that touches a side with its first or second of that color."""
    half, spot = side // 2, outside(place)[side]
    pairs = [(spot, n) if half == 0 else (n, spot) for n in neighbors(spot)]
    return next(pair for pair in pairs if outside(pair)[2 * half + turn] == place[half])


def place_of(x: int, y: int, k: int, c: int) -> Place:
    """Return the place with these coordinates of the rules page."""
    up = (3 * x + 1, 3 * y + 1)
    down = [(x, y), (x - 1, y), (x, y - 1)][k]
    halves = up, (3 * down[0] + 2, 3 * down[1] + 2)
    return halves if c == 0 else halves[::-1]


def as_page(place: Place) -> tuple[int, int, int, int]:
    """Return a place in the coordinates of the rules page."""
    c = int(place[0][0] % 3 != 1)
    x, y = place[c][0] // 3, place[c][1] // 3
    return next((x, y, k, c) for k in range(3) if place_of(x, y, k, c) == place)


# --- Numbers ------------------------------------------------------------------------------------


def numbers(orange: str | Sequence[int] = "parity") -> dict[str, tuple[int, int]]:
    """Return the orange and the blue number of every diamond."""
    found = {}
    for i, diamond in enumerate(DIAMONDS):
        low, high = map(int, diamond.split("-"))
        lower = (low + high) % 2 == 1 if isinstance(orange, str) else orange[i] == low
        found[diamond] = (low, high) if lower else (high, low)
    return found


def points_of(one: int, other: int) -> int:
    """Return what two numbers score."""
    return one + other if (one + other) % 5 == 0 else 0


def fit(one: int, other: int) -> bool:
    """Return whether two numbers of the same color fit."""
    return one == other or (one + other) % 5 == 0


def total(diamond: str) -> int:
    """Return the sum of a diamond's numbers."""
    return sum(map(int, diamond.split("-")))


# --- The layout ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Contact:
    """A side of a new diamond that would touch a diamond on the table."""

    side: int
    """Of the new diamond: 0 ... 3."""
    other: str
    """The diamond on the table."""
    other_side: int

    @property
    def same_color(self) -> bool:
        """Whether both sides have the same color."""
        return self.side // 2 == self.other_side // 2

    @property
    def name(self) -> str:
        """Other diamond's side, and which of the new one's two sides of a color touches it."""
        return f"{self.other_side},{self.side % 2}"


@dataclass(frozen=True)
class Play:
    """A way to lay a diamond."""

    diamond: str
    place: Place
    name: str
    score: int
    sides: int
    """Number of touching sides."""
    is_bonus: bool


class Layout:
    """The diamonds on the table in one hand.

    Attributes:
        places: place of each diamond, in the order in which they were laid.
        at: diamond and color on each covered triangle.
        last: the diamond laid last.
        numbers: orange and blue number of every diamond.
    """

    def __init__(self, *, turned: bool, strict_colors: bool, orange: str | Sequence[int]) -> None:
        self.turned, self.strict_colors, self.numbers = turned, strict_colors, numbers(orange)
        self.places: dict[str, Place] = {}
        self.at: dict[Point, tuple[str, int]] = {}
        self.last = ""

    def lay(self, diamond: str, place: Place) -> None:
        """Lay a diamond.

        Raises:
            ValueError: the diamond or the place is already taken.
        """
        if diamond in self.places or any(half in self.at for half in place):
            raise ValueError(f"{diamond} cannot lie at {as_page(place)}")
        self.places[diamond], self.last = place, diamond
        self.at |= {half: (diamond, color) for color, half in enumerate(place)}

    def allowed(self, place: Place) -> bool:
        """Return whether both triangles are free, and any turning is legal."""
        free = place[0] not in self.at and place[1] not in self.at
        return free and (self.turned or as_page(place)[2] == 0)

    def touching_places(self) -> Iterator[Place]:
        """Yield every place where a diamond could lie and touch something."""
        rim = {free for covered in self.at for free in neighbors(covered) if free not in self.at}
        pairs = {pair for half in rim for n in neighbors(half) for pair in ((half, n), (n, half))}
        return (pair for pair in sorted(pairs) if self.allowed(pair))

    def contacts(self, place: Place) -> list[Contact]:
        """Return the contacts of a diamond at a place."""
        found = []
        for side, triangle in enumerate(outside(place)):
            if triangle in self.at:
                other = self.at[triangle][0]
                opposite = outside(self.places[other]).index(place[side // 2])
                found.append(Contact(side, other, opposite))
        return found

    def plays(self, hand: Collection[str]) -> list[Play]:
        """Return every legal play of the given diamonds."""
        found = []
        for place in self.touching_places():
            contacts = self.contacts(place)
            for diamond in hand:
                play = self.judge(diamond, place, contacts)
                if play is not None:
                    found.append(play)
        return found

    def judge(self, diamond: str, place: Place, contacts: list[Contact]) -> Play | None:
        """Return the play that lays a diamond at a free place, or None if it is illegal."""
        last = [contact for contact in contacts if contact.other == self.last]
        must_fit = last or (contacts if len(contacts) > 1 else [])
        if not must_fit or not self._fits(diamond, must_fit):
            return None
        same = [contact for contact in contacts if contact.same_color]
        if self.strict_colors and same != contacts:
            return None
        score = sum(points_of(*self._meeting(diamond, contact)) for contact in same)
        if last:
            return Play(diamond, place, f"last:{last[0].name}", score, len(contacts), False)
        first = min(contacts, key=lambda contact: DIAMONDS.index(contact.other))
        name = f"on:{first.other},{first.name}"
        return Play(diamond, place, name, score + 5 * len(contacts), len(contacts), True)

    def _meeting(self, diamond: str, contact: Contact) -> tuple[int, int]:
        color = contact.side // 2
        return self.numbers[diamond][color], self.numbers[contact.other][color]

    def _fits(self, diamond: str, contacts: list[Contact]) -> bool:
        return all(c.same_color and fit(*self._meeting(diamond, c)) for c in contacts)

    def open_sides(self) -> list[int]:
        """Return the sides of the last diamond that touch nothing."""
        around = outside(self.places[self.last])
        return [side for side, triangle in enumerate(around) if triangle not in self.at]

    def has_room(self) -> bool:
        """Return whether any diamond would physically fit beside the last one."""
        spots = (outside(self.places[self.last])[side] for side in self.open_sides())
        pairs = ((spot, n) for spot in spots for n in neighbors(spot))
        return any(self.allowed(pair) for pair in pairs)
