"""Bits of numbers and flags of masks, by few instructions where it is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, type_callable

from kitchentable.core.kernels import kernel

SMALL = 127


@kernel
def small(number: Any) -> int:
    """Return a number from 0 to 127 in such a way that the compiler sees that it is one.

    It checks the sign of any other before every use as an index.
    """
    return int(number) & SMALL


def lowest_bit(bits: Any) -> int:
    """Return the place of the lowest bit set in a number above zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


def count_bits(bits: Any) -> int:
    """Return how many bits are set in a number from zero up."""
    return int(bits).bit_count()


def write_bits(bits: Any, size: int, out: Any, at: int) -> None:
    """Write the lowest bits of a number as zeros and ones, the lowest first.

    Args:
        bits: uint64.
        size: how many, at most 64; a constant where it is compiled.
        out: float32 or bool, contiguous.
        at: the place of the first.
    """
    for i in range(size):
        out[at + i] = int(bits) >> i & 1


def read_eight(flags: Any, at: int) -> Any:
    """Return eight flags as the bytes of a number, uint64; each that is True is a bit of it.

    Args:
        flags: bool, contiguous. They need not lie at a multiple of eight bytes, which a GPU insists
            on where it reads a uint64.
        at: the place of the first.
    """
    return flags[at : at + 8].view(np.uint64)[0]


def _type(_context: Any) -> Any:
    def of_bits(bits: Any) -> Any:
        return types.int64 if isinstance(bits, types.Integer) else None

    return of_bits


def _lower_lowest_bit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    bits = builder.zext(arguments[0], ir.IntType(64))
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


def _lower_count_bits(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    return builder.ctpop(builder.zext(arguments[0], ir.IntType(64)))


def _type_of_writing(_context: Any) -> Any:
    def of_all(bits: Any, size: Any, out: Any, at: Any) -> Any:
        fits = bits == types.uint64 and isinstance(size, types.IntegerLiteral)
        fits = (
            fits and out.dtype in (types.float32, types.boolean) and isinstance(at, types.Integer)
        )
        return types.none if fits else None

    return of_all


def _lower_writing(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Make vectors of the bits and store them: a few wide operations.

    Their lengths are powers of two: with others LLVM gives up where there is no AVX-512.
    """
    _, size_type, out_type, at_type = signature.args
    bits, _, out, at = arguments
    size = size_type.literal_value
    element = context.get_data_type(out_type.dtype)
    to_numbers = builder.uitofp if out_type.dtype == types.float32 else builder.zext
    data = context.make_array(out_type)(context, builder, out).data
    place = builder.gep(data, [context.cast(builder, at, at_type, types.intp)])
    written = 0
    while written < size:
        length = 1 << ((size - written).bit_length() - 1)
        rest = builder.lshr(bits, ir.Constant(bits.type, written))
        flags = builder.bitcast(
            builder.trunc(rest, ir.IntType(length)), ir.VectorType(ir.IntType(1), length)
        )
        numbers = to_numbers(flags, ir.VectorType(element, length))
        there = builder.gep(place, [ir.Constant(ir.IntType(64), written)])
        store = builder.store(numbers, builder.bitcast(there, numbers.type.as_pointer()))
        store.align = context.get_abi_sizeof(element)  # not that of a vector
        written += length
    return context.get_dummy_value()


def _type_of_reading(_context: Any) -> Any:
    def of_all(flags: Any, at: Any) -> Any:
        fits = flags.dtype == types.boolean and isinstance(at, types.Integer)
        return types.uint64 if fits else None

    return of_all


def _lower_reading(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    flags_type, at_type = signature.args
    data = context.make_array(flags_type)(context, builder, arguments[0]).data
    place = builder.gep(data, [context.cast(builder, arguments[1], at_type, types.intp)])
    eight = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
    eight.align = 1
    return eight


type_callable(lowest_bit)(_type)
type_callable(count_bits)(_type)
lower_builtin(lowest_bit, types.Integer)(_lower_lowest_bit)
lower_builtin(count_bits, types.Integer)(_lower_count_bits)
type_callable(write_bits)(_type_of_writing)
lower_builtin(write_bits, types.uint64, types.IntegerLiteral, types.Array, types.Integer)(
    _lower_writing
)
type_callable(read_eight)(_type_of_reading)
lower_builtin(read_eight, types.Array, types.Integer)(_lower_reading)
