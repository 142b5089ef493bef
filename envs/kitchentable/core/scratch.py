"""Scratch paper for kernels: small arrays that live while a function runs.

A kernel is compiled without numba's runtime and cannot make arrays. These lie on the stack, one
set for each thread, so that rule functions stay free of side effects and of arrays handed down
for their workings. What is on the paper at first is anything: fill it before reading it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, overload, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray


def scratch_ints(size: int) -> NDArray[np.int64]:
    """Return paper for ``size`` int64, a constant where it is compiled; not zeroed."""
    return np.zeros(size, np.int64)


def scratch_int32s(size: int) -> NDArray[np.int32]:
    """Return paper for ``size`` int32, a constant where it is compiled; not zeroed.

    A processor works on twice as many of them at once as of `scratch_ints`.
    """
    return np.zeros(size, np.int32)


def scratch_shorts(size: int) -> NDArray[np.int64]:
    """Return paper for ``size`` numbers below 2**15, a constant where it is compiled; not zeroed.

    On a GPU they are int16, as there is little room for each thread; else int64, which a processor
    is quicker with.
    """
    return np.zeros(size, np.int64)


def scratch_bits(size: int) -> NDArray[np.uint64]:
    """Return paper for ``size`` uint64, a constant where it is compiled; not zeroed."""
    return np.zeros(size, np.uint64)


def scratch_records(dtype: np.dtype[np.void], size: int) -> Any:
    """Return paper for ``size`` records, whose fields are attributes; not for kernels.

    The array goes when the function that asked for it has used it for the last time, records
    that were taken out of it or not. So hand the array to another function, and work there.

    Args:
        dtype: of a record, a constant where it is compiled.
        size: how many.
    """
    return np.recarray(size, dtype)


@overload(scratch_records)
def _scratch_records(dtype: Any, size: Any) -> Any:  # noqa: ARG001 - types, where it is compiled
    def make(dtype: Any, size: Any) -> Any:
        return np.empty(size, dtype)

    return make


def _on_the_stack(function: Any, usual: Any, on_gpu: Any) -> None:
    """Tell numba how to type and compile a function that returns paper for its callers."""

    def typing(context: Any) -> Any:
        scalar = on_gpu if type(context).__module__.startswith("numba.cuda") else usual

        def of_size(size: Any) -> Any:
            is_constant = isinstance(size, types.IntegerLiteral)
            return types.Array(scalar, 1, "C") if is_constant else None

        return of_size

    def lower(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
        size, scalar = signature.args[0].literal_value, signature.return_type.dtype
        # In the entry block: once for a call, however often a loop comes past. numba's own
        # `alloca_once` would fill it with zeros, which takes longer than much of what is done here.
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(context.get_data_type(scalar), size))
        array = context.make_array(signature.return_type)(context, builder)
        step = context.get_constant(types.intp, scalar.bitwidth // 8)
        populate_array(
            array,
            data=builder.bitcast(room, array.data.type),
            shape=[context.get_constant(types.intp, size)],
            strides=[step],
            itemsize=step,
            meminfo=None,
        )
        return array._getvalue()  # noqa: SLF001 - numba's own name for it

    type_callable(function)(typing)
    lower_builtin(function, types.IntegerLiteral)(lower)


_on_the_stack(scratch_ints, types.int64, types.int64)
_on_the_stack(scratch_int32s, types.int32, types.int32)
_on_the_stack(scratch_shorts, types.int64, types.int16)
_on_the_stack(scratch_bits, types.uint64, types.uint64)
