"""The parameters of a table: what every game has, and how values are checked and asked for."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import numpy as np


@dataclass(frozen=True, kw_only=True)
class TableParams:
    """The parameters that every game has. Each game adds its own and checks them all."""

    num_players: int = 2
    reward: str = "win"

    def as_dict(self) -> dict[str, Any]:
        """Return the values by name as they are: ``make_params(**values)`` makes the same again."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def plain(self) -> dict[str, Any]:
        """Return the values as JSON would give them back: for files, cards and comparisons.

        ``make_params`` takes these too (a list for a tuple, say), but for values that are too long
        to be written out and only named. A game overrides this where a value is none that JSON
        knows.
        """
        plain: dict[str, Any] = json.loads(json.dumps(self.as_dict()))
        return plain


Copies: TypeAlias = tuple[tuple[str, int], ...]
"""A shortened deck: the kinds of card in it, in the order of the real one, and how many."""


def read_copies(
    game: str, value: object, real: Mapping[str, int], needed: int, what_for: str
) -> Copies | None:
    """Return the copies of a shortened deck in one form, however they were given.

    Args:
        game: its name, for messages.
        value: copies by card name, or such pairs; kinds not named are not in the deck. A whole
            number as a name is its digits, as YAML reads them. None: the real deck.
        real: the real deck; no kind may have more copies.
        needed: cards without which the game cannot be played.
        what_for: what they are needed for.

    Raises:
        ValueError: this is no such deck; says what is possible.
    """
    if value is None:
        return None
    given: dict[str, int] = {}
    for card, number in _pairs(game, value):
        name = str(card) if is_whole(card) else card
        if not isinstance(name, str) or name not in real:
            known = ", ".join(real)
            raise ValueError(f"{game}: copies: there is no card {said(card)}; choose from {known}")
        if name in given:
            raise ValueError(f"{game}: copies: the card {name!r} is given twice; give it once")
        check_range(game, f"copies of {name!r}", number, 0, real[name])
        given[name] = int(number)
    cards = sum(given.values())
    if cards < needed:
        raise ValueError(
            f"{game}: copies={said(value)} has too few cards: {what_for} need at least {needed}, "
            f"and it has {cards}"
        )
    return tuple((name, given[name]) for name in real if given.get(name))


def _pairs(game: str, value: object) -> Iterable[tuple[Any, Any]]:
    """Return names and numbers out of a mapping or pairs."""
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, list | tuple) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 for pair in value
    ):
        return value
    raise ValueError(
        f"{game}: copies={said(value)} is not possible; give the copies of each kind by its name, "
        "or None for the real deck"
    )


def plain_with_copies(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them: a shortened deck as an object, and of the real one nothing.

    So the real game is written as it was before there were others, and compares equal.
    """
    plain = dict(values)
    copies = plain.pop("copies")
    return plain if copies is None else plain | {"copies": dict(copies)}


@dataclass(frozen=True)
class ParamInfo:
    """How a parameter is asked for where people choose it: on a page, in a form."""

    about: str
    """What it is, in a few words."""
    values: tuple[Any, ...] = ()
    """What there is to choose from, if that is a list; not all of it need go together."""
    span: tuple[int, int] | None = None
    """The lowest and the highest value of a whole number."""


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, numpy's ones among them; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def said(value: object) -> str:
    """Write a value into one line, for an error message."""
    return " ".join(repr(value).split())


def read_action(action: Any) -> int:
    """Return an action as a number; True and False are none.

    Raises:
        ValueError: it is no whole number.
    """
    if type(action) is int:  # as it mostly is
        return action
    try:
        number = operator.index(action)
    except TypeError:
        number = None
    if number is None or isinstance(action, bool):
        raise ValueError(f"an action is a whole number, not {said(action)}")
    return number


def check_choice(game: str, name: str, value: object, possible: tuple[object, ...]) -> None:
    """Refuse a parameter that is not one of the ``possible`` values.

    Raises:
        ValueError: names the parameter, the value and what is possible.
    """
    if not any(value == choice and type(value) is type(choice) for choice in possible):
        raise ValueError(f"{game}: {name}={said(value)} is not possible; choose from {possible}")


def check_possible(game: str, action_name: str, possible: Collection[str]) -> None:
    """Refuse the name of an action that cannot be chosen at a table as it is.

    Raises:
        ValueError: names the action and what is possible.
    """
    if action_name not in possible:
        known = ", ".join(possible) or "nothing"
        raise ValueError(f"{game}: {action_name!r} is not possible now; choose from {known}")


def check_range(game: str, name: str, value: object, low: int, high: int) -> None:
    """Refuse a parameter that is not a whole number from ``low`` to ``high``.

    Raises:
        ValueError: names the parameter, the value and what is possible.
    """
    if not is_whole(value) or not low <= value <= high:
        raise ValueError(
            f"{game}: {name}={said(value)} is not possible; "
            f"choose a whole number from {low} to {high}"
        )
