"""Measure everything and write ``benchmarks/results/results.json``."""

from __future__ import annotations

import argparse
import importlib
import json
import warnings
from typing import Any

from benchmarks import addtoo_figures, figures, ours, peers, startup
from benchmarks.clock import RUNS, decisions_per_second
from benchmarks.kept import keep
from kitchentable import all_games

PARTS = (
    "play", "startup", "figures", "learning", "players", "trained", "ratings", "exploit", "curves",
    "exact", "coverage", "gpu", "text", "page",
)  # fmt: skip
ONLY_NAMED = {"exploit", "gpu"}
"""Parts that only run if they are named."""


def main() -> None:
    """Run the requested parts; the others keep their last results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    default = "default: all but gpu and exploit, which learns from 500 million decisions"
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help=default)
    brief = "learning alone, in less than a minute; a line of JSON a setting, and no results file"
    parser.add_argument("--brief", action="store_true", help=brief)
    args = parser.parse_args()
    parts = args.parts or [part for part in PARTS if part not in ONLY_NAMED]
    warnings.simplefilter("ignore")
    if args.brief:
        if parts != ["learning"]:
            parser.error("--brief is for learning alone: python -m benchmarks learning --brief")
        for row in importlib.import_module("benchmarks.learning").brief():
            print(json.dumps(row), flush=True)
        return
    for part in PARTS:
        if part in parts:
            results = _measure(part)
            keep(results)
            printed = {name: value for name, value in results.items() if name != "play"}
            print(json.dumps(printed, indent=1))


def _measure(part: str) -> dict[str, Any]:
    """Run one part; return its results by their names."""
    if part == "play":
        return {part: _measure_play()}
    if part == "figures":
        return {part: figures.measure(), "addtoo_figures": _measure_addtoo()}
    if part == "startup":
        names = {name: f"{name}_v{game.version}" for name, game in all_games().items()}
        return {part: {name: startup.first_step(module) for name, module in names.items()}}
    # Imported here, as most of them import torch.
    return {part: importlib.import_module(f"benchmarks.{part}").measure()}


def _measure_play() -> dict[str, Any]:
    others, missing = peers.contenders()
    contenders = [
        *(contender for game in all_games() for contender in ours.contenders(game)),
        *others,
    ]
    speeds = decisions_per_second(contenders)
    rows = [
        {
            "library": contender.name,
            "game": contender.game,
            "how": contender.how,
            "decisions_a_second": speed,
        }
        for contender, speed in zip(contenders, speeds, strict=True)
    ]
    for row in rows:
        print(f"{row['decisions_a_second']:14,.0f}  {row['library']} {row['game']}, {row['how']}")
    for line in missing:
        print(f"not measured: {line}")
    return {"runs": RUNS, "rows": rows, "not_measured": missing}


def _measure_addtoo() -> dict[str, Any]:
    """Return the measured and the published figures of Add-Too, by number of seats."""
    for_all = {
        "ends with an empty hand": addtoo_figures.PUBLISHED_ENDS,
        "most legal plays": addtoo_figures.PUBLISHED_MOST,
    }
    known = {seats: row | for_all for seats, row in addtoo_figures.PUBLISHED.items()}
    return {"hands": addtoo_figures.HANDS, "rows": addtoo_figures.measure(), "published": known}


if __name__ == "__main__":
    main()
