"""An Add-Too table as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render import sentences
from kitchentable.games.addtoo.render.view import (
    Offer,
    View,
    colored,
    numbers_of,
    offers,
    place_by_tile,
    spots,
    tiles_of,
)
from kitchentable.games.addtoo.state import NAMES
from kitchentable.render.phrases import GLUE, LINE, count, in_lines

_INDENT = "  "
_SUM = 24
"""Maximum number of characters for the sum of a seat's hands."""
_LEGEND = (
    "b3-o10 is diamond 3-10, its 3 blue and its 10 orange; # is around the last one.",
    "Places are x,y,k,c: column, row (upwards), direction of the inner edge, colors.",
)


def text(view: View) -> str:
    """Return the table as text of at most 80 columns."""
    about = [
        sentences.about(view),
        sentences.variants(view),
        view.whose(sentences.HIDDEN),
    ]
    paragraphs = [
        f"{view.game.title}, {', '.join(filter(None, about))}",
        sentences.decision(view),
        sentences.note(view),
        sentences.about_last(view),
        sentences.may_choose(view),
        sentences.about_spots(view),
        _spots(view),
        sentences.about_pile(view) or f"{sentences.pile_count(view)}, face down.",
    ]
    seats = [line for player in range(view.params.num_players) for line in _seat(view, player)]
    return "\n".join([*in_lines(paragraphs), *_layout(view), "", *seats, "", *_LEGEND])


def _joined(items: Iterable[str], between: str) -> str:
    """Join items so that line breaks fall between them and not inside."""
    return between.join(item.replace(" ", GLUE) for item in items)


# --- The layout ---------------------------------------------------------------------------------


def _layout(view: View) -> list[str]:
    """Draw the layout, and list the lying diamonds and the places for the chosen one."""
    by_tile = place_by_tile(view.state)
    if not by_tile:
        return []
    choices = offers(view)
    orange, blue = numbers_of(view.params).tolist()
    lying = [(place, (orange[tile], blue[tile])) for tile, place in by_tile.items()]
    drawn = _layout_lines(lying, choices, LINE - len(_INDENT))
    laid = [f"{NAMES[tile]} {_at(place)}" for tile, place in by_tile.items()]
    paragraphs = [f"Laid in this order: {_joined(laid, ', ')}."]
    if choices:
        places = [
            f"{choice.letter} {choice.name} {_at(choice.place)} {choice.points}"
            for choice in choices
        ]
        chosen = NAMES[view.state.chosen]
        paragraphs.append(f"Places for {chosen}, and points: {_joined(places, ', ')}.")
    return ["", *(_INDENT + line if line else "" for line in drawn), "", *in_lines(paragraphs)]


def _at(place: Place) -> str:
    return f"({','.join(map(str, place))})"


def _spots(view: View) -> str:
    """List the places for bonus plays and the seats that have a diamond for them; may be empty."""
    if view.is_over:
        return ""
    descriptions = []
    for spot in spots(view.state):
        held = [
            f"{view.who(seat).inside.whose} {NAMES[tile]}" for tile, seat in spot.holders.items()
        ]
        where = f"{spot.name} {_at(spot.place)}: ".replace(" ", GLUE)
        descriptions.append(where + (_joined(held, ", ") or "nobody's"))
    return f"Bonus plays: {'; '.join(descriptions)}." if descriptions else ""


# --- A seat -------------------------------------------------------------------------------------


def _seat(view: View, player: int) -> list[str]:
    """Return the lines of one seat: its name, points and tags, then its hand."""
    added = view.hands_sum(player, _SUM)
    about = [
        f"{view.who(player)} {count(int(view.state.totals[player]), 'point')}",
        f"({added})" if added else "",
        sentences.this_hand(view, player),
        sentences.last_hand(view, player),
        *(f"[{tag}]" for tag in sentences.tags(view, player)),
    ]
    hand = [colored(view.params, tile) for tile in tiles_of(view.state.hands[player])]
    return [
        *in_lines(["  ".join(filter(None, about))], "> " if view.acts(player) else "  "),
        *in_lines([f"hand  {_joined(hand, '  ') or 'none'}"], "    "),
    ]


# --- The layout in characters ------------------------------------------------------------------

_STEP = 4
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


def _layout_lines(
    places: Sequence[tuple[Place, tuple[int, int]]], offers: Sequence[Offer], width: int
) -> list[str]:
    r"""Draw diamonds, the last one marked, and letters where another one may be laid.

    An up triangle is written as ``/o9 \`` with a line below it, a down triangle as ``\b10/`` with a
    line above it; the inner edge of a diamond is left open. A row of triangles is one line, the
    edges below it the next; a triangle is `_STEP` characters to the right of the previous one.

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
    return _STEP * (2 * x + y)


def _middle(edge: _Edge) -> tuple[int, int]:
    """Return line and column of the middle of an edge; lines with numbers are even."""
    x, y, direction = edge
    column = _start(x, y) + (_STEP, 0, _STEP // 2)[direction]
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
        column = _start(x, y) + _STEP * is_down + 1
        for offset, letter in enumerate(f"{color}{number}"):
            chars[2 * y, column + offset] = letter
