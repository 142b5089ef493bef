"""Games to look at: step by step in the terminal, or as an animated picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from kitchentable.display import check_view, viewer_of
from kitchentable.game import NOBODY
from kitchentable.picture import NEED_PILLOW
from kitchentable_training.files import written_aside
from kitchentable_training.session import Move, Session

Say = Callable[[str], None]
Ask = Callable[[str], str]

GIF_WIDTH = 800
"""Pixels; most readers scale wider ones down anyway."""
LAST_FRAME = 4
"""How many times as long as the others the last picture of a GIF stays."""


def watch(
    session: Session,
    moves: Iterable[Move],
    names: Sequence[str],
    say: Say,
    *,
    view: str = "mover",
    ask: Ask | None = None,
) -> None:
    """Show every table and what is decided there, and at the end the result.

    Args:
        session: the game.
        moves: its decisions, each given out just before it is played.
        names: who sits where.
        say: prints.
        view: whose cards are shown: ``"mover"``, ``"all"`` or an agent.
        ask: waits after every decision (``input``); None does not wait.

    Raises:
        ValueError: the view, or one of the moves, is impossible.
    """
    check_view(view, session.batch.num_players)
    for move in moves:
        say(session.text(viewer_of(view, session.batch)))
        say(f"\n=> {move.agent} ({names[session.mover]}): {move.action}\n")
        if ask is not None:
            ask("Enter goes on. ")
    # Nobody has secrets any more; a game that was left early keeps them.
    say(session.text(NOBODY if session.over else viewer_of(view, session.batch)))
    say("\n" + session.result(names))


def write_gif(
    session: Session,
    moves: Iterable[Move],
    path: Path,
    *,
    view: str = "mover",
    seconds: float = 1.0,
) -> int:
    """Write a game as an animated picture, a frame for each table.

    Args:
        session: the game.
        moves: its decisions, each given out just before it is played.
        path: where.
        view: whose cards are shown: ``"mover"``, ``"all"`` or an agent.
        seconds: how long a frame stays.

    Returns:
        The number of frames.

    Raises:
        ValueError: the view, or one of the moves, is impossible.
        ImportError: Pillow is missing.
    """
    check_view(view, session.batch.num_players)
    try:
        from PIL import Image  # noqa: PLC0415 (only who draws needs it)
    except ImportError as error:
        raise ImportError(NEED_PILLOW) from error

    def frames() -> Iterator[Image.Image]:
        for _ in moves:
            yield frame(viewer_of(view, session.batch))
        yield frame(NOBODY if session.over else viewer_of(view, session.batch))

    def frame(viewer: int) -> Image.Image:
        image = Image.fromarray(session.picture(viewer).to_rgb())
        size = (GIF_WIDTH, round(image.height * GIF_WIDTH / image.width))
        small = image.resize(size, Image.Resampling.LANCZOS)
        return small.quantize(256, dither=Image.Dither.NONE)  # dots would blur the letters

    images = list(frames())
    durations = [round(1000 * seconds)] * len(images)
    durations[-1] *= LAST_FRAME
    with written_aside(path) as aside:
        images[0].save(
            aside, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0
        )
    return len(images)
