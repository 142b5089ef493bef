"""The server's application: the pages, and their API under ``/api/``."""

from __future__ import annotations

import asyncio
import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from kitchentable import Game, find_game
from kitchentable.render.rulebook import Rulebook
from kitchentable_training.evaluate.formatting import in_short
from kitchentable_training.files import parse_json
from kitchentable_training.shipped import player_folders
from kitchentable_training.web import views
from kitchentable_training.web.access import (
    INVITATIONS,
    Authentication,
    HostCheck,
    Keys,
    admit,
    invitation_path,
    number_in,
    person_of,
    read_body,
    secure,
)
from kitchentable_training.web.player_threads import PlayerThreads
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.replays import replay
from kitchentable_training.web.results import NAVIGATION, Results
from kitchentable_training.web.results import routes as result_routes
from kitchentable_training.web.seats import PlayerPool
from kitchentable_training.web.slow_work import SlowWork
from kitchentable_training.web.store import Store
from kitchentable_training.web.table import Table
from kitchentable_training.web.tables import Tables, read_params
from kitchentable_training.web.thoughts import Thoughts

HERE = Path(__file__).parent
MOST_TABLES = 256
MOST_LISTENERS = 512
"""The maximum number of pages that listen to changes at the same time."""
CLOSING_EVERY = 0.5
"""Seconds between checks whether the server is about to stop."""
ALIVE_EVERY = 5.0
"""Seconds after which news are repeated, to detect that the connection is closed; pages that hear
nothing for three times as long ask (see `table_model.js`)."""
PASS_ON = {"X-Accel-Buffering": "no", "Cache-Control": "no-cache, no-transform"}
"""Headers that make proxies pass events on at once; compressing them would delay them too."""
MOST_MADE = 4
"""The maximum number of tables and replays that are created at the same time."""
MOST_ASKED = 32
"""The maximum number of requests for thoughts at the same time, most of which are refused."""
COOKIE_AGE = 90 * 24 * 3600


