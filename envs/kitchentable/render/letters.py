"""Widths and line breaks of drawn text, computed without the font, which would need Pillow."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from kitchentable.render.phrases import GLUE
from kitchentable.render.picture import BOLD

LEADING = 1.36
"""Distance from one line to the next, relative to the font size."""

_WIDTHS = (
    "22253458587465183132552258272330"  # space to /
    "58585858585858585858232358585850"  # 0 to ?
    "84646370715957717327556158877274"  # @ to O
    "60736258616862956358593030305850"  # P to _
    "30546053625529625924245225855958"  # ` to o
    "606233453260517948514630263059"  # p to ~
)
"""Two digits per ASCII character from the space on: its width in hundredths of the font size."""
_WIDEST = 95
"""The width of W, in the same unit."""


class Line(NamedTuple):
    """A line of text, or a paragraph that is yet to be broken into lines."""

    text: str
    size: float
    """The font size in pixels."""
    color: str
    bold: bool = False


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return an upper bound of the width in pixels of a line of ASCII text, bold or not.

    Any other character counts as the widest of these.
    """
    letters = (2 * (ord(letter) - ord(" ")) for letter in text)
    widths = (int(_WIDTHS[at : at + 2] or _WIDEST) * size / 100 for at in letters)
    # Pillow may round the width of each letter up to a whole pixel.
    return (
        sum(max(width, round(width + 0.4)) for width in widths) + 2 * max(1, round(BOLD * size)) + 1
    )


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most ``width`` pixels; a single word may be longer.

    Words joined by `GLUE` stay in one line.
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
    """Return the total height of lines in pixels."""
    return sum(LEADING * line.size for line in lines)


def compact(text: str, lines: int) -> list[str]:
    """Break a few words into at most ``lines`` lines so that the longest line is shortest."""
    words = text.split()
    if lines == 1 or len(words) == 1:
        return [" ".join(words)]
    breaks = (
        [" ".join(words[:cut]), *compact(" ".join(words[cut:]), lines - 1)]
        for cut in range(1, len(words))
    )
    return min(breaks, key=lambda candidate: max(text_width(line, 1) for line in candidate))
