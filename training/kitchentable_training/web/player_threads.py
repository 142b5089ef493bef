"""The threads on which players think: they move at all tables that wait for one, each in turn."""

from __future__ import annotations

import logging
import threading
import time
from itertools import count
from queue import PriorityQueue

from kitchentable_training.web.store import NotKeptError
from kitchentable_training.web.table import Table
from kitchentable_training.web.tables import Tables

SOON, LATER = 0, 1
"""Tables where a person waits come before those where players are by themselves."""

AGAIN_AFTER = 1.0
"""Seconds that a disk has to get ready."""
PATIENCE = 0.5
"""Seconds that players have for their thoughts when the server stops."""

log = logging.getLogger(__name__)


class PlayerThreads:
    """A few threads that think for the players of all tables."""

    def __init__(self, tables: Tables, threads: int = 2) -> None:
        """Begin to work.

        Args:
            tables: where they play.
            threads: decisions thought about at once.
        """
        self._tables = tables
        self._queue: PriorityQueue[tuple[int, int, Table | None]] = PriorityQueue()
        self._order = count()
        self._waiting: set[str] = set()
        self._lock = threading.Lock()
        self._stopped = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def wake(self, table: Table) -> None:
        """Let a player move at a table as soon as it is its turn, if one is to act there."""
        with self._lock:
            if table.id in self._waiting:
                return
            self._waiting.add(table.id)
        self._put(table)

    def stop(self) -> None:
        """End the threads, but wait for none that thinks for long: nothing has happened yet."""
        self._stopped = True
        for _ in self._threads:
            self._queue.put((SOON, -1, None))
        end = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _put(self, table: Table) -> None:
        self._queue.put((SOON if table.has_people else LATER, next(self._order), table))

    def _work(self) -> None:
        while True:
            _, _, table = self._queue.get()
            if table is None or self._stopped:
                return
            if self._move(table):
                self._put(table)

    def _move(self, table: Table) -> bool:
        """Let one player move; return whether the next to act is a player too."""
        try:
            if table.waits_for_player():
                table.let_player_move(self._tables.bench, self._tables.store)
                if table.waits_for_player():
                    return True
        except NotKeptError:  # it thinks of it anew: the disk may take it then
            log.warning("table %s waits for the disk", table.id)
            time.sleep(AGAIN_AFTER)
            return True
        except Exception as error:  # whatever a player does, the other tables go on
            log.exception("table %s stopped", table.id)
            table.fail(f"its player cannot go on: {error}")
        with self._lock:
            self._waiting.discard(table.id)
        # It may have become a player's turn since it was asked.
        if table.waits_for_player():
            self.wake(table)
        return False
