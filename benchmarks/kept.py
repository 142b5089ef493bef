"""The file of results, in which each part keeps what it measured, on which source and machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def measured_once(
    part: str, name: str, identity: Mapping[str, Any], measure: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return a player's kept result if it has this identity; else measure and keep it.

    Args:
        part: the part, whose results are by player.
        name: the player.
        identity: what identifies the measurement, as items of the result.
        measure: returns what the result has besides its identity and source.
    """
    result: dict[str, Any] = read(part).get(name, {})
    if not identity.items() <= result.items():
        result = {**identity, **measure(), **source()}
        keep({part: read(part) | {name: result}})
    return result


def source() -> dict[str, Any]:
    """Return the commit and the machine of what is being measured."""
    return {"commit": commit(), "machine": machine()}
