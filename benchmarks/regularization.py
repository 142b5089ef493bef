"""The effect of entropy and a magnet on self-play at small tables: score and exploitability."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kitchentable_training.benchmark.entries import run_settings
from kitchentable_training.benchmark.protocol import Table, find_table
from kitchentable_training.learn.run import Run
from kitchentable_training.players.checkpoint import load_player

TABLES = ("diddly_small", "addtoo_small")
SEEDS = (1, 2, 3)
STEPS = 1_000_000


def _entropy(weight: float) -> dict[str, float]:
    """Return the settings of a constant entropy bonus."""
    return {"ppo.ent_coef": weight, "ppo.final_ent_coef": weight}


MAGNET = "selfplay.magnet_coef"
SETTINGS: dict[str, dict[str, float]] = {
    "as shipped": {},
    "no entropy bonus": _entropy(0.0),
    "entropy 0.02": _entropy(0.02),
    "entropy 0.05": _entropy(0.05),
    "entropy 0.2": _entropy(0.2),
    "magnet 0.1": {MAGNET: 0.1},
    "magnet 1": {MAGNET: 1.0},
}
"""Settings that differ from the benchmark's entry ``selfplay``, by their names in the table. As
shipped, the entropy coefficient decreases from 0.04 to 0.005."""


def measure() -> list[dict[str, Any]]:
    """Return a row for each table and setting, with score and exploitability of each seed."""
    return [
        _learn(find_table(table), name, changes)
        for table in TABLES
        for name, changes in SETTINGS.items()
    ]


def _learn(table: Table, name: str, changes: dict[str, float]) -> dict[str, Any]:
    row: dict[str, Any] = {"table": table.name, "setting": name, "changes": changes}
    row |= {"steps": STEPS, "scores": [], "exploitability": []}
    for seed in SEEDS:
        with TemporaryDirectory() as folder:
            final = Run(run_settings(table, STEPS, seed, changes), Path(folder) / "run").train()
            assert final is not None
            found = table.measure(load_player(final, *table.load()))
        row["scores"].append(found["score"])
        row["exploitability"].append(found["exploitability"])
    print(row, flush=True)
    return row
