"""Objects that people name by where they are: ``package.module:name`` or ``file.py:name``.

Whoever names an object lets its module run. So only names from a person at this machine (the
command line, a settings file, an argument in Python) are imported, never one from a checkpoint or a
request: a checkpoint runs no code. What its card names is imported if a person has named it too, in
a settings file, by ``--module`` on the command line, or by `name_module` in Python.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from kitchentable.engine.sources import PACKAGE, followed

NOBODYS = (
    "<frozen ", str(PACKAGE), str(Path(__file__).parent),
    *(sysconfig.get_paths()[key] for key in ("stdlib", "purelib", "platlib")),
)  # fmt: skip
"""Beginnings of the paths of our code and of what is installed, which others call wrongly."""
BEFORE_OPTION = re.compile(r":(?=[a-z]+=)")
"""A colon before an option of a player; others belong to a place, a path, a URL or a name."""
LLM = "llm"
"""The beginning of the specification of a language model, before its options."""
NAMED = "KITCHENTABLE_MODULES"
"""The environment variable with what `name_module` was told, a JSON list, so that worker processes
know it too; files with their folders."""


def name_module(word: str) -> None:
    """Let an object be imported where the card of a checkpoint names it; it is not imported yet.

    Args:
        word: ``package.module:name`` or ``file.py:name``.

    Raises:
        ValueError: it has another form, or there is no such file.
    """
    place = word.rpartition(":")[0]
    if not is_place(word):
        raise ValueError(
            f"{word!r} is no place of a module; give package.module:name or file.py:name"
        )
    if place.endswith(".py") and not Path(place).is_file():
        raise ValueError(f"{word!r}: there is no file {place}")
    os.environ[NAMED] = json.dumps([*dict.fromkeys([*named_modules(), with_folder(word)])])


def named_modules() -> list[str]:
    """Return what was named in this process and in those that started it."""
    return [str(name) for name in json.loads(os.environ.get(NAMED, "[]"))]


def find_named(word: str, what: str) -> str:
    """Return the named object that a card means.

    Args:
        word: as for `name_module`. A file may have been moved since, so if none in this folder is
            named, it is the one of the same name that was named last.
        what: what the card says, for the message.

    Raises:
        ValueError: nobody has named it.
    """
    named, place = named_modules(), with_folder(word)
    alike = [name for name in named if Path(name).name == Path(word).name]
    if place not in named and not alike:
        raise ValueError(
            f"{what}, and a checkpoint runs no code; if you trust that module, name it: "
            f"--module {word}, or kitchentable_training.named.name_module in Python"
        )
    return place if place in named else alike[-1]


def with_folder(word: str) -> str:
    """Return the place in a file with the file's folder; other places as they are."""
    return str(Path(word).resolve()) if ".py:" in word else word


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
        ValueError: there is no such module, file or name; importing the module fails, which names
            the line; or a module that the file imports from its folder is hidden by another one of
            the same name.
    """
    place, _, name = word.rpartition(":")
    what = f"{kind} {word!r}"
    module = _file(place, what) if place.endswith(".py") else _module(place, what)
    if not hasattr(module, name):
        raise ValueError(f"{what}: {place} has no {name!r}")
    return module


@contextmanager
def faults_of(what: str) -> Iterator[None]:
    """Turn an exception of somebody else's code, run in this context, into one sentence.

    Raises:
        ValueError: the code raised an exception; the message names it and its file and line.
    """
    try:
        yield
    except Exception as error:
        raise ValueError(f"{what}: {_failure(error)}") from error


def _failure(error: Exception) -> str:
    """Return where and why somebody else's code has failed."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '').name}, line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(NOBODYS)]
    where = f"{Path(own[-1].filename).name}, line {own[-1].lineno}: " if own else ""
    return f"{where}{type(error).__name__}: {' '.join(str(error).split())}"


def _module(place: str, what: str) -> ModuleType:
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # where `python -m` finds modules too
    with faults_of(what):
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{place}.".startswith(f"{error.name}."):
                raise
    raise ValueError(f"{what}: there is no module {place}")


def _file(place: str, what: str) -> ModuleType:
    file = Path(place).resolve()
    if not file.is_file():
        raise ValueError(f"{what}: there is no file {place}")
    # Files of one name in several folders are different modules, and so is an edited file.
    digest = hashlib.sha256(os.fsencode(file) + file.read_bytes())
    unique = f"{file.stem}_{digest.hexdigest()[:8]}"
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = sys.modules.get(unique) or _executed(unique, file, what)
    for helper in own_files(module) - {file}:
        name = ".".join(helper.relative_to(file.parent).with_suffix("").parts)
        loaded_file = getattr(sys.modules.get(name.removesuffix(".__init__")), "__file__", None)
        if loaded_file is not None and Path(loaded_file).resolve() != helper:
            raise ValueError(
                f"{what}: its module {helper} is hidden by {loaded_file}; rename one of them"
            )
    return module


def _executed(name: str, file: Path, what: str) -> ModuleType:
    """Return a new module of this name with the content of a file."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        with faults_of(what):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def own_files(module: ModuleType) -> set[Path]:
    """Return the files of a module and of those beside it that it imports, directly or not.

    Beside it are the modules in the folder of a file, or those of the package of a module.
    """
    paths = {path.resolve() for path in followed(module)}
    return {path for path in paths if not path.is_relative_to(PACKAGE)}


def source_hash(module: ModuleType) -> str:
    """Return the SHA-256 of a module's source and of the modules beside it that it imports.

    Results belong to the source, not to a name: two files may call their functions alike, and a
    file may be edited.
    """
    digest = hashlib.sha256()
    for path in sorted(own_files(module)):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
