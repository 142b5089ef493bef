"""Pages of results: the list of runs, players and measurements, and the report of each.

Only files in the searched folders can be shown: a name from a browser is looked up here, and never
becomes part of a path.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from kitchentable import find_game
from kitchentable_training.benchmark.results import LEADERBOARD
from kitchentable_training.files import (
    CARD,
    EXPLOIT,
    FINAL,
    PROGRESS,
    REPRODUCTION,
    RESULTS,
    SETTINGS,
    kind_of,
    read_json,
    read_yaml,
    reading,
)
from kitchentable_training.runs.progress import read_progress
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.views import in_short

RUNS, PLAYERS, FILES = "runs", "players", "files"
KINDS = {RUNS: "training run", PLAYERS: "trained player", FILES: "measurement"}
"""The kinds of results with their names in the singular."""
OWN_FILES = {RESULTS, EXPLOIT, REPRODUCTION}
"""Files in a run's folder that are no results of their own."""
MOST_DESCRIBED = 1000
PAGES_KEPT = 8
"""The maximum number of cached pages, of some hundred kilobytes each."""
MOST_WAITING = 4
"""The maximum number of requests that wait for a page, each of which occupies a server thread."""
MOST_TOGETHER = 8
NAMES_TOLD = 30
RELOAD = 30
"""Seconds after which the report of a run that has not finished is loaded again."""
STILL = "still"
"""The query of a report's address by which it is not loaded again."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of reports, which embed style and pictures and have no scripts."""
NAVIGATION = (
    ("lobby", "/", "New game"),
    ("replay", "/replay", "Replay"),
    ("results", "/results", "Results"),
)
"""The pages that every page links to: a name, the address and the text."""
Stamp = tuple[tuple[str, int, int], ...]
"""Path, modification time and size of each file, which identify the files' state."""


@dataclass(frozen=True)
class Found:
    """A result that was found.

    Attributes:
        kind: one of `KINDS`.
        name: the name, unique within the kind.
        path: its folder or file.
        stamp: the state of the files from which its page is made.
        title: the game, and what kind of file it is.
        about: the parameters of the table.
        steps: the number of steps of the learner so far.
        total: the total number of steps of a run that has not finished; 0 for everything else.
        problem: why the result cannot be shown; empty if it can.
    """

    kind: str
    name: str
    path: Path
    stamp: Stamp
    title: str = ""
    about: str = ""
    steps: int = 0
    total: int = 0
    problem: str = ""

    @property
    def changed(self) -> float:
        """The time of the last change, in seconds since 1970; files may have any."""
        newest = max(nanoseconds for _, nanoseconds, _ in self.stamp) / 1e9
        return max(0.0, min(time.time(), newest))

    @property
    def address(self) -> str:
        """The address of the report."""
        return f"/results/{self.kind}/{quote(self.name)}"


class Results:
    """The results and their pages; thread-safe."""

    def __init__(self, runs: Path, checkpoints: Sequence[Path]) -> None:
        """Remember the folders, which are searched on request.

        Args:
            runs: the folder with a folder for each run, and with files of tournaments, evaluations
                and benchmarks, also in its direct subfolders; it need not exist.
            checkpoints: folders with a folder for each trained player; the first one of the same
                name counts.
        """
        self.runs = runs
        self._checkpoints = checkpoints
        self._making = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)

    def listing(self) -> dict[str, list[Found]]:
        """Return all results by kind, latest change first; trained players by name."""
        found = {kind: self._all(kind) for kind in KINDS}
        for kind in (RUNS, FILES):
            found[kind].sort(key=lambda one: -one.changed)
        return found

    def _all(self, kind: str) -> list[Found]:
        described = (_describe(kind, *place) for place in self._places(kind).items())
        return [one for one in described if one is not None]

    def _places(self, kind: str) -> dict[str, Path]:
        """Return the paths of all results of a kind by name; files may be of another kind."""
        if kind == RUNS:
            runs = (one for one in _folders(self.runs) if (one / SETTINGS).is_file())
            return {legible(one.name): one for one in runs}
        if kind == PLAYERS:
            shelved = (one for shelf in reversed(self._checkpoints) for one in _folders(shelf))
            players = (one for one in shelved if (one / CARD).is_file())
            return dict(sorted((legible(one.name), one) for one in players))
        return {legible(one.relative_to(self.runs).as_posix()): one for one in self._files()}

    def _files(self) -> Iterator[Path]:
        for folder in (self.runs, *_folders(self.runs)):
            own = OWN_FILES if (folder / SETTINGS).exists() else set()
            for path in sorted(folder.glob("[!.]*.json")):
                if path.is_file() and path.name not in {CARD, *own}:
                    yield path

    def find(self, kind: str, name: str) -> Found:
        """Return a result by name.

        Raises:
            RefusedError: 404, there is no such kind or result.
        """
        if kind not in KINDS:
            raise RefusedError(
                404, f"there are no results {kind!r}; choose from {', '.join(KINDS)}"
            )
        places = self._places(kind)
        found = _describe(kind, name, places[name]) if name in places else None
        if found is None:
            there = [one.name for one in self._all(kind)]
            more = f" and {len(there) - NAMES_TOLD} more" if len(there) > NAMES_TOLD else ""
            names = ", ".join(there[:NAMES_TOLD]) + more if there else "none"
            raise RefusedError(404, f"there is no {KINDS[kind]} {name!r}; there are: {names}")
        return found

    def page(self, *whats: Found) -> str:
        """Return the current report of some results, as HTML; one page is made at a time.

        Raises:
            RefusedError: 422 if their files are damaged, 429 if too many requests wait.
        """
        for one in whats:
            if one.problem:
                raise RefusedError(422, one.problem)
        if not self._waiting.acquire(blocking=False):
            raise RefusedError(429, "other pages are being made; try again in a few seconds")
        try:
            with self._making:
                return _make(whats)
        finally:
            self._waiting.release()


