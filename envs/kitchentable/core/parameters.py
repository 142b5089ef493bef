"""The parameters of a table: those that every game has, checks of values, and input forms."""

from __future__ import annotations

import dataclasses
import difflib
import json
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, TypeGuard, get_args, get_origin, get_type_hints

import numpy as np

from kitchentable.core.rewards import Reward


@dataclass(frozen=True, kw_only=True)
class TableParams:
    """The parameters that every game has. Each game adds its own and checks all of them.

    A choice between words has the type `Literal`: records hold its index, see `as_numbers`.
    """

    num_players: int = 2
    """Number of seats."""
    reward: Reward = "win"
    """``"win"`` (paid at the end of the game) or ``"margin"`` (at the end of every hand)."""

    def as_dict(self) -> dict[str, Any]:
        """Return the values by name; ``make_params(**values)`` gives the same parameters again."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    def as_numbers(self) -> dict[str, Any]:
        """Return the values by name as records hold them: of a choice the index of the value."""
        params: Any = type(self)  # hashable, which mypy doubts
        choices = _choices(params)
        return {
            name: choices[name].index(value) if name in choices else value
            for name, value in self.as_dict().items()
        }

    def plain(self) -> dict[str, Any]:
        """Return the values as JSON would load them: for files, cards and comparisons.

        ``make_params`` accepts these values too (for example a list instead of a tuple), except
        values that are too long to write out, of which only a name is kept. A game overrides this
        method if it has values that JSON cannot express.
        """
        plain: dict[str, Any] = json.loads(json.dumps(self.as_dict()))
        return plain


@cache
def _choices(params: Any) -> dict[str, tuple[Any, ...]]:
    """Return the possible values of each parameter of type `bool` or `Literal`, by name."""
    return {
        name: (False, True) if hint is bool else get_args(hint)
        for name, hint in get_type_hints(params).items()
        if hint is bool or get_origin(hint) is Literal
    }


def check_types(game: str, params: Any, values: Mapping[str, object]) -> None:
    """Check the values of parameters whose type, `bool` or a `Literal`, says what is possible.

    Raises:
        ValueError: one is not possible; the message names it, the value and what is possible.
    """
    for name, possible in _choices(params).items():
        if name in values:
            check_choice(game, name, values[name], possible)


def read_names(
    game: str, name: str, value: object, known: Sequence[str], what: str
) -> tuple[str, ...]:
    """Return some of the known names, in their order.

    Args:
        game: the game's name, for messages.
        name: the parameter's name, for messages.
        value: a list of names without repetitions, or ``"all"``.
        known: all names.
        what: what has these names, for messages.

    Raises:
        ValueError: the value is not possible; the message says what is.
    """
    if isinstance(value, str) and value == "all":
        return tuple(known)
    if not isinstance(value, (list, tuple)):
        raise ValueError(
            f"{game}: {name}={one_line_repr(value)} is not possible; give 'all' or a list of "
            f"names: {known[0]}, {known[1]}, ..., {known[-1]}"
        )
    for one in value:
        if not isinstance(one, str) or one not in known:
            raise ValueError(
                f"{game}: {name}: there is no {what} {one_line_repr(one)}; {', '.join(known)}"
            )
        if value.count(one) > 1:
            raise ValueError(f"{game}: {name}: {one!r} is named more than once")
    return tuple(one for one in known if one in value)


Copies: TypeAlias = tuple[tuple[str, int], ...]
"""A shortened deck: its kinds of card, in the order of the real deck, and their copies."""


def read_copies(
    game: str, value: object, real: Mapping[str, int], needed: int, what_for: str
) -> Copies | None:
    """Return the copies of a shortened deck in one form; None for the real deck.

    Args:
        game: the game's name, for messages.
        value: copies by card name, as a mapping or pairs; other kinds are not in the deck. A name
            may be an integer, because YAML reads digits as one. None: the real deck.
        real: the real deck; no kind may have more copies.
        needed: the least number of cards with which the game can be played.
        what_for: what needs these cards, for messages.

    Raises:
        ValueError: the deck is invalid; the message says what is possible.
    """
    if value is None:
        return None
    copies: dict[str, int] = {}
    given: Any = value.items() if isinstance(value, Mapping) else value
    try:
        pairs = [(card, number) for card, number in given]
    except (TypeError, ValueError):
        raise ValueError(
            f"{game}: copies={one_line_repr(value)} is not possible; give the copies of each kind "
            "by its name, or None for the real deck"
        ) from None
    for card, number in pairs:
        name = str(card) if is_whole(card) else card
        if not isinstance(name, str) or name not in real:
            known = ", ".join(real)
            raise ValueError(
                f"{game}: copies: there is no card {one_line_repr(card)}; choose from {known}"
            )
        if name in copies:
            raise ValueError(f"{game}: copies: the card {name!r} is given twice; give it once")
        check_range(game, f"copies of {name!r}", number, 0, real[name])
        copies[name] = int(number)
    cards = sum(copies.values())
    if cards < needed:
        raise ValueError(
            f"{game}: copies={one_line_repr(value)} has too few cards: {what_for} need at least "
            f"{needed}, and it has {cards}"
        )
    return tuple((name, copies[name]) for name in real if copies.get(name))


def plain_with_copies(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values in their JSON form: ``copies`` is an object, and is left out for the real deck.

    So the real game compares equal to files from before there were shortened decks.
    """
    plain = dict(values)
    copies = plain.pop("copies")
    return plain if copies is None else plain | {"copies": dict(copies)}


