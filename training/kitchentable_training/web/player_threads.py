"""The threads on which players think; they take turns at all tables that wait for a player."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from kitchentable_training.web.store import NotKeptError
from kitchentable_training.web.table import Table
from kitchentable_training.web.tables import Tables

SOON, LATER = 0, 1
"""The kinds of tables: those where people play, and those with players only."""
THREADS = ((SOON,), (SOON, LATER))
"""The kinds of each thread, by priority; the first thread is reserved for tables with people."""

AGAIN_AFTER = 1.0
"""Seconds to wait after a table could not be saved."""
STOP_TIMEOUT = 0.5
"""Seconds to wait for players that are thinking when the server stops."""

log = logging.getLogger(__name__)


class PlayerThreads:
    """A few threads that move for the players at all tables."""

    def __init__(self, tables: Tables) -> None:
        """Start the threads.

        Args:
            tables: the tables at which players move.
        """
        self._tables = tables
        self._queues: dict[int, deque[Table]] = {SOON: deque(), LATER: deque()}
        self._waiting: set[str] = set()
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._work, args=(kinds,), daemon=True) for kinds in THREADS
        ]
        for thread in self._threads:
            thread.start()

    def wake(self, table: Table) -> None:
        """Queue a table, so that its player to move moves as soon as possible."""
        with self._changed:
            if table.id in self._waiting:
                return
            self._waiting.add(table.id)
        self._put(table)

    def stop(self) -> None:
        """Stop the threads, without waiting for long thoughts, whose moves are not yet played."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        end = time.monotonic() + STOP_TIMEOUT
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _put(self, table: Table) -> None:
        with self._changed:
            self._queues[SOON if table.has_people else LATER].append(table)
            self._changed.notify_all()

    def _work(self, kinds: Sequence[int]) -> None:
        while (table := self._next(kinds)) is not None:
            if self._move(table):
                self._put(table)

    def _next(self, kinds: Sequence[int]) -> Table | None:
        """Wait for a table, and return it; None if the threads are stopped."""
        queues = [self._queues[kind] for kind in kinds]
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or any(queues))
            return None if self._stopped else next(filter(None, queues)).popleft()

    def _move(self, table: Table) -> bool:
        """Let one player move; return whether a player is to move again."""
        try:
            if table.waits_for_player():
                table.let_player_move(self._tables.pool, self._tables.store)
                if table.waits_for_player():
                    return True
        except NotKeptError:  # the player thinks again later, when saving may work
            log.warning("table %s waits for the disk", table.id)
            time.sleep(AGAIN_AFTER)
            return True
        except Exception as error:  # the other tables must go on, whatever a player does
            log.exception("table %s stopped", table.id)
            table.fail(f"a player failed: {error}")
        with self._changed:
            self._waiting.discard(table.id)
        # It may have become a player's turn since the last check.
        if table.waits_for_player():
            self.wake(table)
        return False
