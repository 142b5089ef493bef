"""Connections with browsers, which have to say in time what they want."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 20.0
"""Seconds that a whole request has to come in; uvicorn itself waits for ever."""


class ImpatientProtocol(H11Protocol):
    """HTTP that ends connections on which a request does not come to its end."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        now = self.cycle
        if not now or now.response_complete or now.more_body:
            self.transport.close()
