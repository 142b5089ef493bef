"""The source files whose functions are compiled into the loops of a game."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from kitchentable.core.game import Game

PACKAGE = Path(__file__).parents[1]
GAMES = "kitchentable.games."
SHARED = ("core", "engine", "players")
"""The folders of the package whose functions are compiled into the loops of every game."""


def shared_sources() -> list[Path]:
    """Return the files whose functions are compiled into the loops of every game."""
    return [path for part in SHARED for path in (PACKAGE / part).rglob("*.py")]


def game_sources(game: Game) -> list[Path]:
    """Return a game's own files whose functions are compiled into its loops, sorted.

    For a game of this package, these are all files in its folder below `kitchentable.games` except
    the drawings, which have no kernels. For another game, they are the files of its functions and
    all that these files import, directly or not, from the same package, or from the same folder if
    the game is a script or a module without a package.
    """
    files: set[Path] = set()
    for name in {str(function.__module__) for function in _functions((game.rules, game.players))}:
        if name.startswith(GAMES):
            files.update(_folder(name))
        elif not name.startswith("kitchentable.") and name in sys.modules:
            files.update(followed(sys.modules[name]))
    return sorted(files)


def digest(made_by: str, sources: Iterable[Path]) -> str:
    """Return a hash of source files by name and content, and of what else changes their code."""
    made = hashlib.sha256(made_by.encode())
    for path in sorted(sources):
        made.update(os.fsencode(path.name))
        with suppress(OSError):  # it has just been removed
            made.update(path.read_bytes())
    return made.hexdigest()[:16]


def _functions(part: Any) -> Iterator[Any]:
    """Yield the functions and classes in dataclasses, mappings and tuples."""
    if callable(part):
        yield part
    elif dataclasses.is_dataclass(part):
        yield from _functions(tuple(vars(part).values()))
    elif isinstance(part, tuple | Mapping):
        for member in part.values() if isinstance(part, Mapping) else part:
            yield from _functions(member)


def _folder(module: str) -> list[Path]:
    """Return the files of a game of this package that can have kernels."""
    folder = PACKAGE / "games" / module.split(".")[2]
    files = [path for path in folder.rglob("*.py") if "render" not in path.parts]
    return files or [folder.with_suffix(".py")]


# --- Games outside this package -------------------------------------------------------------------


def followed(module: ModuleType) -> set[Path]:
    """Return the file of a module and those that it imports, directly or not.

    Of these, it follows those of the same package, or of the same folder if the module is a script
    or has no package; and it adds the files of games of this package that are imported.
    """
    path = getattr(module, "__file__", None)
    if path is None:
        return set()  # typed in; numba's cache tells such functions apart by their code
    file = Path(path)
    spec = getattr(module, "__spec__", None)  # None: it is a script
    name = "" if spec is None else str(spec.name)  # the true one, also of `__main__`
    depth = 0 if spec is None else name.count(".") + (file.name == "__init__.py")
    depth = min(depth, len(file.parents))
    top = name.partition(".")[0] if depth else None
    root = file.parents[max(depth - 1, 0)]
    files, waiting = {file}, [file]
    if top is None and str(root) in sysconfig.get_paths().values():
        return files  # beside it lies everything that is installed
    while waiting:
        new = set(_imported(waiting.pop(), root, top)) - files
        files |= new
        waiting += [path for path in new if not path.is_relative_to(PACKAGE)]
    return files


def _imported(file: Path, root: Path, top: str | None) -> Iterator[Path]:
    """Yield the files that a file imports.

    Args:
        file: the file.
        root: the folder of its package, or of the module itself if it has no package.
        top: the name of its package; None if it has none.
    """
    for level, name in _imports(file):
        parts = name.split(".")
        if level:
            yield from _on_the_way(file.parents[min(level, len(file.parents)) - 1], parts)
        elif name.startswith(GAMES):
            yield from _folder(name)
        elif top is None:
            yield from _on_the_way(root, parts)
        elif parts[0] == top:
            yield from _on_the_way(root, parts[1:])


def _on_the_way(folder: Path, parts: list[str]) -> Iterator[Path]:
    """Yield the modules and packages that are imported for ``a.b.c``, where c may be a name."""
    for number in range(len(parts) + 1):
        place = folder.joinpath(*parts[:number])
        for path in (place.parent / f"{place.name}.py", place / "__init__.py"):
            if os.path.isfile(path):  # noqa: PTH113 - `Path.is_file` can raise an error
                yield path


def _imports(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the level (0: absolute) and the dotted name of each import in a file."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (OSError, SyntaxError, ValueError):  # it has just been removed or edited
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = f"{node.module}." if node.module else ""
            yield from ((node.level, start + alias.name) for alias in node.names)
