"""The compile and cache policy of loops, and short messages for compile errors."""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.errors import NumbaError

from kitchentable.core.game import Game
from kitchentable.core.kernels import LEAN
from kitchentable.core.user_cache import kept_folder

logger = logging.getLogger(__name__)

F = TypeVar("F", bound="Callable[..., Any]")

SHARED = ("core", "engine", "players")
"""The folders of the package whose functions are compiled into the loops of every game."""
PATIENCE = 1.0
"""Seconds that a process waits for another one to compile before it logs a warning."""
KEPT = 24 * 60 * 60
"""Seconds for which unused loops of sources that have changed are kept."""

HINTS = {
    "re-entrant to the same function": "kernels may not call each other in a circle",
    "returning of array|NRT required|Function\\(<built-in function (zeros|empty|ones|full)>": (
        "a kernel makes no arrays: use kitchentable.core.scratch, or @allocating_kernel for players"
    ),
    "Cannot determine Numba type of <class 'function'>": (
        "a function that kernels call must be a @kernel itself"
    ),
}
"""Hints about the likely mistake, by regular expressions for numba's message."""
ELSE = "run with NUMBA_DISABLE_JIT=1 to see where plain Python stops"


def loop(
    function: F, *, game: Game | None, name: str, parallel: bool = False, allocates: bool = False
) -> F:
    """Compile a loop over a batch of games, and cache it for all processes.

    The loop releases the GIL: a server can answer requests while a search runs.

    Args:
        function: the loop; if ``parallel``, its ``numba.prange`` runs on all threads.
        game: the game whose rule functions or players the loop calls, if any.
        name: the folder of the loop in the cache. Numba's cache distinguishes neither two loops of
            the same source line nor two sets of compile options.
        parallel: whether to compile for several threads.
        allocates: whether the loop, or a kernel that it calls, creates arrays.

    Returns:
        The loop, compiled when first called. It raises `CompileError` if numba cannot compile it.
    """
    folder = cache_folder(game) / name / ("parallel" if parallel else "serial")
    # Numba reads the setting while decorating, so it is restored at once: the cache of the user's
    # own functions stays where it is.
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        options = {"error_model": "numpy"} if parallel or allocates else LEAN
        compiled = numba.njit(nogil=True, parallel=parallel, **options)(function)
        if not config.DISABLE_JIT:  # type: ignore[attr-defined]
            what = name if game is None else f"{name} of {game.name}"
            compiled._cache = _Cache(function, what)  # noqa: SLF001 - as `cache=True` does
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]

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


class _Cache(FunctionCache):
    """A loop's code on disk. If several processes need missing code, only one of them compiles it.

    Numba compiles after a `load_overload` that finds nothing, and then calls `save_overload`.
    """

    def __init__(self, function: Callable[..., Any], what: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._what = what
        self._lock: Any = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None if this process must compile it."""
        load: Callable[..., Any] = super().load_overload
        found = load(sig, target_context)
        if found is None:
            self._wait_for_others()
            found = load(sig, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code that this process has compiled, and release the lock."""
        save: Callable[..., None] = super().save_overload
        save(sig, data)
        self.release()

    def _wait_for_others(self) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

        self._lock = FileLock(Path(self.cache_path) / "lock", is_singleton=True)
        try:
            self._lock.acquire(timeout=PATIENCE)
        except Timeout:
            logger.warning("kitchentable: waiting for another process to compile %s", self._what)
            self._lock.acquire()

    def release(self) -> None:
        """Let other processes load the code, or compile it."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


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
        if isinstance(error, NumbaError):
            raise made_short(error, self._name, self._game) from None


# --- Compile errors -------------------------------------------------------------------------------


class CompileError(RuntimeError):
    """Numba cannot compile a rule function."""


def made_short(error: Exception, loop_name: str, game: Game | None) -> CompileError:
    """Shorten numba's error, which has hundreds of lines, to its innermost sentence and a hint."""
    said, where = innermost(str(error))
    hint = next((hint for words, hint in HINTS.items() if re.search(words, said)), ELSE)
    whose = "" if game is None else f" of {game.name}"
    return CompileError(f"loop {loop_name}{whose}: {where}{said} ({hint})")


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
    ours = [
        f"{file}:{line}: " for file, line in places if "/numba/" not in file.replace(os.sep, "/")
    ]
    short = re.sub(r"Record\(.*?;(True|False)\)", "record", re.sub(r" at 0x[0-9a-f]+", "", said))
    return short, ours[0] if ours else ""


# --- The cache ------------------------------------------------------------------------------------


@cache
def cache_folder(game: Game | None) -> Path:
    """Return the folder of a game's compiled loops; None: of the loops that need no game.

    Numba notices an edit only in the file of a cached function, not in the functions that it calls,
    and would go on playing an old rule. So the name of the folder contains a hash of all sources
    that can be compiled into the game's loops.
    """
    package = Path(__file__).parents[1]
    shared = [path for part in SHARED for path in (package / part).rglob("*.py")]
    own = [] if game is None else game_sources(game)
    name = "engine" if game is None else game.name
    # Besides the sources, these change the compiled code.
    made_by = f"{numba.__version__} {platform.python_version()} "
    made_by += os.environ.get("NUMBA_BOUNDSCHECK", "") + os.environ.get("NUMBA_OPT", "")
    origin = f"{package}\n{made_by}\n"
    folder = kept_folder(f"{name}-{_digest(made_by, [*shared, *own])}")
    _remove_what_is_gone(folder, origin)
    (folder / "origin").write_text(origin)
    return folder


def game_sources(game: Game) -> list[Path]:
    """Return a game's own files whose functions are compiled into its loops.

    For a game of this package, these are all files in its folder below `kitchentable.games` except
    the drawings, which have no kernels; for another game, the file with its ``step`` function.
    """
    module = game.rules.step.__module__
    file = Path(str(sys.modules[module].__file__))
    if not module.startswith("kitchentable.games."):
        return [file]
    folder = file.parents[module.count(".") - 3]  # right below `games`
    return [path for path in folder.rglob("*.py") if "render" not in path.parts]


def _digest(made_by: str, sources: Iterable[Path]) -> str:
    digest = hashlib.sha256(made_by.encode())
    for path in sorted(sources):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _remove_what_is_gone(folder: Path, origin: str) -> None:
    """Remove unused folders of sources that have changed since, or of packages that are gone."""
    name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{name}-*/origin"):
        try:
            told = other.read_text()
            unused = time.time() - other.stat().st_mtime > KEPT
            is_gone = told == origin or not Path(told.partition("\n")[0]).exists()
            if other.parent != folder and unused and is_gone:
                shutil.rmtree(other.parent, ignore_errors=True)
        except OSError:
            continue  # another process was faster
