"""One game of the engine, set up by hand and played by the names of actions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np

from kitchentable.core.game import Game
from kitchentable.engine.batch import Batch
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.view import View


def in_words(value: Any) -> str:
    """Return a value as a text, whose parts are separated by spaces."""
    if isinstance(value, dict):
        return " ".join(f"{one}@{','.join(map(str, at))}" for at, one in sorted(value.items()))
    if isinstance(value, list | tuple | set | np.ndarray):
        return " ".join(map(in_words, sorted(value) if isinstance(value, set) else value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def rig(
    *hands: str, before: str = "", then: str = "", rest: Iterable[str] = (), size: int = 0
) -> list[str]:
    """Return the top of a deck that deals the given hands.

    Args:
        hands: cards of each seat in the order of play; shorter ones are filled up to ``size``.
        before: the cards that are dealt before them.
        then: the cards that follow.
        rest: cards to fill up hands with, from the end, except those already named.
    """
    cards = [hand.split() for hand in hands]
    named = [*before.split(), *(card for hand in cards for card in hand), *then.split()]
    left = [card for card in rest if card not in named]
    for hand in cards:
        while len(hand) < size:
            hand.append(left.pop())
    dealt = [card for row in zip(*cards, strict=True) for card in row]
    return [*before.split(), *dealt, *then.split()]


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
        return self.batch.game.scores(self.state).tolist()

    @property
    def ranks(self) -> list[int]:
        """Rank of each seat."""
        return self.batch.game.ranks(self.state).tolist()

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

    def follow(self, *lines: str) -> Self:
        """Play actions, and check what is so after them.

        Args:
            lines: actions, an arrow, and facts, such as ``draw 3 -> pile = 9 4; hand 0 has K``. A
                fact is a name of this table or of its record, any argument, and the value in words.
        """
        for line in lines:
            actions, _, facts = line.partition("->")
            self.play(actions)
            for fact in filter(None, map(str.strip, facts.split(";"))):
                name, how, wanted = re.split(r" (=|has|lacks) ?", fact, maxsplit=1)
                found = self.told(*name.split()).strip()
                if how == "=":
                    assert found == wanted, line
                else:
                    assert (wanted in found.split()) == (how == "has"), line
        return self

    def told(self, name: str, *arguments: str) -> str:
        """Return a value of this table or of its record in words."""
        value = getattr(self if hasattr(self, name) else self.state, name)
        if callable(value):
            value = value(*(int(one) if one.isdigit() else one for one in arguments))
        return in_words(value)

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
