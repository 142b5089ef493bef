"""What one seat knows of a table, in words: prompts for language models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from kitchentable.core.game import Game
from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import Batch
from kitchentable.render.phrases import seats
from kitchentable.render.rulebook import Rulebook
from kitchentable.render.view import AnyView, View
from kitchentable.text.answers import HOW_TO_ANSWER

MOST_TOLD = 40
"""The maximum number of decisions that are told since a seat's last one; earlier ones are left
out."""
MOST_EXPLAINED = 60
"""The maximum number of legal actions that are explained; of more only the names are listed."""
Moves = Sequence[tuple[str, str]]
"""Agents and the names of the actions that they have played."""


class Teller:
    """Tells what a seat knows of a table.

    The hidden cards are dealt anew before a table is told. The new deal depends on nothing but what
    the seat knows (`Rules.redeal`), and neither can the words.
    """

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
        if self._game.rules.redeal is not None:
            self._table.redeal(np.array([seat]), 0)
        return View(self._game, self._table.states[0], self._params, seat, offender=offender)

    def who(self, seat: int) -> str:
        """Say which seat it is, and which are the others."""
        others = [other for other in range(self._params.num_players) if other != seat]
        return f"You are player_{seat}." + (f" The others: {seats(others)}." if others else "")

    def table(self, view: AnyView, moves: Moves = ()) -> str:
        """Tell a table: what has happened, what it looks like, and what the seat may do.

        Args:
            view: what the seat knows.
            moves: the decisions since the seat's last one, and that one.
        """
        news = "\n".join(_happened(moves, view.viewer))
        if self._compact:
            legal = f"Legal actions: {', '.join(view.offered)}" if view.offered else ""
            return "\n".join(filter(None, [news, view.text(), legal]))
        text, situation = view.text(), view.situation()
        blocks = [f"What has happened:\n{news}" if news else "", text]
        blocks += ["" if situation in text else situation, "\n".join(_choices(view))]
        return "\n\n".join(filter(None, blocks))


def _happened(moves: Moves, seat: int) -> Iterator[str]:
    """Yield a line for the decisions that a seat took in a row."""
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