@lru_cache(PAGES_KEPT)
def _make(whats: tuple[Found, ...]) -> str:
    """Return a report; a result whose files have changed is another one, by its stamp."""
    from kitchentable_training.report.page import make_page  # noqa: PLC0415 (imports torch)

    links = {address: text for _, address, text in NAVIGATION}
    if _goes_on(whats):
        own = whats[0].address
        links |= {own: f"Reload every {RELOAD} seconds", f"{own}?{STILL}": "Stop reloading"}
    try:
        with reading(whats[0].path):
            return make_page(*(one.path for one in whats), links=links)
    except (OSError, ValueError) as error:
        raise RefusedError(422, str(error)) from None


def _goes_on(whats: Sequence[Found]) -> bool:
    """Return whether this is a single run that has not finished."""
    return len(whats) == 1 and whats[0].total > 0


def legible(name: str) -> str:
    """Return a file's name as valid text, as file systems also allow other bytes."""
    return os.fsencode(name).decode(errors="replace")


def _folders(shelf: Path) -> list[Path]:
    """Return the folders in a folder, without hidden ones, which are being written."""
    return sorted(one for one in shelf.glob("[!.]*") if one.is_dir())


# --- Descriptions ---------------------------------------------------------------------------------


def _describe(kind: str, name: str, path: Path) -> Found | None:
    """Return a result's description; None if the file is not a result, or was just deleted."""
    names = {RUNS: (SETTINGS, PROGRESS, RESULTS, f"{FINAL}/{CARD}"), PLAYERS: (CARD,), FILES: ("",)}
    stamp = tuple(_stamps(path / one for one in names[kind]))
    return _described(Found(kind, name, path, stamp)) if stamp else None


def _stamps(paths: Iterator[Path]) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        try:
            found = path.stat()
        except OSError:
            continue
        yield str(path), found.st_mtime_ns, found.st_size


@lru_cache(MOST_DESCRIBED)
def _described(found: Found) -> Found | None:
    describe: dict[str, Callable[[Found], Found | None]] = {
        RUNS: _described_run,
        PLAYERS: _described_player,
        FILES: _described_file,
    }
    try:
        str(found.path).encode()  # raises for names that cannot be in pages and links
        return describe[found.kind](found)
    except (OSError, ValueError) as error:
        return replace(found, problem=str(error))


def _described_run(found: Found) -> Found:
    settings, final = read_yaml(found.path / SETTINGS), found.path / FINAL
    with reading(found.path / SETTINGS):
        found = _at_table(found, settings["game"], settings["params"])
        total = int(settings["steps"])
    if (final / CARD).is_file():
        return replace(found, steps=_described_player(replace(found, path=final)).steps)
    lines = read_progress(found.path / PROGRESS)
    return replace(found, steps=lines[-1]["step"] if lines else 0, total=total)


def _described_player(found: Found) -> Found:
    card = read_json(found.path / CARD)
    with reading(found.path / CARD):
        found = _at_table(found, card["game"], card["params"])
        return replace(found, steps=int(card["steps"]))


def _described_file(found: Found) -> Found | None:
    """Describe what `tournament`, `evaluate` or `benchmark` wrote; return None for other files."""
    if found.path.name == LEADERBOARD:
        return replace(found, title="Benchmark")
    content = read_json(found.path)
    kind = kind_of(content)
    if kind is None:
        return None
    with reading(found.path):
        found = _at_table(found, content["game"], content["params"])
        what = kind if kind == "tournament" else content["player"]
        return replace(found, title=f"{found.title}: {what}")


def _at_table(found: Found, name: str, given: Mapping[str, Any]) -> Found:
    game = find_game(name)
    return replace(found, title=game.title, about=in_short(game, game.make_params(**given).plain()))


# --- Routes ---------------------------------------------------------------------------------------


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _ago(seconds: float) -> str:
    """Return roughly how long ago a time was, in words."""
    passed = max(0.0, time.time() - seconds)
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if passed >= length:
            count = int(passed // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def routes(results: Results, templates: Jinja2Templates) -> list[Route]:
    """Return the routes of result pages.

    Args:
        results: the results.
        templates: templates including ``results.html``.
    """

    def overview(request: Request) -> Response:
        content = {
            "title": "Results", "nav": "results", "found": results.listing(),
            "runs_folder": results.runs, "MOST_TOGETHER": MOST_TOGETHER,
            "moment": _moment, "ago": _ago,
        }  # fmt: skip
        return templates.TemplateResponse(request, "results.html", content)

    def report(request: Request) -> Response:
        found = results.find(request.path_params["kind"], request.path_params["name"])
        reload = _goes_on([found]) and STILL not in request.query_params
        return _report(results.page(found), {"Refresh": str(RELOAD)} if reload else {})

    def together(request: Request) -> Response:
        asked = dict.fromkeys(request.query_params.getlist("what"))
        if not 1 <= len(asked) <= MOST_TOGETHER:
            raise RefusedError(400, f"choose 1 to {MOST_TOGETHER} results, not {len(asked)}")
        parts = [what.partition("/") for what in asked]
        return _report(results.page(*(results.find(kind, name) for kind, _, name in parts)))

    return [
        Route("/results", overview),
        Route("/results/together", together),
        Route("/results/{kind}/{name:path}", report),
    ]


def _report(page: str, more: Mapping[str, str] | None = None) -> Response:
    return HTMLResponse(page, headers={"Content-Security-Policy": REPORT_POLICY, **(more or {})})
