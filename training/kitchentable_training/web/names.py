"""The names of the players at a table, in the words of one person."""

from __future__ import annotations

from kitchentable.core.state import NOBODY
from kitchentable.render.voice import Voice
from kitchentable_training.web.seats import PEOPLE
from kitchentable_training.web.table import LONGEST_NAME, Table


def voice_for(table: Table, person: str) -> Voice:
    """Return how a table speaks to a person: the players' names, and "you" for the person.

    People without a name, and players of the same name, are told apart by their seats.
    """
    people = PEOPLE if table.kind == "table" else frozenset()
    given = table.record.names
    short = [
        given.get(seat, "") if player in people else _short(player)
        for seat, player in enumerate(table.record.saved.players)
    ]
    names = (
        f"{name or 'Player'} {seat + 1}" if not name or short.count(name) > 1 else name
        for seat, name in enumerate(short)
    )
    own_seat = table.seat_of(person)
    return Voice(tuple(names), NOBODY if own_seat is None else own_seat)


def _short(player: str) -> str:
    """Return a player's name without its options; empty for a person."""
    name = "".join(filter(str.isprintable, player.partition(":")[0])).strip()
    if name in ("?", "a person"):
        return ""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 2]}.."
