"""The error for requests that are refused."""

from __future__ import annotations


class RefusedError(Exception):
    """A request is refused; nothing has changed.

    Attributes:
        status: the status of the HTTP response.
        message: names the input, and says what is possible.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
