"""Phrases that the texts and drawings of several games share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from itertools import compress

LINE = 80
"""Maximum number of characters in a line of text."""
GLUE = "\N{NO-BREAK SPACE}"
"""Keeps words in one line when lines are broken; it is then replaced by a plain space."""

_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def listed(things: Iterable[object], last: str = "and") -> str:
    """Join things with commas, and with the word ``last`` before the last one."""
    *most, final = [str(thing) for thing in things] or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def units(number: int, what: str) -> str:
    """Return the singular for 1, else the plural: ``card`` or ``cards``."""
    return what if number == 1 else f"{what}s"


def count(number: int, what: str) -> str:
    """Return a number with its noun: ``1 card``, ``2 cards``."""
    return f"{number} {units(number, what)}"


def scored(what: str, number: int) -> str:
    """Say that a part of the game has just ended: ``Hand 2 is over and scored; ...``."""
    return f"{what} {number} is over and scored; the next one is dealt."


def number_word(number: int) -> str:
    """Write a number up to ten as a word, such as ``six``, and a larger one in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def holding(claims: Mapping[str, object]) -> list[str]:
    """Return the names of the claims that hold."""
    return list(compress(claims, claims.values()))


def in_lines(sentences: Iterable[str], indent: str = "") -> list[str]:
    """Break sentences into lines of at most `LINE` characters; each sentence starts a new line.

    Args:
        sentences: the sentences; words joined by `GLUE` stay in one line.
        indent: the start of every line; later lines of a sentence have two more spaces.
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
