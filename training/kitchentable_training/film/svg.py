"""Writer of animated SVGs that browsers play without a script."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate, pairwise
from pathlib import Path

from kitchentable.render.picture import FONTS, Rectangle, Shape
from kitchentable_training.film.frame import Frame

Piece = tuple[int, ...]
"""Indices of shapes that are always drawn one after the other."""

END = -1

STYLE = """\
<style>
@media (prefers-reduced-motion: reduce) {
.frame { display: none !important }
.frame:last-of-type { display: inline !important }
}
</style>"""
"""Shows the last frame to users who prefer reduced motion, as programs without animation do."""


class SvgWriter:
    """Writer that stores each distinct shape once and writes the whole file in `close`."""

    def __init__(self, path: Path, title: str) -> None:
        self._path = path
        self._title = title
        self._size = (0, 0)
        self._numbers: dict[Shape, int] = {}
        self._frames: list[Piece] = []
        self._milliseconds: list[int] = []

    def add(self, frame: Frame) -> None:
        """Store the frame."""
        picture = frame.picture
        self._size = (picture.width, picture.height)
        background = Rectangle(0, 0, *self._size, fill=picture.background)
        shapes = (background, *picture.shapes)
        numbers = self._numbers
        self._frames.append(tuple(numbers.setdefault(s, len(numbers)) for s in shapes))
        self._milliseconds.append(frame.milliseconds)

    def close(self) -> None:
        """Write the file, unless there are no frames."""
        if not self._frames:
            return
        width, height = self._size
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        label = f'role="img" aria-label="{escape(self._title)}"'
        with self._path.open("w", encoding="utf-8") as file:
            head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONTS}" {label}>'
            for line in (head, STYLE, *self._body(), "</svg>"):
                file.write(line + "\n")

    def _body(self) -> Iterator[str]:
        """Yield the pieces that occur several times, then the frames, which refer to them."""
        shapes = [shape.svg() for shape in self._numbers]
        frames = in_pieces(self._frames)
        uses = Counter(piece for frame in frames for piece in frame)
        texts = {piece: "".join(shapes[number] for number in piece) for piece in uses}
        shared = {piece: f"p{i}" for i, piece in enumerate(p for p in uses if uses[p] > 1)}
        yield "<defs>"
        for piece, name in shared.items():
            yield f'<g id="{name}">{texts[piece]}</g>'
            texts[piece] = f'<use href="#{name}"/>'
        yield "</defs>"
        for opening, frame in zip(self._openings(), frames, strict=True):
            yield f"{opening}{''.join(texts[piece] for piece in frame)}</g>"

    def _openings(self) -> Iterator[str]:
        """Yield the opening tag of each frame's group, with the animation that shows it."""
        total = sum(self._milliseconds)
        ends = list(accumulate(self._milliseconds))
        for start, end in pairwise((0, *ends)):
            changes = [(start, "inline")]
            if start > 0:
                changes.insert(0, (0, "none"))
            if end < total:
                changes.append((end, "none"))
            # The end of a frame and the start of the next are the same number, so no gap occurs.
            times = ";".join(f"{time / total:.9g}" for time, _ in changes)
            values = ";".join(value for _, value in changes)
            yield (
                f'<g class="frame" display="{changes[-1][1]}"><animate attributeName="display" '
                f'values="{values}" keyTimes="{times}" dur="{total}ms" calcMode="discrete" '
                'repeatCount="indefinite"/>'
            )


def in_pieces(frames: Sequence[Piece]) -> list[list[Piece]]:
    """Cut frames into pieces of shapes that always follow each other."""
    after = _neighbors(frames)
    before = _neighbors(frame[::-1] for frame in frames)

    def cut(frame: Piece) -> Iterator[Piece]:
        start = 0
        for i, (a, b) in enumerate(pairwise(frame), start=1):
            if len(after[a]) > 1 or len(before[b]) > 1:
                yield frame[start:i]
                start = i
        yield frame[start:]

    return [list(cut(frame)) for frame in frames]


def _neighbors(frames: Iterable[Piece]) -> dict[int, set[int]]:
    """Return the successors of each shape; `END` stands for the end of a frame."""
    successors: dict[int, set[int]] = defaultdict(set)
    for frame in frames:
        for a, b in pairwise((*frame, END)):
            successors[a].add(b)
    return successors
