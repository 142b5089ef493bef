"""How wide a line of text is drawn, and where to break it; without the font, which needs Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from kitchentable.render.phrases import GLUE
from kitchentable.render.picture import BOLD

LEADING = 1.36
"""From one line to the next, as a part of the letters' size."""

_WIDTHS = (
    "22253458587465183132552258272330"  # space to /
    "58585858585858585858232358585850"  # 0 to ?
    "84646370715957717327556158877274"  # @ to O
    "60736258616862956358593030305850"  # P to _
    "30546053625529625924245225855958"  # ` to o
    "606233453260517948514630263059"  # p to ~
)
"""Two digits a character, from the space on: its width in hundredths of the font's size."""


class Line(NamedTuple):
    """A line of text or, before it is broken, a paragraph."""

    text: str
    size: float
    """Of its letters."""
    colour: str
    bold: bool = False


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return the width of a line of plain characters (ASCII), bold or not, in pixels."""
    letters = (2 * (ord(letter) - ord(" ")) for letter in text)
    widths = (int(_WIDTHS[at : at + 2]) * size / 100 for at in letters)
    # Each letter is as wide as whole pixels allow.
    return (
        sum(max(width, round(width + 0.4)) for width in widths) + 2 * max(1, round(BOLD * size)) + 1
    )


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most ``width`` pixels; a word alone may be longer.

    Words held together by `GLUE` stay in a line.
    """
    lines: list[str] = []
    for glued in filter(None, text.split(" ")):
        word = glued.replace(GLUE, " ")
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def lines_of(paragraphs: Iterable[Line], width: float) -> list[Line]:
    """Break paragraphs into lines of at most ``width`` pixels."""
    return [
        paragraph._replace(text=text)
        for paragraph in paragraphs
        for text in wrapped(paragraph.text, paragraph.size, width)
    ]


def height_of(lines: Iterable[Line]) -> float:
    """Return how much room lines take below each other."""
    return sum(LEADING * line.size for line in lines)


def compact(text: str, lines: int) -> list[str]:
    """Break a few words into at most so many lines, the longest as short as it can be."""
    words = text.split()
    if lines == 1 or len(words) == 1:
        return [" ".join(words)]
    breaks = (
        [" ".join(words[:cut]), *compact(" ".join(words[cut:]), lines - 1)]
        for cut in range(1, len(words))
    )
    return min(breaks, key=lambda found: max(text_width(line, 1) for line in found))
