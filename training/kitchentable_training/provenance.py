"""Where a result comes from: the source, the machine and the versions of packages."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import torch

from kitchentable.engine.batch import available_threads
from kitchentable_training.precision import multiplies_bfloat16

HERE = Path(__file__).parent
PACKAGE = "kitchentable"
SOURCE = ("envs", "training")
"""The folders of a clone whose files decide what is measured."""


@cache
def commit() -> str:
    """Return the commit that this process runs, or, outside a clone, the package's version.

    A ``+`` after the commit says that the source was changed since.
    """
    if not _git("ls-files", "--", __file__):  # a wheel, perhaps inside somebody else's clone
        return f"version {importlib.metadata.version(PACKAGE)}"
    root = str(_git("rev-parse", "--show-toplevel"))
    changed = _git("-C", root, "status", "--porcelain", "--", *SOURCE)
    return f"{_git('rev-parse', '--short=12', 'HEAD')}{'+' if changed else ''}"


def _git(*words: str) -> str:
    """Return what git prints; "" if there is no git, or it fails."""
    command = ["git", "-C", str(HERE), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """Return this machine's processor, its cores, GPU (None for none), Python and system.

    Whether it multiplies in bfloat16 is told too, as algorithms learn in float32 where it does not.
    """
    return {
        "processor": processor(),
        "bfloat16": multiplies_bfloat16(torch.device("cpu"), warn=False),
        "cores": os.cpu_count(),
        "threads": available_threads(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
        "python": platform.python_version(),
        "system": platform.system(),
    }


def processor() -> str:
    """Return the name of this machine's processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
