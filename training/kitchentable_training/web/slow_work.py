"""Work that may take minutes, on threads of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class SlowWork:
    """Does work that may take minutes: a game to compile, a player that thinks.

    However much of it there is, the server's threads stay free for what is quick, and the server's
    end waits for none of it.
    """

    def __init__(self, most: int) -> None:
        """Begin with nothing.

        Args:
            most: works at once; more wait, without a thread.
        """
        self._turns = asyncio.Semaphore(most)

    async def do(self, work: Callable[[], Result]) -> Result:
        """Return what ``work`` returns, or raise what it raises."""
        async with self._turns:
            done: Future[Result] = Future()
            Thread(target=_do, args=(work, done), daemon=True).start()
            return await asyncio.wrap_future(done)


def _do(work: Callable[[], Result], done: Future[Result]) -> None:
    done.set_running_or_notify_cancel()
    try:
        done.set_result(work())
    except BaseException as error:  # whoever waits for it gets it
        done.set_exception(error)
