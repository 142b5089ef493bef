"""The record of a table: what every game's begins with, and how a class becomes a numpy dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel

# What records and observations are made of.
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]
# What is worked with, as wide as a processor has it.
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bits = NDArray[np.uint64]
Stream = NDArray[np.uint64]
"""A player's own random stream: one number, shape (1,)."""
Tables = tuple[NDArray[Any], ...]

NOBODY = -1
"""A seat that is none; as a viewer: somebody who sees every card."""
NO_CARDS = np.empty(0, np.int8)
"""Cards on top of a deck that is shuffled as a whole; read-only, as it is to numba in the rules."""
NO_CARDS.flags.writeable = False


class TableState:
    """The fields that every game's record begins with."""

    seed: Annotated[np.uint64, np.uint64]
    """Names the game; see `kitchentable.core.rng`."""
    rng: Annotated[np.uint64, np.uint64]
    """The random stream of the current hand."""
    num_players: Annotated[int, np.int8]
    current_player: Annotated[int, np.int8]
    """The seat to act."""
    reward: Annotated[int, np.int8]
    """Index into `kitchentable.core.rewards.REWARDS`."""
    hand_over: Annotated[bool, np.bool_]
    """Whether the last step ended a hand."""
    terminated: Annotated[bool, np.bool_]
    """Whether the game is over by its rules."""
    truncated: Annotated[bool, np.bool_]
    """Whether the game was stopped at its limit."""


class HasTotals(Protocol):
    """Any state record with the points of each seat."""

    num_players: int
    totals: NDArray[np.int32]


@kernel
def write_totals(state: HasTotals, out: IntArray) -> None:
    """Write the points of the finished hands by seat: what most games have as their `scores`."""
    for player in range(state.num_players):
        out[player] = state.totals[player]


def just_scored(state: TableState) -> bool:
    """Whether the last step ended a hand and the next one is dealt; not compiled."""
    return bool(state.hand_over and not (state.terminated or state.truncated))


def record_dtype(cls: type[Any]) -> np.dtype[np.void]:
    """Build the dtype that a record class describes, fields in the order written, bases first.

    Args:
        cls: a class whose annotations are ``Annotated[int, scalar type]`` or
            ``Annotated[NDArray, scalar type, shape]``.
    """
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(cls, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{cls.__name__}.{name} needs Annotated[type, scalar, *shape]")
        if hasattr(np.record, name):
            raise TypeError(f"{cls.__name__}.{name}: numpy's records have a method of that name")
        _, scalar, *shape = get_args(hint)
        fields.append((name, scalar, *shape))
    return _without_gaps(np.dtype(fields, align=True))


def _without_gaps(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Make fields of the bytes that alignment leaves between the fields and after the last.

    Numpy does not copy such bytes, so the copies of equal records would differ in them.
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


def slices(layout: Mapping[str, int]) -> dict[str, slice]:
    """Turn lengths into places: the slice of each part of a flat vector."""
    parts, start = {}, 0
    for name, length in layout.items():
        parts[name] = slice(start, start + length)
        start += length
    return parts
