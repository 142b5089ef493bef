"""The one place that decides how kernels are compiled, kept and launched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import numba
import torch
from numba import cuda
from numba.core.errors import NumbaError

from kitchentable.core.game import Game
from kitchentable.engine.compiling import cache_folder, made_short
from kitchentable.engine.cuda import SIMULATED
from kitchentable.engine.loops import Loop

THREADS = 4 if SIMULATED else 128
"""Threads of a block, each with a game; in the simulator they are Python's."""

Launch = Callable[..., None]


def bind(function: Loop, *arguments: Any, game: Game | None, name: str) -> Launch:
    """Compile a kernel for the types of ``arguments``, once for all processes.

    Args:
        function: the kernel, in which thread ``cuda.grid(1)`` has a game.
        arguments: as it will be called with: arrays (`memory.for_kernels`), numbers, and tuples.
        game: whose rule functions or players it calls, if it calls any.
        name: what it is for; see `kitchentable.engine.compiling.loop`.

    Returns:
        ``(count, *arguments)``: launches the kernel for so many games on torch's current stream,
        with arguments of just these types, and returns at once.

    Raises:
        CompileError: numba cannot compile it.
    """
    if SIMULATED:
        compiled = cuda.jit(function)
    else:
        typeof: Any = numba.typeof
        signature = tuple(typeof(argument) for argument in arguments)
        compiled = _compile(function, signature, game, name)

    def launch(count: int, *arguments: Any) -> None:
        if count:
            stream = 0 if SIMULATED else _stream(torch.cuda.current_stream().cuda_stream)
            compiled[-(-count // THREADS), THREADS, stream](*arguments)

    return launch


@cache
def _stream(handle: int) -> Any:
    return cuda.external_stream(handle)


@cache
def _compile(function: Loop, signature: tuple[Any, ...], game: Game | None, name: str) -> Any:
    folder = cache_folder(game) / name / "cuda"
    with _kept_in(str(folder)), without_fma():
        try:
            # Linked later on, multiplications and additions would be fused again.
            return cuda.jit(signature, cache=True, lto=False)(function)
        except NumbaError as error:
            raise made_short(error, function.__name__, game) from None


@contextmanager
def _kept_in(folder: str) -> Iterator[None]:
    """Let numba-cuda keep in a folder what it compiles."""
    from numba.cuda.core import config  # noqa: PLC0415 - its own, not numba's

    before, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        yield
    finally:
        config.CACHE_DIR = before


@contextmanager
def without_fma() -> Iterator[None]:
    """Let a product be rounded before something is added to it, as the CPU does.

    Numba-cuda has no option for it.
    """
    from numba.cuda.cudadrv import nvvm  # noqa: PLC0415 - the simulator has none

    before = nvvm.compile_ir
    nvvm.compile_ir = partial(before, fma=False)
    try:
        yield
    finally:
        nvvm.compile_ir = before
