"""Operations on the bits of numbers and on masks that compile to few instructions."""

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
    """Return a number from 0 to 127 in a form whose range the compiler can see.

    Otherwise, compiled code checks the sign of an index at every use.
    """
    return int(number) & SMALL


def lowest_bit(bits: Any) -> int:
    """Return the position of the lowest set bit of a number above zero."""
    return (int(bits) & -int(bits)).bit_length() - 1


def count_bits(bits: Any) -> int:
    """Return the number of set bits of a non-negative number."""
    return int(bits).bit_count()


def write_bits(bits: Any, size: int, out: Any, at: int) -> None:
    """Write the lowest bits of a number as zeros and ones, the lowest bit first.

    Args:
        bits: the number, uint64.
        size: the number of bits, at most 64; compiled code requires a constant.
        out: the array to write to; float32 or bool, contiguous.
        at: the index of the first bit in ``out``.
    """
    for i in range(size):
        out[at + i] = int(bits) >> i & 1


def read_eight(flags: Any, at: int) -> Any:
    """Return eight flags as the bytes of a uint64; a True flag sets the lowest bit of its byte.

    Args:
        flags: bool, contiguous. Their address need not be a multiple of eight, which a GPU requires
            of a uint64: the compiled read is unaligned.
        at: the index of the first of the eight.
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
    """Turn the bits into vectors and store these: a few wide operations.

    The lengths of the vectors are powers of two: without AVX-512, LLVM cannot handle others.
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
        address = builder.gep(place, [ir.Constant(ir.IntType(64), written)])
        store = builder.store(numbers, builder.bitcast(address, numbers.type.as_pointer()))
        store.align = context.get_abi_sizeof(element)  # `out` need not be aligned like a vector
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
