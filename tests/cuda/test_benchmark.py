"""The GPU benchmark in the simulator: everything runs and is reported, whatever the figures."""

import pytest
import torch
from benchmarks import clock, gpu, learning
from docs import tables
from torch.profiler import ProfilerActivity

from kitchentable import all_games
from kitchentable.engine.cuda import SIMULATED

pytestmark = [
    pytest.mark.cuda_sim,
    pytest.mark.slow,
    pytest.mark.skipif(not SIMULATED, reason="needs NUMBA_ENABLE_CUDASIM=1: `make test-cuda`"),
]


def test_the_measurement_has_all_that_the_table_tells(monkeypatch) -> None:
    small = ["num_envs=4", "training.n_steps=2", "training.batch_size=8", "device=cuda"]
    diddly = {"diddly": all_games()["diddly"]}
    for owner, values in {
        gpu: {
            "RUNS": 1,
            "SIZES": (2, 3),
            "BESIDE": 2,
            "all_games": lambda: diddly,
            "PROFILED_STEPS": 1,
            "ACTIVITIES": (ProfilerActivity.CPU,),
        },
        learning: {"COMMON": learning.COMMON + small, "ON_GPU": (), "RUNS": 1, "SECONDS": 0.01},
        clock: {"SECONDS": 0.01},
        torch.cuda: {
            "synchronize": lambda: None,
            "empty_cache": lambda: None,
            "memory_allocated": lambda: 0,
            "get_device_name": lambda: "simulated GPU",
        },
    }.items():
        for name, value in values.items():
            monkeypatch.setattr(owner, name, value)
    found = gpu.measure()
    rows = found["games"]["diddly"]["rows"]
    assert [row["games"] for row in rows] == [2, 3]
    assert all(row["decisions_a_second"] > 0 for row in rows + found["learning"])
    assert [row["setting"] for row in found["learning"]] == list(learning.SETTINGS)
    assert found["peers"] == []
    monkeypatch.setattr(tables, "_results", lambda: {"gpu": found})
    shown = tables.gpu()
    assert "On one simulated GPU, compared to one core of " in shown
    assert "| Diddly |" in shown
    assert "256 flat bf16" in shown
    assert "Not measured: pgx" in shown
