"""Signals that stop a command: Ctrl-C, a request to terminate, and a terminal that was closed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SIGHUP: int | None = getattr(signal, "SIGHUP", None)
"""A terminal was closed; it may come twice, from the shell and from the system."""
SIGNALS = [
    signal_number
    for signal_number in (signal.SIGINT, signal.SIGTERM, SIGHUP)
    if signal_number is not None
]
Handler = Callable[[int, Any], None]


@contextmanager
def on_signals(handle: Handler) -> Iterator[Callable[[], None]]:
    """Handle `SIGNALS` in a context, in the main thread only; signals that are ignored stay so.

    Args:
        handle: receives the number of the signal and the frame that it has interrupted.

    Yields:
        A function that restores the handlers before.
    """
    handlers: dict[int, Any] = {}

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    if threading.current_thread() is threading.main_thread():
        for signal_number in SIGNALS:
            if signal.getsignal(signal_number) not in {signal.SIG_IGN, None}:
                handlers[signal_number] = signal.signal(signal_number, handle)
    try:
        yield restore
    finally:
        restore()


@contextmanager
def out_of_reach() -> Iterator[None]:
    """Start processes, in a context, that Ctrl-C does not reach: they would each print an error.

    It reaches this process after the context, which then has to stop them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def held_back() -> Iterator[list[int]]:
    """Yield a list that collects `SIGNALS`, and raise them again at the end.

    A second signal acts immediately, except for SIGHUP, which may come twice by itself.
    """
    came: list[int] = []

    def note(number: int, _: Any) -> None:
        came.append(number)
        restore()
        if SIGHUP is not None:
            signal.signal(SIGHUP, signal.SIG_IGN)

    with on_signals(note) as restore:
        yield came
    for number in came:
        signal.raise_signal(number)
