"""Change the rules and the engine in one place at a time and see whether the tests notice.

    python tests/mutants.py --subject diddly

A mutant is a change of one of a subject's files by one of a few classic operators (`Finder`). Of
the mutants of each part a sample is drawn by a hash of seed and name, so that edits elsewhere leave
the sample as it is. In a copy of the project with one mutant, the subject's tests run until the
first failure: quick files first, uncompiled unless the mutant is in code that compiles.

The results are written to ``benchmarks/results/mutants.json`` after each mutant. The mutants that
no test can notice are listed in ``tests/equivalent_mutants.toml`` and do not count. The exit status
is 1 if less than 97% of the others are noticed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("envs", "training", "tests", "examples", "configs", "pyproject.toml", "README.md")
PACKAGE = Path("envs/kitchentable")
RESULTS = Path("benchmarks/results/mutants.json")
EQUIVALENTS = ROOT / "tests" / "equivalent_mutants.toml"
FOLDERS = {
    "addtoo": ["games/addtoo"],
    "diddly": ["games/diddly"],
    "engine": ["core", "engine"],
    "fiddlefoo": ["games/fiddlefoo"],
    "quiddler": ["games/quiddler"],
    "quiddler_solitaire": ["games/quiddler/solitaire"],
}
"""The folders of each subject, of which players, pictures and other subjects do not count."""
ELSEWHERE = {"players", "render", "cuda", "solitaire"}
WANTED = {"rules": 22, "observation": 8, "redeal": 6, "core": 18, "engine": 18}
"""Number of mutants to draw of each part of a subject."""
COMPILING = re.compile(
    r"engine/(code_cache|compiling)\.py|core/(kernels|scratch)\.py|games/.*knowledge\.py"
)
"""Files without effect where nothing is compiled, or with a contract that only runs compiled."""
UNRELATED = re.compile(
    r"test_(adapters|derived_parts|figures|letters|no_rivals|public_modules|shown|strength|text"
    r"|vector)\.py"
)
"""Tests of pictures, texts and adapters, and dear ones."""
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["hypothesis.strategies", "gymnasium", "pettingzoo", "PIL.Image"])
"""Starts processes in which nothing is imported but what is slow to import."""
FLOOR = 0.97
MISSED, HANGS, BROKEN, EQUIVALENT = "MISSED", "hangs", "breaks off", "equivalent"

# --- Finding mutants ------------------------------------------------------------------------------

Node: TypeAlias = ast.expr | ast.stmt
SWAPPED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"), ast.In: ("in", "not in"), ast.NotIn: (r"not\s+in", "in"),
    ast.Add: (r"\+", "-"), ast.Sub: ("-", "+"), ast.Mult: (r"\*", "//"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "//"), ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"), ast.BitAnd: ("&", "|"), ast.BitOr: (r"\|", "&"),
    ast.BitXor: (r"\^", "&"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
"""How each operator is found in the source, and the one to put in its place."""
NAMES = {"min": "max", "any": "all", "minimum": "maximum", "argmin": "argmax"}
NAMES |= {new: old for old, new in NAMES.items()}
REPLACED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Raise: ("deleted", "pass"),
    ast.Break: ("break to continue", "continue"),
    ast.Continue: ("continue to break", "break"),
}
"""Statements that are replaced as a whole."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A replacement of a piece of a source file."""

    file: str
    function: str
    change: str
    line: str
    """The line of source text where it begins: with the fields above, and ``number``, its name."""
    number: int = 1
    """Which it is of those that are alike but for the place."""
    start: int
    end: int
    new: bytes

    def __str__(self) -> str:
        which = f" #{self.number}" if self.number > 1 else ""
        return f"{self.file}::{self.function}: {self.change}{which}: {self.line}"

    @property
    def part(self) -> str:
        """The part of its subject that the mutant is in."""
        path = Path(self.file)
        return next((x for x in (path.stem, path.parts[0]) if x in WANTED), "rules")

    def applied(self, source: bytes) -> bytes:
        """Return the source with the mutant in it."""
        return source[: self.start] + self.new + source[self.end :]


