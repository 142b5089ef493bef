"""The state record of a table: the fields of every game, and how a class becomes a numpy dtype."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from numba.core import config
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel

# Array types of records and observations.
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]
# Array types of intermediate results, in the word size of the CPU.
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]
Stream = NDArray[np.uint64]
"""A player's own random stream; uint64, shape (1,)."""
Tables = tuple[NDArray[Any], ...]

NOBODY = -1
"""Stands for no seat; as a viewer, for an onlooker, who knows only what all seats know."""
ALL_SEEING = -2
"""Stands for a viewer who sees every card."""
NO_ACTION = -1
"""The action of an unused row of action features."""
NO_CARDS = np.empty(0, np.int8)
"""No cards on top of the deck: all of it is shuffled. Read-only, as global arrays are in numba."""
NO_CARDS.flags.writeable = False


class TableState:
    """The fields that every game's record begins with."""

    seed: Annotated[np.uint64, np.uint64]
    """The seed that identifies the game; see `kitchentable.core.rng`."""
    rng: Annotated[np.uint64, np.uint64]
    """The state of the current hand's random stream."""
    num_players: Annotated[int, np.int8]
    current_player: Annotated[int, np.int8]
    """The seat to act."""
    reward: Annotated[int, np.int8]
    """Index into `kitchentable.core.rewards.REWARDS`."""
    hand_over: Annotated[bool, np.bool_]
    """Whether the last step ended a hand."""
    terminated: Annotated[bool, np.bool_]
    """Whether the game has ended by its rules."""
    truncated: Annotated[bool, np.bool_]
    """Whether the game was stopped at a limit. The learners of the training package take this for
    an end, so an observation should tell how far away the limit is."""
    at: Any
    """Where the parts of an observation begin, and those of the full state after them: an integer
    field for each part, by its name in the layouts (`kitchentable.core.game.Rules`). The engine
    writes it when it makes the record."""


@kernel
def write_totals(state: Any, out: IntArray) -> None:
    """Write the points of the finished hands by seat: the function `scores` of most games."""
    for player in range(state.num_players):
        out[player] = state.totals[player]


def just_scored(state: TableState) -> bool:
    """Whether the last step ended a hand and the next hand has been dealt; not compiled."""
    return bool(state.hand_over and not (state.terminated or state.truncated))


def record_dtype(cls: type[Any], at: Iterable[str] = ()) -> np.dtype[np.void]:
    """Return the aligned dtype that a record class describes.

    Args:
        cls: a class whose annotations are ``Annotated[int, scalar type]`` or
            ``Annotated[NDArray, scalar type, shape]``. Fields keep their order, bases first.
        at: the names of the integers in `TableState.at`.

    Raises:
        TypeError: an annotation has another form, or a field has the name of a numpy method.
    """
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if name == "at":
            fields.append((name, [(_checked("at", part), np.int32) for part in at]))
            continue
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{cls.__name__}.{name} needs Annotated[type, scalar, *shape]")
        _, scalar, *shape = get_args(hint)
        fields.append((_checked(cls.__name__, name), scalar, *shape))
    return _without_gaps(np.dtype(fields, align=True))


def _checked(owner: str, name: str) -> str:
    if hasattr(np.record, name):
        raise TypeError(f"{owner}.{name}: numpy's records have a method of that name")
    return name


def _without_gaps(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Turn the padding bytes between the fields and after the last one into fields.

    Numpy does not copy padding, so copies of equal records could differ in these bytes.
    """
    fields: list[tuple[Any, ...]] = []
    end = 0
    for name, (kind, start, *_) in (dtype.fields or {}).items():
        if start > end:
            fields.append((f"padding_{end}", np.uint8, (start - end,)))
        fields.append((name, kind))
        end = start + kind.itemsize
    if dtype.itemsize > end:
        fields.append((f"padding_{end}", np.uint8, (dtype.itemsize - end,)))
    return np.dtype(fields, align=True)


def for_loops(records: NDArray[Any]) -> Any:
    """Return records in the form that loops take.

    Numba recognizes the type of a plain structured array much faster than that of a recarray.
    Uncompiled rule functions need the recarray's attributes.
    """
    uncompiled = config.DISABLE_JIT  # type: ignore[attr-defined]
    return records.view(np.recarray if uncompiled else np.ndarray)


def slices(layout: Mapping[str, int]) -> dict[str, slice]:
    """Return the slice of each part of a flat vector from the lengths of the parts."""
    parts, start = {}, 0
    for name, length in layout.items():
        parts[name] = slice(start, start + length)
        start += length
    return parts