class Server:
    """The handlers of the API.

    Attributes:
        is_closing: returns whether the server is about to stop.
    """

    def __init__(
        self, folder: Path, runs: Path, most_tables: int, players: Sequence[str] = ()
    ) -> None:
        """Load the saved tables.

        Args:
            folder: the folder of saved tables.
            runs: the folder of training runs.
            most_tables: the maximum number of tables and replays.
            players: the places of own players.
        """
        self.pool = PlayerPool(runs, players)
        self.tables = Tables(Store(folder), self.pool, most_tables)
        self.thoughts = Thoughts(self.pool)
        self.keys = Keys(folder)
        self.player_threads: PlayerThreads | None = None
        self.is_closing: Callable[[], bool] = lambda: False
        self._making = SlowWork(MOST_MADE)
        self._thinking = SlowWork(MOST_ASKED)
        self._listeners = 0

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        """Run the threads of players while the application runs."""
        self.player_threads = PlayerThreads(self.tables)
        for table in self.tables.all():
            self._wake(table)
        try:
            yield
        finally:
            await run_in_threadpool(self.player_threads.stop)

    def _wake(self, table: Table) -> None:
        if self.player_threads is not None:
            self.player_threads.wake(table)

    # --- Tables -----------------------------------------------------------------------------------

    def choices(self, _: Request) -> Response:
        """GET: the games, parameters and players to choose from."""
        return JSONResponse(views.choices(self.pool))

    def list_tables(self, request: Request) -> Response:
        """GET: all tables."""
        person = person_of(request)
        rows = [views.table_row(table, person) for table in self.tables.all()]
        return JSONResponse({"tables": rows})

    async def create(self, request: Request) -> Response:
        """POST: create a table; requests with the same token and content create only one."""
        person, body = person_of(request), await read_body(request)
        return await self._making.do(partial(self._create, body, person))

    def _create(self, body: dict[str, Any], person: str) -> Response:
        game = _game(str(body.get("game")))
        params = read_params(game, body.get("params", {}))
        seats, seed = body.get("seats"), body.get("seed")
        name = _name(body, person) if "token" in body else None
        table = self.tables.create(game, params, seats, seed, person, name)
        return self._made(table)

    def _made(self, table: Table) -> Response:
        self._wake(table)
        return JSONResponse({"id": table.id, "people": table.has_people}, 201)

    def describe(self, request: Request) -> Response:
        """GET: a table and its decisions."""
        table, person = self._table(request)
        since = number_in(request, "since")
        return JSONResponse(self._described(table, person, since))

    def _described(self, table: Table, person: str, since: int) -> dict[str, Any]:
        """Return the data of a table; whoever sits there and its creator can invite others."""
        description = views.described(table, self.pool, person, since)
        invites = person in (table.record.creator, *table.record.owners)
        if invites and table.open_seats():
            description["invitation"] = invitation_path(self.keys, table.id)
        return description

    def remove(self, request: Request) -> Response:
        """DELETE: remove a table."""
        self.tables.remove(request.path_params["table"], person_of(request))
        return Response(status_code=204)

    def frame(self, request: Request) -> Response:
        """GET: a table before a decision."""
        table, person = self._table(request)
        view, tall = request.query_params.get("view", ""), number_in(request, "tall") == 1
        return JSONResponse(views.frame(table, number_in(request, "k"), person, view, tall=tall))

    async def think(self, request: Request) -> Response:
        """GET: what a player thinks about a decision."""
        table, person = self._table(request)
        spec = request.query_params.get("by", "")
        work = partial(self.thoughts.of, table, number_in(request, "k"), spec, person)
        return JSONResponse(await self._thinking.do(work))

    async def play(self, request: Request) -> Response:
        """POST: play an action, or take back a letter; returns the table and how it looks then."""
        table, person = self._table(request)
        body = await read_body(request)
        action, k = body.get("action", 0), body.get("k")
        if not (action is None or isinstance(action, str)) or type(k) is not int:
            raise RefusedError(400, "give the action's name and the number k of the decision")
        drafted = body.get("drafted", len(table.drafted))
        try:
            return await run_in_threadpool(self._play, table, person, (k, drafted), action, body)
        finally:  # the action may have been played although the answer failed
            self._wake(table)

    def _play(
        self,
        table: Table,
        person: str,
        at: tuple[int, int],
        action: str | None,
        body: dict[str, Any],
    ) -> Response:
        """Play, and answer before players move: what their moves lead to is news of its own."""
        with table.lock:
            if action is None:
                table.take_back(person, *at)
            else:
                table.play(person, *at, action, self.tables.store)
            description = self._described(table, person, at[0])
            frame = views.frame(table, table.moves, person, "", tall=body.get("tall") is True)
        return JSONResponse({"table": description, "frame": frame})

    async def sit(self, request: Request) -> Response:
        """POST: sit down in an open seat, the first one if none is named."""
        table, person = self._table(request)
        body = await read_body(request)
        free = table.open_seats()
        seat = body.get("seat", free[0] if free else None)
        await run_in_threadpool(table.sit, person, seat, self.tables.store)
        return JSONResponse({"my_seat": table.seat_of(person)})

    async def again(self, request: Request) -> Response:
        """POST: another game with the same rules and seats; see `Tables.again`."""
        table, person = self._table(request)
        return await self._making.do(lambda: self._made(self.tables.again(table, person)))

    async def rename(self, request: Request) -> Response:
        """POST: give one's own seat a name."""
        table, person = self._table(request)
        name = (await read_body(request)).get("name")
        await run_in_threadpool(table.rename, person, name, self.tables.store)
        return Response(status_code=204)

    def invited(self, request: Request) -> Response:
        """GET: admit a browser that has an invitation, while a seat is free.

        It does not sit down here but by the page that it gets: programs that preview links, as
        those of chats do, must not take the seat.
        """
        name = request.path_params["table"]
        # Before anything else, so that others cannot learn which tables there are.
        if not self.keys.invites(request.path_params["token"], name):
            raise RefusedError(403, "this invitation is not valid here: ask for another link")
        if "person" not in request.session:
            if not self.tables.find(name).open_seats():
                raise RefusedError(403, "the seat you were invited to is taken: ask for another")
            admit(request)
        return RedirectResponse(f"/table/{name}?invited", 303)

    async def events(self, request: Request) -> Response:
        """GET: a stream of events with the progress of a table."""
        table, _ = self._table(request)
        if self._listeners >= MOST_LISTENERS:
            raise RefusedError(429, f"{MOST_LISTENERS:,} pages are open already; close some")
        events = self._changes(table)
        return StreamingResponse(events, headers=PASS_ON, media_type="text/event-stream")

    async def _changes(self, table: Table) -> AsyncIterator[str]:
        self._listeners += 1
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def tell() -> None:
            loop.call_soon_threadsafe(changed.set)

        table.listeners.add(tell)
        try:
            sent, silent = -1, 0.0
            while not self.is_closing():
                if table.changes != sent or silent >= ALIVE_EVERY:
                    sent, silent = table.changes, 0.0
                    news = {"moves": table.moves, "over": table.record.over, "changes": sent}
                    yield f"data: {json.dumps(news)}\n\n"
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), CLOSING_EVERY)
                silent += 0.0 if changed.is_set() else CLOSING_EVERY
                changed.clear()
        finally:
            table.listeners.discard(tell)
            self._listeners -= 1

    # --- Saved games ------------------------------------------------------------------------------

    def transcript(self, request: Request) -> Response:
        """GET: the game as a file."""
        table, _ = self._readable(request)
        with table.lock:
            saved = replace(table.record.saved, players=views.public_names(table))
        name = f'attachment; filename="{saved.game}-{table.id}.json"'
        return Response(
            saved.to_json(),
            media_type="application/json",
            headers={"Content-Disposition": name},
        )

    def link(self, request: Request) -> Response:
        """GET: a link to a position of the game, which contains the game."""
        table, _ = self._readable(request)
        with table.lock:
            k = min(number_in(request, "k"), table.moves)
            saved = replace(table.record.saved, players=views.public_names(table))
        position = urlencode({"k": k, "game": saved.to_link()})
        return JSONResponse({"link": f"/replay#{position}"})

    async def replay(self, request: Request) -> Response:
        """POST: show a saved game."""
        person, body = person_of(request), await read_body(request)
        return await self._making.do(partial(self._replay, body, person))

    def _replay(self, body: dict[str, Any], person: str) -> Response:
        session, names, k = replay(body)
        table = self.tables.show(session, names, person)
        return JSONResponse({"id": table.id, "k": min(max(k, 0), table.moves)}, 201)

    def _table(self, request: Request) -> tuple[Table, str]:
        person = person_of(request)
        return self.tables.find(request.path_params["table"]), person

    def _readable(self, request: Request) -> tuple[Table, str]:
        """Return a table whose deal is no longer secret."""
        table, person = self._table(request)
        if not table.is_open_to_all:
            raise RefusedError(403, "the game is not over: its transcript would show all hands")
        return table, person