class Finder(ast.NodeVisitor):
    """Finds the mutants of a file."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source, self.mutants = file, source, list[Mutant]()
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.function: list[str] = []
        self.returns = ""
        self.visit(ast.parse(source))

    def span(self, node: Node) -> tuple[int, int]:
        """Return where a node begins and ends in the source."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, node: Node) -> str:
        """Return the source of a node."""
        return self.source[slice(*self.span(node))].decode()

    def add(self, node: Node, change: str, new: str, span: tuple[int, int] | None = None) -> None:
        """Add a mutant that replaces a node, or the span that is given."""
        start, end = span or self.span(node)
        line = self.lines[node.lineno - 1].decode().strip()
        function = ".".join(self.function) or "module"
        self.mutants.append(
            Mutant(
                file=self.file, function=function, change=change, line=line, start=start, end=end,
                new=new.encode(),
            )
        )  # fmt: skip

    def swap(self, node: Node, left: Node, operator: ast.AST, right: Node) -> None:
        """Add a mutant with another operator between two operands."""
        if type(operator) not in SWAPPED:
            return
        old, new = SWAPPED[type(operator)]
        start, end = self.span(left)[1], self.span(right)[0]
        found = re.search(old.encode(), self.source[start:end])
        if found:
            place = start + found.start(), start + found.end()
            self.add(node, f"{found[0].decode()} to {new}", new, place)

    def force(self, test: ast.expr, *values: str) -> None:
        """Add mutants in which a condition is always true or false."""
        if not isinstance(test, ast.Constant):
            for value in values:
                self.add(test, f"condition {value}", value)

    # Not visited: annotations, decorators, docstrings, f-strings, `__all__`, messages of errors.

    def visit(self, node: ast.AST) -> None:
        if type(node) in REPLACED:
            self.add(cast("Node", node), *REPLACED[type(node)])
        elif not isinstance(node, ast.JoinedStr):
            super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        outside = self.returns
        self.function.append(node.name)
        if isinstance(node, ast.FunctionDef):
            self.returns = ast.unparse(node.returns) if node.returns else ""
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self.function.pop()
        self.returns = outside

    visit_ClassDef = visit_FunctionDef  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if "__all__" in names:
            return
        if self.function and not names and not isinstance(node.targets[0], ast.Tuple):
            self.add(node, "deleted", "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add(node, "deleted", "pass")
        self.swap(node, node.target, node.op, node.value)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and self.function:
            self.add(node, "deleted", "pass")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value:
            value = self.text(node.value)
            new = {"bool": f"not ({value})", "int": f"({value}) + 1"}.get(self.returns, "None")
            if value != new:
                self.add(node, "another value", f"return {new}")
            self.visit(node.value)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        if ast.unparse(node.test) in {"TYPE_CHECKING", "__name__ == '__main__'"}:
            return
        self.force(node.test, "True", "False")
        self.generic_visit(node)

    visit_IfExp = visit_If  # noqa: N815

    def visit_While(self, node: ast.While) -> None:
        self.force(node.test, "False")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.swap(node, left, operator, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in pairwise(node.values):
            self.swap(node, left, node.op, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(node, node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        operator = "not" if isinstance(node.op, ast.Not) else self.text(node)[0]
        self.add(node, f"{operator} dropped", f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, f"{node.value} to {not node.value}", str(not node.value))
        elif isinstance(node.value, int | float):
            self.add(node, f"{node.value} to {node.value + 1}", str(node.value + 1))

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in NAMES:
            self.add(node, f"{node.id} to {NAMES[node.id]}", NAMES[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in NAMES:
            end = self.span(node)[1]
            place = end - len(node.attr), end
            self.add(node, f"{node.attr} to {NAMES[node.attr]}", NAMES[node.attr], place)
        self.generic_visit(node)


def find(file: str, source: bytes) -> list[Mutant]:
    """Return all mutants of a file."""
    seen: Counter[str] = Counter()
    found = []
    for mutant in Finder(file, source).mutants:
        seen[str(mutant)] += 1
        found.append(replace(mutant, number=seen[str(mutant)]))
    return found


def candidates(subject: str, project: Path) -> list[Mutant]:
    """Return all mutants of a subject."""
    found = []
    for folder in FOLDERS[subject]:
        for path in sorted((project / PACKAGE / folder).rglob("*.py")):
            if not ELSEWHERE & set(path.relative_to(project / PACKAGE / folder).parts):
                file = path.relative_to(project / PACKAGE).as_posix()
                found += find(file, path.read_bytes())
    return found


def drawn(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """Return the wanted number of mutants of each part: those with the lowest hashes."""

    def rank(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant}".encode()).digest()

    return [
        mutant
        for part, count in WANTED.items()
        for mutant in sorted((one for one in mutants if one.part == part), key=rank)[:count]
    ]


# --- Testing them ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Tests:
    """The tests of a subject, as they run on a copy of the project."""

    files: list[str]
    selected: str
    compiled: bool
    most_seconds: float = 3600
    most_per_test: float = 600

    def run(self, root: Path, *options: str) -> str:
        """Return the first test that fails in a copy, or MISSED, HANGS or BROKEN."""
        arguments = [
            "-x", "-q", "-rfE", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider",
            "-o", "timeout_method=signal", "-o", f"timeout={self.most_per_test:.0f}",
            "-W", "ignore::pytest.PytestAssertRewriteWarning", "-k", self.selected,
            *options, *self.files,
        ]  # fmt: skip
        process = FRESH.Process(target=play_tests, args=(root, self.compiled, arguments))
        process.start()
        process.join(self.most_seconds)
        if process.exitcode is None and process.pid:
            os.killpg(process.pid, signal.SIGKILL)
            return HANGS
        said = (root / "said.txt").read_text()
        failed = re.search(r"^(?:FAILED|ERROR) (\S+?::.*?)(?: - |$)", said, re.MULTILINE)
        if process.exitcode == 0:
            return MISSED
        return failed[1] if failed else BROKEN

    def measured(self, root: Path) -> Tests:
        """Return the tests with the quick files first and with time limits.

        Raises:
            RuntimeError: a test fails without any mutant.
        """
        began = time.perf_counter()
        outcome = self.run(root, f"--junitxml={root / 'times.xml'}")
        if outcome != MISSED:
            said = (root / "said.txt").read_text()
            raise RuntimeError(f"the tests fail without any mutant: {outcome}\n{said[-3000:]}")
        seconds: dict[str, list[float]] = defaultdict(lambda: [0.0])
        for case in ET.parse(root / "times.xml").iter("testcase"):
            file = f"{case.attrib['classname'].replace('.', '/')}.py"
            seconds[file].append(float(case.attrib["time"]))
        return replace(
            self,
            files=sorted(seconds, key=lambda file: sum(seconds[file])),
            most_seconds=3 * (time.perf_counter() - began) + 120,
            most_per_test=5 * max(map(max, seconds.values())) + 30,
        )


def tests_of(subject: str, project: Path, *, compiled: bool) -> Tests:
    """Return the tests of a subject."""
    if subject == "engine":
        folders = ["core", "engine"] if compiled else ["core", "engine", "contract", "games/diddly"]
        selected = "not (addtoo or fiddlefoo or quiddler or (contract and diddly))"
    else:
        folders = ["contract", f"games/{subject}"]
        longer = " or ".join(name for name in FOLDERS if name.startswith(f"{subject}_"))
        selected = f"{subject} and not ({longer})" if longer else subject
    found = [path for folder in folders for path in (project / "tests" / folder).glob("test_*.py")]
    files = sorted(path.relative_to(project).as_posix() for path in found)
    return Tests(
        files=[file for file in files if not UNRELATED.search(file)],
        selected=selected,
        compiled=compiled,
    )


def copy_project(source: Path, root: Path) -> None:
    """Copy what the tests need from one folder to another."""
    ignore = shutil.ignore_patterns(".*")
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, root / name, ignore=ignore)
        else:
            shutil.copy(source / name, root / name)


def play_tests(root: Path, compiled: bool, arguments: list[str]) -> None:
    """Run pytest on a copy, in a process of its own."""
    os.setsid()
    os.chdir(root)
    said = os.open("said.txt", os.O_WRONLY | os.O_CREAT)
    os.dup2(said, 1)
    os.dup2(said, 2)
    # Word tables are keyed by words and builder, so all copies may share them.
    kept = root / "numba-cache" / "kitchentable"
    kept.mkdir(parents=True, exist_ok=True)
    (Path(tempfile.gettempdir()) / "kitchentable-lexicons").mkdir(exist_ok=True)
    if not (kept / "lexicons").exists():
        (kept / "lexicons").symlink_to(Path(tempfile.gettempdir()) / "kitchentable-lexicons")
    folders = [str(root / name) for name in ("envs", "training", "")]
    sys.path[:0] = folders
    os.environ |= {
        "PYTHONPATH": os.pathsep.join(folders),
        "NUMBA_DISABLE_JIT": str(int(not compiled)),
        "NUMBA_CACHE_DIR": str(root / "numba-cache"),
    }
    found = find_spec("kitchentable")
    if not found or not found.origin or root not in Path(found.origin).parents:
        raise RuntimeError(f"the tests in {root} would import {found}")
    sys.exit(pytest.main(arguments))


def attempt(mutant: Mutant, tests: dict[bool, Tests], source: Path) -> str:
    """Return the outcome of the tests in a copy of ``source`` with a mutant."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        root = Path(folder).resolve()
        copy_project(source, root)
        path = root / PACKAGE / mutant.file
        path.write_bytes(mutant.applied(path.read_bytes()))
        return tests[is_compiled(mutant)].run(root)


def is_compiled(mutant: Mutant) -> bool:
    """Return whether a mutant is in code that does nothing unless rules are compiled."""
    return COMPILING.search(mutant.file) is not None


def try_all(
    subject: str, mutants: list[Mutant], source: Path, jobs: int
) -> Iterator[tuple[Mutant, str]]:
    """Yield mutants of a subject with their outcomes."""
    tests = {}
    for compiled in sorted({is_compiled(mutant) for mutant in mutants}):
        tests[compiled] = tests_of(subject, source, compiled=compiled).measured(source)
        write(f"{subject}: without a mutant the tests pass; {tests[compiled].most_seconds:.0f} s")
    with ThreadPoolExecutor(jobs) as pool:
        outcomes = pool.map(partial(attempt, tests=tests, source=source), mutants)
        yield from zip(mutants, outcomes, strict=True)


# --- Results --------------------------------------------------------------------------------------


def save(results: dict[str, dict[str, str]], path: Path) -> None:
    """Write the results; the file is complete at all times."""
    aside = path.with_suffix(".tmp")
    aside.write_text(json.dumps(results, indent=1) + "\n")
    aside.replace(path)


def write(line: object) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def equivalents() -> dict[str, str]:
    """Return why each mutant that is known to be equivalent is."""
    return {
        one["mutant"]: one["why"] for one in tomllib.loads(EQUIVALENTS.read_text())["equivalent"]
    }


def judge(outcomes: dict[str, str], before: dict[str, str]) -> bool:
    """Print what was missed; return whether enough was noticed, and all that was before."""
    missed = [name for name, outcome in outcomes.items() if outcome == MISSED]
    lost = [name for name in missed if before.get(name, MISSED) != MISSED]
    counted = sum(outcome != EQUIVALENT for outcome in outcomes.values())
    for name in missed:
        write(f"{'noticed before, ' if name in lost else ''}missed: {name}")
    write(f"noticed {counted - len(missed)} of {counted}; {len(outcomes) - counted} are equivalent")
    return not lost and len(missed) <= (1 - FLOOR) * counted


def run(options: argparse.Namespace, source: Path) -> bool:
    """Try the mutants that the options ask for; return whether enough of them were noticed."""
    path = options.results or options.project / RESULTS
    results = json.loads(path.read_text()) if path.exists() else {}
    before = json.loads(options.again.read_text()) if options.again else {}
    equivalent = equivalents()
    shown: dict[str, str] = {}
    for subject in options.subject:
        found = candidates(subject, source)
        old = results.get(subject, {}) if options.resume else {}
        outcomes = {name: outcome for name, outcome in old.items() if outcome != MISSED}
        outcomes |= dict.fromkeys(equivalent, EQUIVALENT)
        sample = (
            [mutant for mutant in found if str(mutant) in before.get(subject, {})]
            if options.again
            else drawn(found, options.seed)
        )
        results[subject] = {str(one): outcomes[str(one)] for one in sample if str(one) in outcomes}
        untried = [one for one in sample if str(one) not in outcomes]
        for mutant, outcome in try_all(subject, untried, source, options.jobs):
            results[subject][str(mutant)] = outcome
            write(f"{time.strftime('%H:%M:%S')} {mutant}\n    {outcome}")
            save(results, path)
        save(results, path)
        shown |= results[subject]
    return judge(
        shown, {name: one for outcomes in before.values() for name, one in outcomes.items()}
    )


def main() -> int:
    """Try a sample of mutants; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--subject", choices=FOLDERS, nargs="+", default=list(FOLDERS))
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=1, help="copies to test at the same time")
    parser.add_argument("--project", type=Path, default=ROOT, help="another checkout to test")
    parser.add_argument("--results", type=Path, help="the file to write")
    parser.add_argument("--resume", action="store_true", help="keep what the file says is noticed")
    parser.add_argument("--again", type=Path, help="try the mutants of this file, not a new sample")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        options, source = parser.parse_args(), Path(folder).resolve()
        copy_project(options.project, source)  # a snapshot: the project may be edited meanwhile
        return 0 if run(options, source) else 1


if __name__ == "__main__":
    sys.exit(main())
