"""The progress bar of a run."""

from __future__ import annotations

import sys
from typing import Any

from tqdm import tqdm

from kitchentable_training.output import LogLines, Output

WATCHED, LOGGED = 1.0, 60.0
"""Seconds between two pictures of the bar, in a terminal and elsewhere, as in a log file."""


def progress_bar(
    total: int, description: str, *, unit: str = "it", initial: int = 0, disable: bool = False
) -> tqdm[Any]:
    """Return a bar on standard error, whose loss does not matter; a line a minute in a log."""
    watched = Output(sys.stderr).isatty()
    seconds = WATCHED if watched else LOGGED
    return tqdm(
        total=total,
        initial=initial,
        desc=description,
        unit=unit,
        unit_scale=True,
        smoothing=0.05,
        file=(Output if watched else LogLines)(sys.stderr),
        mininterval=seconds,
        miniters=1,
        disable=disable,
    )
