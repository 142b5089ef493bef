"""Animations of games: the frames and their durations, written in several formats at once.

A frame is the picture of one table. The writers of the formats, in `gif`, `mp4` and `svg`, take
frames one by one, so a long game is never held in memory as pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from kitchentable.adapters.display import check_view, viewer_of
from kitchentable.core.state import ALL_SEEING
from kitchentable.render.picture import NEED_PILLOW, Picture
from kitchentable.text.moves import Move
from kitchentable_training.files import check_ending, written_aside
from kitchentable_training.film.frame import Frame, Writer
from kitchentable_training.session import Session

FORMATS = ("gif", "mp4", "svg")
LAST_FRAME = 4
"""Duration of the last frame, relative to the others."""
SHORTEST, LONGEST = 0.02, 100.0
"""Minimum and maximum duration of a frame, in seconds. Browsers slow down shorter GIF frames; the
last frame, `LAST_FRAME` times as long, must fit in the 655 seconds of a GIF frame."""
NEED_AV = 'writing a video needs PyAV: pip install "kitchentable[video]"'
NEEDS = {"av": NEED_AV, "PIL": NEED_PILLOW}


def write_films(
    session: Session,
    moves: Iterable[Move],
    files: Mapping[str, Path],
    *,
    view: str = "mover",
    seconds: float = 1.0,
    tall: bool = False,
) -> int:
    """Write a game as an animation: a frame before each decision and one of the end.

    If something fails, no file is written.

    Args:
        session: the game.
        moves: its decisions; the iterable must yield each one just before it is played.
        files: paths of the files by format (see `FORMATS`).
        view: whose cards are shown: ``"mover"``, ``"all"`` or an agent.
        seconds: duration of a frame; the last one lasts `LAST_FRAME` times as long.
        tall: whether to draw the tall pictures for phones.

    Returns:
        The number of frames.

    Raises:
        ValueError: a file name, the view, the duration or one of the moves is invalid.
        ImportError: a library that a format needs is missing.
    """
    check_view(view, session.batch.num_players)
    for form, path in files.items():
        check_ending(f"--{form}", path, f".{form}")
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


def _writer(form: str) -> type[Writer]:
    """Return the writer class of a format; imports its library only when needed."""
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
    """Yield the picture before each decision, and that of the end, where all hands are open."""
    for _ in moves:
        yield session.view(viewer_of(view, session.batch)).draw(tall=tall)
    # If the game was stopped early, hidden cards stay hidden.
    viewer = ALL_SEEING if session.over else viewer_of(view, session.batch)
    yield session.view(viewer).draw(tall=tall)


def _timed(pictures: Iterator[Picture], milliseconds: int) -> Iterator[Frame]:
    """Yield each picture with its duration; one is held back because the last lasts longer."""
    held = next(pictures)
    for picture in pictures:
        yield Frame(held, milliseconds)
        held = picture
    yield Frame(held, LAST_FRAME * milliseconds)
