"""Phrases that the texts and drawings of several games have in common."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from kitchentable.core.state import NOBODY, IntArray

LINE = 80
"""Characters in a line of text."""
GLUE = "\N{NO-BREAK SPACE}"
"""Holds words together while lines are broken; written as a plain space."""

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def seen_by(viewer: int, hidden: str = "all cards") -> str:
    """Say whose knowledge is shown; ``hidden`` is what nobody's knowledge hides."""
    return f"{hidden} shown" if viewer == NOBODY else f"as player_{viewer} sees it"


def listed(things: Iterable[object], last: str = "and") -> str:
    """Write things with commas, and a word before the last one."""
    *most, final = [str(thing) for thing in things] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def seats(players: Iterable[int]) -> str:
    """Write the names of some seats as a list."""
    return listed(f"player_{player}" for player in players)


def units(number: int, what: str) -> str:
    """Write what is counted: ``card`` behind a 1, else ``cards``."""
    return what if number == 1 else f"{what}s"


def count(number: int, what: str) -> str:
    """Write a number of things: ``1 card``, ``2 cards``."""
    return f"{number} {units(number, what)}"


def by_seat(points: IntArray, players: Iterable[int]) -> str:
    """Write who has how many points: ``8 for player_0 and 5 for player_1``."""
    return listed(f"{points[player]} for player_{player}" for player in players)


def scored(what: str, number: int) -> str:
    """Say that a part of a game has just ended: ``Hand 2 is over and scored; ...``."""
    return f"{what} {number} is over and scored; the next one is dealt."


def some_seats(players: Sequence[int]) -> str:
    """Write the names of some seats; of more than three how many there are."""
    names = " and ".join(map("player_{}".format, players))
    return names if len(players) <= 3 else f"{len(players)} seats"


def number_word(number: int) -> str:
    """Write a small number as a word, as sentences have it: ``six``."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def outcome(winners: Sequence[int]) -> str:
    """Say who has won."""
    return f"{some_seats(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def added_up(scores: Sequence[int], length: int) -> str:
    """Write how scores add up, the last ones in at most ``length`` characters.

    Empty for less than two, where there is nothing to add.
    """
    if len(scores) < 2:
        return ""
    terms = [f"{score:+}" for score in scores]
    shown = terms
    while len(text := "".join(shown).removeprefix("+")) > length:
        terms = terms[1:]
        shown = ["..", *terms]
    return text


def in_lines(sentences: Iterable[str], indent: str = "") -> list[str]:
    """Break sentences into lines of a text, each sentence beginning a new one.

    Args:
        sentences: what is said; words held together by `GLUE` stay in a line.
        indent: before every line; the further ones of a sentence have two spaces more.
    """
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(
            sentence,
            LINE,
            initial_indent=indent,
            subsequent_indent=indent + "  ",
            break_on_hyphens=False,
        )
    return [line.replace(GLUE, " ") for line in lines]
