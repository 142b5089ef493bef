"""The results of a benchmark: a file in the folder of each job, and all of them in one file.

The file `LEADERBOARD` has one line for each run, so the folders of runs need not be kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kitchentable_training.benchmark.protocol import PROTOCOL
from kitchentable_training.files import EXPLOIT, DamagedError, read_json, reading, write_text

RESULT, BEST_RESPONSE, LEADERBOARD = "result.json", "best_response", "leaderboard.json"
Result = Mapping[str, Any]


class Key(NamedTuple):
    """What identifies a run of the protocol."""

    table: str
    entry: str
    budget: str
    seed: int


def key_of(result: Result) -> Key:
    """Return the key of a result."""
    return Key(*(result[name] for name in Key._fields))


def read_results(folder: Path) -> list[Result]:
    """Read all results of a folder, ordered by their keys, with figures of best responses, if any.

    These are the results in the folder's leaderboard, replaced by those in the folders of jobs.

    Raises:
        ValueError: a result is damaged or of another protocol.
    """
    found = {**recorded(folder)}
    for path in sorted(folder.rglob(RESULT)):
        result = read_json(path)
        _check(path, result)
        answer = path.parent / BEST_RESPONSE / EXPLOIT
        if answer.exists():
            gains = read_json(answer)
            result["best_response"] = {key: gains[key] for key in ("steps", "at_least")}
        with reading(path):
            found[key_of(result)] = result
    return [found[key] for key in sorted(found)]


def recorded(folder: Path) -> Mapping[Key, Result]:
    """Return the results in a folder's leaderboard by key; none if there is no leaderboard.

    Raises:
        ValueError: the leaderboard is damaged or of another protocol.
    """
    path = folder / LEADERBOARD
    return _read(path, path.stat().st_mtime_ns) if path.exists() else {}


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Mapping[Key, Result]:
    """Read a leaderboard; ``changed`` is the time of its last change."""
    del changed
    with reading(path):
        results = read_json(path)["results"]
        for one in results:
            _check(path, one)
        return {key_of(one): one for one in results}


def _check(path: Path, result: Result) -> None:
    if result.get("protocol") != PROTOCOL:
        raise DamagedError(f"{path} is not a result of {PROTOCOL}; move it away")


def write_leaderboard(folder: Path, results: Iterable[Result]) -> None:
    """Write results into a folder's leaderboard, a line for each."""
    lines = ",\n".join(json.dumps(one) for one in results)
    write_text(folder / LEADERBOARD, f'{{"results": [\n{lines}\n]}}\n')
