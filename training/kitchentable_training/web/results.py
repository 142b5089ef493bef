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
from kitchentable.render.phrases import count
from kitchentable_training.benchmark.results import LEADERBOARD
from kitchentable_training.evaluate.formatting import in_short
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
from kitchentable_training.web.views import also_at

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
class StoredResult:
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

    def listing(self) -> dict[str, list[StoredResult]]:
        """Return all results by kind, latest change first; trained players by name."""
        results = {kind: self._all(kind) for kind in KINDS}
        for kind in (RUNS, FILES):
            results[kind].sort(key=lambda result: -result.changed)
        return results

    def _all(self, kind: str) -> list[StoredResult]:
        described = (_describe(kind, *place) for place in self._places(kind).items())
        return [result for result in described if result is not None]

    def _places(self, kind: str) -> dict[str, Path]:
        """Return the paths of all results of a kind by name; files may be of another kind."""
        if kind == RUNS:
            runs = (folder for folder in _folders(self.runs) if (folder / SETTINGS).is_file())
            return {legible(folder.name): folder for folder in runs}
        if kind == PLAYERS:
            shelved = (
                folder for shelf in reversed(self._checkpoints) for folder in _folders(shelf)
            )
            players = (folder for folder in shelved if (folder / CARD).is_file())
            return dict(sorted((legible(folder.name), folder) for folder in players))
        return {legible(path.relative_to(self.runs).as_posix()): path for path in self._files()}

    def _files(self) -> Iterator[Path]:
        for folder in (self.runs, *_folders(self.runs)):
            own = OWN_FILES if (folder / SETTINGS).exists() else set()
            for path in sorted(folder.glob("[!.]*.json")):
                if path.is_file() and path.name not in {CARD, *own}:
                    yield path

    def find(self, kind: str, name: str) -> StoredResult:
        """Return a result by name.

        Raises:
            RefusedError: 404, there is no such kind or result.
        """
        if kind not in KINDS:
            raise RefusedError(
                404, f"there are no results {kind!r}; choose from {', '.join(KINDS)}"
            )
        places = self._places(kind)
        result = _describe(kind, name, places[name]) if name in places else None
        if result is None:
            known_names = [other.name for other in self._all(kind)]
            names = ", ".join(known_names[:NAMES_TOLD]) or "none"
            raise RefusedError(404, f"there is no {KINDS[kind]} {name!r}; there are: {names}")
        return result

    def page(self, *whats: StoredResult) -> str:
        """Return the current report of some results, as HTML; one page is made at a time.

        Raises:
            RefusedError: 422 if their files are damaged, 429 if too many requests wait.
        """
        for result in whats:
            if result.problem:
                raise RefusedError(422, result.problem)
        if not self._waiting.acquire(blocking=False):
            raise RefusedError(429, "other pages are being made; try again in a few seconds")
        try:
            with self._making:
                return _make(whats)
        finally:
            self._waiting.release()


@lru_cache(PAGES_KEPT)
def _make(results: tuple[StoredResult, ...]) -> str:
    """Return a report; a result whose files have changed is another one, by its stamp."""
    from kitchentable_training.report.page import make_page  # noqa: PLC0415 (imports torch)

    links = {address: text for _, address, text in NAVIGATION}
    if _goes_on(results):
        own = results[0].address
        links |= {own: f"Reload every {RELOAD} seconds", f"{own}?{STILL}": "Stop reloading"}
    try:
        with reading(results[0].path):
            return make_page(*(result.path for result in results), links=links)
    except (OSError, ValueError) as error:
        raise RefusedError(422, str(error)) from None


def _goes_on(results: Sequence[StoredResult]) -> bool:
    """Return whether this is a single run that has not finished."""
    return len(results) == 1 and results[0].total > 0


def legible(name: str) -> str:
    """Return a file's name as valid text, as file systems also allow other bytes."""
    return os.fsencode(name).decode(errors="replace")


def _folders(shelf: Path) -> list[Path]:
    """Return the folders in a folder, without hidden ones, which are being written."""
    return sorted(folder for folder in shelf.glob("[!.]*") if folder.is_dir())


