"""Pages of results: an overview, the report of each result, and live curves of a run."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from kitchentable_training.files import PROGRESS, reading
from kitchentable_training.learn.progress import Line, learning_curve, read_since
from kitchentable_training.web.access import number_in
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.result_index import (
    FINISHED,
    KINDS,
    RUNS,
    TRAINING,
    Found,
    Kept,
    ResultIndex,
    Stamp,
    stamp_of,
)

PAGES_KEPT = 8
"""The maximum number of cached pages, of some hundred kilobytes each."""
MOST_WAITING = 4
"""The maximum number of requests that wait for a page, each of which occupies a server thread."""
MOST_TOGETHER = 8
NAMES_TOLD = 30
POINTS = 1500
"""The approximate number of log lines that are sent at once, besides the evaluations."""
REPORT_POLICY = (
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of reports, which embed style and pictures and have no scripts."""


class Results:
    """The results and their pages; thread-safe."""

    def __init__(self, runs: Path, checkpoints: Sequence[Path]) -> None:
        """Set up an empty cache; folders are searched on request.

        Args:
            runs: the folder with a folder for each run, and with files of tournaments and
                evaluations, also in its direct subfolders; it need not exist.
            checkpoints: folders with a folder for each trained player; the first one of the same
                name counts.
        """
        self._index = ResultIndex(runs, checkpoints)
        self._pages: Kept[str] = Kept(PAGES_KEPT)
        self._making = threading.Lock()
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)

    @property
    def runs(self) -> Path:
        """The folder in which runs and files are found."""
        return self._index.runs

    def listing(self) -> dict[str, list[Found]]:
        """Return all results by kind."""
        return {kind: self._index.list(kind) for kind in KINDS}

    def find(self, kind: str, name: str) -> Found:
        """Return a result by name.

        Raises:
            RefusedError: 404, there is no such kind or result.
        """
        if kind not in KINDS:
            raise RefusedError(
                404, f"there are no results {kind!r}; choose from {', '.join(KINDS)}"
            )
        places = self._index.places(kind)
        found = self._index.describe(kind, name, places[name]) if name in places else None
        if found is None:
            there = [one.name for one in self._index.list(kind)]
            more = f" and {len(there) - NAMES_TOLD} more" if len(there) > NAMES_TOLD else ""
            names = ", ".join(there[:NAMES_TOLD]) + more if there else "none"
            raise RefusedError(404, f"there is no {KINDS[kind]} {name!r}; there are: {names}")
        return found

    def page(self, kind: str, name: str) -> str:
        """Return the report of a result, as HTML.

        Raises:
            RefusedError: 404 there is none, 422 its files are damaged, 429 too many requests wait.
        """
        return self._page([self.find(kind, name)])

    def together(self, whats: Sequence[str]) -> str:
        """Return one report of several results, each given as ``KIND/NAME``.

        Raises:
            RefusedError: 400 for none or too many, otherwise as in `page`.
        """
        whats = list(dict.fromkeys(whats))
        if not 1 <= len(whats) <= MOST_TOGETHER:
            raise RefusedError(400, f"choose 1 to {MOST_TOGETHER} results, not {len(whats)}")
        parts = [what.partition("/") for what in whats]
        return self._page([self.find(kind, name) for kind, _, name in parts])

    def _page(self, whats: Sequence[Found]) -> str:
        """Return the current page of some results; only one page is made at a time."""
        for one in whats:
            if one.problem:
                raise RefusedError(422, one.problem)
        key = tuple((one.kind, one.name) for one in whats)
        found = self._pages.get(key, _stamp(whats))
        if found is not None:
            return found
        if not self._waiting.acquire(blocking=False):
            raise RefusedError(429, "other pages are being made; try again in a few seconds")
        try:
            with self._making:
                stamp = _stamp(whats)  # another thread may have made the page in the meantime
                page = self._pages.get(key, stamp) or _make(whats)
                self._pages.put(key, stamp, page)
                return page
        finally:
            self._waiting.release()

    def progress(self, name: str, since: int = 0, seal: int = 0) -> dict[str, Any]:
        """Return the progress of a run, and new lines of its log.

        Args:
            name: the name of the run.
            since: the number of lines that the browser has.
            seal: the ``"seal"`` that was sent with them.

        Returns:
            The figures of `Found`; ``"first"``, the number of lines before ``"lines"``, which is 0
            if the log was cut and everything is sent again; ``"next"`` and ``"seal"``, for the
            next request; and the lines, as dicts of numbers, null if not finite. Of very many lines
            only some are sent.

        Raises:
            RefusedError: 404 there is no such run, 422 its log is damaged.
        """
        run = self.find(RUNS, name)
        try:
            tail = read_since(run.path / PROGRESS, since, seal)
        except (OSError, ValueError) as error:
            raise RefusedError(422, str(error)) from None
        return {
            "name": run.name,
            "state": run.state,
            "steps": run.steps,
            "total": run.total,
            "seats": run.seats,
            "team": run.team,
            "fair": run.fair,
            "changed": _moment(run.changed),
            "problem": run.problem,
            "first": tail.first,
            "next": tail.first + len(tail.lines),
            "seal": tail.seal,
            "lines": [_numbers(line) for line in learning_curve(tail.lines, POINTS)],
        }


