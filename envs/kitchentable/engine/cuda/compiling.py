"""The compile, cache and launch policy of CUDA kernels."""

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
from kitchentable.engine.code_cache import KeptCode, cache_folder
from kitchentable.engine.compiling import made_short
from kitchentable.engine.cuda import SIMULATED
from kitchentable.engine.loops import Loop

THREADS = 4 if SIMULATED else 128
"""Threads per block, each with one game; in the simulator they are Python threads."""
BLOCKS_ALLOCATING = 128
"""The maximum number of blocks of a kernel that creates arrays: 128 KiB of `HEAP` per thread."""
HEAP = 2 * 2**30
"""Bytes of device memory for arrays that kernels create."""

MOST_THREADS = BLOCKS_ALLOCATING * THREADS
"""The maximum number of threads of such a kernel."""

Launch = Callable[..., None]


def bind(
    function: Loop, *arguments: Any, game: Game | None, name: str, allocates: bool = False
) -> Launch:
    """Compile a kernel for the types of ``arguments``, and cache it for all processes.

    Args:
        function: the kernel. Each thread plays game ``cuda.grid(1)``; if the kernel ``allocates``,
            also every ``cuda.gridsize(1)``-th game after it.
        arguments: arrays (`memory.for_kernels`), numbers and tuples of the types of later calls.
        game: the game whose rule functions or players the kernel calls, if any.
        name: the folder of the kernel in the cache; see `kitchentable.engine.compiling.loop`.
        allocates: whether the kernel creates arrays, with the device's slow allocator.

    Returns:
        A function ``(count, *arguments)`` that launches the kernel for ``count`` games on torch's
        current stream and returns at once. The arguments must have exactly these types.

    Raises:
        CompileError: numba cannot compile the kernel.
    """
    if SIMULATED:
        return launching(cuda.jit(function), allocates)
    typeof: Any = numba.typeof
    signature = tuple(typeof(argument) for argument in arguments)
    return launching(_compile(function, signature, game, name, allocates), allocates)


def launching(compiled: Any, allocates: bool) -> Launch:
    """Return a function that launches a compiled kernel for a number of games."""

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
    """Return a kernel that is configured for a number of blocks and the handle of a stream.

    Numba-cuda's warning about few blocks is off, because the user chooses the number of games.
    """
    with _set(CUDA_LOW_OCCUPANCY_WARNINGS=0):
        return compiled[blocks, THREADS, cuda.external_stream(stream)]


@cache
def _compile(
    function: Loop, signature: tuple[Any, ...], game: Game | None, name: str, allocates: bool
) -> Any:
    if allocates:
        _make_heap()
    with _set(CUDA_ENABLE_NRT=allocates):
        return compile_kernel(function, signature, game, name)


def compile_kernel(function: Loop, signature: tuple[Any, ...], game: Game | None, name: str) -> Any:
    """Compile a kernel for the types of its arguments, or load it from the cache.

    Raises:
        CompileError: numba cannot compile it.
    """
    try:
        # Link-time optimization would fuse products and sums again.
        kernel = cuda.jit(function, lto=False)
        code_cache = _kernel_cache()(function, cache_folder(game) / name / "cuda", game)
        kernel._cache = code_cache  # noqa: SLF001 - as `cache=True` does
        try:
            with without_fma():
                kernel.compile(signature)
        finally:
            code_cache.release()
        kernel._specialized = True  # noqa: SLF001 - as for a kernel that is made for a signature
        kernel.disable_compile()
        return kernel
    except (NumbaError, KeyError) as error:  # KeyError: numba has no code for a function
        raise made_short(error, function.__name__, game) from None


@cache
def _kernel_cache() -> Any:
    """Return the class of the code of a kernel on disk."""
    from numba.cuda.dispatcher import CUDACache  # noqa: PLC0415 - missing in numba's simulator

    return type("KernelCache", (KeptCode, CUDACache), {})


def _make_heap() -> None:
    """Reserve device memory for the arrays that kernels create; call this before they run."""
    from cuda.bindings import driver  # noqa: PLC0415 - only installed for a GPU

    cuda.current_context()
    (status,) = driver.cuCtxSetLimit(driver.CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE, HEAP)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the device has no {HEAP:,} bytes for what kernels allocate: {status}")


@contextmanager
def _set(**settings: Any) -> Iterator[None]:
    """Change settings of numba-cuda, which are separate from numba's, within a context."""
    from numba.cuda.core import config  # noqa: PLC0415 - missing in numba's simulator

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
    """Disable fused multiply-add within a context, so that results round as on the CPU.

    Numba-cuda has no option for this.
    """
    from numba.cuda.cudadrv import nvvm  # noqa: PLC0415 - missing in numba's simulator

    before = nvvm.compile_ir
    nvvm.compile_ir = partial(before, fma=False)
    try:
        yield
    finally:
        nvvm.compile_ir = before
