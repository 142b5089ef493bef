"""One game that is played or shown, and what each person may see and do."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal

from kitchentable import Game, find_game
from kitchentable.core.state import ALL_SEEING, NOBODY
from kitchentable.render.phrases import listed
from kitchentable_training.session import Session
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import PEOPLE, PlayerPool
from kitchentable_training.web.store import NotKeptError, Record, Store, checked_name

Kind = Literal["table", "replay"]

MOST_DECISIONS = 10_000
"""The maximum number of decisions, after which a game is stopped."""
MOST_NAMES = 10
"""The maximum number of names that a person gives a seat."""


@dataclass
class Table:
    """A game with people or players, or a replay.

    Attributes:
        record: the data that is saved.
        params: the game's parameters.
        kind: ``"table"``, or ``"replay"`` for a game from a browser, which is not saved.
        failed: why the game cannot go on; empty if it can.
        changes: a counter that every change increases.
        drafted: the letters that the person to move has chosen for a word and may take back. Nobody
            else knows of them, and they are not saved.
        listeners: called after every change, on the thread that made it.
        tag: a unique object, which distinguishes the table from earlier ones of the same name.
        lock: must be held while using `session`.
    """

    record: Record
    params: Any
    kind: Kind = "table"
    failed: str = ""
    changes: int = 0
    drafted: list[str] = field(default_factory=list)
    listeners: set[Callable[[], None]] = field(default_factory=set, repr=False)
    tag: object = field(default_factory=object, repr=False)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    _now: Session | None = field(default=None, repr=False)
    _past: Session | None = field(default=None, repr=False)
    _draft: Session | None = field(default=None, repr=False)
    _named: Session | None = field(default=None, repr=False)
    _names: list[str] = field(default_factory=list, repr=False)

    @property
    def id(self) -> str:
        """The ID in addresses."""
        return self.record.id

    @property
    def game(self) -> Game:
        """The game that is played."""
        return find_game(self.record.saved.game)

    @property
    def moves(self) -> int:
        """The number of decisions so far."""
        return len(self.record.saved.actions)

    @property
    def has_people(self) -> bool:
        """Whether people play, so that cards may be secret."""
        return self.kind == "table" and any(seat in PEOPLE for seat in self.record.saved.players)

    @property
    def has_several_people(self) -> bool:
        """Whether several people play, or may sit down."""
        people = sum(player in PEOPLE for player in self.record.saved.players)
        return self.kind == "table" and people > 1

    @property
    def is_open_to_all(self) -> bool:
        """Whether everybody may see everything: no person plays, or the game is over."""
        return not self.has_people or self.record.over

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to play: a replay, or a game that is over."""
        return self.kind == "replay" or self.record.over

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen: it is done, or cannot go on."""
        return self.is_done or bool(self.failed)

    def session(self) -> Session:
        """Return the current game; hold `lock` while using it."""
        if self._now is None:
            self._now = self._deal()
            _replay(self._now, self.record.saved.actions)
        return self._now

    def seen_by(self, person: str) -> Session:
        """Return the current game as a person has it: with its own letters that are drafted."""
        session = self.session()
        if self._draft is None or self.seat_of(person) != session.mover:
            return session
        return self._draft

    @contextmanager
    def at(self, k: int) -> Iterator[Session]:
        """Yield the game before decision ``k`` (from 0), for viewing only.

        Raises:
            RefusedError: there are fewer decisions.
        """
        with self.lock:
            if not 0 <= k <= self.moves:
                raise RefusedError(404, f"decision {k} is not possible; choose 0 to {self.moves}")
            if k == self.moves:
                yield self.session()
                return
            # People mostly step forward, so go on from the last position.
            if self._past is None or len(self._past.transcript) > k:
                self._past = self._deal()
            _replay(self._past, self.record.saved.actions[len(self._past.transcript) : k])
            yield self._past

    def names(self) -> list[str]:
        """Return what each decision so far is called in lists; hold `lock` meanwhile."""
        if self._named is None:
            self._named = self._deal()
        # Only when they are asked for: they take longer than the decisions, and tables are many.
        for action in self.record.saved.actions[len(self._names) :]:
            self._names.append(self.game.render.called_at(self._named.view(NOBODY), action))
            self._named.play(action)
        return self._names

    def _deal(self) -> Session:
        saved = self.record.saved
        return Session(self.game, self.params, deck=saved.deck, deal=saved.deal)

    # --- What people may see ----------------------------------------------------------------------

    def seat_of(self, person: str) -> int | None:
        """Return the seat of a person, or None."""
        owners = self.record.owners
        return owners.index(person) if person in owners else None

    def name_of(self, seat: int) -> str:
        """Return the name that a person has given a seat, or an empty string."""
        return self.record.names.get(seat, [""])[-1]

    def open_seats(self) -> list[int]:
        """Return the seats that are free for people."""
        if self.ended:
            return []
        seats = zip(self.record.saved.players, self.record.owners, strict=True)
        return [i for i, (spec, owner) in enumerate(seats) if spec in PEOPLE and owner is None]

    def can_be_joined(self, person: str, seat: int) -> bool:
        """Return whether a person plays here, or could in a seat."""
        joined = self.seat_of(person) is not None
        return not self.ended and (joined or seat in self.open_seats())

    def viewer(self, person: str, view: str, mover: int) -> int:
        """Return the seat from which a person views the table, or `ALL_SEEING` for all cards.

        Args:
            person: the person, by the browser's session.
            view: ``"me"``, ``"mover"``, ``"all"`` or an agent; empty: ``"me"`` for a person with
                a seat until the end of the game, otherwise ``"all"``.
            mover: the seat to move.

        Raises:
            RefusedError: there is no such view, or the person may not have it.
        """
        own_seat = self.seat_of(person)
        possible = {"all": ALL_SEEING, "mover": mover}
        possible |= {f"player_{seat}": seat for seat in range(len(self.record.saved.players))}
        if own_seat is not None:
            possible["me"] = own_seat
        # After the game its players see everything.
        view = view or ("all" if own_seat is None or self.record.over else "me")
        if view not in possible:
            raise RefusedError(
                404, f"view={view!r} is not possible; choose {listed(possible, 'or')}"
            )
        if not self.is_open_to_all and (
            own_seat is None or possible[view] != own_seat or view == "mover"
        ):
            own = (
                "only its players see it" if own_seat is None else "you see what your own seat sees"
            )
            raise RefusedError(403, f"people are playing at this table: until the end {own}")
        return possible[view]

    def retrained(self, pool: PlayerPool) -> list[str]:
        """Return the players that have been trained anew since the table was created."""
        specs = []
        for spec, version in zip(self.record.saved.players, self.record.versions, strict=False):
            with suppress(RefusedError):  # it has been removed
                if pool.version(spec, self.game, self.params) != version:
                    specs.append(spec)
        return list(dict.fromkeys(specs))

    # --- Events -----------------------------------------------------------------------------------

    def waits_for_player(self) -> bool:
        """Return whether a player, not a person, is to move."""
        with self.lock:
            return not self.ended and self.record.saved.players[self.session().mover] not in PEOPLE

    def let_player_move(self, pool: PlayerPool, store: Store) -> None:
        """Let the player to move decide; for one caller at a time.

        Its random choices only depend on the table and the number of the decision, so an
        interrupted game continues as if it had not been interrupted. While the player thinks, the
        table can be viewed and removed.
        """
        with self.lock:
            session, k = self.session(), self.moves
            spec = self.record.saved.players[session.mover]
        with pool.seated(spec, session.game, session.params) as player:
            player.seed(decision_seed(self.record.draws, k))
            action = session.choose(player)
        with self.lock:
            if not self.failed:
                self._play([action], store)
                self.play_forced(store)

    def play(self, person: str, k: int, drafted: int, action: str, store: Store) -> None:
        """Play the action of a person.

        Args:
            person: the person, by the browser's session.
            k: the number of the decision, from 0.
            drafted: how many letters the person has chosen before, which are not laid yet.
            action: the action's name.
            store: the folder of saved tables.

        Raises:
            RefusedError: it is not the person's turn, decision ``k`` is over, or the action is
                illegal; nothing has changed.
        """
        with self.lock:
            self._check_turn(person, k, drafted)
            legal = self.seen_by(person).legal_actions()
            if action not in legal:
                possible = ", ".join(legal)
                raise RefusedError(422, f"{action!r} is not legal now; choose from {possible}")
            if not self._drafts(action):
                self._play([*self.drafted, action], store)
                self.play_forced(store)

    def _check_turn(self, person: str, k: int, drafted: int) -> None:
        """Check that a person decides now, and knows how the table stands.

        Raises:
            RefusedError: it is not so.
        """
        own_seat = self.seat_of(person)
        if own_seat is None or self.kind == "replay":
            raise RefusedError(403, "you have no seat at this table")
        if self.failed:
            raise RefusedError(409, f"the game cannot continue: {self.failed}")
        if self.record.over:
            raise RefusedError(409, "the game is over")
        if k != self.moves:
            raise RefusedError(409, f"decision {k} is over; the game is at {self.moves}")
        if self.session().mover != own_seat:
            raise RefusedError(409, "it is not your turn")
        if drafted != len(self.drafted):
            raise RefusedError(409, f"the word has {len(self.drafted)} letters, not {drafted}")

    def _drafts(self, action: str) -> bool:
        """Keep a letter back, as part of a word that is not laid yet; return False if it is not."""
        if action.partition(":")[0] != self.game.render.undoable:
            return False
        session = self.session()
        draft = copy(self._draft or session)
        draft.play(action)
        if draft.over or draft.hand_over or draft.mover != session.mover:
            return False
        self.drafted.append(action)
        self._draft = draft
        return True

    def take_back(self, person: str, k: int, drafted: int) -> None:
        """Take back the last letter of a word that is not laid yet; see `play`.

        Raises:
            RefusedError: there is none, or as in `play`; nothing has changed.
        """
        with self.lock:
            self._check_turn(person, k, drafted)
            if not self.drafted:
                raise RefusedError(409, "there is no letter to take back")
            self.drafted.pop()
            draft = copy(self.session())
            _replay(draft, self.drafted)
            self._draft = draft if self.drafted else None

    def play_forced(self, store: Store) -> None:
        """Play for people who have but one legal action, as there is nothing to decide.

        What cannot be saved is left for them to play.
        """
        with self.lock, suppress(NotKeptError):
            while not self.ended:
                session = self.session()
                legal = session.legal_actions()
                if self.record.saved.players[session.mover] not in PEOPLE or len(legal) > 1:
                    return
                self._play(legal[:1], store)

    def _play(self, actions: Sequence[str], store: Store) -> None:
        session = self.session()
        # Saved first, so that no visible event is ever lost; a word at once, so that none is cut.
        store.add(self.id, *actions)
        _replay(session, actions)
        self.drafted, self._draft = [], None
        self.record.saved.actions += actions
        self.record.over = session.over
        if not session.over and self.moves >= MOST_DECISIONS:
            self.failed = f"stopped after {MOST_DECISIONS:,} decisions"
        self._changed()

    def sit(self, person: str, seat: object, store: Store) -> None:
        """Give a person an open seat.

        Raises:
            RefusedError: the seat is not open, or the person already has one.
        """
        with self.lock:
            own_seat = self.seat_of(person)
            if own_seat is not None:
                raise RefusedError(409, "you already sit at this table")
            if type(seat) is not int or seat not in self.open_seats():
                free = ", ".join(map(str, self.open_seats())) or "none"
                raise RefusedError(409, f"seat {seat!r} is not free; free seats: {free}")
            store.add(self.id, {"sit": seat, "owner": person})
            self.record.owners[seat] = person
            self._changed()

    def rename(self, person: str, name: object, store: Store) -> None:
        """Give the seat of a person a name that all at the table see, or none if it is empty.

        Raises:
            RefusedError: it is no name, or the person may not give any; nothing has changed.
        """
        checked = checked_name(name)
        with self.lock:
            seat = self.seat_of(person)
            if seat is None or not self.has_several_people:
                raise RefusedError(403, "you do not play with other people at this table")
            if self.ended:
                raise RefusedError(409, "the game is over")
            names = self.record.names.get(seat, [])
            if checked == self.name_of(seat):
                return
            if len(names) >= MOST_NAMES:
                raise RefusedError(429, f"a name can be changed {MOST_NAMES} times at most")
            store.add(self.id, {"seat": seat, "name": checked})
            self.record.names[seat] = [*names, checked]
            self._changed()

    def fail(self, why: str) -> None:
        """Stop the game for a reason."""
        with self.lock:
            self.failed = why
            self._changed()

    def _changed(self) -> None:
        self.changes += 1
        for tell in [*self.listeners]:
            tell()


def decision_seed(draws: int, k: int) -> int:
    """Return the seed of a player's random choices for decision ``k`` of a table."""
    digest = hashlib.sha256(f"decision {draws} {k}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _replay(session: Session, actions: Sequence[str]) -> None:
    for action in actions:
        session.play(action)