@dataclass(frozen=True)
class ParamInfo:
    """How a form asks people for a parameter, and what people read of a table."""

    label: str
    """What people call the parameter: ``most hands`` is easier to read than ``max_hands``."""
    about: str = ""
    """What the label leaves open, in a few words."""
    values: tuple[Any, ...] = ()
    """The values to choose from, if they are a list; some may not go with other parameters."""
    words: tuple[str, ...] = ()
    """What people call these values, in the same order; none if they speak for themselves."""
    span: tuple[int, int] | None = None
    """The lowest and the highest value of an integer."""


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a parameter is an integer, including numpy's; True and False are not."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def one_line_repr(value: object) -> str:
    """Return the representation of a value in one line, for an error message."""
    return " ".join(repr(value).split())


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return the end of an error about an unknown name: a known one that may be meant, if any.

    It looks similar, or the name is its initials: ``lr`` may mean ``learning_rate``.
    """
    names = list(known)
    initials = [
        one for one in names if "_" in one and name == "".join(part[:1] for part in one.split("_"))
    ]
    close = [*difflib.get_close_matches(str(name), names, 1), *initials]
    return f"; did you mean {close[0]}?" if close else ""


def whole(value: Any) -> int | None:
    """Return an action or a seed as an int, or None if it is not a whole number.

    Whole numbers are Python's integers and the integer scalars of numpy, torch and other packages,
    arrays of shape () included. Booleans, floats, text and arrays of any other shape are not.
    """
    if type(value) is int:  # the usual case
        return value
    is_array = getattr(value, "shape", ()) != ()
    if is_array or isinstance(value.item() if hasattr(value, "item") else value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def check_choice(game: str, name: str, value: object, possible: tuple[object, ...]) -> None:
    """Check that a parameter is one of the ``possible`` values, and of the same type.

    Raises:
        ValueError: it is not; the message names the parameter, the value and what is possible.
    """
    if not any(value == choice and type(value) is type(choice) for choice in possible):
        *others, last = map(repr, possible)
        raise ValueError(
            f"{game}: {name}={one_line_repr(value)} is not possible; "
            f"choose {', '.join(others)} or {last}"
        )


def check_range(game: str, name: str, value: object, low: int, high: int, given: str = "") -> None:
    """Check that a parameter is an integer from ``low`` to ``high``.

    Args:
        game: the game's name, for the message.
        name: the name of the parameter.
        value: its value.
        low: the least possible value.
        high: the greatest possible value.
        given: what the limits depend on, such as ``" with cards=9"``.

    Raises:
        ValueError: it is not; the message names the parameter, the value and what is possible.
    """
    if not is_whole(value) or not low <= value <= high:
        raise ValueError(
            f"{game}: {name}={one_line_repr(value)} is not possible{given}; "
            + (f"choose {low}" if low == high else f"choose a whole number from {low} to {high}")
        )
