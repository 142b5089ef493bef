"""The decorators that let numba compile a rule function, which stays a plain Python function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import infer, infer_global, make_overload_template

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
    return _register(function, **LEAN, forceinline=True)


def subroutine(function: F) -> F:
    """Do as `kernel`, for a function of many lines, or one that is seldom called.

    It is compiled once and called, instead of copied into each of its callers: that would take
    longer to compile than it saves.
    """
    return _register(function, **LEAN, forceinline=False)


def allocating_kernel(function: F) -> F:
    """Do as `kernel`, for a function that makes arrays (a player's scratch paper): slower."""
    return _register(function, error_model="numpy")


# --- How numba compiles them ----------------------------------------------------------------------
#
# `numba.extending.register_jitable` does the same with public means, in twice the time.


def _register(function: F, **options: Any) -> F:
    """Tell numba to compile calls of a function."""
    options |= {"nopython": True, "no_cpython_wrapper": True, "pipeline_class": _Compiler}
    made = make_overload_template(
        function, lambda *_, **__: function, options, strict=False, inline="never"
    )
    template = type(made.__name__, (_Calls, made), {})
    infer(template)
    infer_global(function, types.Function(template))
    return function


class _Calls:
    """The types with which a function is called.

    Whole numbers come to it in 64 bits, or it would be compiled for fields of every width.
    """

    def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        wide = tuple(types.int64 if getattr(one, "signed", False) else one for one in args)
        return super().generic(wide, kws)  # type: ignore[misc]


class _Part(JITCodeLibrary):
    """The code of a function that only other functions call, in LLVM's language alone.

    Numba would optimize each function along with all that it calls, and make machine code of it
    that nobody runs, and then do so again for each of its callers. Here a loop is optimized as a
    whole, once.
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
        """Whom numba tells where the function's environment is."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: there is no machine code that looks for it."""


class _Compiler(Compiler):
    def _compile_bytecode(self) -> Any:
        codegen, name = self.state.targetctx.codegen(), self.state.func_id.func_qualname
        self.state.library = _Part(codegen, name)  # type: ignore[no-untyped-call]
        return super()._compile_bytecode()  # type: ignore[no-untyped-call]
