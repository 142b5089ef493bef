"""The parts of an observation that describe cards, slots or kinds of card.

A game names its parts that are vectors over the kinds of card. Any other part describes each slot,
or each kind, if its length is proportional to their number in all variants of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kitchentable import Game

KINDS = ""
"""The key of the number of kinds of card in the lengths of a table's parts."""


def card_parts(game: Game, params: Any) -> dict[str, int]:
    """Return the parts that are vectors over kinds of card, each with the number of kinds."""
    layout = game.rules.observation_layout(params)
    named = [name for name in game.rules.card_parts if name in layout]
    return dict.fromkeys(named, len(game.rules.deck(params))) if named else {}


class Slots(NamedTuple):
    """Parts of an observation that describe several slots in the same way, slot by slot."""

    number: int
    cards: tuple[str, ...]
    """Parts with a vector over the kinds of card for each slot."""
    others: tuple[str, ...]
    """Parts with one or several numbers for each slot."""


def find_slots(game: Game, params: Any) -> list[Slots]:
    """Find the slots of an observation: places on boards and in words, hands of the other seats.

    A card part with several vectors has a slot for each. Other parts belong to these slots if their
    length per slot is the same in all variants of the game: for example, whether a card in Diddly
    lies face up, or a seat's points in Add-Too. If the number of slots never varies, this is weak
    evidence, and only parts with a single number per slot are included.
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
    """Find the parts other than card parts that have numbers for each kind of card, kind by kind.

    An example is the position of each diamond in Add-Too.
    """
    tables = [_lengths(game, one) for one in _tables(game, params)]
    others = [part for part in tables[0] if part not in (*game.rules.card_parts, KINDS)]
    return [part for part in others if _numbers_each(part, KINDS, tables)]


def _tables(game: Game, params: Any) -> list[Any]:
    return [params, *(game.make_params(**variant) for variant in game.rules.variants)]


def _lengths(game: Game, params: Any) -> dict[str, int]:
    """Return the lengths of a table's parts: vectors of card parts, numbers of all others."""
    kinds = len(game.rules.deck(params))
    layout = game.rules.observation_layout(params)
    lengths = {
        name: size // kinds if name in game.rules.card_parts else size
        for name, size in layout.items()
    }
    return {KINDS: kinds} | lengths


def _numbers_each(part: str, whose: str, tables: Sequence[Mapping[str, int]]) -> int:
    """Return the ratio of two lengths if it is the same integer at all tables, otherwise 0."""
    both = [table for table in tables if part in table and whose in table]
    ratios = {table[part] / table[whose] for table in both}
    ratio = ratios.pop() if len(ratios) == 1 else 0.0
    return int(ratio) if ratio.is_integer() else 0
