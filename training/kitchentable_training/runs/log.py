"""The writer of a run's log, once as JSON lines and once for TensorBoard."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import KVWriter, TensorBoardOutputFormat

from kitchentable_training.files import PROGRESS, TENSORBOARD, naming
from kitchentable_training.runs.progress import read_progress


class RunLog(KVWriter):
    """A log writer that appends each update to ``progress.jsonl`` and to ``tensorboard/``.

    TensorBoard's files cannot be cut, so a resumed run writes them again from the lines that it
    has kept. Figures that are not finite are null in the lines, and left out for TensorBoard.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / PROGRESS
        lines = read_progress(self._path)
        shutil.rmtree(folder / TENSORBOARD, ignore_errors=True)
        self._board = TensorBoardOutputFormat(str(folder / TENSORBOARD))
        for line in lines:
            self._show(line)
        self._file = self._path.open("a", encoding="utf-8")

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Append the logged figures."""
        del key_excluded
        plain = {name: _finite(value) for name, value in sorted(key_values.items())}
        line = {"step": step, **plain}
        with naming(self._path):
            self._file.write(json.dumps(line, allow_nan=False) + "\n")
            self._file.flush()
        self._show(line)

    def _show(self, line: Mapping[str, Any]) -> None:
        """Write a line for TensorBoard."""
        figures = {key: value for key, value in line.items() if key != "step" and value is not None}
        self._board.write(figures, dict.fromkeys(figures, ()), line["step"])

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._board.close()


def _finite(value: Any) -> Any:
    """Return a figure as JSON has it: null if it is not finite."""
    plain = value.item() if isinstance(value, (np.generic, torch.Tensor)) else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain
