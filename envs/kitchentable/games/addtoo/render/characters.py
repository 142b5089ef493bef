r"""The layout of Add-Too drawn in characters.

An up triangle is written as ``/o9 \`` with a line below it, a down triangle as ``\b10/`` with a
line above it; the inner edge of a diamond is left open. A row of triangles is one line, the edges
below it the next; a triangle is `STEP` characters to the right of the previous one.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.view import Offer

STEP = 4
"""Characters from one triangle to the next in its row."""
_FLAT = 7
"""Characters of a horizontal edge."""
_CUT = "(The layout is wider: this is the part around the last diamond.)"
_MARK = "#"
"""Character for the edges of the last diamond."""

_Edge = tuple[int, int, int]
"""Column and row of the up triangle of an edge, and the direction from there."""
_Chars = dict[tuple[int, int], str]
"""Characters by line (upwards) and column."""


def layout_lines(
    places: Sequence[tuple[Place, tuple[int, int]]], offers: Sequence[Offer], width: int
) -> list[str]:
    """Draw diamonds, the last one marked, and letters where another one may be laid.

    Args:
        places: the places of diamonds, with their orange and blue numbers; in the order laid, at
            least one.
        offers: the possible places.
        width: the maximum number of characters per line; of a wider layout, only the part around
            the last diamond is drawn, with a note.
    """
    chars: _Chars = {}
    for place, numbers in places:
        is_last = place == places[-1][0]
        _write_numbers(chars, place, numbers)
        for edge in _outer_edges(place):
            _write_edge(chars, edge, _MARK if is_last else "")
    for offer in offers:
        line, column = _middle(_inner_edge(offer.place))
        chars[line, column] = offer.letter
    _, focus = _middle(_inner_edge(places[-1][0]))
    return _lines(chars, focus, width)


def _lines(chars: _Chars, focus: int, width: int) -> list[str]:
    columns = [column for _, column in chars]
    left, right = min(columns), max(columns) + 1
    is_cut = right - left > width
    if is_cut:
        left = min(max(left, focus - width // 2), right - width)
        right = left + width
    lines = [line for line, column in chars if left <= column < right]
    drawn = [
        "".join(chars.get((line, column), " ") for column in range(left, right)).rstrip()
        for line in range(max(lines), min(lines) - 1, -1)
    ]
    return [*drawn, "", _CUT] if is_cut else drawn


def _triangles(place: Place) -> tuple[_Edge, _Edge]:
    """Return column, row and 0 (up) or 1 (down) of the orange and the blue half."""
    x, y, axis, flip = place
    up, down = (x, y, 0), (x - (axis == 1), y - (axis == 2), 1)
    return (up, down) if flip == 0 else (down, up)


def _inner_edge(place: Place) -> _Edge:
    return place[:3]


def _outer_edges(place: Place) -> list[_Edge]:
    """Return the four edges around a place."""
    x, y, axis, _ = place
    column, row = x - (axis == 1), y - (axis == 2)
    of_up = [(x, y, 0), (x, y, 1), (x, y, 2)]
    of_down = [(column, row, 0), (column + 1, row, 1), (column, row + 1, 2)]
    return [edge for edge in (*of_up, *of_down) if edge != (x, y, axis)]


def _start(x: int, y: int) -> int:
    """Return the column of the left edge of an up triangle."""
    return STEP * (2 * x + y)


def _middle(edge: _Edge) -> tuple[int, int]:
    """Return line and column of the middle of an edge; lines with numbers are even."""
    x, y, direction = edge
    column = _start(x, y) + (STEP, 0, STEP // 2)[direction]
    return 2 * y - (direction == 2), column


def _write_edge(chars: _Chars, edge: _Edge, mark: str) -> None:
    line, column = _middle(edge)
    if edge[2] < 2:
        chars[line, column] = mark or "\\/"[edge[2]]
        return
    for offset in range(_FLAT):
        chars[line, column - _FLAT // 2 + offset] = mark or "-"


def _write_numbers(chars: _Chars, place: Place, numbers: tuple[int, int]) -> None:
    for (x, y, is_down), color, number in zip(_triangles(place), "ob", numbers, strict=True):
        column = _start(x, y) + STEP * is_down + 1
        for offset, letter in enumerate(f"{color}{number}"):
            chars[2 * y, column + offset] = letter
