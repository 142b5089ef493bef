"""Games as moving pictures: what is shown for how long, written in any of the formats at once.

A frame is the drawing of one table. Each format has a writer, which takes frames one by one, so
that a long game is never in memory as pixels: `gif`, `mp4`, `svg`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.adapters.display import check_view, viewer_of
from kitchentable.core.state import NOBODY
from kitchentable.render.picture import NEED_PILLOW, Picture
from kitchentable_training.files import written_aside
from kitchentable_training.session import Move, Session

FORMATS = ("gif", "mp4", "svg")
LAST_FRAME = 4
"""How many times as long as the others the last picture stays."""
SHORTEST, LONGEST = 0.02, 100.0
"""Seconds of a frame: browsers slow down GIFs with shorter ones; a GIF's last cannot be longer."""
NEED_AV = 'writing a video needs PyAV: pip install "kitchentable[video]"'
NEEDS = {"av": NEED_AV, "PIL": NEED_PILLOW}


@dataclass(frozen=True)
class Frame:
    """A picture and how long it stays."""

    picture: Picture
    milliseconds: int

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """The picture as pixels, shape (height, width, 3); drawn once for all formats."""
        return self.picture.to_rgb()


class Writer(Protocol):
    """Writes frames of one size to a file, which is whole after `close`."""

    def __init__(self, path: Path, title: str) -> None:
        """Begin the file; ``title`` says what the film shows."""

    def add(self, frame: Frame) -> None:
        """Add a frame."""

    def close(self) -> None:
        """Finish the file."""


def write_films(
    session: Session,
    moves: Iterable[Move],
    files: Mapping[str, Path],
    *,
    view: str = "mover",
    seconds: float = 1.0,
    tall: bool = False,
) -> int:
    """Write a game as moving pictures, a frame for each table; all files or none.

    Args:
        session: the game.
        moves: its decisions, each given out just before it is played.
        files: where to write, by format (`FORMATS`).
        view: whose cards are shown: ``"mover"``, ``"all"`` or an agent.
        seconds: how long a frame stays; the last stays `LAST_FRAME` times as long.
        tall: whether the tables are drawn for phones.

    Returns:
        The number of frames.

    Raises:
        ValueError: a file's name, the view, the time or one of the moves is impossible.
        ImportError: a library that a format needs is missing.
    """
    check_view(view, session.batch.num_players)
    _check_files(files)
    if not SHORTEST <= seconds <= LONGEST:
        raise ValueError(
            f"a frame of {seconds:g} seconds is not possible; choose {SHORTEST:g} to {LONGEST:g}"
        )
    kinds = {form: _writer(form) for form in files}
    title = f"A game of {session.game.title}"
    count = 0
    with ExitStack() as stack:
        asides = {form: stack.enter_context(written_aside(path)) for form, path in files.items()}
        writers = [kinds[form](aside, title) for form, aside in asides.items()]
        for writer in writers:
            stack.callback(writer.close)
        for frame in _timed(_pictures(session, moves, view, tall), round(1000 * seconds)):
            for writer in writers:
                writer.add(frame)
            count += 1
    return count


def _check_files(files: Mapping[str, Path]) -> None:
    """Refuse a file whose name says that it is of another format."""
    for form, path in files.items():
        if path.suffix.lower() != f".{form}":
            raise ValueError(f"--{form} {path} is not possible; choose a name that ends in .{form}")


def _writer(form: str) -> type[Writer]:
    """Return what writes a format; only who asks for a format needs its library."""
    try:
        if form == "svg":
            from kitchentable_training.film.svg import SvgWriter  # noqa: PLC0415

            return SvgWriter
        from kitchentable_training.film.gif import GifWriter  # noqa: PLC0415 (pixels need Pillow)

        if form == "gif":
            return GifWriter
        from kitchentable_training.film.mp4 import Mp4Writer  # noqa: PLC0415
    except ImportError as error:
        need = NEEDS.get((error.name or "").partition(".")[0])
        if need is None:
            raise
        raise ImportError(need) from error
    return Mp4Writer


def _pictures(session: Session, moves: Iterable[Move], view: str, tall: bool) -> Iterator[Picture]:
    """Draw each table before a decision, and the last, where nobody has secrets any more."""
    for _ in moves:
        yield session.view(viewer_of(view, session.batch)).draw(tall=tall)
    # A game that was left early keeps its secrets.
    viewer = NOBODY if session.over else viewer_of(view, session.batch)
    yield session.view(viewer).draw(tall=tall)


def _timed(pictures: Iterator[Picture], milliseconds: int) -> Iterator[Frame]:
    """Give each picture its time; one is held back, as the last has a longer one."""
    held = next(pictures)
    for picture in pictures:
        yield Frame(held, milliseconds)
        held = picture
    yield Frame(held, LAST_FRAME * milliseconds)
