"""Bits of a number, by one instruction where it is compiled."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, type_callable


def lowest_bit(bits: Any) -> int:
    """Return the place of the lowest bit set in a number above zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


def count_bits(bits: Any) -> int:
    """Return how many bits are set in a number from zero up."""
    return int(bits).bit_count()


def _type(_context: Any) -> Any:
    def of_bits(bits: Any) -> Any:
        return types.int64 if isinstance(bits, types.Integer) else None

    return of_bits


def _lower_lowest_bit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    bits = builder.zext(arguments[0], ir.IntType(64))
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


def _lower_count_bits(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    return builder.ctpop(builder.zext(arguments[0], ir.IntType(64)))


type_callable(lowest_bit)(_type)
type_callable(count_bits)(_type)
lower_builtin(lowest_bit, types.Integer)(_lower_lowest_bit)
lower_builtin(count_bits, types.Integer)(_lower_count_bits)
