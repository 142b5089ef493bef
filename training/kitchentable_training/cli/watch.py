"""Watching games step by step in the terminal; `film.films` writes them as animations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kitchentable.adapters.display import check_view, viewer_of
from kitchentable.core.state import ALL_SEEING
from kitchentable_training.session import Move, Session

Say = Callable[[str], None]
Ask = Callable[[str], str]


def watch(
    session: Session,
    moves: Iterable[Move],
    names: Sequence[str],
    say: Say,
    *,
    view: str = "mover",
    ask: Ask | None = None,
) -> None:
    """Print the table before every decision and the decision, and finally the result.

    Args:
        session: the game.
        moves: its decisions, each yielded just before it is played.
        names: the names of the players by seat.
        say: prints a text.
        view: whose cards are shown: ``"mover"``, ``"all"`` or an agent.
        ask: waits after every decision (``input``); None does not wait.

    Raises:
        ValueError: the view, or one of the moves, is invalid.
    """
    check_view(view, session.batch.num_players)
    for move in moves:
        say(session.view(viewer_of(view, session.batch)).text())
        say(f"\n=> {move.agent} ({names[session.mover]}): {move.action}\n")
        if ask is not None:
            try:
                ask("Enter goes on. ")
            except EOFError:  # nobody is there to wait for
                ask = None
    # At the end all cards are shown, unless the game was left early.
    say(session.view(ALL_SEEING if session.over else viewer_of(view, session.batch)).text())
    say("\n" + session.result(names))
