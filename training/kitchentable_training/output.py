"""Standard output and standard error as they should be: losing them never ends the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO, cast


class Output:
    """A text stream whose writes never fail; after a first error the rest is dropped.

    Characters that its encoding lacks are replaced. Every line is passed on at once.

    Attributes:
        error: the first error, such as that of a closed pipe, a full disk or a closed terminal.
    """

    def __init__(self, stream: TextIO | None) -> None:
        """Wrap a stream; None, as of a process that was started without it, drops everything."""
        self._stream = stream
        self.error: Exception | None = None

    def write(self, text: str) -> int:
        """Write a text, and flush the stream at the end of a line; return the text's length."""
        self._attempt(lambda stream: stream.write(_encodable(text, stream)))
        if "\n" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Flush the stream."""
        self._attempt(lambda stream: stream.flush())

    def _attempt(self, act: Callable[[TextIO], object]) -> None:
        if self._stream is None or self.error is not None:
            return
        try:
            act(self._stream)
        except (OSError, ValueError) as error:
            self.error = error
            # Python flushes the stream when it ends, which must not fail either.
            with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nothing:
                os.dup2(nothing.fileno(), self._stream.fileno())

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream is not None and self.error is None and self._stream.isatty()

    def __getattr__(self, name: str) -> Any:
        """Return what else the stream has."""
        return getattr(self._stream, name)


def _encodable(text: str, stream: TextIO) -> str:
    """Return a text with a question mark for every character that a stream cannot encode."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


class LogLines(Output):
    """The output of a progress bar, which is redrawn in a terminal, as the lines of a log."""

    def write(self, text: str) -> int:
        """Write a picture of the bar as a line."""
        if drawn := text.strip():
            super().write(drawn + "\n")
        return len(text)


@contextmanager
def guarded() -> Iterator[Output]:
    """Make standard output and standard error `Output` streams in a context; yield the former.

    Standard streams that were closed before the process started are those of the null device.
    Otherwise the next files to be opened would take their places.
    """
    before, nothing = (sys.stdin, sys.stdout, sys.stderr), Path(os.devnull)
    with ExitStack() as opened:
        # In this order: each takes the lowest free number.
        sys.stdin = before[0] or opened.enter_context(nothing.open(encoding="utf-8"))
        output, errors = (
            Output(stream or opened.enter_context(nothing.open("w", encoding="utf-8")))
            for stream in before[1:]
        )
        sys.stdout, sys.stderr = cast("TextIO", output), cast("TextIO", errors)
        try:
            yield output
        finally:
            output.flush()
            errors.flush()
            sys.stdin, sys.stdout, sys.stderr = before
