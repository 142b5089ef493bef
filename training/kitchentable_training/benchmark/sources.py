"""The source of an entry that is not shipped: which files it is, and what is in them.

Results belong to the source, not to a name: two files may both call their function ``learn``, and a
file may be edited.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType


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
    for name, helper in _helpers(file, file.parent).items():
        there = getattr(sys.modules.get(name), "__file__", None)
        if there is not None and Path(there).resolve() != helper:
            raise ValueError(
                f"entry {word!r}: its module {helper} is hidden by {there}; rename one of them"
            )
    return module


def source_hash(module: ModuleType) -> str:
    """Return the SHA-256 of a module's source and of the modules beside it that it imports.

    Beside it are the modules in the folder of a file, or those of the package of a module.
    """
    file = Path(str(module.__file__)).resolve()
    package, _, rest = module.__name__.partition(".")
    root = file.parent
    if rest:
        root = file.parents[module.__name__.count(".") + (file.name == "__init__.py")]
    digest = hashlib.sha256()
    for path in [file, *sorted(_helpers(file, root, package if rest else "").values())]:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _helpers(file: Path, root: Path, package: str = "") -> dict[str, Path]:
    """Return the files below ``root`` that a file imports, directly or not, by module name.

    With ``package``, only those of that package.
    """
    found: dict[str, Path] = {}
    waiting = [file]
    while waiting:
        for name in _imported(waiting.pop(), root):
            if package and not f"{name}.".startswith(f"{package}."):
                continue
            path = _file_of(name, root)
            if path is not None and path != file and name not in found:
                found[name] = path
                waiting.append(path)
    return found


def _imported(file: Path, root: Path) -> Iterator[str]:
    """Yield the names of the modules that a file may import, relative to the folder ``root``."""
    package = list(file.parent.relative_to(root).parts)
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            parent = [*above, *([node.module] if node.module else [])]
            yield ".".join(parent)
            yield from (".".join([*parent, one.name]) for one in node.names)


def _file_of(name: str, root: Path) -> Path | None:
    """Return the file of a module below a folder, or None."""
    place = root.joinpath(*name.split("."))
    tried = (place.with_suffix(".py"), place / "__init__.py") if name else ()
    return next((path.resolve() for path in tried if path.is_file()), None)
