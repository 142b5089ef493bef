"""The one place that decides how loops are compiled, where they are kept, and what errors say."""

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
"""The folders of the package from which functions are compiled into the loops of every game."""
PATIENCE = 1.0
"""Seconds for which a process waits silently while another one compiles."""
KEPT = 24 * 60 * 60
"""Seconds for which compiled loops of sources that have changed since are kept unused."""

HINTS = {
    "re-entrant to the same function": "kernels may not call each other in a circle",
    "returning of array|NRT required|Function\\(<built-in function (zeros|empty|ones|full)>": (
        "a kernel makes no arrays: use kitchentable.core.scratch, or @allocating_kernel for players"
    ),
    "Cannot determine Numba type of <class 'function'>": (
        "a function that kernels call must be a @kernel itself"
    ),
}
"""What is usually wrong, by what numba says of it."""
ELSE = "run with NUMBA_DISABLE_JIT=1 to see where plain Python stops"


def loop(
    function: F, *, game: Game | None, name: str, parallel: bool = False, allocates: bool = False
) -> F:
    """Compile a loop over a batch of games, once for all processes.

    While it runs, Python's other threads run too: a server answers while a search thinks.

    Args:
        function: the loop; ``numba.prange`` in it runs on all threads if ``parallel``.
        game: whose rule functions or players it calls, if it calls any.
        name: what it is for. Numba tells neither two loops of one source line nor two sets of
            compile options apart.
        parallel: whether to compile for several threads.
        allocates: whether it, or a kernel in it, makes arrays.

    Returns:
        The loop. It raises `CompileError` if numba cannot compile it.
    """
    folder = cache_folder(game) / name / ("parallel" if parallel else "serial")
    # The setting is read while decorating, so it can be put back at once: the user's own cached
    # functions stay where they are.
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
    """Return a compiled loop's entry point for the types of ``arguments``, compiled if need be.

    It must be called with arguments of just these types. Numba inspects the types of all arguments
    at every call, which takes 5 us for an array of records: more than a step of one game.

    Raises:
        CompileError: numba cannot compile it.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    run = cast("Any", function)
    signature = tuple(cast("Any", numba).typeof(argument) for argument in arguments)
    with run.compiling:
        run.compiled.compile(signature)
    return cast("F", run.compiled.get_overload(signature))


class _Cache(FunctionCache):
    """A loop's code on disk. Of the processes that need code that is not there, one compiles it.

    Numba compiles between `load_overload`, if that finds nothing, and `save_overload`.
    """

    def __init__(self, function: Callable[..., Any], what: str) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._what = what
        self._lock: Any = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None if this process is to compile it."""
        load: Callable[..., Any] = super().load_overload
        found = load(sig, target_context)
        if found is None:
            self._wait_for_others()
            found = load(sig, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what this process has compiled."""
        save: Callable[..., None] = super().save_overload
        save(sig, data)
        self.release()

    def _wait_for_others(self) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - takes a while

        self._lock = FileLock(Path(self.cache_path) / "lock", is_singleton=True)
        try:
            self._lock.acquire(timeout=PATIENCE)
        except Timeout:
            logger.warning("kitchentable: waiting for another process to compile %s", self._what)
            self._lock.acquire()

    def release(self) -> None:
        """Let other processes compile, or load what this one has compiled."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


class _Compiling:
    """Makes errors of numba's short, and releases the cache after any, where a loop may compile.

    One for all calls of a loop, as players are called for every decision.
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


# --- What errors say ------------------------------------------------------------------------------


class CompileError(RuntimeError):
    """A rule function is not what numba can compile."""


def made_short(error: Exception, loop_name: str, game: Game | None) -> CompileError:
    """Say of an error of numba's, hundreds of lines long, the innermost sentence and a hint."""
    said, where = innermost(str(error))
    hint = next((hint for words, hint in HINTS.items() if re.search(words, said)), ELSE)
    whose = "" if game is None else f" of {game.name}"
    return CompileError(f"loop {loop_name}{whose}: {where}{said} ({hint})")


def innermost(message: str) -> tuple[str, str]:
    """Return the innermost sentence of an error of numba's, and the place it is about if told."""
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


# --- Where compiled loops are kept ----------------------------------------------------------------


@cache
def cache_folder(game: Game | None) -> Path:
    """Return where the compiled loops of a game are kept, or those that no game is needed for.

    Numba notices an edit only in the file that holds a cached function, not in the files that it
    calls into, and would go on playing the old rule. A folder named by a hash of all sources that
    can be compiled into a game's loops makes that impossible.
    """
    package = Path(__file__).parents[1]
    shared = [path for part in SHARED for path in (package / part).rglob("*.py")]
    own = [] if game is None else game_sources(game)
    name = "engine" if game is None else game.name
    # What else changes the code that numba makes of the sources.
    made_by = f"{numba.__version__} {platform.python_version()} "
    made_by += os.environ.get("NUMBA_BOUNDSCHECK", "") + os.environ.get("NUMBA_OPT", "")
    origin = f"{package}\n{made_by}\n"
    folder = kept_folder(f"{name}-{_digest(made_by, [*shared, *own])}")
    _remove_what_is_gone(folder, origin)
    (folder / "origin").write_text(origin)
    return folder


def game_sources(game: Game) -> list[Path]:
    """Return the files whose functions are compiled into a game's loops besides the engine's.

    Of a game of this package all in its folder below `kitchentable.games` but what draws it, which
    holds no kernels; of another the file that has its rules.
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
    """Remove what was compiled of sources in the same place that have changed, or of none."""
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
