"""A table as somebody sees it, and what is shown of it: text, pictures, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from kitchentable.core.game import Game
from kitchentable.core.parameters import TableParams, check_possible
from kitchentable.core.rewards import forfeit_ranks
from kitchentable.core.state import NOBODY, TableState
from kitchentable.render import plain
from kitchentable.render.phrases import added_up, in_lines
from kitchentable.render.picture import Picture

S = TypeVar("S", bound=TableState)
P = TypeVar("P", bound=TableParams)


@dataclass(frozen=True, eq=False)
class View(Generic[S, P]):
    """A table and who looks at it.

    Games show a table by functions of a view (`Game.render`); whoever wants to see one asks the
    view for `text`, `draw`, `situation` or `explain`.
    """

    game: Game
    state: S
    """The record, with a field's name as attribute."""
    params: P
    viewer: int
    """The seat whose knowledge is shown, or `NOBODY` to show every card."""
    offender: int = field(default=NOBODY, kw_only=True)
    """The seat whose illegal action ended the game, or `NOBODY`. No rule knows of that, so what
    games show is the table before it; who has lost is said here."""

    # --- What is so -----------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or at its limit."""
        return bool(self.state.terminated or self.state.truncated)

    def acts(self, player: int) -> bool:
        """Whether it is this seat that decides now."""
        return not self.is_over and player == self.state.current_player

    def order_from(self, first: int) -> list[int]:
        """Return the seats in the order of turns, beginning with one."""
        seats = int(self.state.num_players)
        return [(first + i) % seats for i in range(seats)]

    @cached_property
    def legal(self) -> Mapping[str, int]:
        """The legal actions of the seat to act, their numbers by name; none of a finished game.

        They can tell of cards that only that seat knows; see `offered`.
        """
        rules = self.game.rules
        names = rules.action_names(self.params)
        mask = np.zeros(len(names), np.bool_)
        if not self.is_over:
            rules.legal_action_mask(self.state, mask, *rules.tables(self.params))
        return {names[action]: int(action) for action in np.flatnonzero(mask)}

    @property
    def offered(self) -> Mapping[str, int]:
        """The legal actions, where the viewer may choose one: is to act, or sees every card."""
        return self.legal if self.viewer in (NOBODY, self.state.current_player) else {}

    @cached_property
    def winners(self) -> list[int]:
        """The seats of rank 1, as things stand."""
        if self.offender == NOBODY:
            ranks = self.game.ranks(self.state)
        else:
            team = self.game.is_team(self.params)
            ranks = forfeit_ranks(int(self.state.num_players), self.offender, team=team)
        return [int(player) for player in np.flatnonzero(ranks == 1)]

    def hands_sum(self, player: int, length: int) -> str:
        """Write how a seat's finished hands add up, the last ones in at most ``length`` characters.

        Empty for less than two.
        """
        return added_up(self.game.hand_scores(self.state, player), length)

    @property
    def _before(self) -> View[S, P]:
        """The table before the illegal action."""
        state: Any = self.state
        state = state.copy()
        state.terminated = False
        return replace(self, state=state, offender=NOBODY)

    # --- What is shown --------------------------------------------------------------------------

    def text(self) -> str:
        """Write the table in at most 80 columns."""
        if self.offender != NOBODY:
            told = [plain.forfeited(self), "This is the table as it stood before:"]
            return "\n".join([*in_lines(told), "", self._before.text()])
        return (self.game.render.text or plain.text)(self)

    def draw(self, *, tall: bool = False) -> Picture:
        """Draw the table, with the places to click if the viewer may choose.

        Args:
            tall: whether for a phone, `picture.TALL` wide, instead of for a screen.
        """
        if self.offender != NOBODY:
            return plain.covered(self._before.draw(tall=tall), plain.forfeited(self))
        render = self.game.render
        draw = (render.tall or plain.tall) if tall else (render.wide or plain.wide)
        picture: Picture = draw(self)
        return picture

    def situation(self) -> str:
        """Say in sentences who decides what, what that means, what led to it; or how it ended."""
        if self.offender != NOBODY:
            return plain.forfeited(self)
        return (self.game.render.situation or plain.situation)(self)

    def explain(self, action_name: str) -> str:
        """Say what a legal action means at this very table; nothing if the game does not tell.

        Raises:
            ValueError: this cannot be chosen now; says what can.
        """
        check_possible(self.game.name, action_name, self.legal)
        if self.game.render.explain is not None:
            return self.game.render.explain(self, action_name)
        kind, _, what = action_name.partition(":")
        return self.game.render.action_help.get(kind, "").format(what)


AnyView = View[Any, Any]
