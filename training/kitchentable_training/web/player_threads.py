"""The threads on which players think: they move at all tables that wait for one, each in turn."""

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
"""Tables where a person waits, and those where players are by themselves."""
THREADS = ((SOON,), (SOON, LATER))
"""What each thread looks after, the first before the next: one has always time for people."""

AGAIN_AFTER = 1.0
"""Seconds that a disk has to get ready."""
PATIENCE = 0.5
"""Seconds that players have for their thoughts when the server stops."""

log = logging.getLogger(__name__)


class PlayerThreads:
    """A few threads that think for the players of all tables."""

    def __init__(self, tables: Tables) -> None:
        """Begin to work.

        Args:
            tables: where they play.
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
        """Let a player move at a table as soon as it is its turn, if one is to act there."""
        with self._changed:
            if table.id in self._waiting:
                return
            self._waiting.add(table.id)
        self._put(table)

    def stop(self) -> None:
        """End the threads, but wait for none that thinks for long: nothing has happened yet."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        end = time.monotonic() + PATIENCE
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
        """Wait for a table; None: there is no more to do."""
        queues = [self._queues[kind] for kind in kinds]
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or any(queues))
            return None if self._stopped else next(filter(None, queues)).popleft()

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
            table.fail(f"a player failed: {error}")
        with self._changed:
            self._waiting.discard(table.id)
        # It may have become a player's turn since it was asked.
        if table.waits_for_player():
            self.wake(table)
        return False
