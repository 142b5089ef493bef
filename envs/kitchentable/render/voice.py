"""How sentences call the seats: ``player_0``, or the players' names and "you" for their reader."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from kitchentable.core.state import NOBODY
from kitchentable.render.phrases import listed

MOST_NAMED = 3
"""The maximum number of seats that are named together; of more, the number is told."""

_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do"}


class Who(NamedTuple):
    """One or more seats, as the subject that a sentence begins with, or within it (`inside`).

    ``f"{who}"`` is the name, and ``f"{who:draws}"`` the name and a verb that agrees with it:
    "player_0 draws", "You draw".
    """

    name: str
    is_plural: bool
    is_reader: bool = False

    def __str__(self) -> str:
        return self.name

    def __format__(self, verb: str) -> str:
        return f"{self.name} {self.does(verb)}" if verb else self.name

    def does(self, verb: str) -> str:
        """Return a verb, given as it follows one name, so that it agrees."""
        if not self.is_plural:
            return verb
        if verb in _PLURALS:
            return _PLURALS[verb]
        return re.sub(r"(?<=ss|sh|ch)es$|(?<=o)es$|s$", "", verb)

    @property
    def inside(self) -> Who:
        """The same within a sentence: "you" in small letters."""
        return self._replace(name=re.sub(r"^You\b", "you", self.name))

    @property
    def wins(self) -> str:
        """That these seats, and no others, have won."""
        is_alone = self.is_reader or not self.is_plural
        return f"{self:wins}" if is_alone else f"{self} share the win"

    @property
    def they(self) -> str:
        """The pronoun; the verb after it is as after "you"."""
        return "you" if self.is_reader else "they"

    @property
    def their(self) -> str:
        """The possessive pronoun."""
        return "your" if self.is_reader else "their"

    @property
    def whose(self) -> str:
        """The possessive form of the name: "player_0's", "Your"."""
        return f"{self.name}r" if self.is_reader else f"{self.name}'s"


@dataclass(frozen=True)
class Voice:
    """The names of the seats, in the words of one reader.

    Attributes:
        names: the names by seat; without any, seats are called as agents are: ``player_0``.
        reader: the seat that is called "you", or `NOBODY`.
    """

    names: tuple[str, ...] = ()
    reader: int = NOBODY

    def who(self, *seats: int) -> Who:
        """Name one or more seats, the reader first."""
        if self.reader in seats:
            others = [self._name(seat) for seat in seats if seat != self.reader]
            return Who(self._all(["You", *others]), is_plural=True, is_reader=not others)
        return Who(self._all([self._name(seat) for seat in seats]), is_plural=len(seats) > 1)

    def _all(self, names: list[str]) -> str:
        return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} players"

    def _name(self, seat: int) -> str:
        return self.names[seat] if self.names else f"player_{seat}"


AGENTS = Voice()
"""Seats are called as agents are, as in terminals and transcripts."""
