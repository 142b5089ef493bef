"""Work that may take minutes, on threads of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class SlowWork:
    """Runs work that may take minutes: compiling a game, or a player that thinks.

    The server's own threads stay free for quick work, and stopping the server waits for none of it.
    """

    def __init__(self, most: int) -> None:
        """Start without work.

        Args:
            most: the maximum number of parallel tasks; more wait, without a thread.
        """
        self._turns = asyncio.Semaphore(most)

    async def do(self, work: Callable[[], Result]) -> Result:
        """Return the result of ``work``, or raise its exception."""
        async with self._turns:
            done: Future[Result] = Future()
            Thread(target=_do, args=(work, done), daemon=True).start()
            return await asyncio.wrap_future(done)


def _do(work: Callable[[], Result], done: Future[Result]) -> None:
    done.set_running_or_notify_cancel()
    try:
        done.set_result(work())
    except BaseException as error:  # raised where the result is awaited
        done.set_exception(error)
