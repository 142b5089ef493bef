"""All games that are played or shown."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from kitchentable import Game, find_game
from kitchentable.render.phrases import count, listed
from kitchentable_training.session import LARGEST_SEED, Session
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import ME, OPEN, PEOPLE, PlayerPool
from kitchentable_training.web.store import NotKeptError, Record, Store
from kitchentable_training.web.table import Table

MOST_OWN = 64
"""The maximum number of tables and replays of one browser."""
MOST_IN_LIST = 1000
"""The maximum length of a list parameter; of longer word lists, only a hash is saved."""
LONGEST_ITEM = 50
"""The maximum number of letters of an item of a list parameter."""
SEED_BITS = 53
"""The bits of random seeds: too many to try all, and as many as a JavaScript integer has."""


class Tables:
    """All tables: those saved on disk, and the latest replays."""

    def __init__(self, store: Store, pool: PlayerPool, most: int) -> None:
        """Load the saved tables.

        Args:
            store: the folder of saved tables.
            pool: the players.
            most: the maximum number of tables and replays.
        """
        self.store = store
        self.pool = pool
        self._most = most
        self._lock = threading.RLock()
        self._tables: dict[str, Table] = {}
        self.damaged: list[str] = []
        """The current paths of files that could not be used; only unreadable ones are renamed."""
        for path, record in store.read():
            table = _restored(record) if record else None
            if table is None:
                # Another start may know the game of a record, or play its version.
                self.damaged.append(str(path if record else store.set_aside(path)))
            else:
                self._tables[table.id] = table
                self._say_who_has_gone(table)

    def _say_who_has_gone(self, table: Table) -> None:
        gone = [
            spec for spec in table.record.saved.players if not self.pool.knows(spec, table.game)
        ]
        if gone and not table.record.over:
            table.fail(
                f"{', '.join(gone)} cannot be found; put it back and restart the server, "
                "or delete the table"
            )

    def all(self) -> list[Table]:
        """Return the tables, newest first."""
        with self._lock:
            return list(reversed(self._tables.values()))

    def find(self, name: str) -> Table:
        """Return a table by its name.

        Raises:
            RefusedError: there is none.
        """
        # Without the lock, because the event loop calls this and must not wait.
        table = self._tables.get(name)
        if table is None:
            raise RefusedError(404, f"there is no table {name!r}; it may have been removed")
        return table

    def create(
        self,
        game: Game,
        params: Any,
        seats: object,
        seed: object,
        person: str,
        name: str | None = None,
        keep: Sequence[Table] = (),
    ) -> Table:
        """Create a table.

        Args:
            game: the game.
            params: its parameters.
            seats: the names of the players and people, by seat.
            seed: the seed of the deal and of the players' random choices; None for random seeds.
            person: the creator, by the browser's session.
            name: the table's name; None for a random one. If the table exists, it is returned.
            keep: finished tables that must stay although a limit is reached.

        Raises:
            RefusedError: something is invalid, or there are too many tables.
        """
        specs = self._check_seats(seats, game, params)
        if seed is not None and OPEN in specs:
            # Another table with the same seed would show all hands.
            raise RefusedError(
                422, "seed: leave it empty if others may sit down, to be fair to them"
            )
        # Separate seeds: random choices of players, which people may ask, must not reveal the deal.
        checked, draws = _check_seed(seed), _check_seed(seed)
        record = _record(Session(game, params, checked), specs, person, draws)
        record.id = name or record.id
        record.owners = [person if spec == ME else None for spec in specs]
        record.versions = [self.pool.version(spec, game, params) for spec in specs]
        table = Table(record, params)
        with self._lock:
            if record.id in self._tables:
                return self._tables[record.id]
            self._add(table, keep)
        table.play_forced(self.store)
        return table

    def again(self, table: Table, person: str) -> Table:
        """Return another game with the rules and seats of one that is over.

        People who played together meet again: whoever asks first creates it, with seats that are
        open to the others, and the others get these seats when they ask. Whoever only watched gets
        a table of its own, with the first seat of a person, if there is one.

        Raises:
            RefusedError: the game is not over, it was a replay, or as in `create` or `Table.sit`.
        """
        if table.kind == "replay" or not table.record.over:
            raise RefusedError(409, "only a game that was played to its end can be played again")
        specs = [OPEN if spec in PEOPLE else spec for spec in table.record.saved.players]
        seat = table.seat_of(person)
        if seat is None:
            if OPEN in specs:
                specs[specs.index(OPEN)] = ME
            return self.create(table.game, table.params, specs, None, person)
        specs[seat] = ME
        with self._lock:
            last = table
            while later := self._tables.get(last.record.later):
                if later.can_be_joined(person, seat):
                    break
                last = later
            else:
                later = self.create(
                    table.game, table.params, specs, None, person, keep=(table, last)
                )
                self._lead(last, later.id)
        with later.lock:
            if later.seat_of(person) is None:
                later.sit(person, seat, self.store)
        return later

    def _lead(self, table: Table, later: str) -> None:
        """Let those who sat at a table play again at another one, at least until a restart."""
        table.record.later = later
        with table.lock, suppress(NotKeptError):
            self.store.add(table.id, {"later": later})

    def show(self, session: Session, names: Sequence[str], person: str) -> Table:
        """Create a replay of a saved game, which has been played and checked.

        Args:
            session: the game, after its last decision.
            names: the names of the players by seat.
            person: the creator, by the browser's session.

        Raises:
            RefusedError: there are too many tables.
        """
        table = Table(_record(session, names, person, 0), session.params, "replay")
        with self._lock:
            self._add(table)
        return table

    def remove(self, name: str, person: str) -> None:
        """Remove a table.

        Raises:
            RefusedError: there is no such table, or another person created it.
        """
        with self._lock:
            table = self.find(name)
            if table.record.creator != person:
                raise RefusedError(403, "only the person who made a table may remove it")
            self._forget(table)

    def _add(self, table: Table, keep: Sequence[Table] = ()) -> None:
        """Add a table, and remove the oldest replay or finished game if a limit is reached."""
        leaving = self._leaving(table.record.creator, keep)
        if table.kind == "table":
            self.store.write(table.record)  # before anything is removed, as it may fail
        for old in leaving:
            self._forget(old)
        self._tables[table.id] = table

    def _leaving(self, person: str, keep: Sequence[Table]) -> list[Table]:
        """Return the tables that must be removed before a person can have another one."""
        leaving: list[Table] = []
        limits = ((person, MOST_OWN, "your"), (None, self._most, "the server's"))
        for creator, most, whose in limits:
            tables = [
                table
                for table in self._tables.values()
                if creator in (None, table.record.creator) and table not in leaving
            ]
            if len(tables) < most:
                continue
            finished = (table for table in tables if table.is_done and table not in keep)
            oldest = next(finished, None)
            if oldest is None:
                limit = f"{whose} limit of {count(most, 'unfinished table')}"
                raise RefusedError(429, f"{limit} is reached; remove one first")
            leaving.append(oldest)
        return leaving

    def _forget(self, table: Table) -> None:
        for other in self._tables.values():
            if other.record.later == table.id:
                self._lead(other, table.record.later)
        with table.lock:
            self.store.remove(table.id)
            table.fail("this table was removed")
        del self._tables[table.id]

    def _check_seats(self, seats: object, game: Game, params: Any) -> list[str]:
        number = int(params.num_players)
        if not isinstance(seats, list) or len(seats) != number:
            raise RefusedError(422, f"seats: give a list of {number} names, one for each seat")
        if seats.count(ME) > 1:
            raise RefusedError(422, "seats: you can take only one seat")
        return [self.pool.check(spec, game, params) for spec in seats]


def read_params(game: Game, given: object) -> Any:
    """Return a game's parameters from those that a browser sent.

    Text must be one of the offered values, so that it cannot become the path of a file. Lists must
    be short enough to be saved completely, so that the table can be restored, and so must their
    items, as the time to prepare a word list grows with them.

    Raises:
        RefusedError: a parameter is invalid.
    """
    if not isinstance(given, Mapping):
        raise RefusedError(422, "params: give an object, name: value")
    for name, value in given.items():
        info = game.render.param_infos.get(name)
        if info is None:
            continue
        low, high = info.span or (None, None)
        offered = listed(map(json.dumps, info.values), "or") or f"{low} to {high}"
        choose = f"choose {offered}"
        if isinstance(value, str) and value not in info.values:
            raise RefusedError(422, f"{name}={value!r} is not possible here; {choose}")
        if isinstance(value, list) and (
            len(value) > MOST_IN_LIST
            or any(isinstance(item, str) and len(item) > LONGEST_ITEM for item in value)
        ):
            raise RefusedError(
                422,
                f"{name}: give a list of at most {MOST_IN_LIST:,} items, each of at most "
                f"{LONGEST_ITEM} letters, or {choose}",
            )
    try:
        return game.make_params(
            **{
                name: tuple(value) if isinstance(value, list) else value
                for name, value in given.items()
            }
        )
    except (TypeError, ValueError) as error:
        raise RefusedError(422, str(error)) from None


def _record(session: Session, seats: Sequence[str], person: str, draws: int) -> Record:
    return Record(
        id=secrets.token_urlsafe(9),
        saved=session.saved(seats),
        draws=draws,
        creator=person,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        owners=[None] * len(seats),
        over=session.over,
    )


def _restored(record: Record) -> Table | None:
    """Return a saved table, or None if this version cannot play it."""
    try:
        saved = record.saved
        params = read_params(find_game(saved.game), saved.params)
        saved.opened()  # raises if its version or word list is another one
        if not len(record.owners) == len(saved.players) == params.num_players:
            return None
        table = Table(record, params)
        record.over = table.session().over
    except Exception:  # whatever a file contains, the other tables must load
        return None
    return table


def _check_seed(seed: object) -> int:
    if seed is None:
        return secrets.randbits(SEED_BITS)
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed <= LARGEST_SEED:
        raise RefusedError(422, f"seed={seed!r} is not possible; choose 0 to {LARGEST_SEED}")
    return seed
