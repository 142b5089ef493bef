"""One game that is being played or shown: who may know what of it, and who may do what."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from kitchentable import Game, find_game
from kitchentable.core.state import NOBODY
from kitchentable_training.session import Session
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import PEOPLE, Bench
from kitchentable_training.web.store import Record, Store

Kind = Literal["table", "replay"]

MOST_DECISIONS = 10_000
"""A game that is longer is stopped."""


@dataclass
class Table:
    """A game with people or players at it, or one that was played.

    Attributes:
        record: what is kept of it.
        names: who sits where, for people.
        kind: ``"replay"``: a game from elsewhere, of which nothing is kept.
        failed: why it cannot go on; empty if it can.
        changes: grows with everything that happens.
        deck: names of the first cards, which a replay may have.
        tag: tells it from all others, also from an earlier one of the same name.
    """

    record: Record
    params: Any
    names: list[str]
    kind: Kind = "table"
    failed: str = ""
    changes: int = 0
    deck: Sequence[str] = ()
    tag: object = field(default_factory=object, repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _now: Session | None = field(default=None, repr=False)
    _past: Session | None = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return self.record.id

    @property
    def game(self) -> Game:
        """Which game is played."""
        return find_game(self.record.game)

    @property
    def moves(self) -> int:
        """Decisions so far."""
        return len(self.record.actions)

    @property
    def has_people(self) -> bool:
        """Whether anybody may have secrets from those who look on."""
        return self.kind == "table" and any(seat in PEOPLE for seat in self.record.seats)

    @property
    def is_open_to_all(self) -> bool:
        """Whether everything may be seen: no person plays, or the game is over."""
        return not self.has_people or self.record.over

    def session(self) -> Session:
        """Return the game as it stands; hold `lock` while using it."""
        if self._now is None:
            self._now = self._deal()
            _replay(self._now, self.record.actions)
        return self._now

    @contextmanager
    def at(self, k: int) -> Iterator[Session]:
        """Give the game as it stood before decision ``k`` (from 0), to look at.

        Raises:
            RefusedError: it has not so many decisions.
        """
        with self.lock:
            if not 0 <= k <= self.moves:
                raise RefusedError(404, f"decision {k} is not possible; choose 0 to {self.moves}")
            if k == self.moves:
                yield self.session()
                return
            # People mostly step forward: go on from where they looked last.
            if self._past is None or len(self._past.transcript) > k:
                self._past = self._deal()
            _replay(self._past, self.record.actions[len(self._past.transcript) : k])
            yield self._past

    def copy_at(self, k: int) -> Session:
        """Return the game as it stood before decision ``k``, for the caller alone."""
        session = self._deal()
        _replay(session, self.record.actions[:k])
        return session

    def _deal(self) -> Session:
        return Session(self.game, self.params, self.record.seed, self.deck)

    # --- Who may know what ------------------------------------------------------------------------

    def seat_of(self, person: str) -> int | None:
        """Return the seat that is a person's."""
        owners = self.record.owners
        return owners.index(person) if person in owners else None

    def open_seats(self) -> list[int]:
        """Return the seats that wait for a person."""
        if self.kind == "replay" or self.record.over or self.failed:
            return []
        seats = zip(self.record.seats, self.record.owners, strict=True)
        return [i for i, (spec, owner) in enumerate(seats) if spec in PEOPLE and owner is None]

    def viewer(self, person: str, view: str, mover: int) -> int:
        """Return the seat as which a person looks at the table.

        Args:
            person: by the browser's session.
            view: ``"me"``, ``"mover"``, ``"all"`` or an agent; empty: what fits.
            mover: the seat to act there.

        Raises:
            RefusedError: there is no such view, or the person may not have it.
        """
        mine = self.seat_of(person)
        possible = {"all": NOBODY, "mover": mover}
        possible |= {f"player_{seat}": seat for seat in range(len(self.record.seats))}
        if mine is not None:
            possible["me"] = mine
        # After the game its player may look at all of it.
        view = view or ("all" if mine is None or self.record.over else "me")
        if view not in possible:
            raise RefusedError(404, f"view={view!r} is not possible; choose from {list(possible)}")
        if not self.is_open_to_all and (mine is None or possible[view] != mine or view == "mover"):
            own = "only its players see it" if mine is None else "you see what your own seat sees"
            raise RefusedError(403, f"people are playing at this table: until the end {own}")
        return possible[view]

    # --- What happens -----------------------------------------------------------------------------

    def waits_for_player(self) -> bool:
        """Whether a player, not a person, is to act."""
        with self.lock:
            if self.kind == "replay" or self.record.over or self.failed:
                return False
            return self.record.seats[self.session().mover] not in PEOPLE

    def let_player_move(self, bench: Bench, store: Store) -> None:
        """Let the player whose turn it is decide; one caller at a time.

        What it draws at random depends on the table and the decision's number alone, so a
        game that was interrupted goes on as if it had not been. While it thinks the table may be
        looked at, and removed.
        """
        with self.lock:
            session, k = self.session(), self.moves
            spec = self.record.seats[session.mover]
        with bench.seated(spec, session.game, session.params) as player:
            player.seed(decision_seed(self.record.draws, k))
            action = session.choose(player)
        with self.lock:
            if not self.failed:
                self._play(action, store)

    def play(self, person: str, k: int, action: str, store: Store) -> None:
        """Play what a person has chosen.

        Raises:
            RefusedError: it is not the person's turn, or not decision ``k`` any more, or the action
                is illegal; nothing has changed.
        """
        with self.lock:
            mine = self.seat_of(person)
            if mine is None or self.kind == "replay":
                raise RefusedError(403, "no seat at this table is yours")
            if self.failed:
                raise RefusedError(409, f"the game cannot continue: {self.failed}")
            if self.record.over:
                raise RefusedError(409, "the game is over")
            session = self.session()
            if k != self.moves:
                raise RefusedError(409, f"this was decision {k}; the game is at {self.moves}")
            if session.mover != mine:
                raise RefusedError(409, f"it is not your turn: {session.agent} is to act")
            if action not in session.legal_actions():
                legal = ", ".join(session.legal_actions())
                raise RefusedError(422, f"{action!r} is not legal now; choose from {legal}")
            self._play(action, store)

    def _play(self, action: str, store: Store) -> None:
        session = self.session()
        # On disk first: what was seen to happen is never lost.
        store.add(self.id, action)
        session.play(action)
        self.record.actions.append(action)
        self.record.over = session.over
        if not session.over and self.moves >= MOST_DECISIONS:
            self.failed = f"stopped after {MOST_DECISIONS:,} decisions"
        self.changes += 1

    def sit(self, person: str, seat: object, store: Store) -> None:
        """Give a person an open seat.

        Raises:
            RefusedError: it is none, or taken, or the person has one.
        """
        with self.lock:
            mine = self.seat_of(person)
            if mine is not None:
                raise RefusedError(409, f"you sit at this table already, as player_{mine}")
            if type(seat) is not int or seat not in self.open_seats():
                free = ", ".join(map(str, self.open_seats())) or "none"
                raise RefusedError(409, f"seat {seat!r} is not free; free is {free}")
            store.add(self.id, {"sit": seat, "owner": person})
            self.record.owners[seat] = person
            self.changes += 1

    def fail(self, why: str) -> None:
        """Stop the game: its player cannot go on."""
        with self.lock:
            self.failed = why
            self.changes += 1


def decision_seed(draws: int, k: int) -> int:
    """Return the seed of what a player draws at random for decision ``k`` of a table."""
    digest = hashlib.sha256(f"decision {draws} {k}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _replay(session: Session, actions: Sequence[str]) -> None:
    for action in actions:
        session.play(action)
