"""Starts and runs the server."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from kitchentable_training.web.access import LOOPBACK, name_of
from kitchentable_training.web.app import MOST_TABLES, Server, make_app
from kitchentable_training.web.connections import ImpatientProtocol
from kitchentable_training.web.store import alone_in

SHUTDOWN_TIMEOUT = 2
"""Seconds to wait for open connections when the server stops."""
HIGHEST_PORT = 65_535
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})
"""The hosts that stand for all addresses of this machine."""
EVERYWHERE = "0.0.0.0 listens on all addresses of this machine"
OF_THE_PORT = frozenset({errno.EADDRINUSE, errno.EACCES})
"""The system's errors that another port avoids."""
FULL_COLLECTION = 1000
"""After how many collections of young objects all are looked through; Python's default is 10."""


def serve(
    host: str,
    port: int,
    folder: Path,
    runs: Path,
    say: Callable[[str], None],
    *,
    allow_hosts: Sequence[str] = (),
    most_tables: int = MOST_TABLES,
    players: Sequence[str] = (),
    browse: bool = False,
) -> None:
    """Run the server until the process is stopped.

    Args:
        host: the address to listen at.
        port: the port; 0 for any free port.
        folder: the folder of saved tables.
        runs: the folder of training runs.
        say: prints a text.
        allow_hosts: additional host names of the server.
        most_tables: the maximum number of tables and replays.
        players: the places of own players, as in ``my_player.py:careful``, which are imported.
        browse: whether to open a browser.

    Raises:
        OSError: the address, the port or the folder is not available.
        ValueError: a host name is invalid, or an own player is not possible.
    """
    hosts = {*LOOPBACK, host.lower(), *map(_allowed, allow_hosts)}
    with _listen(host, port) as listening, alone_in(folder):
        port = listening.getsockname()[1]
        cookie = f"kitchentable_{port}"
        app = make_app(folder, runs, hosts, cookie=cookie, most_tables=most_tables, players=players)
        link = _tell(app.state.server, host, port, folder, say)
        if browse:
            webbrowser.open(link)
        collect_seldom()
        _uvicorn(app, "warning").run(sockets=[listening])


def collect_seldom() -> None:
    """Keep Python's garbage collector from stopping clicks: what is imported takes it 0.2 s.

    It leaves that out, and looks through what lives long only once in thousands of clicks.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION)


def _tell(server: Server, host: str, port: int, folder: Path, say: Callable[[str], None]) -> str:
    """Print the server's address; return the link with the key."""
    address = "localhost" if host in ANY_ADDRESS else f"[{host}]" if ":" in host else host
    link = f"http://{address}:{port}/?key={server.keys.entry}"
    for path in server.tables.damaged:
        say(f"Not shown, as it is damaged, or its game is missing or of another version: {path}")
    say(f"Tables are kept in {folder}. Open this link; whoever has it may play:\n\n  {link}\n")
    if host not in LOOPBACK:
        say("Others on the network can reach this server; what they send is not encrypted.")
    return link


def _uvicorn(app: Starlette, log_level: str) -> uvicorn.Server:
    """Return a uvicorn server for the application."""
    config = uvicorn.Config(
        app,
        log_level=log_level,
        http=ImpatientProtocol,
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    logging.getLogger("uvicorn.error").addFilter(_was_not_cancelled)
    running = uvicorn.Server(config)
    app.state.server.is_closing = lambda: running.should_exit
    return running


def _was_not_cancelled(record: logging.LogRecord) -> bool:
    """Return False for log lines about requests that were canceled because the server stopped."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


@contextmanager
def in_background(
    folder: Path, runs: Path, players: Sequence[str] = ()
) -> Iterator[tuple[str, Server]]:
    """Run the server on this machine in a thread, in a context: for notebooks and tests.

    Args:
        folder: the folder of saved tables.
        runs: the folder of training runs.
        players: the places of own players, which are imported.

    Yields:
        The link with the key, and the server.
    """
    with _listen("127.0.0.1", 0) as listening, alone_in(folder):
        port = listening.getsockname()[1]
        app = make_app(folder, runs, LOOPBACK, cookie=f"kitchentable_{port}", players=players)
        server: Server = app.state.server
        running = _uvicorn(app, "error")
        thread = threading.Thread(target=running.run, args=([listening],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}/?key={server.keys.entry}", server
        finally:
            running.should_exit = True
            thread.join()


def _allowed(name: str) -> str:
    """Return an additional host name in the form that `HostCheck` needs."""
    if not name_of(name):
        raise ValueError(
            f"--allow-host {name!r} is not a host name; give a name as in games.example"
        )
    return name_of(name)


def _listen(host: str, port: int) -> socket.socket:
    is_ip6 = ":" in host
    if not name_of(f"[{host}]" if is_ip6 else host):
        raise ValueError(f"--host {host!r} is not an address; {EVERYWHERE}")
    if not 0 <= port <= HIGHEST_PORT:
        raise ValueError(
            f"--port {port} is not possible; choose 0 (any free one) to {HIGHEST_PORT}"
        )
    family = socket.AF_INET6 if is_ip6 else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        advice = "try --port 0" if error.errno in OF_THE_PORT else f"as --host, {EVERYWHERE}"
        raise OSError(f"cannot serve on {host}, port {port}: {error}; {advice}") from None
    # Connections inherit this. Otherwise a response's body, which is sent after its head, would
    # wait until the browser has acknowledged the head, which takes 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
