"""Buffers for kernels: small arrays that exist while a function runs.

A kernel is compiled without numba's runtime and cannot create arrays. These buffers are on the
stack of each thread, so rule functions need neither global arrays nor extra arguments for
intermediate results. A buffer is uninitialized: write to it before reading it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

JUNK = 0x5A5A5A5A
"""What buffers hold where rules run uncompiled, so that reading before writing is noticed there."""


def scratch_ints(size: int) -> NDArray[np.int64]:
    """Return a buffer of ``size`` int64, not zeroed; compiled code requires a constant ``size``."""
    return np.full(size, JUNK, np.int64)


def scratch_int16s(size: int) -> NDArray[np.int16]:
    """Return a buffer of ``size`` int16, otherwise like `scratch_ints`.

    The vector instructions of a CPU process four times as many int16 as int64 at once.
    """
    return np.full(size, JUNK & 0x7FFF, np.int16)


def scratch_shorts(size: int) -> NDArray[np.int64]:
    """Return a buffer of ``size`` numbers below 2**15, otherwise like `scratch_ints`.

    They are int16 on a GPU, where a thread has little memory, and int64 on a CPU, where that is
    faster.
    """
    return np.full(size, JUNK, np.int64)


def scratch_bits(size: int) -> NDArray[np.uint64]:
    """Return a buffer of ``size`` uint64, otherwise like `scratch_ints`."""
    return np.full(size, JUNK, np.uint64)


def _on_the_stack(function: Any, usual: Any, on_gpu: Any) -> None:
    """Tell numba how to type and compile a function that returns a buffer on its caller's stack."""

    def typing(context: Any) -> Any:
        scalar = on_gpu if type(context).__module__.startswith("numba.cuda") else usual

        def of_size(size: Any) -> Any:
            is_constant = isinstance(size, types.IntegerLiteral)
            return types.Array(scalar, 1, "C") if is_constant else None

        return of_size

    def lower(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
        size, scalar = signature.args[0].literal_value, signature.return_type.dtype
        # In the entry block, so that a loop does not allocate again. numba's `alloca_once` would
        # also zero the buffer, which often takes longer than its use.
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
        return array._getvalue()  # noqa: SLF001 - numba has no public name for it

    type_callable(function)(typing)
    lower_builtin(function, types.IntegerLiteral)(lower)


_on_the_stack(scratch_ints, types.int64, types.int64)
_on_the_stack(scratch_int16s, types.int16, types.int16)
_on_the_stack(scratch_shorts, types.int64, types.int16)
_on_the_stack(scratch_bits, types.uint64, types.uint64)
