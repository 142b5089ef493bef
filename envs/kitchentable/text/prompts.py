"""What one seat knows of a table, in words: prompts for language models."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby
from typing import Any

from kitchentable.adapters.display import view_of
from kitchentable.core.game import Game
from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.render.phrases import listed
from kitchentable.render.rulebook import Rulebook
from kitchentable.render.view import AnyView
from kitchentable.text.answers import HOW_TO_ANSWER
from kitchentable.text.moves import Moves, since_last_turn

MOST_TOLD = 40
"""The maximum number of decisions that are told; earlier ones are left out."""
MOST_EXPLAINED = 60
"""The maximum number of legal actions that are explained; of more only the names are listed."""


class PromptWriter:
    """Tells what a seat knows of a table."""

    def __init__(self, game: Game, params: Any, *, compact: bool = False) -> None:
        """Take a game.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            compact: whether to leave out explanations.
        """
        self._game, self._params, self._compact = game, params, compact
        self._table = Batch(game, 1, seed=0, autoreset=False, **params.as_dict())

    @cached_property
    def rules(self) -> str:
        """The rules of the game, and how to answer."""
        rules = Rulebook(self._game, self._params).text(figures=False)
        return f"{rules}\n\nYour answers\n------------\n\n{HOW_TO_ANSWER}"

    def view(self, state: Any, seat: int, offender: int = NOBODY) -> AnyView:
        """Return what a seat knows of a table.

        Args:
            state: the record of the table.
            seat: the seat.
            offender: the seat whose illegal action ended the game, or `NOBODY`.
        """
        self._table.states[0] = state
        return view_of(self._table, seat, offender=offender)

    def who(self, seat: int) -> str:
        """Say which seat it is, and which are the others."""
        others = [other for other in range(self._params.num_players) if other != seat]
        named = listed(f"player_{other}" for other in others)
        return f"You are player_{seat}." + (f" The others: {named}." if others else "")

    def table(self, view: AnyView, moves: Moves = ()) -> str:
        """Tell a table: what has happened, what it looks like, and what the seat may do.

        Args:
            view: what the seat knows.
            moves: the decisions of the game; those since the seat's last turn are told.
        """
        news = "\n".join(_happened(since_last_turn(moves, view.viewer), view.viewer))
        if self._compact:
            legal = f"Legal actions: {', '.join(view.offered)}" if view.offered else ""
            return "\n".join(filter(None, [news, view.text(), legal]))
        text, situation = view.text(), view.situation()
        blocks = [f"What has happened:\n{news}" if news else "", text]
        blocks += ["" if situation in text else situation, "\n".join(_choices(view))]
        return "\n\n".join(filter(None, blocks))


def _happened(moves: Moves, seat: int) -> Iterator[str]:
    """Yield a line for the decisions that a seat has taken in a row."""
    if len(moves) > MOST_TOLD:
        yield f"({len(moves) - MOST_TOLD} decisions are left out)"
    for agent, group in groupby(moves[-MOST_TOLD:], key=lambda move: move[0]):
        you = " (you)" if agent == f"player_{seat}" else ""
        yield f"{agent}{you}: {', '.join(action for _, action in group)}"


def _choices(view: AnyView) -> Iterator[str]:
    """Yield a line for each legal action, or a single one for many."""
    if not view.offered:
        return
    if len(view.offered) > MOST_EXPLAINED:
        yield f"Legal actions: {', '.join(view.offered)}"
        return
    yield "Legal actions:"
    for action in view.offered:
        yield f"[{action}] {view.explain(action)}".rstrip()
