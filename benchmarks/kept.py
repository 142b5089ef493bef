"""The file of results, in which each part keeps what it measured, on which source and machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from filelock import FileLock

from kitchentable_training.files import read_json, write_json
from kitchentable_training.provenance import commit, machine

RESULTS = Path(__file__).parent / "results" / "results.json"
LOCK = Path("runs/benchmarks.lock")
"""The lock that is held while results are added."""


def read(part: str) -> Any:
    """Return the kept results of a part, an empty dictionary if there are none."""
    return read_json(RESULTS).get(part, {}) if RESULTS.exists() else {}


def keep(found: dict[str, Any]) -> None:
    """Replace parts of the file, which other processes may change in the meantime.

    Under ``"measured"`` it then tells on which source and machine these parts were measured.
    """
    with FileLock(LOCK):
        results = read_json(RESULTS) if RESULTS.exists() else {}
        measured = results.get("measured", {}) | dict.fromkeys(found, source())
        write_json(RESULTS, results | found | {"measured": measured})


def source() -> dict[str, Any]:
    """Return the commit and the machine of what is being measured."""
    return {"commit": commit(), "machine": machine()}
