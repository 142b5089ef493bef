"""The log of a training run: ``progress.jsonl``, a line of JSON for every update.

A run appends to it. A run that was killed may leave an incomplete last line, and a resumed run
first drops the lines that it will write again. Therefore readers only take complete lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kitchentable_training.files import DamagedError, parse_json, write_text

EVALUATION = "evaluation/"
"""The prefix of the names of win rates; an opponent's name follows."""
EXPLOITABILITY = "exact/exploitability"
"""The exact exploitability, in points per game, where settings ask for it."""
CURVE_KEYS = (
    "step", "time/seconds", EVALUATION, EXPLOITABILITY, "payoff/", "train/entropy_loss",
    "train/value_loss", "behavior_cloning/agreement",
)  # fmt: skip
"""The prefixes of the names of all figures that learning curves show."""
CURVE_LINES, CURVE_EVALUATIONS = 40, 1500
Line = dict[str, Any]
"""Figures by name; ``"step"`` is the number of the learner's steps so far."""


def read_progress(path: Path) -> list[Line]:
    """Read a run's log, without an incomplete last line.

    Raises:
        ValueError: a line is damaged, or the file cannot be read.
    """
    return _parse(path, _whole_lines(path))


def cut_progress(path: Path, steps: int) -> None:
    """Drop log lines of steps after a checkpoint, which the resumed run writes again.

    Raises:
        ValueError: a line is damaged, or the file cannot be read.
    """
    if not path.exists():
        return
    lines = _whole_lines(path)
    kept = [
        line
        for line, parsed in zip(lines, _parse(path, lines), strict=True)
        if parsed["step"] <= steps
    ]
    write_text(path, "".join(line + "\n" for line in kept))


def learning_curve(lines: Sequence[Line], limit: int = CURVE_LINES) -> list[Line]:
    """Thin a log out for learning curves: to the evaluations, and at most ``limit`` other lines.

    Of the evaluations at most `CURVE_EVALUATIONS` are kept, as a plot cannot show more.
    """
    evaluations = [
        number
        for number, line in enumerate(lines)
        if any(key.startswith(EVALUATION) for key in line)
    ]
    # From the end, so that the last evaluation is kept.
    evaluations = evaluations[:: -_every(evaluations, CURVE_EVALUATIONS)]
    return [
        {key: value for key, value in lines[number].items() if key.startswith(CURVE_KEYS)}
        for number in sorted({*range(0, len(lines), _every(lines, limit)), *evaluations})
    ]


def _every(entries: Sequence[object], limit: int) -> int:
    """Return the stride that keeps at most ``limit`` of the entries."""
    return max(1, -(-len(entries) // limit))


def _whole_lines(path: Path) -> list[str]:
    """Return the complete lines of a log; none if the run has no log yet."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    return [line for line in text.splitlines() if line.endswith("}")]


def _parse(path: Path, lines: Sequence[str]) -> list[Line]:
    parsed = []
    for number, line in enumerate(lines, start=1):
        try:
            parsed.append(_figures(line))
        except ValueError as error:
            raise DamagedError(f"line {number} of {path} is damaged: {error}") from None
    return parsed


def _figures(line: str) -> Line:
    figures = parse_json(line)
    if not isinstance(figures, dict) or type(figures.get("step")) is not int:
        raise ValueError("its 'step' is not a whole number")
    return figures
