"""The rules of Add-Too for people; see `kitchentable.render.rulebook`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchentable.games.addtoo import state as s
from kitchentable.games.addtoo.board import Place
from kitchentable.games.addtoo.render.diamonds import LAST, PALETTE, draw_diamond
from kitchentable.games.addtoo.render.grid import fit_grid
from kitchentable.games.addtoo.state import BONUS, MULTIPLE, Params, tables
from kitchentable.render.phrases import count, listed
from kitchentable.render.picture import Picture, Rectangle
from kitchentable.render.rulebook import SETUP, Figure, Part, Sections

UNIT, WIDTH, EDGE = 96, 640, 20
"""The longest side of a half in a figure, the width of a figure and its edge, in pixels."""
SHOWN = 6
"""How many diamonds the figure of the components shows."""
PLAIN: dict[str, Place] = {
    "1-9": (0, 0, 0, 0), "9-10": (-1, 0, 0, 1), "1-5": (4, 0, 0, 0), "5-8": (3, 0, 0, 1),
}  # fmt: skip
"""Two ordinary plays beside each other (booklet: Figures 2 and 4), each one after its neighbor."""
BONUS_PLAY: dict[str, Place] = {
    "1-9": (0, 0, 0, 0), "1-10": (-1, 0, 0, 1), "3-10": (-1, -1, 0, 0), "3-4": (-2, -1, 0, 1),
    "9-10": (0, -1, 0, 1),
}  # fmt: skip
"""A bonus play, which comes last (booklet: Figure 5)."""
USUAL = Params()
"""The print of the examples."""


def rulebook(params: Params) -> Sections:
    """Return the rules."""
    return {
        "Components": _components(params),
        SETUP: _setup(params),
        "A turn": _turn(params),
        "Laying a diamond": _laying(params),
        "Ordinary play": _ordinary(params),
        "Bonus play": _bonus(),
        "End of a hand": _end_of_hand(params),
        "Scoring": [
            "Your score of a hand is what your plays have scored, minus "
            f"{s.LEFT_PENALTY} for each diamond left in your hand. It may be negative."
        ],
        "End of the game": [
            f"Hands are played until somebody has {count(params.target, 'point')} or more at the "
            "end of one. The highest total wins; if totals are equal, the higher score in that "
            "last hand; if these are equal too, the win is shared. After "
            f"{count(params.max_hands, 'hand')} the game is stopped, and its hands count."
        ],
    }


def _components(params: Params) -> list[Part]:
    in_play = [tile for tile in range(s.NUM_TILES) if params.in_play >> tile & 1]
    kinds = (
        f"one for each pair of different numbers from 1 to {s.HIGHEST}"
        if len(in_play) == s.NUM_TILES
        else f"{listed(s.NAMES[tile] for tile in in_play)}"
    )
    print_ = (
        "If the two numbers add to an odd number, the lower one is orange, else the higher one."
        if params.orange == "parity"
        else "Which number is orange is printed on each diamond."
    )
    few = in_play[:: max(1, len(in_play) // SHOWN)][:SHOWN]
    row: dict[str, Place] = {s.NAMES[tile]: (2 * i, 0, 0, 0) for i, tile in enumerate(few)}
    orange = tables(params)[0][s.ORANGE]
    names = listed(f"{s.NAMES[tile]} (orange {orange[tile]})" for tile in few)
    return [
        f"{len(in_play)} diamonds, {kinds}. One half is orange, the other half is blue, and each "
        f"half has a number. {print_} Each color has two of the four sides.",
        Figure(f"Some of the diamonds: {names}.", _drawn(row, params, 80)),
    ]


def _setup(params: Params) -> list[Part]:
    return [
        f"Lay the diamonds face down and mix them. Each of the {params.num_players} players takes "
        f"{params.hand}, which lie open for all to see. The others are the pile.",
        "The player whose diamond has the lowest total of its two numbers begins; if these are "
        "equal, the next lowest diamonds are compared. The first diamond of a hand is laid "
        "anywhere and scores nothing. Play goes on to the right, counterclockwise.",
    ]


def _turn(params: Params) -> list[Part]:
    last = (
        f"even if it is the one that fills your hand to {params.hand}"
        if params.fifth_draw_plays
        else f"but not the one that fills your hand to {params.hand}, which has to wait"
    )
    return [
        "If you can lay a diamond, you must lay one, even if that is only a bonus play.",
        f"If you cannot, and hold fewer than {params.hand}, draw diamonds one at a time until you "
        f"can lay the one that you drew, {last}. If you then still cannot play, because you hold "
        f"{params.hand} or the pile is empty, you pass. You may play again in a later turn.",
    ]


def _laying(params: Params) -> list[Part]:
    turned = (
        "It may lie parallel to the other diamond, or turned: there are two ways at each side."
        if params.turned
        else "All diamonds lie parallel, so there is one way at each side."
    )
    return [
        "A diamond is laid with a whole side against a whole side of another one. "
        f"{turned} Two numbers fit if",
        [
            f"they are equal, which scores nothing unless they add to a multiple of {MULTIPLE}; or",
            f"they add to a multiple of {MULTIPLE} ({listed(s.SCORING, 'or')}), which scores that "
            "sum.",
        ],
    ]


def _ordinary(params: Params) -> list[Part]:
    strict = (
        "At its other sides it may touch any numbers, but only its own color"
        if params.strict_colors
        else "At its other sides it may touch anything"
    )
    played, partner = list(PLAIN)[1::2], list(PLAIN)[::2]
    examples = [
        f"{tile} on {neighbor}, {_meeting(tile, neighbor)}"
        for tile, neighbor in zip(played, partner, strict=True)
    ]
    return [
        "Lay the diamond against the one that was played last: orange to orange or blue to blue, "
        f"and the two numbers have to fit. {strict}; where it meets its own color there and the "
        f"numbers add to a multiple of {MULTIPLE}, that scores too.",
        Figure(
            f"Examples: {'; '.join(examples)}. The played diamonds have a frame.",
            _drawn(PLAIN, USUAL, 124, played),
        ),
    ]


def _bonus() -> list[Part]:
    at_orange, _, at_blue, last, played = BONUS_PLAY
    sums = [_points(s.ORANGE, played, at_orange), _points(s.BLUE, played, at_blue)]
    return [
        "Or lay the diamond where it touches two or more others, but not the last one. Then it has "
        "to match the color and fit the number at every side that touches. It scores the sums, and "
        f"{BONUS} more for each touching side.",
        Figure(
            f"Example: {last} was played last. {played}, with a frame, touches {at_orange} with "
            f"its 9, which is equal and scores {sums[0]}, and {at_blue} with its 10, which scores "
            f"{sums[1]}. With {BONUS} for each of the two sides the play scores "
            f"{sum(sums) + 2 * BONUS}.",
            _drawn(BONUS_PLAY, USUAL, 212, [played]),
        ),
    ]


def _number(color: int, name: str) -> int:
    return int(tables(USUAL)[0][color, s.NAMES.index(name)])


def _points(color: int, tile: str, neighbor: str) -> int:
    """Return what two diamonds score where they meet in a color, in the usual print."""
    total = _number(color, tile) + _number(color, neighbor)
    return total if total in s.SCORING else 0


def _meeting(tile: str, neighbor: str) -> str:
    """Describe a play at the orange half."""
    first, second = _number(s.ORANGE, tile), _number(s.ORANGE, neighbor)
    return f"orange {first} at orange {second}, scores {_points(s.ORANGE, tile, neighbor)}"


def _end_of_hand(params: Params) -> list[Part]:
    drawing = "" if params.fifth_draw_plays else " without drawing"
    ends = [
        "a player has no diamonds left;",
        "the diamond just laid has all four sides touched;",
        f"all players in a row have passed{drawing}.",
    ]
    if params.sealed_ends_hand:
        ends.insert(2, "there is no room for a diamond at the one just laid;")
    return ["A hand ends when", ends]


# --- Figures --------------------------------------------------------------------------------------


def _drawn(
    layout: Mapping[str, Place], params: Params, height: int, framed: Sequence[str] = ()
) -> Picture:
    """Draw a layout of diamonds by name, some of them with a frame."""
    picture = Picture(WIDTH, height, PALETTE.table)
    inside = Rectangle(EDGE, EDGE, WIDTH - 2 * EDGE, height - 2 * EDGE)
    grid = fit_grid(list(layout.values()), inside, UNIT)
    orange, blue = tables(params)[0].tolist()
    for name, place in layout.items():
        tile = s.NAMES.index(name)
        frame = LAST if name in framed else None
        draw_diamond(picture, grid, place, (orange[tile], blue[tile]), frame)
    return picture