def _stamp(whats: Sequence[Found]) -> Stamp:
    return tuple(part for one in whats for part in stamp_of(one.kind, one.path))


def _make(whats: Sequence[Found]) -> str:
    from kitchentable_training.report.page import make_page  # noqa: PLC0415 (imports torch)

    links = {"/results": "All results"}
    if len(whats) == 1 and whats[0].kind == RUNS and whats[0].state != FINISHED:
        links[f"{address(whats[0])}/live"] = "Live curves"
    try:
        with reading(whats[0].path):
            return make_page(*(one.path for one in whats), links=links)
    except (OSError, ValueError) as error:
        raise RefusedError(422, str(error)) from None


def _numbers(line: Line) -> dict[str, float | None]:
    """Return a line's figures for JSON; None for infinite values and NaN."""
    figures = {key: value for key, value in line.items() if isinstance(value, (int, float))}
    return {key: value if abs(value) < math.inf else None for key, value in figures.items()}


# --- For the templates ----------------------------------------------------------------------------


def address(found: Found) -> str:
    """Return the address of a result's report."""
    return f"/results/{found.kind}/{quote(found.name)}"


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


# --- Routes ---------------------------------------------------------------------------------------


def routes(results: Results, templates: Jinja2Templates) -> list[Route]:
    """Return the routes of result pages.

    Args:
        results: the results.
        templates: templates including ``results.html`` and ``results_live.html``.
    """
    words = {"address": address, "moment": _moment, "ago": _ago, "TRAINING": TRAINING,
             "FINISHED": FINISHED, "MOST_TOGETHER": MOST_TOGETHER, "nav": "results"}  # fmt: skip

    def overview(request: Request) -> Response:
        content = {"title": "Results", "found": results.listing(), "runs_folder": results.runs}
        return templates.TemplateResponse(request, "results.html", words | content)

    def report(request: Request) -> Response:
        page = results.page(request.path_params["kind"], request.path_params["name"])
        return _report(page)

    def together(request: Request) -> Response:
        return _report(results.together(request.query_params.getlist("what")))

    def live(request: Request) -> Response:
        run = results.find(RUNS, request.path_params["name"])
        content = {"title": f"{run.name}: live curves", "run": run}
        return templates.TemplateResponse(request, "results_live.html", words | content)

    def progress(request: Request) -> Response:
        since, seal = (number_in(request, name) for name in ("since", "seal"))
        return JSONResponse(results.progress(request.path_params["name"], since, seal))

    return [
        Route("/results", overview),
        Route("/results/together", together),
        Route("/results/runs/{name}/live", live),
        Route("/results/{kind}/{name:path}", report),
        Route("/api/runs/{name}/progress", progress),
    ]


def _report(page: str) -> Response:
    return HTMLResponse(page, headers={"Content-Security-Policy": REPORT_POLICY})
