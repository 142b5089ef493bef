"""Batches and self-play on a GPU, compared with one core and pgx.

Every decision includes a mask and an observation. The clock stops when the GPU has finished, so
launches are included and runs are as long as elsewhere. Compilation is measured separately.
"""

from __future__ import annotations

import importlib.metadata
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from benchmarks import learning
from benchmarks.clock import Contender, decisions_per_second, rows
from benchmarks.peers import pgx_player
from kitchentable import all_games, make_batch
from kitchentable.engine.cuda import check_usable
from kitchentable_training.cli.bench import Play, batch_player
from kitchentable_training.provenance import processor

RUNS = 7
"""Fewer runs than elsewhere, as the GPU is not shared."""
SIZES = (1_024, 16_384, 65_536, 262_144)
BESIDE = 1_024
"""The number of games of the batch on one core."""
PROFILED_STEPS = 100
KERNELS_SHOWN = 5
ACTIVITIES = (ProfilerActivity.CUDA,)
PGX_GAMES = ("leduc_holdem", "connect_four", "sparrow_mahjong")
PGX_SIZE, PGX_STEPS = 65_536, 64
"""Parallel games, and the steps that pgx plays in one call, for its best case."""


def measure() -> dict[str, Any]:
    """Return speed, memory and kernels by game, the speed of learning, and that of pgx.

    Raises:
        ImportError: a package is missing.
        ValueError: there is no GPU.
    """
    check_usable()
    peers, missing = _pgx()
    return {
        "gpu": torch.cuda.get_device_name(),
        "processor": processor(),
        "torch": torch.__version__,
        "games": {name: _game(name) for name in all_games()},
        "learning": learning.on_gpu(),
        "peers": rows(peers, RUNS),
        "not_measured": missing,
    }


def _game(name: str) -> dict[str, Any]:
    """Measure random play of one game."""

    def on_gpu(size: int) -> Play:
        batch = make_batch(name, size, seed=0, device="cuda")
        return batch_player(batch, torch.cuda.synchronize)

    start = time.perf_counter()
    on_gpu(2)(2)
    results: dict[str, Any] = {"first_step": time.perf_counter() - start, "rows": []}
    for size in SIZES:
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        play = on_gpu(size)
        memory = torch.cuda.memory_allocated() - before
        (speed,) = decisions_per_second([Contender("Kitchentable", name, "GPU", play)], RUNS)
        row = {"games": size, "decisions_a_second": speed, "gigabytes": memory / 1e9}
        results["rows"].append(row)
        results["kernels"] = _kernels(partial(play, PROFILED_STEPS * size))
        del play
    core = Contender(
        "Kitchentable", name, "one core", batch_player(make_batch(name, BESIDE, seed=0))
    )
    (results["one_core"],) = decisions_per_second([core], RUNS)
    print(name, results, flush=True)
    return results


def _kernels(run: Callable[[], object]) -> dict[str, float]:
    """Return the share of each kernel in the GPU time of a run, largest first."""
    with profile(activities=ACTIVITIES) as profiled:
        run()
    times = {
        _short(event.key): float(event.self_device_time_total) for event in profiled.key_averages()
    }
    total = sum(times.values())
    largest = sorted(times, key=lambda name: -times[name])[:KERNELS_SHOWN]
    return {name: times[name] / total for name in largest if times[name]}


def _short(kernel: str) -> str:
    """Return the name of the function of a Numba kernel, or the kernel's own name."""
    match = re.search(r"(\w+)\[abi:", kernel)
    return match[1] if match else kernel


def _pgx() -> tuple[list[Contender], list[str]]:
    """Return pgx's games on the same GPU, or a line that says why they cannot be measured."""
    try:
        import jax  # noqa: PLC0415 - an optional library

        importlib.metadata.version("pgx")
    except (ImportError, importlib.metadata.PackageNotFoundError):
        return [], ["pgx: not installed (pgx and jax[cuda13])"]
    if jax.default_backend() != "gpu":
        return [], [f"pgx: jax has no GPU here, but the {jax.default_backend()}"]
    how = f"{PGX_SIZE:,} games, {PGX_STEPS} steps a call"
    return [
        Contender("pgx", name, how, pgx_player(name, PGX_SIZE, PGX_STEPS)) for name in PGX_GAMES
    ], []
