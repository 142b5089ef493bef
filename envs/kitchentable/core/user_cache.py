"""The folder in which the package keeps files from one run to the next."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path


@cache
def kept_folder(name: str) -> Path:
    """Return the folder ``name`` in the user's cache, creating it if needed.

    If it is not writable, return a private temporary folder that is removed when the process ends.
    """
    root = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    folder = (Path(root) if root else Path.home() / ".cache") / "kitchentable" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="kitchentable-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder
