"""Measure everything and write ``benchmarks/results/results.json``."""

from __future__ import annotations

import argparse
import importlib
import json
import warnings

from benchmarks.kept import keep

PARTS = (
    "play", "startup", "figures", "addtoo_figures", "learning", "players", "trained", "ratings",
    "exploit", "curves", "exact", "coverage", "gpu", "text", "page",
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
            results = {part: importlib.import_module(f"benchmarks.{part}").measure()}
            keep(results)
            if part != "play":  # it prints its rows itself
                print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
