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
BLOCKS_ALLOCATING = 128
"""The most blocks of a kernel that makes arrays, which share `HEAP`: 128 kB for each thread."""
HEAP = 2 * 2**30
"""Bytes of the device for arrays that kernels make."""

Launch = Callable[..., None]


def bind(
    function: Loop, *arguments: Any, game: Game | None, name: str, allocates: bool = False
) -> Launch:
    """Compile a kernel for the types of ``arguments``, once for all processes.

    Args:
        function: the kernel, in which thread ``cuda.grid(1)`` has a game; if it ``allocates``, also
            those that come ``cuda.gridsize(1)`` after it.
        arguments: as it will be called with: arrays (`memory.for_kernels`), numbers, and tuples.
        game: whose rule functions or players it calls, if it calls any.
        name: what it is for; see `kitchentable.engine.compiling.loop`.
        allocates: whether it makes arrays, which takes the device's slow allocator.

    Returns:
        ``(count, *arguments)``: launches the kernel for so many games on torch's current stream,
        with arguments of just these types, and returns at once.

    Raises:
        CompileError: numba cannot compile it.
    """
    if SIMULATED:
        return launching(cuda.jit(function), allocates)
    typeof: Any = numba.typeof
    signature = tuple(typeof(argument) for argument in arguments)
    return launching(_compile(function, signature, game, name, allocates), allocates)


def launching(compiled: Any, allocates: bool) -> Launch:
    """Return what launches a compiled kernel for a number of games."""

    def launch(count: int, *arguments: Any) -> None:
        if count:
            blocks = -(-count // THREADS)
            blocks = min(blocks, BLOCKS_ALLOCATING) if allocates else blocks
            if SIMULATED:
                compiled[blocks, THREADS](*arguments)
            else:
                _on_grid(compiled, blocks, torch.cuda.current_stream().cuda_stream)(*arguments)

    return launch


@cache
def _on_grid(compiled: Any, blocks: int, stream: int) -> Any:
    """Return a kernel for so many blocks and a stream, given by its handle.

    Numba-cuda would warn of few blocks, but how many games there are is the user's choice.
    """
    with _set(CUDA_LOW_OCCUPANCY_WARNINGS=0):
        return compiled[blocks, THREADS, cuda.external_stream(stream)]


@cache
def _compile(
    function: Loop, signature: tuple[Any, ...], game: Game | None, name: str, allocates: bool
) -> Any:
    if allocates:
        _make_heap()
    with _set(CACHE_DIR=str(cache_folder(game) / name / "cuda"), CUDA_ENABLE_NRT=allocates):
        return compile_kernel(function, signature, game)


def compile_kernel(function: Loop, signature: tuple[Any, ...], game: Game | None) -> Any:
    """Compile a kernel for the types of its arguments.

    Raises:
        CompileError: numba cannot compile it.
    """
    try:
        with without_fma():
            # Linked later on, products and sums would be fused again.
            return cuda.jit(signature, cache=True, lto=False)(function)
    except (NumbaError, KeyError) as error:  # the latter of functions that it has no code for
        raise made_short(error, function.__name__, game) from None


def _make_heap() -> None:
    """Set memory aside for the arrays that kernels make; it must be done before they run."""
    from cuda.bindings import driver  # noqa: PLC0415 - installed where there is a GPU

    cuda.current_context()
    (status,) = driver.cuCtxSetLimit(driver.CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE, HEAP)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the device has no {HEAP:,} bytes for what kernels allocate: {status}")


@contextmanager
def _set(**settings: Any) -> Iterator[None]:
    """Set numba-cuda's own settings, which are not numba's, for a while."""
    from numba.cuda.core import config  # noqa: PLC0415 - the simulator of numba has none

    before = {name: getattr(config, name) for name in settings}
    try:
        for name, value in settings.items():
            setattr(config, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


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
