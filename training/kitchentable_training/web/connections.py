"""HTTP connections with a time limit for requests."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_TIMEOUT = 20.0
"""Seconds within which a whole request must arrive; uvicorn itself has no limit."""


class ImpatientProtocol(H11Protocol):
    """An HTTP protocol that closes connections on which a request is not completed in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self._give_up)

    def _give_up(self) -> None:
        now = self.cycle
        if not now or now.response_complete or now.more_body:
            self.transport.close()
