"""A table as a viewer sees it, shown as text, pictures or sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from kitchentable.core.game import Game
from kitchentable.core.parameters import TableParams, check_possible
from kitchentable.core.rewards import forfeit_ranks
from kitchentable.core.state import ALL_SEEING, NOBODY, TableState
from kitchentable.render import plain
from kitchentable.render.phrases import added_up, in_lines
from kitchentable.render.picture import Picture

S = TypeVar("S", bound=TableState)
P = TypeVar("P", bound=TableParams)


@dataclass(frozen=True, eq=False)
class View(Generic[S, P]):
    """A table and its viewer.

    A game shows its tables by functions of a view (`Game.render`). Callers use the view's methods
    `text`, `draw`, `situation` and `explain`.
    """

    game: Game
    state: S
    """The state record, with its fields as attributes."""
    params: P
    viewer: int
    """The seat whose knowledge is shown, `NOBODY` for what all seats know, or `ALL_SEEING`."""
    offender: int = field(default=NOBODY, kw_only=True)
    """The seat whose illegal action ended the game, or `NOBODY`. The rules do not know illegal
    actions, so the view shows the table before the action and adds who has lost."""

    # --- Facts ----------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or at a limit."""
        return bool(self.state.terminated or self.state.truncated)

    def acts(self, player: int) -> bool:
        """Return whether a seat is to act."""
        return not self.is_over and player == self.state.current_player

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

    def hands_sum(self, player: int, length: int) -> str:
        """Write the scores of a seat's finished hands as a sum; see `added_up`."""
        return added_up(self.game.hand_scores(self.state, player), length)

    @property
    def _before(self) -> View[S, P]:
        """A view of the table before the illegal action."""
        state: Any = self.state
        state = state.copy()
        state.terminated = False
        return replace(self, state=state, offender=NOBODY)

    # --- Texts and pictures ---------------------------------------------------------------------

    def text(self) -> str:
        """Return the table as text of at most 80 columns."""
        if self.offender != NOBODY:
            told = [plain.forfeited(self), "This is the table as it stood before:"]
            return "\n".join([*in_lines(told), "", self._before.text()])
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
        check_possible(self.game.name, action_name, self.legal)
        if self.game.render.explain is not None:
            return self.game.render.explain(self, action_name)
        kind, _, what = action_name.partition(":")
        return self.game.render.action_help.get(kind, "").format(what)


AnyView = View[Any, Any]
