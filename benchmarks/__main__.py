"""Measure everything and write ``benchmarks/results/results.json``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import warnings
from pathlib import Path
from typing import Any

from benchmarks import addtoo_figures, figures, ours, peers, startup, words
from benchmarks.clock import RUNS, decisions_per_second
from kitchentable import games
from kitchentable.engine import available_threads

RESULTS = Path(__file__).parent / "results" / "results.json"


def main() -> None:
    """Measure what is asked for; parts that are not keep their last results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parts = ["play", "startup", "words", "figures", "training", "players"]
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="default: all")
    wanted = parser.parse_args().parts or parts
    warnings.simplefilter("ignore")
    results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results["machine"] = _machine()
    if "play" in wanted:
        results["play"] = _measure_play()
    if "startup" in wanted:
        results["startup"] = {
            name: startup.first_step(f"{name}_v{game.version}") for name, game in games().items()
        }
        print(json.dumps(results["startup"], indent=1))
    if "words" in wanted:
        results["words"] = words.measure()
        print(json.dumps(results["words"]["tables"], indent=1))
    if "figures" in wanted:
        results["figures"] = figures.measure()
        print(json.dumps(results["figures"]["rows"], indent=1))
        results["addtoo_figures"] = _measure_addtoo()
        print(json.dumps(results["addtoo_figures"]["rows"], indent=1))
    if "training" in wanted:
        from benchmarks import training  # noqa: PLC0415 - imports torch

        results["training"] = training.measure()
        print(json.dumps(results["training"], indent=1))
    if "players" in wanted:
        from benchmarks import players  # noqa: PLC0415 - imports torch

        results["players"] = players.measure()
    RESULTS.parent.mkdir(exist_ok=True)
    aside = RESULTS.with_suffix(".part")
    aside.write_text(json.dumps(results, indent=1) + "\n")
    aside.replace(RESULTS)


def _measure_play() -> dict[str, Any]:
    others, missing = peers.contenders()
    everyone = [*(one for game in games() for one in ours.contenders(game)), *others]
    speeds = decisions_per_second(everyone)
    rows = [
        {"library": one.name, "game": one.game, "how": one.how, "decisions_a_second": speed}
        for one, speed in zip(everyone, speeds, strict=True)
    ]
    for row in rows:
        print(f"{row['decisions_a_second']:14,.0f}  {row['library']} {row['game']}, {row['how']}")
    for line in missing:
        print(f"not measured: {line}")
    return {"runs": RUNS, "rows": rows, "not_measured": missing}


def _measure_addtoo() -> dict[str, Any]:
    """Return the figures of Add-Too, and the known ones, by number of seats."""
    for_all = {
        "ends with an empty hand": addtoo_figures.PUBLISHED_ENDS,
        "most legal plays": addtoo_figures.PUBLISHED_MOST,
    }
    known = {seats: row | for_all for seats, row in addtoo_figures.PUBLISHED.items()}
    return {"hands": addtoo_figures.HANDS, "rows": addtoo_figures.measure(), "published": known}


def _machine() -> dict[str, Any]:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "threads": available_threads(),
        "python": platform.python_version(),
        "system": platform.system(),
    }


if __name__ == "__main__":
    main()
