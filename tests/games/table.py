"""One game of the engine, set up by hand and played by the names of actions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from kitchentable.engine.batch import Batch
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kitchentable.core.game import Game


class Table:
    """A game whose deck is rigged.

    A game's subclass says how its actions may be shortened, and checks that no card is lost.
    """

    game: ClassVar[Game]
    phases: ClassVar[Sequence[str]] = ()

    def __init__(self, top: Sequence[str] = (), **params: Any) -> None:
        """Deal a game.

        Args:
            top: names of the first cards of the deck.
            params: parameters of the game.
        """
        self.batch = Batch(self.game, 1, autoreset=False, **params)
        self.batch.seed(7)
        self.batch.reset(top=self.game.read_deck(self.batch.params, list(top)))
        self.check()

    def check(self) -> None:
        """Check that every card is in exactly one place."""

    def names_of(self, action: str) -> list[str]:
        """Return the names of the actions that a word of `play` is short for."""
        return [action]

    @property
    def state(self) -> Any:
        """The game's record."""
        return self.batch.states[0]

    @property
    def legal(self) -> list[str]:
        """The names of the legal actions."""
        return [self.batch.action_names[action] for action in np.flatnonzero(self.batch.masks[0])]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.legal

    @property
    def asks(self) -> str:
        """The seat to act and its decision, such as ``0 draw or take``."""
        return f"{self.state.current_player} {self.phases[self.state.phase]}"

    @property
    def totals(self) -> list[int]:
        """Points of each seat in the finished hands."""
        return self.batch.scores(self.state).tolist()

    @property
    def ranks(self) -> list[int]:
        """Rank of each seat."""
        return self.batch.ranks(self.state).tolist()

    @property
    def paid(self) -> list[float]:
        """What each seat was paid for the last action, rounded."""
        return [round(value, 6) for value in self.batch.rewards[0].tolist()]

    def options(self, what: str) -> str:
        """Return what may follow the colon in legal actions of a kind, separated by spaces."""
        return " ".join(n.partition(":")[2] for n in self.legal if n.startswith(f"{what}:"))

    def view(self, viewer: int) -> View[Any, Any]:
        """Return a viewer's view of the table."""
        return View(self.game, self.state, self.batch.params, viewer)

    def play(self, actions: str) -> Self:
        """Play actions by name, separated by spaces; `names_of` says what is short for which."""
        for action in actions.split():
            for name in self.names_of(action):
                self.batch.step(np.array([self.batch.action_names.index(name)]))
                self.check()
        return self

    def ask(self, player: str) -> str:
        """Return what a scripted player would play; the record may have been changed."""
        self.batch.look()
        one = ScriptedPlayer(self.game, player)
        return self.batch.action_names[one.act(self.batch, np.arange(1))[0]]

    @contextmanager
    def taken_back(self) -> Iterator[None]:
        """Play on, then restore the table."""
        states = self.batch.states.copy()
        yield
        self.batch.states[:] = states
        self.batch.look()
