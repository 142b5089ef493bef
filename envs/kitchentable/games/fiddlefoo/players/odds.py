"""What a Fiddlefoo player may expect to be thrown at a pair."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.games.fiddlefoo.board import find_pair, pair_cell, pair_distance
from kitchentable.games.fiddlefoo.cards import NUMBER, count
from kitchentable.games.fiddlefoo.pairing import color_of_pair, fits_notes, fits_range, is_safe
from kitchentable.games.fiddlefoo.players.view import View
from kitchentable.games.fiddlefoo.state import MAX_PLAYERS

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]
MOST = 80
"""More cards than there are."""


class Odds(NamedTuple):
    """Where the unseen cards may be."""

    chance: Floats
    """The chance that an unseen card is in a seat's hand; shape (6,)."""
    none: Floats
    """The chance that none of n unseen cards is in a seat's hand; shape (6, 80)."""


class Threat(NamedTuple):
    """What a pair may cost who makes it."""

    thrown: float
    """Cards that the others may be expected to throw."""
    relief: float
    """Likewise, each as a share of its hand: a card counts more for who has few."""
    quiet: float
    """The chance that nobody throws anything."""
    finish: float
    """The chance that somebody throws the last hand card."""
    safe: bool
    """Whether it is a Safe Song."""
    partner: int
    """The other card of the pair."""


@allocating_kernel
def odds_of(view: View) -> Odds:
    """Spread the unseen cards over the hidden hands and the pile."""
    chance, none = np.zeros(MAX_PLAYERS), np.ones((MAX_PLAYERS, MOST))
    unseen = max(count(view.unseen), 1)
    for seat in range(1, view.num_players):
        hidden = int(view.sizes[seat]) - count(view.known[seat])
        chance[seat] = min(max(hidden / unseen, 0.0), 1.0)
        for cards in range(1, MOST):
            # Drawn one after another from the unseen ones, without putting back.
            left = max(unseen - cards + 1, 1)
            none[seat, cards] = none[seat, cards - 1] * max(left - hidden, 0) / left
    return Odds(chance, none)


@subroutine
def threat_at(table: Any, odds: Odds, card: int, cell: int, matches: Bits) -> Threat:
    """Return what may be expected if a card is added in a cell where it may go.

    Args:
        table: the view; its map may have been changed to try something.
        odds: from `odds_of`.
        card: the card to be added.
        cell: where.
        matches: from `board.fill_matches`.
    """
    pair = find_pair(table, card, cell, matches)
    partner = int(table.cells[pair_cell(pair)])
    low, high = min(NUMBER[card], NUMBER[partner]), max(NUMBER[card], NUMBER[partner])
    distance = pair_distance(pair)
    safe = is_safe(card, partner, distance)
    color = color_of_pair(table, card, partner)
    first = fits_range(table, low, high, color, safe, 0)
    second = fits_range(table, low, high, color, safe, 1)
    first_notes = fits_notes(table, distance, safe, 0) & ~first
    second_notes = fits_notes(table, distance, safe, 1) & ~second
    in_range = count_bits(first & table.unseen[0]) + count_bits(second & table.unseen[1])
    by_notes = count_bits(first_notes & table.unseen[0])
    by_notes += count_bits(second_notes & table.unseen[1])
    thrown, relief, quiet, going_on = 0.0, 0.0, 1.0, 1.0
    for seat in range(1, table.num_players):
        known = table.known[seat]
        held = count_bits(first & known[0]) + count_bits(second & known[1])
        notes = count_bits(first_notes & known[0]) + count_bits(second_notes & known[1])
        no_range = odds.none[seat, in_range] if held == 0 else 0.0
        no_notes = odds.none[seat, by_notes] if notes == 0 else 0.0
        expected = held + odds.chance[seat] * in_range + no_range * (1.0 - no_notes)
        thrown += expected
        relief += expected / max(table.sizes[seat], 1)
        quiet *= no_range * no_notes
        going_on *= 1.0 - _finishes(table, seat, held, in_range, no_range * no_notes)
    return Threat(thrown, relief, quiet, 1.0 - going_on, safe, partner)


@kernel
def _finishes(table: Any, seat: int, held: int, in_range: int, quiet: float) -> float:
    """Return the chance that a seat throws all its cards."""
    size, known = int(table.sizes[seat]), count(table.known[seat])
    if size == 1:
        return 1.0 - quiet
    if held < known or size == 0:
        return 0.0
    share = in_range / max(count(table.unseen), 1)
    return float(share ** (size - known))
