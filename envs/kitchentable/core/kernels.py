"""Decorators that let numba compile a rule function, which stays a plain Python function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import infer, infer_global, make_overload_template

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

# Without numba's runtime a function cannot create arrays. In return it does not count references to
# views of records, which took half of the run time. Division by zero gives inf as in numpy, without
# a check at every division.
LEAN: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Let compiled loops (and CUDA kernels) call a rule function, which stays a plain function.

    A plain function pickles by name, so a loop that captures it is found in the cache again. A loop
    that captured a dispatcher would be compiled again in every new process. A kernel creates no
    arrays: it works on the record and on its arguments.
    """
    return _register(function, **LEAN, forceinline=True)


def subroutine(function: F) -> F:
    """Like `kernel`, for a long function or one that is seldom called.

    The function is compiled once and called, instead of inlined into its callers, where it would
    cost more compile time than it saves run time.
    """
    return _register(function, **LEAN, forceinline=False)


def allocating_kernel(function: F) -> F:
    """Like `kernel`, for a function that creates arrays (such as a player's buffers): slower."""
    return _register(function, error_model="numpy")


# --- How numba compiles them ----------------------------------------------------------------------
#
# `numba.extending.register_jitable` does the same with numba's public API, but takes twice as long.


def _register(function: F, **options: Any) -> F:
    """Tell numba to compile calls of a function."""
    options |= {"nopython": True, "pipeline_class": _Compiler}
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # for calls from outside
    overload = make_overload_template(
        function, lambda *_, **__: function, options, strict=False, inline="never"
    )
    template = type(overload.__name__, (_Calls, overload), {})
    infer(template)
    infer_global(function, types.Function(template))
    return function


class _Calls:
    """The typing of calls of a function.

    Signed integers are widened to 64 bits; otherwise numba would compile the function for every
    width of a field.
    """

    def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        wide = tuple(types.int64 if getattr(arg, "signed", False) else arg for arg in args)
        return super().generic(wide, kws)  # type: ignore[misc]


class _Part(JITCodeLibrary):
    """The code of a function that only compiled functions call, kept as LLVM IR.

    Numba would optimize each function together with all that it calls, compile it to machine code
    that is never run, and repeat this for each of its callers. Here only whole loops are optimized,
    once.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> _Part:
        """The object on which numba calls `set_env`."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: there is no machine code that uses the environment."""


class _Compiler(Compiler):
    def _compile_bytecode(self) -> Any:
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        self.state.library = _Part(codegen, name)  # type: ignore[no-untyped-call]
        return super()._compile_bytecode()  # type: ignore[no-untyped-call]
