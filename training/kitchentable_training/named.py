"""Objects that people name by where they are: ``package.module:name`` or ``file.py:name``.

Whoever names an object lets its module run. So only names from a person at this machine (the
command line, a settings file, an argument in Python) are imported, never one from a checkpoint or a
request.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from kitchentable.engine.sources import PACKAGE, followed


def is_place(word: str) -> bool:
    """Return whether a word has the form ``package.module:name`` or ``file.py:name``."""
    place, colon, name = word.rpartition(":")
    module = place.endswith(".py") or all(part.isidentifier() for part in place.split("."))
    return bool(colon) and name.isidentifier() and module


def import_object(word: str, kind: str) -> Any:
    """Import the object that a word names; arguments and errors are those of `import_module`."""
    return getattr(import_module(word, kind), word.rpartition(":")[2])


def import_module(word: str, kind: str) -> ModuleType:
    """Import the module or file of an object, which it has.

    Args:
        word: ``package.module:name``, or ``file.py:name``; the file's folder can then be imported
            from.
        kind: what the object is, as in ``"player"``, for messages.

    Raises:
        ValueError: there is no such module, file or name; the module does not compile; or a module
            that the file imports from its folder is hidden by another one of the same name.
    """
    place, _, name = word.rpartition(":")
    what = f"{kind} {word!r}"
    try:
        module = _file(place, what) if place.endswith(".py") else _module(place, what)
    except SyntaxError as error:
        raise ValueError(f"{what}: {error.filename}, line {error.lineno}: {error.msg}") from None
    if not hasattr(module, name):
        raise ValueError(f"{what}: {place} has no {name!r}")
    return module


def _module(place: str, what: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{place}.".startswith(f"{error.name}."):
            raise
        raise ValueError(f"{what}: there is no module {place}") from None


def _file(place: str, what: str) -> ModuleType:
    file = Path(place).resolve()
    # Files of one name in several folders are different modules.
    unique = f"{file.stem}_{hashlib.sha256(os.fsencode(file)).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(unique, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise ValueError(f"{what}: there is no file {place}")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = sys.modules[unique] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for helper in own_files(module) - {file}:
        name = ".".join(helper.relative_to(file.parent).with_suffix("").parts)
        there = getattr(sys.modules.get(name.removesuffix(".__init__")), "__file__", None)
        if there is not None and Path(there).resolve() != helper:
            raise ValueError(
                f"{what}: its module {helper} is hidden by {there}; rename one of them"
            )
    return module


def own_files(module: ModuleType) -> set[Path]:
    """Return the files of a module and of those beside it that it imports, directly or not.

    Beside it are the modules in the folder of a file, or those of the package of a module.
    """
    found = {path.resolve() for path in followed(module)}
    return {path for path in found if not path.is_relative_to(PACKAGE)}