def _game(name: str) -> Game:
    """Return a game by its name.

    Raises:
        RefusedError: there is no such game.
    """
    try:
        return find_game(name)
    except ValueError as error:
        raise RefusedError(422, str(error)) from None


def _name(body: dict[str, Any], person: str) -> str:
    """Return a name for a table that depends only on the person and the request."""
    digest = hashlib.sha256(json.dumps([person, body], sort_keys=True).encode()).digest()
    return urlsafe_b64encode(digest[:9]).decode()


def make_app(
    folder: Path,
    runs: Path,
    hosts: Collection[str],
    *,
    cookie: str,
    most_tables: int = MOST_TABLES,
    players: Sequence[str] = (),
) -> Starlette:
    """Return the application.

    Args:
        folder: the folder of saved tables and keys.
        runs: the folder of training runs.
        hosts: the server's host names, without ports.
        cookie: the cookie's name; cookies ignore ports, so each server of a host needs its own.
        most_tables: the maximum number of tables and replays.
        players: the places of own players, which are imported.

    Raises:
        ValueError: an own player cannot be imported, or has the name of another player.
    """
    server = Server(folder, runs, most_tables, players)
    templates = Jinja2Templates(HERE / "templates")
    templates.env.globals["navigation"] = NAVIGATION
    pages = Pages(templates)
    api = [
        Route("/choices", server.choices),
        Route("/tables", server.list_tables),
        Route("/tables", server.create, methods=["POST"]),
        Route("/tables/{table}", server.describe),
        Route("/tables/{table}", server.remove, methods=["DELETE"]),
        Route("/tables/{table}/frames/{k}", server.frame),
        Route("/tables/{table}/thoughts/{k}", server.think),
        Route("/tables/{table}/play", server.play, methods=["POST"]),
        Route("/tables/{table}/sit", server.sit, methods=["POST"]),
        Route("/tables/{table}/again", server.again, methods=["POST"]),
        Route("/tables/{table}/name", server.rename, methods=["POST"]),
        Route("/tables/{table}/events", server.events),
        Route("/tables/{table}/transcript", server.transcript),
        Route("/tables/{table}/link", server.link),
        Route("/replays", server.replay, methods=["POST"]),
    ]
    routes = [
        Route("/", partial(pages.show, template="lobby.html", title="New game", nav="lobby")),
        Route("/table/{table}", partial(pages.show, template="table.html", title="Table", nav="")),
        Route(
            "/replay",
            partial(pages.show, template="replay.html", title="Replay", nav="replay"),
        ),
        Route("/rules/{game}", pages.rules),
        Route(INVITATIONS + "{table}/{token}", server.invited),
        Mount("/static", StaticFiles(directory=HERE / "static")),
        *result_routes(Results(runs, player_folders()), templates),
        Mount("/api", routes=api),
    ]
    app = Starlette(
        routes=routes,
        lifespan=server.running,
        middleware=[
            Middleware(HostCheck, hosts=hosts),
            Middleware(
                SessionMiddleware,
                secret_key=server.keys.signing,
                session_cookie=cookie,
                max_age=COOKIE_AGE,
                same_site="lax",
            ),
            Middleware(Authentication, keys=server.keys, refuse=pages.refused),
        ],
        exception_handlers=dict.fromkeys((RefusedError, HTTPException, Exception), pages.refused),
    )
    app.state.server = server
    return app


