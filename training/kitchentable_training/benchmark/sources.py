"""The source of an entry that is not shipped: which files it is, and what is in them.

Results belong to the source, not to a name: two files may both call their function ``learn``, and a
file may be edited.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from kitchentable.engine.sources import PACKAGE, followed


def import_entry(place: str, word: str) -> ModuleType:
    """Import a module by its name, or a file, whose folder can then be imported from.

    Args:
        place: the module's name, or the file's path.
        word: what was asked for, for messages.

    Raises:
        ValueError: there is no such module or file; or a module that the file imports from its
            folder is hidden by another one of the same name.
    """
    if not place.endswith(".py"):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{place}.".startswith(f"{error.name}."):
                raise
            raise ValueError(f"entry {word!r}: there is no module {place}") from None
    file = Path(place).resolve()
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise ValueError(f"entry {word!r}: there is no file {place}")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for helper in _own_files(module) - {file}:
        name = ".".join(helper.relative_to(file.parent).with_suffix("").parts)
        there = getattr(sys.modules.get(name.removesuffix(".__init__")), "__file__", None)
        if there is not None and Path(there).resolve() != helper:
            raise ValueError(
                f"entry {word!r}: its module {helper} is hidden by {there}; rename one of them"
            )
    return module


def source_hash(module: ModuleType) -> str:
    """Return the SHA-256 of a module's source and of the modules beside it that it imports.

    Beside it are the modules in the folder of a file, or those of the package of a module.
    """
    digest = hashlib.sha256()
    for path in sorted(_own_files(module)):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _own_files(module: ModuleType) -> set[Path]:
    """Return the files of a module and of those beside it that it imports, directly or not."""
    found = {path.resolve() for path in followed(module)}
    return {path for path in found if not path.is_relative_to(PACKAGE)}
