"""What is said to a browser that asks for something impossible."""

from __future__ import annotations


class RefusedError(Exception):
    """A request that is refused; nothing has changed.

    Attributes:
        status: of the HTTP answer.
        message: names the input and says what would be right.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
