"""Watching games step by step in the terminal; `film.films` writes them as animations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kitchentable.adapters.display import check_view, viewer_of
from kitchentable.core.state import ALL_SEEING
from kitchentable.text.moves import Move
from kitchentable_training.session import Session

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

    ``ask`` waits after every decision.

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