class Pages:
    """The pages, and the responses to refused requests."""

    def __init__(self, templates: Jinja2Templates) -> None:
        self._templates = templates

    def show(self, request: Request, *, template: str, title: str, nav: str) -> Response:
        """GET: a page."""
        about = {"title": title, "nav": nav, "id": request.path_params.get("table", "")}
        return self._templates.TemplateResponse(request, template, about)

    def rules(self, request: Request) -> Response:
        """GET: the rules of a game for people; the query has its parameters as JSON."""
        game = _game(request.path_params["game"])
        try:
            params = parse_json(request.query_params.get("params", "{}"))
        except ValueError:
            raise RefusedError(422, "params: give an object as JSON") from None
        book = Rulebook(game, read_params(game, params))
        about = {
            "title": f"The rules of {game.title}", "nav": "", "book": book,
            "chosen": in_short(game, book.params.plain()),
        }  # fmt: skip
        return self._templates.TemplateResponse(request, "rules.html", about)

    def refused(self, request: Request, error: Exception) -> Response:
        """Return an error as JSON for the API, otherwise as a page."""
        if isinstance(error, RefusedError):
            status, message = error.status, error.message
        elif isinstance(error, HTTPException):
            status = error.status_code
            message = f"{request.method} {request.url.path} is not possible here"
        else:
            status, message = 500, "something went wrong on the server; its log says more"
        answer: Response
        if request.url.path.startswith("/api/"):
            answer = JSONResponse({"error": message}, status)
        else:
            inside = "person" in request.scope.get("session", {})
            about = {"title": "Not possible", "nav": "", "message": message, "inside": inside}
            answer = self._templates.TemplateResponse(
                request, "denied.html", about, status_code=status
            )
        secure(answer.headers)  # Starlette answers faults of the server outside of `HostCheck`
        return answer
