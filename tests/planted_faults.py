"""Plant faults in a game one at a time and see whether the tests notice.

    python tests/planted_faults.py diddly --jobs 2

``tests/faults/GAME.toml`` names the tests to run and lists the faults: each replaces a text that
must occur exactly once in a file (or anywhere in a folder). For every fault the tests run in a
fresh copy of the project until the first one fails. Without a fault the tests must pass. When the
whole list could be tried, the result is written to ``benchmarks/results/faults.json``. The exit
status is 1 if less than 95 % of the faults are caught.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("envs", "training", "tests", "examples", "configs", "pyproject.toml", "README.md")
RESULTS = ROOT / "benchmarks" / "results" / "faults.json"
FLOOR = 0.95
TIME_LIMIT = 600
"""Seconds after which the tests count as hanging, which anybody would notice."""

CAUGHT, MISSED, HANGS, BROKEN = "caught", "MISSED", "hangs", "BROKEN"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A replacement of text."""

    name: str
    file: str
    """Path of a file, or of a folder that is searched for the text, below the project."""
    old: str
    new: str
    count: int = 1
    """Number of times ``old`` must occur; every occurrence is replaced."""

    def planted(self, root: Path) -> dict[Path, str]:
        """Return the texts of the files with the fault, for those that it changes.

        Raises:
            ValueError: the old text does not occur exactly ``count`` times.
        """
        place = root / self.file
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        texts = {file: file.read_text() for file in files}
        found = sum(text.count(self.old) for text in texts.values())
        if found != self.count:
            raise ValueError(
                f"fault {self.name!r}: expected {self.count} times in {self.file}, "
                f"found {found} times: {self.old!r}"
            )
        return {
            file: text.replace(self.old, self.new)
            for file, text in texts.items()
            if self.old in text
        }

    def plant(self, root: Path) -> None:
        """Write the fault into a copy of the project."""
        for file, text in self.planted(root).items():
            file.write_text(text)


@dataclass(frozen=True)
class Outcome:
    """The result of the tests in one copy of the project."""

    fault: str
    verdict: str
    test: str
    """The first test that failed, or pytest's last words."""
    seconds: float

    @property
    def is_caught(self) -> bool:
        """Return whether anybody who runs the tests would notice the fault."""
        return self.verdict in {CAUGHT, HANGS}

    def __str__(self) -> str:
        return f"{self.verdict:7} {self.seconds:6.1f} s  {self.fault:58} {self.test}"


def load(game: str) -> tuple[list[str], list[Fault]]:
    """Return the test files and the faults of a game.

    Raises:
        ValueError: there is no list for the game; the message names the games that have one.
    """
    folder = ROOT / "tests" / "faults"
    path = folder / f"{game}.toml"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.toml")))
        raise ValueError(f"no faults for {game!r}; there are lists for {known}")
    data = tomllib.loads(path.read_text())
    return data["tests"], [Fault(**fault) for fault in data["fault"]]


def copy_project(source: Path, root: Path) -> None:
    """Copy what the tests need from one folder to another."""
    ignore = shutil.ignore_patterns("__pycache__", ".*")
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, root / name, ignore=ignore)
        elif (source / name).exists():
            shutil.copy(source / name, root / name)


def environment(root: Path, *, compiled: bool) -> dict[str, str]:
    """Return environment variables with which Python imports the copy in ``root``."""
    # Word tables are keyed by words and builder, so all copies may share them.
    kept, shared = (
        root / "numba-cache" / "kitchentable",
        Path(tempfile.gettempdir()) / "kitchentable-lexicons",
    )
    kept.mkdir(parents=True, exist_ok=True)
    shared.mkdir(exist_ok=True)
    if not (kept / "lexicons").exists():
        (kept / "lexicons").symlink_to(shared, target_is_directory=True)
    folders = os.pathsep.join(str(root / name) for name in ("envs", "training", "tests"))
    return os.environ | {
        "PYTHONPATH": folders,
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        "NUMBA_CACHE_DIR": str(root / "numba-cache"),
    }


def check_import(root: Path, env: dict[str, str]) -> None:
    """Check that the copy is imported and not the project itself.

    Raises:
        RuntimeError: another file would be imported; the message names it.
    """
    code = "from importlib.util import find_spec; print(find_spec('kitchentable').origin)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=root, env=env, capture_output=True, text=True, timeout=60, check=True
    )
    if root not in Path(done.stdout.strip()).parents:
        raise RuntimeError(f"tests in {root} would import {done.stdout.strip()}")


