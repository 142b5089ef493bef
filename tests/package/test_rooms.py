"""Imports between rooms point downwards only, so there are no cycles.

A room is a folder of one of the packages; each game's folder is its own. The files beside the rooms
are what other code imports. The order is that of DESIGN.md: no room knows the rooms above it.
"""

import ast
import subprocess
import symtable
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
ENVS = ROOT / "envs" / "kitchentable"
TRAINING = ROOT / "training" / "kitchentable_training"

BELOW = {
    "core": set(),
    "engine": {"core"},
    "render": {"core"},
    "players": {"core", "engine"},
    "adapters": {"core", "engine", "render", "players"},
    "games": {"core", "render"},
    "text": {"core", "engine", "render", "players", "adapters"},
}
"""For each room under envs/, the rooms that it may import from, apart from itself."""
EVERYWHERE = {"kitchentable.games"}
"""The folder in which the registry looks for games; it imports nothing."""
DECORATORS = "kitchentable.engine.compiling"
"""The only module of the engine that games may import."""
WITHIN = {"quiddler.solitaire": "quiddler"}
"""A game that is a variation of another one and may use its rules."""
SHARED = {"poker", "poker_render"}
"""What several games share, and which are no games."""
HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "PIL", "tkinter", "pygame"}
"""Packages that only the modules under envs/ that need them import, on use."""
ON_GPU = ("kitchentable.engine.cuda.", "kitchentable.players.cuda")
"""Modules that import torch at import time, and so are imported only on use."""
ORDER = [
    {
        "files", "named", "notebook", "settings", "session", "shipped", "cluster", "output",
        "precision", "provenance", "stopping", "strict_yaml",
    },
    {"networks"}, {"players"},
    {"evaluate", "exact"}, {"algorithms", "runs"}, {"rllib"}, {"benchmark"}, {"report", "film"},
    {"web"}, {"cli"},
]  # fmt: skip
"""The rooms of training/ and the files beside them, lowest first; those files know each other."""
LEARNING = {"algorithms", "runs"}
"""Rooms that know each other: an algorithm reads the settings of a run, which trains it."""


class Import(NamedTuple):
    """An import in a file, with its place."""

    file: Path
    line: int
    module: str
    at_once: bool
    """Whether it runs at import time, not only in a function call or for type checking."""

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


@cache
def imports(package: Path) -> list[Import]:
    """Return all imports in a package's files."""
    parsed = {file: ast.parse(file.read_text("utf-8")) for file in sorted(package.rglob("*.py"))}
    return [one for file, tree in parsed.items() for one in _in_body(tree, file, at_once=True)]


