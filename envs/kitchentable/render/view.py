"""A table as a viewer sees it, shown as text, pictures or sentences."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

from kitchentable.core.parameters import check_possible
from kitchentable.core.state import NOBODY
from kitchentable.render import plain
from kitchentable.render.phrases import in_lines
from kitchentable.render.picture import Picture
from kitchentable.render.seen import P, S, Seen


class View(Seen[S, P]):
    """A table and its viewer, shown by the functions of its game (`Game.render`) or plainly."""

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
        check_possible(self.game.name, action_name, self.legal)
        if self.game.render.explain is not None:
            return self.game.render.explain(self, action_name)
        kind, _, argument = action_name.partition(":")
        return self.game.render.action_help.get(kind, "").format(argument)


AnyView = View[Any, Any]
