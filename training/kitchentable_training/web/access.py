"""Access control: hosts, origins, keys and sizes of requests.

A page of another site can make a browser send requests to this server, and can give this machine
another name (DNS rebinding). Therefore a request must name one of the server's own hosts, a request
that changes something must come from the server's own pages, and a browser must once have opened
the printed link with the key.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import secrets
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kitchentable_training.files import parse_json, read_json, written_aside
from kitchentable_training.web.refused import RefusedError

MOST_BYTES = 512 * 1024
"""The maximum size of a request's body, in bytes."""
MOST_DIGITS = 12
"""The maximum number of digits of a number in an address."""
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
READING = frozenset({"GET", "HEAD"})
INVITATIONS = "/invitation/"
FOR_EVERYBODY = ("/static/", INVITATIONS)
NO_KEY = (
    "this browser has not been let in: open the link that `kitchentable serve` printed, or an "
    "invitation to a table"
)
WRONG_KEY = "this is not this server's key: open the link that `kitchentable serve` printed"
KEYS = "keys.json"
LEAST_LETTERS = 16
"""The minimum length of a key; shorter ones could be guessed."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:[0-9]*)?", re.ASCII | re.IGNORECASE)

SECURITY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""The Content-Security-Policy of pages: nothing from other hosts, and scripts only from files."""


class Keys:
    """The server's secrets, which are saved so that browsers stay admitted after a restart."""

    def __init__(self, folder: Path) -> None:
        """Read the keys from a folder, or write new ones that only this user can read.

        Raises:
            ValueError: a key is missing, or so short that it could be guessed.
        """
        path = folder / KEYS
        if not path.exists():
            _write_new_keys(path)
        saved = read_json(path)
        self.entry, self.signing = (
            _long_enough(saved, name, path) for name in ("entry", "signing")
        )

    def fits(self, key: str) -> bool:
        """Return whether this is the key in the printed link."""
        return hmac.compare_digest(key.encode(), self.entry.encode())

    def invitation(self, table: str) -> str:
        """Return the secret part of the invitation to a table, which only this server can make."""
        digest = hmac.digest(self.signing.encode(), f"invitation {table}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def invites(self, token: str, table: str) -> bool:
        """Return whether this is the secret part of the invitation to a table."""
        return hmac.compare_digest(token.encode(), self.invitation(table).encode())


def invitation_path(keys: Keys, table: str) -> str:
    """Return the address of the invitation to a table, without the host."""
    return f"{INVITATIONS}{table}/{keys.invitation(table)}"


def _write_new_keys(path: Path) -> None:
    keys = {"entry": secrets.token_urlsafe(24), "signing": secrets.token_urlsafe(32)}
    with written_aside(path) as aside:
        aside.touch(mode=0o600)
        aside.write_text(json.dumps(keys), "utf-8")


def _long_enough(saved: Mapping[str, object], name: str, path: Path) -> str:
    key = saved.get(name)
    if not isinstance(key, str) or len(key) < LEAST_LETTERS:
        raise ValueError(
            f"{path}: {name!r} must be a text of {LEAST_LETTERS} letters or more; without the file "
            "the server makes new keys"
        )
    return key


class HostCheck:
    """Rejects requests for other hosts and from other sites, and sets security headers."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """Wrap an application.

        Args:
            app: the application.
            hosts: the server's host names, in lower case and without ports.
        """
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure(MutableHeaders(scope=message))
            await send(message)

        why = self._refusal(scope["method"], Headers(scope=scope))
        if why:
            await JSONResponse({"error": why}, 403)(scope, receive, send_safely)
            return
        await self._app(scope, receive, send_safely)

    def _refusal(self, method: str, headers: Headers) -> str:
        """Return why a request is rejected; an empty string if it is not."""
        host = headers.get("host", "")
        if name_of(host) not in self._hosts:
            known = ", ".join(sorted(self._hosts))
            return f"this server is not called {host!r}; it is {known} (see `serve --allow-host`)"
        if method in READING:
            return ""
        origin = headers.get("origin", "")
        if origin.lower() not in {f"{scheme}://{host.lower()}" for scheme in ("http", "https")}:
            return (
                "requests that change something must come from this server's pages, at "
                f"{host!r}, not {origin!r}; a proxy must pass on the browser's Host header"
            )
        return ""


def secure(headers: MutableHeaders) -> None:
    """Set the security headers of a response."""
    headers.setdefault("Content-Security-Policy", SECURITY)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers.setdefault("Cache-Control", "no-store")


def name_of(host: str) -> str:
    """Return a host's name in lower case, without its port; an empty string if it is invalid."""
    match = _HOST.fullmatch(host)
    return match[1].strip("[]").lower() if match else ""


class Authentication:
    """Admits browsers that have the key or had it before.

    Others only get static files and answers to invitations.

    It requires Starlette's session middleware before it.
    """

    def __init__(
        self, app: ASGIApp, keys: Keys, refuse: Callable[[Request, Exception], Response]
    ) -> None:
        """Wrap an application.

        Args:
            app: the application.
            keys: the server's keys.
            refuse: makes the response for browsers that are not admitted.
        """
        self._app = app
        self._keys = keys
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        answer = self._answer(Request(scope)) if scope["type"] == "http" else None
        await (answer or self._app)(scope, receive, send)

    def _answer(self, request: Request) -> Response | None:
        """Return a response, or None if the browser is admitted."""
        # Not `request.url`, which also depends on the Host header.
        key, path = request.query_params.get("key"), str(request.scope["path"])
        if key is not None and request.method in READING:
            if not self._keys.fits(key):
                return self._refuse(request, RefusedError(403, WRONG_KEY))
            admit(request)
            # Removes the key from the address, which people copy. Two slashes would redirect to
            # another host.
            return RedirectResponse("/" + path.lstrip("/"), 303)
        if path.startswith(FOR_EVERYBODY) or "person" in request.session:
            return None
        return self._refuse(request, RefusedError(403, NO_KEY))


def admit(request: Request) -> None:
    """Admit a browser, as the same person as before if it has been here."""
    request.session.setdefault("person", secrets.token_urlsafe(18))


def person_of(request: Request) -> str:
    """Return the ID of the person, from the browser's session."""
    return str(request.session["person"])


async def read_body(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body.

    Raises:
        RefusedError: the body is too large, of another type or damaged.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, f"Content-Type must be application/json, not {kind!r}")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise RefusedError(413, f"a message may have at most {MOST_BYTES:,} bytes")
    except ClientDisconnect:
        raise RefusedError(400, "the message was cut off") from None
    try:
        content = parse_json(body)
    except ValueError as error:
        raise RefusedError(400, f"this is not JSON: {error}") from None
    if not isinstance(content, dict):
        raise RefusedError(400, "a message must be a JSON object")
    return content


def number_in(request: Request, name: str) -> int:
    """Return a number in the path or the query of an address; 0 if it is missing.

    Raises:
        RefusedError: it is not a nonnegative integer of at most `MOST_DIGITS` digits.
    """
    text = str(request.path_params.get(name, request.query_params.get(name, "0")))
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise RefusedError(400, f"{name} must be a whole number, 0 or more, not {text[:40]!r}")
    return int(text)
