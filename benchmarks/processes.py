"""Self-play in several processes: measured on this machine, and estimated for larger ones.

Every process plays 1,024 games and has 8,192 decisions of each minibatch, so the work per process
is constant. Additional processes cost time for waiting, communication and shuffling: each process
shuffles the decisions of all.

``torchrun --nproc-per-node N -m benchmarks.processes FILE`` is one measurement.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import torch
from torch import distributed

from benchmarks.learning import FLAT, NO_LOG, RUNS, SECONDS, Setup
from kitchentable.engine.batch import available_threads
from kitchentable_training.learn.processes import Processes, join
from kitchentable_training.learn.selfplay import SelfPlay

GAMES, MINIBATCH = 1_024, 8_192
"""The numbers of games and of decisions in a minibatch, per process."""
REDUCTIONS = 200
PLAY, LEARN, ORDER, TALK = "play", "learn", "order", "talk"
PARTS = (
    (SelfPlay, "_play", PLAY),
    (SelfPlay, "_learn", LEARN),
    (SelfPlay, "_minibatches", ORDER),
    (Processes, "rows_of", ORDER),
    (Processes, "total", TALK),
    (Processes, "add_gradients", TALK),
    (Processes, "gather", TALK),
)
"""What is timed, by wall clock. The time of ``learn`` excludes the parts in it."""


class Network(NamedTuple):
    """The connection between processes.

    Attributes:
        latency: seconds for an empty message.
        bandwidth: bytes per second.
    """

    latency: float
    bandwidth: float

    def all_reduce(self, size: int, processes: int) -> float:
        """Return the seconds of a sum of ``size`` bytes over all processes, in a ring like gloo."""
        rounds = 2 * (processes - 1)
        return rounds * (self.latency + size / processes / self.bandwidth)


ETHERNET = Network(latency=50e-6, bandwidth=10e9 / 8)
"""The assumed network between machines: 10 Gbit/s."""
MACHINE = 64
"""The assumed number of cores of a machine."""
RECKONED = (8, 64, 512)


def measure() -> dict[str, Any]:
    """Return speeds by number of processes, the times of the parts, and estimated speeds."""
    counts = range(1, available_threads() + 1)
    runs = [[_torchrun(count) for count in counts] for _ in range(RUNS)]
    found = {
        count: {name: statistics.median(one[name] for one in alike) for name in alike[0]}
        for count, alike in zip(counts, zip(*runs, strict=True), strict=True)
    }
    alone, most = found[1], found[max(counts)]
    return {
        "runs": RUNS,
        "seconds": SECONDS,
        "games": GAMES,
        "minibatch": MINIBATCH,
        "measured": found,
        "reckoned": {count: reckoned(count, alone, most) for count in RECKONED},
    }


def reckoned(processes: int, alone: dict[str, float], some: dict[str, float]) -> dict[str, float]:
    """Estimate the speed of a number of processes.

    Args:
        processes: the number of processes, with one core each.
        alone: the measurement of one process.
        some: the measurement of several processes, with sums within a machine.

    Returns:
        Decisions per second, the share of time that is neither play nor learning, and the speed
        relative to a linear speedup of one process.
    """
    latency = some["empty_sum"] / 2
    within = Network(latency, some["parameter_bytes"] / max(some["sum"] - some["empty_sum"], 1e-9))
    network = within if processes <= MACHINE else ETHERNET
    size = int(alone["parameter_bytes"])
    # The sum of the gradients, and two sums of a few numbers to normalize advantages.
    talk = network.all_reduce(size, processes) + 2 * network.all_reduce(8, processes)
    talk *= alone["minibatches"]
    order = alone[ORDER] * processes
    work = alone[PLAY] + alone[LEARN]
    speed = processes * alone["decisions"] / (work + order + talk)
    return {
        "decisions_a_second": speed,
        "lost": (order + talk) / (work + order + talk),
        "of_linear": speed / processes / (alone["decisions"] / (work + alone[ORDER])),
    }


def _torchrun(processes: int) -> dict[str, float]:
    """Measure with a number of processes on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
        command += [f"--nproc-per-node={processes}", "-m", "benchmarks.processes", str(file)]
        subprocess.run(command, check=True, capture_output=True)
        found: dict[str, float] = json.loads(file.read_text())
        return found


def main(file: Path) -> None:
    """Measure as one of the processes; the first one writes the means over updates."""
    processes = join("cpu")
    size = processes.size
    more = (f"num_envs={GAMES * size}", f"ppo.batch_size={MINIBATCH * size}")
    learner = Setup(FLAT, more=more).start()
    assert isinstance(learner, SelfPlay)
    spent: dict[str, float] = defaultdict(float)
    steps, updates, start = learner.steps, 0, time.perf_counter()
    with ExitStack() as stack:
        for owner, method, name in PARTS:
            timed = _timed(getattr(owner, method), name, spent)
            stack.enter_context(patch.object(owner, method, timed))
        while not processes.any(time.perf_counter() - start > SECONDS)[0]:
            learner.update(NO_LOG)
            updates += 1
    seconds = time.perf_counter() - start
    spent[LEARN] -= spent[ORDER] + spent[TALK]
    decisions = (learner.steps - steps) / updates
    parameters = sum(one.numel() for one in learner.policy.parameters())
    found = {name: spent[name] / updates for name in (PLAY, LEARN, ORDER, TALK)}
    found |= {
        "decisions": decisions,
        "decisions_a_second": decisions * updates / seconds,
        "minibatches": decisions / (MINIBATCH * size),
        "parameter_bytes": 4.0 * parameters,
        "sum": _sum_seconds(parameters, size),
        "empty_sum": _sum_seconds(1, size),
    }
    if processes.is_first:
        file.write_text(json.dumps(found))
    if size > 1:
        distributed.destroy_process_group()


def _sum_seconds(numbers: int, processes: int) -> float:
    """Return the median seconds of a sum of float32 over all processes, after a barrier."""
    tensor, taken = torch.zeros(numbers), []
    for _ in range(REDUCTIONS if processes > 1 else 0):
        distributed.barrier()
        start = time.perf_counter()
        distributed.all_reduce(tensor)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) if taken else 0.0


def _timed(function: Callable[..., Any], name: str, spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            spent[name] += time.perf_counter() - start

    return timed


if __name__ == "__main__":
    main(Path(sys.argv[1]))
