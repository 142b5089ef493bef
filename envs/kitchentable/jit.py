"""The one place that decides how rule functions are compiled."""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
from numba.core import config
from numba.extending import register_jitable

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


# Compiled without numba's runtime, a function cannot make arrays, but neither does it count
# references to the views that it takes of records, which took half of all time. Division by zero
# gives inf as in numpy instead of a check at every division.
_LEAN: dict[str, Any] = {"_nrt": False, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Let compiled loops (and CUDA kernels) call a rule function, which stays a plain function.

    A plain function pickles by name, so the loop that captures it finds its compiled self in the
    cache again; a captured dispatcher would miss it in every new process. A kernel makes no
    arrays: it works in the record and in what it is given.
    """
    return register_jitable(**_LEAN, forceinline=True)(function)


def subroutine(function: F) -> F:
    """Do as `kernel`, for a function of many lines.

    It is compiled once and called, instead of copied into each of its callers: that would take
    longer to compile than it saves.
    """
    return register_jitable(**_LEAN)(function)


def allocating_kernel(function: F) -> F:
    """Do as `kernel`, for a function that makes arrays (a player's scratch paper): slower."""
    return register_jitable(error_model="numpy")(function)


def loop(function: F, *, name: str, parallel: bool = False, allocates: bool = False) -> F:
    """Compile a loop over a batch of games, once for all processes.

    While it runs, Python's other threads run too: a server answers while a search thinks.

    Args:
        function: the loop; ``numba.prange`` in it runs on all threads if ``parallel``.
        name: whose loop it is (a game, a player): its folder in the cache. Numba tells neither
            two loops of one source line nor two sets of compile options apart.
        parallel: whether to compile for several threads.
        allocates: whether it, or a kernel in it, makes arrays.
    """
    folder = cache_folder() / name / ("parallel" if parallel else "serial")
    # The setting is read while decorating, so it can be put back at once: the user's own cached
    # functions stay where they are.
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        options = {"error_model": "numpy"} if parallel or allocates else _LEAN
        return cast("F", numba.njit(cache=True, nogil=True, parallel=parallel, **options)(function))
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


def bind(function: F, *arguments: Any) -> F:
    """Return a compiled loop's entry point for the types of ``arguments``, compiled if need be.

    It must be called with arguments of just these types. Numba inspects the types of all arguments
    at every call, which takes 5 us for an array of records: more than a step of one game.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    dispatcher = cast("Any", function)
    signature = tuple(cast("Any", numba).typeof(argument) for argument in arguments)
    dispatcher.compile(signature)
    return cast("F", dispatcher.get_overload(signature))


@cache
def cache_folder() -> Path:
    """Where compiled loops are kept: a folder of its own for every state of the sources.

    Numba notices an edit only in the file that holds a cached function, not in the files that it
    calls into, and would go on playing the old rule. A folder named by a hash of all sources makes
    that impossible.
    """
    return kept_folder(_source_digest())


@cache
def kept_folder(name: str) -> Path:
    """Return the folder of this name for what is kept from one run to the next.

    Where it cannot be written, a private temporary one serves.
    """
    root = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(root) if root else Path.home() / ".cache") / "kitchentable" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="kitchentable-"))


def _source_digest() -> str:
    """Hash every source file of this package, and what else changes the code numba makes of it."""
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    package = Path(__file__).parent
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
