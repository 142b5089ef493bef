"""The log of a training run: ``progress.jsonl``, a line of JSON for every update.

A run appends to it. One that was killed may leave half a line at its end; one that is resumed first
drops the lines that it is going to write again. So a reader takes whole lines only, and one that
comes back for more makes sure that the lines it knows are still there.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kitchentable_training.files import DamagedError, parse_json, write_text

EVALUATION = "evaluation/"
"""What the names of win rates begin with; an opponent's name follows."""
CURVE_KEYS = (
    "step", "time/seconds", EVALUATION, "payoff/", "train/entropy_loss", "train/value_loss",
    "imitation/agreement",
)  # fmt: skip
"""What the names of all figures that learning curves show begin with."""
CURVE_LINES, CURVE_EVALUATIONS = 40, 1500
Line = dict[str, Any]
"""Figures by their names; ``"step"`` counts the learner's steps so far."""


class Tail(NamedTuple):
    """What has been added to a log since it was last read."""

    first: int
    """How many lines come before these; 0 if the log was cut: what was read is to be forgotten."""
    lines: list[Line]
    seal: int
    """Of all lines up to here; to be shown when more is wanted."""


def read_progress(path: Path) -> list[Line]:
    """Read a run's log; a last line that is being written is left out.

    Raises:
        ValueError: a line is damaged; names it.
    """
    return _parse(path, _whole_lines(path))


def read_since(path: Path, known: int = 0, seal: int = 0) -> Tail:
    """Read what a run's log has more than its first lines, or all if it was cut meanwhile.

    Args:
        path: the log.
        known: how many lines were read before.
        seal: what came with them.

    Raises:
        ValueError: a line is damaged; names it.
    """
    lines = _whole_lines(path)
    if not 0 <= known <= len(lines) or _seal(lines[:known]) != seal:
        known = 0
    return Tail(known, _parse(path, lines[known:], known), _seal(lines))


def cut_progress(path: Path, steps: int) -> None:
    """Drop log lines of steps after a checkpoint: the resumed run writes them again.

    Raises:
        ValueError: a line is damaged; names it.
    """
    if not path.exists():
        return
    lines = _whole_lines(path)
    kept = [
        line
        for line, found in zip(lines, _parse(path, lines), strict=True)
        if found["step"] <= steps
    ]
    write_text(path, "".join(line + "\n" for line in kept))


def learning_curve(lines: Sequence[Line], limit: int = CURVE_LINES) -> list[Line]:
    """Thin a log out to what learning curves show: the evaluations, and some lines more.

    Args:
        lines: of the log.
        limit: about how many lines are kept at most, besides the evaluations, of which more than
            `CURVE_EVALUATIONS` cannot be seen.
    """
    evaluations = [
        number
        for number, line in enumerate(lines)
        if any(key.startswith(EVALUATION) for key in line)
    ]
    # From the end: the last one tells how good the learner has become.
    evaluations = evaluations[:: -_every(evaluations, CURVE_EVALUATIONS)]
    return [
        {key: value for key, value in lines[number].items() if key.startswith(CURVE_KEYS)}
        for number in sorted({*range(0, len(lines), _every(lines, limit)), *evaluations})
    ]


def _every(found: Sequence[object], limit: int) -> int:
    """Return how far apart those are of which about ``limit`` are kept."""
    return max(1, -(-len(found) // limit))


def _whole_lines(path: Path) -> list[str]:
    """Return the lines that have been written to their ends; a run may have no log yet."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    return [line for line in text.splitlines() if line.endswith("}")]


def _parse(path: Path, lines: Sequence[str], before: int = 0) -> list[Line]:
    """Read lines, of which ``before`` others come earlier in the file."""
    found = []
    for number, line in enumerate(lines, start=before + 1):
        try:
            found.append(_figures(line))
        except ValueError as error:
            raise DamagedError(f"line {number} of {path} is damaged: {error}") from None
    return found


def _figures(line: str) -> Line:
    found = parse_json(line, finite=False)
    if not isinstance(found, dict) or type(found.get("step")) is not int:
        raise ValueError("its 'step' is not a whole number")
    return found


def _seal(lines: Sequence[str]) -> int:
    """Return a number that other lines hardly have: a run that begins anew takes other times."""
    return zlib.crc32("\n".join(lines).encode())
