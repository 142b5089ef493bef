"""The decorators that let numba compile a rule function, which stays a plain Python function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numba.extending import register_jitable

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

# Compiled without numba's runtime, a function cannot make arrays, but neither does it count
# references to the views that it takes of records, which took half of all time. Division by zero
# gives inf as in numpy instead of a check at every division.
LEAN: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Let compiled loops (and CUDA kernels) call a rule function, which stays a plain function.

    A plain function pickles by name, so the loop that captures it finds its compiled self in the
    cache again; a captured dispatcher would miss it in every new process. A kernel makes no
    arrays: it works in the record and in what it is given.
    """
    return register_jitable(**LEAN, forceinline=True)(function)


def subroutine(function: F) -> F:
    """Do as `kernel`, for a function of many lines.

    It is compiled once and called, instead of copied into each of its callers: that would take
    longer to compile than it saves.
    """
    return register_jitable(**LEAN)(function)


def allocating_kernel(function: F) -> F:
    """Do as `kernel`, for a function that makes arrays (a player's scratch paper): slower."""
    return register_jitable(error_model="numpy")(function)
