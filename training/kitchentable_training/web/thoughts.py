"""What a player thinks about a decision: probabilities and value, or the results of a search."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np

from kitchentable.engine.batch import GAME_0
from kitchentable.render.voice import Voice
from kitchentable_training.session import Session
from kitchentable_training.web.names import voice_for
from kitchentable_training.web.refused import RefusedError
from kitchentable_training.web.seats import PEOPLE, PlayerPool
from kitchentable_training.web.table import Table, decision_seed

KEPT = 2000
"""The maximum number of cached thoughts."""
AT_ONCE = 2
"""The maximum number of players that think at the same time, as a search occupies a core."""
TURN_TIMEOUT = 15.0
"""Seconds that a request waits for its turn."""
MOST_WAITING = 8
"""The maximum number of waiting requests; more are refused, so that threads stay free."""


class Thoughts:
    """Asks players what they think, and caches it."""

    def __init__(self, pool: PlayerPool) -> None:
        self._pool = pool
        self._cache: OrderedDict[tuple[object, ...], dict[str, Any]] = OrderedDict()
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._waiting = threading.BoundedSemaphore(AT_ONCE + MOST_WAITING)
        self._lock = threading.Lock()

    def of(self, table: Table, k: int, spec: str, person: str) -> dict[str, Any]:
        """Return what a player thinks about decision ``k``, in the words of a person.

        Its random choices are the same as at the table, so the player of the seat thinks the same
        as in the game.

        Args:
            table: the table.
            k: the number of the decision, from 0.
            spec: the name of the player; empty: the player of the seat.
            person: the person who asks, by the browser's session.

        Raises:
            RefusedError: there is no such decision or player, the server is too busy, or the person
                may not know: other players' thoughts are secret until the game is over.
        """
        session, asked_spec, letters = self._decision(table, k, spec, person)
        version = self._pool.version(asked_spec, session.game, session.params)
        key = (table.tag, len(session.transcript), asked_spec, version, letters)
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return _in_words(self._cache[key], session, voice_for(table, person))
        with (
            _turn(self._waiting, 0),
            _turn(self._turns, TURN_TIMEOUT),
            self._pool.seated(asked_spec, session.game, session.params) as player,
        ):
            player.seed(decision_seed(table.record.draws, k))
            thought = {"by": asked_spec, **_thought(player, session)}
        with self._lock:
            self._cache[key] = thought
            if len(self._cache) > KEPT:
                self._cache.popitem(last=False)
        return _in_words(thought, session, voice_for(table, person))

    def _decision(
        self, table: Table, k: int, spec: str, person: str
    ) -> tuple[Session, str, tuple[str, ...]]:
        """Return a copy of the game, the player to ask, and the letters that are drafted."""
        with table.lock, table.at(k) as session:
            if session.over:
                raise RefusedError(404, f"the game is over at {k}; nothing is decided there")
            is_mine = session.mover == table.seat_of(person)
            if not table.is_open_to_all and not (is_mine and spec):
                raise RefusedError(403, "what others think is shown when the game is over")
            asked_spec = spec or table.record.saved.players[session.mover]
            if asked_spec in PEOPLE:
                raise RefusedError(404, "a person sat there; choose a player to ask")
            if k < table.moves or not is_mine:
                return copy(session), asked_spec, ()
            return copy(table.seen_by(person)), asked_spec, tuple(table.drafted)


@contextmanager
def _turn(turns: threading.Semaphore, seconds: float) -> Iterator[None]:
    """Wait for one of a few slots, and hold it in a context.

    Raises:
        RefusedError: none became free in time.
    """
    if not turns.acquire(timeout=seconds or None, blocking=seconds > 0):
        raise RefusedError(429, "too many players are thinking at once; try again later")
    try:
        yield
    finally:
        turns.release()


def _thought(player: Any, session: Session) -> dict[str, Any]:
    choice = session.choose(player)
    names, seen = session.batch.action_names, (session.batch, GAME_0)
    legal = np.flatnonzero(session.batch.masks[0])
    by_action: dict[str, dict[str, Any]] = {
        names[i]: {"action": names[i], "probability": None, "visits": None, "value": None}
        for i in legal
    }
    kind, value = "scripted", None
    if getattr(player, "gives_action_values", False):
        kind = "action_values"
        action_values = player.logits(*seen)[0]
        for i in legal:
            by_action[names[i]]["value"] = float(action_values[i])
        value = by_action[choice]["value"]
    elif hasattr(player, "evaluate"):
        chances, values = player.evaluate(*seen)
        kind, value = "policy", float(values[0])
        for i in legal:
            by_action[names[i]]["probability"] = float(chances[0, i])
    elif hasattr(player, "visits") and hasattr(player, "values"):
        kind = "search"
        for i, visits in player.visits.items():
            by_action[names[i]] |= {"visits": visits, "value": player.values[i]}
        value = by_action[choice]["value"]
    actions = _sorted([*by_action.values()], choice)
    return {"kind": kind, "choice": choice, "value": value, "actions": actions}


def _in_words(thought: dict[str, Any], session: Session, voice: Voice) -> dict[str, Any]:
    """Add to each action what people call it, and what it means."""
    words, called = session.explanations(voice), session.game.render.called
    actions = [
        action
        | {"name": called(session.params, action["action"]), "words": words[action["action"]]}
        for action in thought["actions"]
    ]
    return thought | {"actions": actions}


def _sorted(actions: list[dict[str, Any]], choice: str) -> list[dict[str, Any]]:
    """Sort actions by preference: the chosen one first, then by the player's figures."""

    def preference(action: dict[str, Any]) -> tuple[float, ...]:
        figures = [action["probability"], action["visits"], action["value"]]
        return (
            action["action"] == choice,
            *(-np.inf if figure is None else figure for figure in figures),
        )

    return sorted(actions, key=preference, reverse=True)
