"""The results of a benchmark: a file in the folder of each job, and all of them in one file.

The file `LEADERBOARD` has one line for each run, so the folders of runs need not be kept. What many
runs have in common, such as the machine and the settings of an entry, stands there once.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from kitchentable_training.benchmark.protocol import PROTOCOL
from kitchentable_training.files import EXPLOIT, DamagedError, read_json, reading, write_text
from kitchentable_training.provenance import machine

RESULT, BEST_RESPONSE, LEADERBOARD = "result.json", "best_response", "leaderboard.json"
PUBLISHED = Path(__file__).with_name(LEADERBOARD)
"""The published results."""
SHARED = ("settings", "machine", "commit", "versions", "threads", "protocol", "deal_seed")
"""What stands once for all runs that have it in common."""
Result = Mapping[str, Any]


class Key(NamedTuple):
    """What identifies a run of the protocol."""

    environment: str
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
    by_key = {**recorded(folder)}
    for path in sorted(folder.rglob(RESULT)):
        result = read_json(path)
        _check(path, result)
        answer = path.parent / BEST_RESPONSE / EXPLOIT
        if answer.exists():
            with reading(answer):
                gains = read_json(answer)
                result["best_response"] = {key: gains[key] for key in ("steps", "at_least")}
        with reading(path):
            by_key[key_of(result)] = result
    return [by_key[key] for key in sorted(by_key)]


def published() -> list[Result]:
    """Return the published results, which come with the package; none if there are none."""
    return list(recorded(PUBLISHED.parent).values())


def beside_published(results: Sequence[Result]) -> list[Result]:
    """Return results with the published ones of the same environments and budgets.

    Speeds of another machine are left out, as they cannot be compared.
    """
    own_keys = {key_of(result) for result in results}
    cells = {(key.environment, key.budget) for key in own_keys}
    this_machine = machine()
    added = [
        result if result["machine"] == this_machine else {**result, "decisions_a_second": None}
        for result in published()
        if (result["environment"], result["budget"]) in cells and key_of(result) not in own_keys
    ]
    return [*results, *added]


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
        content = read_json(path)
        _check(path, content)
        shared = content["shared"]
        results = [
            {**result, **{name: shared[name][result[name]] for name in SHARED}}
            for result in content["results"]
        ]
        return {key_of(result): result for result in results}


def _check(path: Path, content: Result) -> None:
    if content.get("protocol") != PROTOCOL:
        raise DamagedError(f"{path} is not a result of {PROTOCOL}; move it away")


def write_leaderboard(folder: Path, results: Iterable[Result]) -> None:
    """Write results into a folder's leaderboard, a line for each."""
    shared: dict[str, list[str]] = {name: [] for name in SHARED}
    lines = []
    for result in results:
        numbers = {}
        for name, texts in shared.items():
            if (text := json.dumps(result[name])) not in texts:
                texts.append(text)
            numbers[name] = texts.index(text)
        lines.append(json.dumps({**result, **numbers}))
    values = [f'"{name}": {_lines(texts)}' for name, texts in shared.items()]
    text = f'{{"protocol": "{PROTOCOL}", "shared": {{{",".join(values)}}}, "results": '
    write_text(folder / LEADERBOARD, text + _lines(lines) + "}\n")


def _lines(items: Sequence[str]) -> str:
    """Return a JSON list with a line for each item."""
    return "[\n" + ",\n".join(items) + "\n]"


# --- For other programs ---------------------------------------------------------------------------

COLUMNS = (
    "environment", "entry", "budget", "seed", "score", "exploitability", "distance", "decisions",
    "counted", "processor_seconds", "decisions_a_second", "commit",
)  # fmt: skip
"""The columns of the CSV file."""


def write_csv(path: Path, results: Iterable[Result]) -> None:
    """Write results as CSV with a row for each run; what was not measured is empty."""
    rows = [[result.get(name) for name in COLUMNS] for result in results]
    with StringIO() as text:
        csv.writer(text, lineterminator="\n").writerows([COLUMNS, *rows])
        write_text(path, text.getvalue())


def write_marl_json(path: Path, results: Iterable[Result]) -> None:
    """Write results as JSON for marl-eval.

    (Gorsane et al., "Towards a standardised performance evaluation protocol for cooperative
    MARL", 2022.) Games are its environments, environments its tasks, and an entry with its budget
    is an algorithm. The absolute metrics are those of the result; the steps have the learning
    curve.
    """
    games: dict[str, Any] = {}
    for result in results:
        tasks = games.setdefault(result["game"], {}).setdefault(result["environment"], {})
        runs = tasks.setdefault(f"{result['entry']} {result['budget']}", {})
        runs[f"seed_{result['seed']}"] = _marl_eval_run(result)
    write_text(path, json.dumps(games, indent=1) + "\n")


def _marl_eval_run(result: Result) -> dict[str, Any]:
    steps = {
        f"step_{i}": {
            "step_count": line["step"],
            **{name: [value] for name, value in line.items() if name != "step"},
        }
        for i, line in enumerate(result["curve"])
    }
    names = ("score", "exploitability", "distance")
    metrics = {name: [result[name]] for name in names if name in result}
    return {**steps, "absolute_metrics": metrics}
