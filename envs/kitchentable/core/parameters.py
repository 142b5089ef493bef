"""The parameters of a table: what every game has, and how values are checked and asked for."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeGuard

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

        ``make_params`` takes these too (a list for a tuple, say). A game overrides this where a
        value is none that JSON knows.
        """
        plain: dict[str, Any] = json.loads(json.dumps(self.as_dict()))
        return plain


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