def try_fault(
    fault: Fault | None, *, source: Path, tests: list[str], compiled: bool = False
) -> Outcome:
    """Run the tests in a fresh copy of ``source``, with a fault in it if one is given."""
    name = fault.name if fault else "(no fault)"
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="planted-fault-") as folder:
        root = Path(folder).resolve()
        copy_project(source, root)
        if fault:
            fault.plant(root)
        env = environment(root, compiled=compiled)
        check_import(root, env)
        verdict, test = run_tests(root, tests, env)
    return Outcome(name, verdict, test, time.perf_counter() - start)


def run_tests(root: Path, tests: list[str], env: dict[str, str]) -> tuple[str, str]:
    """Return the verdict of the tests, and the first failure or pytest's last words."""
    options = ["-x", "-q", "-rf", "--tb=no", "-m", "not slow", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(
            command, cwd=root, env=env, capture_output=True, text=True, timeout=TIME_LIMIT,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return HANGS, f"no end after {TIME_LIMIT} s"
    if done.returncode == 0:
        return MISSED, ""
    failed = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    if done.returncode == 1 and failed:
        return CAUGHT, failed[1]
    return BROKEN, (done.stdout + done.stderr).strip()[-300:]


def judge(outcomes: list[Outcome]) -> bool:
    """Print a summary; return whether enough faults were caught and every one could be tried."""
    caught = sum(outcome.is_caught for outcome in outcomes)
    broken = sum(outcome.verdict == BROKEN for outcome in outcomes)
    share = caught / len(outcomes)
    write(f"caught {caught} of {len(outcomes)} ({share:.1%}); at least {FLOOR:.0%} is wanted")
    if broken:
        write(f"{broken} could not be tried: the tests did not even start")
    return share >= FLOOR and not broken


def record(game: str, outcomes: list[Outcome], path: Path = RESULTS) -> None:
    """Write the outcomes of a game's faults beside the results of other games.

    The file is written to the side and moved into place, so that it is complete at all times.
    """
    results = json.loads(path.read_text()) if path.exists() else {}
    results[game] = {
        "planted": len(outcomes),
        "caught": sum(outcome.is_caught for outcome in outcomes),
        "missed": [outcome.fault for outcome in outcomes if not outcome.is_caught],
        "date": datetime.now(UTC).date().isoformat(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".tmp")
    aside.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
    aside.replace(path)


def write(line: object) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def try_all(
    attempt: Callable[[Fault | None], Outcome], faults: list[Fault], jobs: int
) -> list[Outcome]:
    """Run the tests with each fault; return nothing if they fail without any."""
    sound = attempt(None)
    if sound.verdict != MISSED:
        write(f"the tests fail without any fault: {sound.test}")
        return []
    write(f"the tests pass without a fault in {sound.seconds:.0f} s")
    outcomes = []
    with ThreadPoolExecutor(jobs) as pool:
        for outcome in pool.map(attempt, faults):
            write(outcome)
            outcomes.append(outcome)
    return outcomes


def main() -> int:
    """Try all faults of a game; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("game", help="whose faults: the name of a list in tests/faults")
    parser.add_argument("--jobs", type=int, default=1, help="copies to test at the same time")
    parser.add_argument("--only", default="", help="only faults with this in their name")
    parser.add_argument("--compiled", action="store_true", help="run the tests compiled (slower)")
    options = parser.parse_args()
    tests, faults = load(options.game)
    faults = [fault for fault in faults if options.only in fault.name]
    if not faults:
        parser.error(f"no fault of {options.game} has {options.only!r} in its name")
    with tempfile.TemporaryDirectory(prefix="planted-faults-") as folder:
        source = Path(folder)  # a snapshot: the project may be edited meanwhile
        copy_project(ROOT, source)
        for fault in faults:
            fault.planted(source)  # fail at once if the list is out of date
        attempt = partial(try_fault, source=source, tests=tests, compiled=options.compiled)
        outcomes = try_all(attempt, faults, options.jobs)
    if outcomes and not options.only and all(one.verdict != BROKEN for one in outcomes):
        record(options.game, outcomes)
    return 0 if outcomes and judge(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
