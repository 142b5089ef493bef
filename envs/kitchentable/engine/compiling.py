"""The compile policy of loops, and short messages for compile errors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numba
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.errors import NumbaError

from kitchentable.core.game import Game
from kitchentable.core.kernels import LEAN
from kitchentable.engine.code_cache import KeptCode, cache_folder
from kitchentable.engine.rehearsal import failure_of

F = TypeVar("F", bound="Callable[..., Any]")

HINTS = {
    "re-entrant to the same function": "kernels may not call each other in a circle",
    "returning of array|NRT required|Function\\(<built-in function (zeros|empty|ones|full)>": (
        "a kernel makes no arrays: use kitchentable.core.scratch, or @allocating_kernel for players"
    ),
    "'Boolean' object has no attribute 'bitwidth'": (
        "a record has no arrays of np.bool_; use np.int8"
    ),
    "Cannot determine Numba type of <class 'function'>": (
        "a function that kernels call must be a @kernel itself"
    ),
}
"""Hints about the likely mistake, by regular expressions for numba's message."""
FAULTS = (NumbaError, LookupError, AttributeError, AssertionError)
"""What numba raises where it cannot compile a function; compiled loops raise nothing themselves."""
ELSE = "run with NUMBA_DISABLE_JIT=1 to see where plain Python stops"


def loop(
    function: F, *, game: Game | None, name: str, parallel: bool = False, allocates: bool = False
) -> F:
    """Compile a loop over a batch of games, and cache it for all processes.

    The loop releases the GIL: a server can answer requests while a search runs.

    Args:
        function: the loop; if ``parallel``, its ``numba.prange`` runs on all threads.
        game: the game whose rule functions or players the loop calls, if any.
        name: the folder of the loop in the cache, see `KeptCode`.
        parallel: whether to compile for several threads.
        allocates: whether the loop, or a kernel that it calls, creates arrays.

    Returns:
        The loop, compiled when first called. It raises `CompileError` if numba cannot compile it.
    """
    options = {"error_model": "numpy"} if parallel or allocates else LEAN
    compiled = numba.njit(nogil=True, parallel=parallel, **options)(function)
    if not config.DISABLE_JIT:  # type: ignore[attr-defined]
        folder = cache_folder(game) / name / ("parallel" if parallel else "serial")
        compiled._cache = _Cache(function, folder, game)  # noqa: SLF001 - as `cache=True` does

    @wraps(function)
    def run(*arguments: Any) -> Any:
        with run.compiling:  # type: ignore[attr-defined]
            return compiled(*arguments)

    run.compiled = compiled  # type: ignore[attr-defined]
    run.compiling = _Compiling(function.__name__, game, compiled)  # type: ignore[attr-defined]
    return cast("F", run)


def bind(function: F, *arguments: Any) -> F:
    """Return a loop's entry point for the types of ``arguments``, and compile it if needed.

    Call it only with arguments of exactly these types. This avoids numba's inspection of the types
    at every call, which takes 5 us for an array of records: more than a step of one game.

    Raises:
        CompileError: numba cannot compile the loop.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    run = cast("Any", function)
    signature = tuple(cast("Any", numba).typeof(argument) for argument in arguments)
    with run.compiling:
        run.compiled.compile(signature)
    return cast("F", run.compiled.get_overload(signature))


class _Cache(KeptCode, FunctionCache):
    """The code of a loop on disk."""


class _Compiling:
    """A context in which a loop may compile; it shortens numba's errors and releases the lock.

    All calls of a loop share one object, because a player's loop is called for every decision.
    """

    def __init__(self, name: str, game: Game | None, compiled: Any) -> None:
        self._name, self._game, self._compiled = name, game, compiled

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None:
            return
        if isinstance(cache := getattr(self._compiled, "_cache", None), _Cache):
            cache.release()
        if isinstance(error, FAULTS):
            raise made_short(error, self._name, self._game) from None


# --- Compile errors -------------------------------------------------------------------------------


class CompileError(RuntimeError):
    """Numba cannot compile a rule function."""


def made_short(error: Exception, loop_name: str, game: Game | None) -> CompileError:
    """Shorten numba's error, which has hundreds of lines, to its innermost sentence and a hint."""
    sentence, where = innermost(str(error))
    hint = next((hint for words, hint in HINTS.items() if re.search(words, sentence)), ELSE)
    if failure := failure_of(game):
        hint = f"plain Python stops at {failure}"
    owner = "" if game is None else f" of {game.name}"
    return CompileError(f"loop {loop_name}{owner}: {where}{sentence} ({hint})")


def innermost(message: str) -> tuple[str, str]:
    """Return the innermost sentence of numba's error, and its source line if the error names it."""
    lines = message.splitlines()
    marks = [i for i, line in enumerate(lines) if "Failed in nopython mode pipeline" in line]
    start = max(marks, key=lambda i: len(lines[i]) - len(lines[i].lstrip()), default=-1)
    rest = [line.strip() for line in lines[start + 1 :] if line.strip()]
    said = rest[0] if rest else message
    if said.endswith("signature:") and len(rest) > 1:
        said = f"{said} {rest[1].removeprefix('>>> ')}"
    places = re.findall(r'(?:File "|at )([^"\n]+?)"?(?:, line | \()(\d+)', "\n".join(rest))
    own_places = [
        f"{file}:{line}: " for file, line in places if "/numba/" not in file.replace(os.sep, "/")
    ]
    short = re.sub(r"Record\(.*?;(True|False)\)", "record", re.sub(r" at 0x[0-9a-f]+", "", said))
    return short, own_places[0] if own_places else ""
