"""A table as a viewer sees it, shown as text, pictures or sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

import numpy as np

from kitchentable.core.game import Game
from kitchentable.core.parameters import TableParams
from kitchentable.core.rewards import forfeit_ranks
from kitchentable.core.state import ALL_SEEING, NOBODY, IntArray, TableState
from kitchentable.render import plain
from kitchentable.render.phrases import in_lines, listed
from kitchentable.render.picture import Picture
from kitchentable.render.voice import AGENTS, Voice, Who

S = TypeVar("S", bound=TableState)
P = TypeVar("P", bound=TableParams)


@dataclass(frozen=True, eq=False)
class View(Generic[S, P]):
    """A table and its viewer, shown by the functions of its game (`Game.render`) or plainly."""

    game: Game
    state: S
    """The fields of the state record, as attributes that are read faster than those of a record."""
    params: P
    viewer: int
    """The seat whose knowledge is shown, `NOBODY` for what all seats know, or `ALL_SEEING`."""
    offender: int = field(default=NOBODY, kw_only=True)
    """The seat whose illegal action ended the game, or `NOBODY`. The rules do not know illegal
    actions, so the view shows the table before the action and adds who has lost."""
    voice: Voice = field(default=AGENTS, kw_only=True)
    """How sentences call the seats."""

    def __post_init__(self) -> None:
        record: Any = self.state
        if isinstance(record, np.void):
            fields = {name: record[name] for name in record.dtype.names or ()}
            object.__setattr__(self, "state", SimpleNamespace(**fields))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or at a limit."""
        return bool(self.state.terminated or self.state.truncated)

    def acts(self, player: int) -> bool:
        """Return whether a seat is to act."""
        return not self.is_over and player == self.state.current_player

    def who(self, *seats: int) -> Who:
        """Return the name of one or more seats for sentences."""
        return self.voice.who(*seats)

    @property
    def mover(self) -> Who:
        """The name of the seat to act."""
        return self.who(int(self.state.current_player))

    def order_from(self, first: int) -> list[int]:
        """Return the seats in turn order, starting with ``first``."""
        seats = int(self.state.num_players)
        return [(first + i) % seats for i in range(seats)]

    @cached_property
    def legal(self) -> Mapping[str, int]:
        """The numbers of the legal actions of the seat to act by name; empty after the game's end.

        They can reveal cards that only that seat knows; see `offered`.
        """
        rules = self.game.rules
        names = rules.action_names(self.params)
        mask = np.zeros(len(names), np.bool_)
        if not self.is_over:
            rules.legal_action_mask(self.state, mask, *rules.tables(self.params))
        return {names[action]: int(action) for action in np.flatnonzero(mask)}

    @property
    def offered(self) -> Mapping[str, int]:
        """The legal actions if the viewer is to act or sees every card, else nothing."""
        return self.legal if self.viewer in (ALL_SEEING, self.state.current_player) else {}

    @cached_property
    def winners(self) -> list[int]:
        """The seats that currently have rank 1."""
        if self.offender == NOBODY:
            ranks = self.game.ranks(self.state)
        else:
            team = self.game.is_team(self.params)
            ranks = forfeit_ranks(int(self.state.num_players), self.offender, team=team)
        return [int(player) for player in np.flatnonzero(ranks == 1)]

    @property
    def outcome(self) -> str:
        """Who has won, as a sentence without a period."""
        return self.who(*self.winners).wins

    def by_seat(self, points: IntArray, seats: Iterable[int] | None = None) -> str:
        """Write points of all or some seats: ``8 for player_0 and 5 for player_1``."""
        players = range(int(self.state.num_players)) if seats is None else seats
        return listed(f"{points[seat]} for {self.who(seat).inside}" for seat in players)

    def whose(self, hidden: str = "all cards") -> str:
        """Say whose view is shown; ``hidden`` names what a viewer sees who sees everything."""
        if self.viewer == ALL_SEEING:
            return f"{hidden} shown"
        if self.viewer == NOBODY:
            return "as an onlooker sees it"
        who = self.who(self.viewer)
        return "your view" if who.is_reader else f"as {who:sees} it"

    def hands_sum(self, player: int, length: int) -> str:
        """Write the scores of a seat's finished hands as a sum of at most ``length`` characters.

        If the sum is too long, ``..`` replaces the first scores; it is empty for fewer than two.
        """
        terms = [f"{score:+}" for score in self.game.hand_scores(self.state, player)]
        if len(terms) < 2:
            return ""
        kept_terms = terms
        while len(text := "".join(kept_terms).removeprefix("+")) > length:
            terms = terms[1:]
            kept_terms = ["..", *terms]
        return text

    @property
    def _before(self) -> View[S, P]:
        """A view of the table before the illegal action."""
        state: Any = copy(self.state)
        state.terminated = False
        return replace(self, state=state, offender=NOBODY)

    def text(self) -> str:
        """Return the table as text of at most 80 columns."""
        if self.offender != NOBODY:
            paragraphs = [plain.forfeited(self), "This is the table as it stood before:"]
            return "\n".join([*in_lines(paragraphs), "", self._before.text()])
        return (self.game.render.text or plain.text)(self)

    def draw(self, *, tall: bool = False) -> Picture:
        """Draw the table, with clickable places if the viewer may choose an action.

        Args:
            tall: whether to draw for a phone, `picture.TALL` pixels wide, instead of a screen.
        """
        if self.offender != NOBODY:
            return plain.covered(self._before.draw(tall=tall), plain.forfeited(self))
        render = self.game.render
        draw = (render.tall or plain.tall) if tall else (render.wide or plain.wide)
        picture: Picture = draw(self)
        return picture

    def situation(self) -> str:
        """Say who decides what, what that means and what led to it, or how the game ended."""
        if self.offender != NOBODY:
            return plain.forfeited(self)
        return (self.game.render.situation or plain.situation)(self)

    def explain(self, action_name: str) -> str:
        """Say what a legal action means at this table; empty if the game has no explanation.

        Raises:
            ValueError: the action is not legal; the message lists the legal ones.
        """
        if action_name not in self.legal:
            known = ", ".join(self.legal) or "nothing"
            message = f"{self.game.name}: {action_name!r} is not possible now; choose from {known}"
            raise ValueError(message)
        if self.game.render.explain is not None:
            return self.game.render.explain(self, action_name)
        kind, _, argument = action_name.partition(":")
        return self.game.render.action_help.get(kind, "").format(argument)


AnyView = View[Any, Any]
