"""Batches on a GPU beside one core, by random legal play; a mask and an observation every decision.

The clock stops when the GPU has done all it was asked, so a run is as long as `benchmarks.clock`'s
and its launches are counted in. What compiling takes is told apart.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from benchmarks.clock import Contender, decisions_per_second
from benchmarks.ours import batch_player
from kitchentable import all_games
from kitchentable.engine.cuda import check_usable

SIZES = (1_024, 16_384, 65_536, 262_144)
BESIDE = 1_024
"""Games of the batch on one core."""


def measure() -> dict[str, Any]:
    """Return decisions a second and gigabytes by game and size, and the seconds to compile.

    Raises:
        ImportError: a package is missing; says what installs it.
        ValueError: there is no GPU.
    """
    check_usable()
    import torch  # noqa: PLC0415 - only where there is a GPU

    on_gpu = partial(batch_player, wait=torch.cuda.synchronize, device="cuda")
    games = {}
    for name in all_games():
        start = time.perf_counter()
        on_gpu(name, 2)(2)
        compiled = time.perf_counter() - start
        rows = []
        for size in SIZES:
            torch.cuda.empty_cache()
            before = torch.cuda.memory_allocated()
            play = on_gpu(name, size)
            taken = torch.cuda.memory_allocated() - before
            (speed,) = decisions_per_second([Contender("Kitchentable", name, "GPU", play)])
            rows.append({"games": size, "decisions_a_second": speed, "gigabytes": taken / 1e9})
            del play
        core = Contender("Kitchentable", name, "one core", batch_player(name, BESIDE))
        (beside,) = decisions_per_second([core])
        games[name] = {"rows": rows, "one_core": beside, "first_step": compiled}
        print(name, games[name], flush=True)
    return {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "games": games}
