"""The folder in which the package keeps files from one run to the next.

Its files only save time: an error there costs one line and making the files again, never a game.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

logger = logging.getLogger(__name__)

NOWHERE = Path(os.devnull)
"""The place of the cache of a user who has no home: nothing is found or written there."""
CHECKSUM = 32
"""Bytes of the SHA-256 with which a file begins: damaged code or tables would crash the process."""
told: set[Path] = set()
"""The paths about which this process has logged a warning."""


def cache_dir(name: str = "") -> Path:
    """Return the folder ``name`` in the user's cache; it may be missing or impossible to write."""
    root = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or NOWHERE
    if root == NOWHERE:
        with harmless(NOWHERE / "kitchentable"):
            root = Path.home() / ".cache"
    return Path(root) / "kitchentable" / name


@contextmanager
def harmless(path: Path) -> Iterator[None]:
    """Go on after an error of the cache; the first one about a path is logged, in one line.

    Args:
        path: the file or folder of the cache that the line names.
    """
    try:
        yield
    except Exception as error:  # damage can raise almost any type
        if path not in told:
            told.add(path)
            kind = "" if isinstance(error, OSError) else f"{type(error).__name__}: "
            reason = f"{kind}{error}".partition("\n")[0]
            logger.warning("kitchentable: going on without the cache %s: %s", path, reason)


def read_cached(file: Path) -> bytes | None:
    """Return what `write_cached` wrote; None if there is no such file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged.
    """
    try:
        stored = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if sha256(stored[CHECKSUM:]).digest() != stored[:CHECKSUM]:
        raise ValueError(f"{file.name} is damaged")
    return stored[CHECKSUM:]


def write_cached(file: Path, data: bytes) -> None:
    """Write a file aside, after a checksum, and rename it: readers find a whole file or none.

    Raises:
        OSError: the file cannot be written; it is as it was.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_name(f"{file.name}.{uuid.uuid4().hex[:16]}")
    try:
        aside.write_bytes(sha256(data).digest() + data)
        aside.replace(file)
    finally:
        with suppress(OSError):
            aside.unlink()