# --- Descriptions ---------------------------------------------------------------------------------


def _describe(kind: str, name: str, path: Path) -> StoredResult | None:
    """Return a result's description; None if the file is not a result, or was just deleted."""
    names = {RUNS: (SETTINGS, PROGRESS, RESULTS, f"{FINAL}/{CARD}"), PLAYERS: (CARD,), FILES: ("",)}
    stamp = tuple(_stamps(path / file_name for file_name in names[kind]))
    return _described(StoredResult(kind, name, path, stamp)) if stamp else None


def _stamps(paths: Iterator[Path]) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        yield str(path), status.st_mtime_ns, status.st_size


@lru_cache(MOST_DESCRIBED)
def _described(result: StoredResult) -> StoredResult | None:
    describe: dict[str, Callable[[StoredResult], StoredResult | None]] = {
        RUNS: _described_run,
        PLAYERS: _described_player,
        FILES: _described_file,
    }
    try:
        str(result.path).encode()  # raises for names that cannot be in pages and links
        return describe[result.kind](result)
    except (OSError, ValueError) as error:
        return replace(result, problem=str(error))


def _described_run(result: StoredResult) -> StoredResult:
    settings, final = read_yaml(result.path / SETTINGS), result.path / FINAL
    with reading(result.path / SETTINGS):
        result = _at_table(result, settings)
        total = int(settings["steps"])
    if (final / CARD).is_file():
        return replace(result, steps=_described_player(replace(result, path=final)).steps)
    lines = read_progress(result.path / PROGRESS)
    return replace(result, steps=lines[-1]["step"] if lines else 0, total=total)


def _described_player(result: StoredResult) -> StoredResult:
    card = read_json(result.path / CARD)
    with reading(result.path / CARD):
        result = _at_table(result, card)
        return replace(result, steps=int(card["steps"]))


def _described_file(result: StoredResult) -> StoredResult | None:
    """Describe what `tournament`, `evaluate` or `benchmark` wrote; return None for other files."""
    if result.path.name == LEADERBOARD:
        return replace(result, title="Benchmark")
    content = read_json(result.path)
    kind = kind_of(content)
    if kind is None:
        return None
    with reading(result.path):
        result = _at_table(result, content)
        subject = kind if kind == "tournament" else content["player"]
        return replace(result, title=f"{result.title}: {subject}")


def _at_table(result: StoredResult, content: Mapping[str, Any]) -> StoredResult:
    """Add the game, its parameters, and for how many other tables the network is, if for any."""
    game = find_game(content["game"])
    about = in_short(game, game.make_params(**content["params"]).plain())
    tables = (content.get("network") or {}).get("tables") or ()
    return replace(result, title=game.title, about=about + also_at(len(tables) - 1))


# --- Routes ---------------------------------------------------------------------------------------


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _ago(seconds: float) -> str:
    """Return roughly how long ago a time was, in words."""
    passed = max(0.0, time.time() - seconds)
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if passed >= length:
            return f"{count(int(passed // length), unit)} ago"
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
        result = results.find(request.path_params["kind"], request.path_params["name"])
        reload = _goes_on([result]) and STILL not in request.query_params
        return _report(results.page(result), {"Refresh": str(RELOAD)} if reload else {})

    def together(request: Request) -> Response:
        chosen = dict.fromkeys(request.query_params.getlist("what"))
        if not 1 <= len(chosen) <= MOST_TOGETHER:
            raise RefusedError(400, f"choose 1 to {MOST_TOGETHER} results, not {len(chosen)}")
        parts = [place.partition("/") for place in chosen]
        return _report(results.page(*(results.find(kind, name) for kind, _, name in parts)))

    return [
        Route("/results", overview),
        Route("/results/together", together),
        Route("/results/{kind}/{name:path}", report),
    ]


def _report(page: str, more: Mapping[str, str] | None = None) -> Response:
    return HTMLResponse(page, headers={"Content-Security-Policy": REPORT_POLICY, **(more or {})})
