"""Games to look at, step by step in the terminal; `film.films` makes moving pictures of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kitchentable.adapters.display import check_view, viewer_of
from kitchentable.core.state import NOBODY
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
        say(session.view(viewer_of(view, session.batch)).text())
        say(f"\n=> {move.agent} ({names[session.mover]}): {move.action}\n")
        if ask is not None:
            ask("Enter goes on. ")
    # Nobody has secrets any more; a game that was left early keeps them.
    say(session.view(NOBODY if session.over else viewer_of(view, session.batch)).text())
    say("\n" + session.result(names))
