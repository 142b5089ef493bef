"""Compiled code in the user's cache, which several processes share and which never stops a game."""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import platform
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from threading import Timer
from typing import Any

import numba

from kitchentable.core.game import Game
from kitchentable.core.user_cache import cache_dir, harmless, read_cached, told, write_cached
from kitchentable.engine.sources import PACKAGE, digest, game_sources, shared_sources

logger = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds of compiling, or of waiting for another process, after which a line is logged."""
LONGEST_WAIT = 10 * 60
"""Seconds after which a process compiles although another one seems to."""
KEPT = 24 * 60 * 60
"""Seconds for which unused loops of sources that have changed are kept."""


@cache
def cache_folder(game: Game | None) -> Path:
    """Return the folder of a game's compiled loops; None: of the loops that need no game.

    Numba notices an edit only in the file of a cached function, not in the functions that it calls,
    and would go on playing an old rule. So the name of the folder contains a hash of all sources
    that can be compiled into the game's loops.
    """
    own = [] if game is None else game_sources(game)
    name = "engine" if game is None else game.name
    # Besides the sources, these change the compiled code.
    made_by = f"{numba.__version__} {platform.python_version()} "
    made_by += os.environ.get("NUMBA_BOUNDSCHECK", "") + os.environ.get("NUMBA_OPT", "")
    origin = os.fsencode(f"{PACKAGE}\n{made_by}\n")
    folder = cache_dir(f"{name}-{digest(made_by, [*shared_sources(), *own])}")
    with suppress(OSError):  # a cache that can only be read may hold all that is needed
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "origin").write_bytes(origin)
        _remove_what_is_gone(folder, origin)
    return folder


def _remove_what_is_gone(folder: Path, origin: bytes) -> None:
    """Remove unused folders of sources that have changed since, or of packages that are gone."""
    name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{name}-*/origin"):
        with suppress(OSError):  # another process was faster
            by = other.read_bytes()
            unused = time.time() - other.stat().st_mtime > KEPT
            is_gone = by == origin or not Path(os.fsdecode(by).partition("\n")[0]).exists()
            if other.parent != folder and unused and is_gone:
                shutil.rmtree(other.parent, ignore_errors=True)


class KeptCode:
    """A mixin for numba's caches of the code of a function.

    If several processes need missing code, only one of them compiles it. Whatever goes wrong with
    the cache costs a line and compiling, and a damaged file is replaced.

    Numba compiles after a `load_overload` that finds nothing, and then calls `save_overload`. The
    caller must call `release` after an error in between.
    """

    _impl_class: Any
    _cache_file: Any

    def __init__(self, function: Callable[..., Any], folder: Path, game: Game | None) -> None:
        """Make the cache.

        Args:
            function: the function, a loop or a CUDA kernel.
            folder: the function's folder. Numba's caches distinguish neither two functions of the
                same source line nor two sets of compile options.
            game: the game whose functions it calls, if any.
        """
        self._impl_class = partial(_implementation, type(self)._impl_class, folder)
        super().__init__(function)  # type: ignore[call-arg]
        self._cache_file = _Files(folder, self._cache_file)
        self._folder, self._game = folder, game
        self._lock: Any = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None if this process must compile it."""
        code = self._load(sig, target_context)
        if code is None:
            self._wait_for_others()
            code = self._load(sig, target_context)
            if code is None:
                _stopwatch(self._game).start(self._said())
            else:
                self.release()
        return code

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the code that this process has compiled, and release the lock."""
        with harmless(cache_dir()):
            super().save_overload(sig, data)  # type: ignore[misc]
        self.release()

    def release(self) -> None:
        """Let other processes load the code, or compile it."""
        _stopwatch(self._game).stop()
        lock, self._lock = self._lock, None
        if lock is not None:
            with harmless(cache_dir()):
                lock.release()

    def _load(self, sig: Any, target_context: Any) -> Any:
        code = None
        with harmless(cache_folder(self._game)):
            code = super().load_overload(sig, target_context)  # type: ignore[misc]
        return code  # noqa: RET504 - None after an error

    def _wait_for_others(self) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

        with harmless(cache_dir()):
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._folder / "lock", is_singleton=True)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                name = _named(self._game)
                _stopwatch(self._game).start(f"waiting for another process to compile {name}")
                lock.acquire(timeout=LONGEST_WAIT)
            self._lock = lock

    def _said(self) -> str:
        what = f"compiling {_named(self._game)}"
        if cache_dir() in told:
            return what
        return f"{what} for this machine, once; the code is kept in {cache_dir()}"


class _Files:
    """The files of a function's code, one for each signature, instead of numba's files."""

    def __init__(self, folder: Path, numbas: Any) -> None:
        self._folder, self._dump, self._stamp = folder, numbas._dump, numbas._source_stamp

    def load(self, key: Any) -> Any:
        code = read_cached(self._file(key))
        if code is None:
            return None
        stored_key, data = pickle.loads(code)
        return data if stored_key == key else None

    def save(self, key: Any, data: Any) -> None:
        write_cached(self._file(key), self._dump((key, data)))

    def _file(self, key: Any) -> Path:
        name = hashlib.sha256(repr((self._stamp, key)).encode(errors="replace")).hexdigest()
        return self._folder / f"{name[:32]}.code"


class _Locator:
    """What numba asks about the files of a function. Numba's own demand a folder to write to."""

    def __init__(self, folder: Path, file: str) -> None:
        self._folder, self._py_file = folder, file

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return digest("", [Path(self._py_file)])


def _implementation(numbas: type, folder: Path, function: Callable[..., Any]) -> Any:
    """Make an object that packs code for numba's cache, without numba's search for a folder."""
    implementation: Any = object.__new__(numbas)
    implementation._lineno = function.__code__.co_firstlineno
    implementation._filename_base = function.__name__
    implementation._locator = _Locator(folder, function.__code__.co_filename)
    return implementation


# --- What is said about compiling -----------------------------------------------------------------


class _Stopwatch:
    """Logs one line for all loops of a game, when their compiling takes longer than `PATIENCE`."""

    def __init__(self) -> None:
        self._left = PATIENCE
        self._timer: Timer | None = None
        self._started = 0.0
        self._is_done = False

    def start(self, message: str) -> None:
        """Say what takes so long, unless `stop` is called before."""
        self.stop()
        if not self._is_done:
            self._timer = Timer(max(self._left, 0.0), self._say, [message])
            self._timer.daemon = True
            self._started = time.monotonic()
            with suppress(RuntimeError):  # no thread is left
                self._timer.start()

    def stop(self) -> None:
        """Stop the time; a later `start` goes on from here."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._left -= time.monotonic() - self._started

    def _say(self, message: str) -> None:
        self._is_done = True
        logger.warning("kitchentable: %s", message)


@cache
def _stopwatch(_: Game | None) -> _Stopwatch:
    return _Stopwatch()


def _named(game: Game | None) -> str:
    return "the loops of all games" if game is None else game.name