def _in_body(node: ast.AST, file: Path, *, at_once: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            names = [one.name for one in child.names]
        elif isinstance(child, ast.ImportFrom):
            names = [_module(child.module, one.name) for one in child.names]
        else:
            typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            later = typing or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            yield from _in_body(child, file, at_once=at_once and not later)
            continue
        for name in names:
            yield Import(file, child.lineno, name, at_once)


def _module(module: str, name: str) -> str:
    """Return ``module.name`` if that is a module, else ``module``."""
    whole = Path(*f"{module}.{name}".split("."))
    for package in (ENVS.parent, TRAINING.parent):
        if (package / whole).is_dir() or (package / whole).with_suffix(".py").is_file():
            return f"{module}.{name}"
    return module


def room(module: str) -> str:
    """Return the room of one of our modules, or its file beside the rooms; "" for the package."""
    return module.partition(".")[2].partition(".")[0]


def module_of(file: Path) -> str:
    path = file.relative_to(ENVS.parent if file.is_relative_to(ENVS) else TRAINING.parent)
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def game_of(module: str) -> str:
    """Return the folder of a module's game, below ``kitchentable.games``."""
    name = module.removeprefix("kitchentable.games.")
    of_variation = next((one for one in WITHIN if f"{name}.".startswith(f"{one}.")), "")
    return of_variation or name.partition(".")[0]


def check(wrong: Iterable[Import]) -> None:
    if told := "\n".join(map(str, wrong)):
        pytest.fail(told, pytrace=False)


IN_ENVS = [one for one in imports(ENVS) if one.module.partition(".")[0] == "kitchentable"]
IN_ROOMS = [one for one in IN_ENVS if room(module_of(one.file)) in BELOW]
IN_GAMES = [one for one in IN_ROOMS if room(module_of(one.file)) == "games"]
IN_TRAINING = [
    one for one in imports(TRAINING) if one.module.partition(".")[0] == "kitchentable_training"
]


def test_the_rooms_are_those_that_the_order_names() -> None:
    folders = {one.name for one in ENVS.iterdir() if (one / "__init__.py").exists()}
    assert folders == BELOW.keys()
    modules = {one.stem for one in TRAINING.glob("*.py") if not one.stem.startswith("__")}
    folders = {one.name for one in TRAINING.iterdir() if (one / "__init__.py").exists()}
    assert modules | folders == set.union(*ORDER)


def test_environments_import_nothing_from_above() -> None:
    check(
        one
        for one in IN_ROOMS
        if one.module not in EVERYWHERE
        and room(one.module) not in BELOW[room(module_of(one.file))] | {room(module_of(one.file))}
        and not (one in IN_GAMES and one.module == DECORATORS)
    )
    check(one for one in imports(ENVS) if one.module.startswith("kitchentable_training"))


def test_no_game_imports_another() -> None:
    check(
        one
        for one in IN_GAMES
        if room(one.module) == "games"
        and game_of(one.module)
        not in {game := game_of(module_of(one.file)), WITHIN.get(game), *SHARED}
    )


def test_what_only_some_need_is_imported_by_these() -> None:
    check(
        one
        for one in imports(ENVS)
        if one.at_once
        and (one.module.partition(".")[0] in HEAVY or one.module.startswith(ON_GPU))
        and not (
            module_of(one.file).startswith(ON_GPU) and one.module.startswith((*ON_GPU, "torch"))
        )
    )


def test_drawings_stand_apart() -> None:
    """Compiled loops are cached until their game's sources change, not counting its drawings.

    Only a game's ``__init__``, or its only file, gathers rules, players and drawing.
    """

    def is_wrong(one: Import) -> bool:
        if "render" in module_of(one.file).split("."):
            return one.module in {"kitchentable.core.kernels", DECORATORS}
        gathers = one.file.name == "__init__.py" or one.file.parent == ENVS / "games"
        return "render" in one.module.split(".") and not gathers

    check(filter(is_wrong, IN_GAMES))


def test_training_imports_nothing_from_above() -> None:
    height = {name: i for i, names in enumerate(ORDER) for name in names}
    check(
        one
        for one in IN_TRAINING
        if (own := room(module_of(one.file))) in height
        and (other := room(one.module)) != own
        and {own, other} != LEARNING
        and height[other] >= max(height[own], 1)
    )


def test_what_only_plays_imports_no_torch() -> None:
    """Commands that watch, play or measure speed do not wait for torch."""
    check(
        one
        for one in imports(TRAINING)
        if one.at_once
        and room(module_of(one.file)) in {"cli", "film", "files", "session"}
        and one.module.partition(".")[0] in HEAVY - {"PIL"}
    )


def test_settings_import_no_torch() -> None:
    """Reading the settings of a run, even those of a checkpoint, does not take seconds."""
    code = (
        "import sys\n"
        "from kitchentable_training.runs.settings import load_settings\n"
        "for name in ('diddly_selfplay', 'diddly_dmc', 'diddly_sb3_ppo', 'diddly_2p'):\n"
        "    load_settings(name)\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "kitchentable_training.algorithms.registry" in loaded
    assert not HEAVY & set(loaded)


def test_no_files_import_each_other() -> None:
    """Not even through others, in functions, or for type checking."""
    known: dict[str, set[str]] = {}
    for one in (*IN_ENVS, *IN_TRAINING):
        own = module_of(one.file)
        if one.module != own:
            known.setdefault(own, set()).add(one.module)
    try:
        TopologicalSorter(known).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]), pytrace=False)


def test_what_code_for_other_environments_imports_is_there() -> None:
    """Renaming a thing must not break tests and examples that the quick tests do not run."""
    folders = (
        "benchmarks",
        "examples",
        "tests/cuda",
        "tests/frameworks",
        "tests/ray",
        "tests/rllib",
    )
    check(
        Import(file, line, f"{module}.{name}", at_once=False)
        for folder in folders
        for file in sorted((ROOT / folder).glob("*.py"))
        for line, module, name in imported_names(file)
        if _module(module, name) == module and name not in held(module)
    )


def imported_names(file: Path) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the module and the name of each name that a file imports from ours."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("kitchentable"):
            for one in node.names:
                yield node.lineno, str(node.module), one.name


@cache
def held(module: str) -> set[str]:
    """Return the names at the top of one of our modules, without importing it."""
    path = Path(*module.split("."))
    places = [package.parent / path for package in (ENVS, TRAINING)]
    files = [one for at in places for one in (at.with_suffix(".py"), at / "__init__.py")]
    (file,) = (one for one in files if one.is_file())
    return set(symtable.symtable(file.read_text("utf-8"), str(file), "exec").get_identifiers())
