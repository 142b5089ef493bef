"""Which parts of an observation are about cards, and which say the same of several things alike.

A game names its parts that are vectors over the kinds of card. The others are compared over all its
tables: what grows as the number of slots does, or of kinds, has something to say of each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kitchentable import Game

KINDS = ""
"""Stands for the number of kinds of card among the lengths of a table's parts."""


def card_parts(game: Game, params: Any) -> dict[str, int]:
    """Return the parts of an observation that are vectors over kinds of card, with that number."""
    layout = game.rules.observation_layout(params)
    named = [name for name in game.rules.card_parts if name in layout]
    return dict.fromkeys(named, len(game.rules.deck(params))) if named else {}


class Slots(NamedTuple):
    """Parts of an observation that say the same about each of several slots, one after another."""

    number: int
    cards: tuple[str, ...]
    """A vector over the kinds of card for each slot."""
    others: tuple[str, ...]
    """One number or several for each slot."""


def find_slots(game: Game, params: Any) -> list[Slots]:
    """Find the slots of an observation: places on boards and in words, hands of the other seats.

    A card part with several vectors has a slot for each. To these slots belongs what has as many
    numbers for each of them at every table of the game, however many slots that has: in Diddly
    whether a card lies face up, in Add-Too a seat's points. Where the number of slots is always the
    same that proves little, and only parts with a single number for each are taken.
    """
    tables = [_lengths(game, one) for one in _tables(game, params)]
    here = [part for part in tables[0] if part != KINDS]
    found: list[Slots] = []
    for name in card_parts(game, params):
        counts = {table[name] for table in tables if name in table}
        if max(counts) == 1 or any(name in slots.cards for slots in found):
            continue
        each = {part: _numbers_each(part, name, tables) for part in here}
        cards = [part for part in here if part in game.rules.card_parts and each[part] == 1]
        others = [
            part
            for part in here
            if part not in game.rules.card_parts
            and (each[part] == 1 or (each[part] and len(counts) > 1))
        ]
        found.append(Slots(tables[0][name], tuple(cards), tuple(others)))
    return found


def find_kind_parts(game: Game, params: Any) -> list[str]:
    """Find the parts that are no card parts, but have numbers for each kind of card, kind by kind.

    In Add-Too, say, where each diamond lies.
    """
    tables = [_lengths(game, one) for one in _tables(game, params)]
    others = [part for part in tables[0] if part not in (*game.rules.card_parts, KINDS)]
    return [part for part in others if _numbers_each(part, KINDS, tables)]


def _tables(game: Game, params: Any) -> list[Any]:
    return [params, *(game.make_params(**variant) for variant in game.rules.variants)]


def _lengths(game: Game, params: Any) -> dict[str, int]:
    """Return lengths of parts at a table: of card parts in vectors, of all others in numbers."""
    kinds = len(game.rules.deck(params))
    layout = game.rules.observation_layout(params)
    lengths = {
        name: size // kinds if name in game.rules.card_parts else size
        for name, size in layout.items()
    }
    return {KINDS: kinds} | lengths


def _numbers_each(part: str, whose: str, tables: Sequence[Mapping[str, int]]) -> int:
    """Return how often ``part`` is as long as ``whose``; 0: not the same at all tables, or none."""
    both = [table for table in tables if part in table and whose in table]
    ratios = {table[part] / table[whose] for table in both}
    ratio = ratios.pop() if len(ratios) == 1 else 0.0
    return int(ratio) if ratio.is_integer() else 0
