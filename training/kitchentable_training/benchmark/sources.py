"""The source of an entry that is not shipped: which files it is, and what is in them.

Results belong to the source, not to a name: two files may both call their function ``learn``, and a
file may be edited.
"""

from __future__ import annotations

import hashlib
from types import ModuleType

from kitchentable_training.named import own_files


def source_hash(module: ModuleType) -> str:
    """Return the SHA-256 of a module's source and of the modules beside it that it imports."""
    digest = hashlib.sha256()
    for path in sorted(own_files(module)):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
