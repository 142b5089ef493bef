"""The names of the players at a table, in the words of one person."""

from __future__ import annotations

import unicodedata

from kitchentable.core.state import NOBODY
from kitchentable.render.letters import text_width
from kitchentable.render.voice import Voice
from kitchentable_training.web.seats import PEOPLE
from kitchentable_training.web.table import Table

WIDEST = 9
"""The maximum width of a name, in font sizes; games draw names of this width."""
LEFT_TO_RIGHT = "\u200e"
"""Keeps what follows a name that is written from right to left at its right."""


def voice_for(table: Table, person: str) -> Voice:
    """Return how a table speaks to a person: the players' names, and "you" for the person.

    People without a name, and players of the same name, are told apart by their seats.
    """
    people = PEOPLE if table.kind == "table" else frozenset()
    short = [
        _fitted(table.name_of(seat) if player in people else _short(player))
        for seat, player in enumerate(table.record.saved.players)
    ]
    alike = [name.casefold() for name in short]
    names = (
        _fitted(name or "Player", f" {seat + 1}")
        if not name or alike.count(name.casefold()) > 1
        else name
        for seat, name in enumerate(short)
    )
    own_seat = table.seat_of(person)
    return Voice(tuple(names), NOBODY if own_seat is None else own_seat)


def _short(player: str) -> str:
    """Return a player's name without its options; empty for a person."""
    name = "".join(filter(str.isprintable, player.partition(":")[0])).strip()
    return "" if name in ("?", "a person") else name


def _fitted(name: str, number: str = "") -> str:
    """Return a name, shortened if it is too wide, with a number."""
    end, name = "", name.removesuffix(LEFT_TO_RIGHT)
    while text_width(name + end + number, 1000) > 1000 * WIDEST:
        end, name = "..", name[:-1].rstrip(" .")
    is_reversed = any(unicodedata.bidirectional(one) in ("R", "AL") for one in name)
    return name + end + LEFT_TO_RIGHT * is_reversed + number
