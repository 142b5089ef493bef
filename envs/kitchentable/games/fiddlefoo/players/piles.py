"""Estimates of how likely a team of Fiddlefoo is to fill all four piles.

The value of a pile is the logarithm of the probability that it becomes full. That probability comes
from all increasing sequences of cards with exactly the missing notes: each adds the product of the
probabilities of its cards, so more ways are better. Since values are logarithms, an action that
helps one pile and harms another is judged by the ratios of their probabilities.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import Floats
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.knowledge import Knowledge, num_hidden
from kitchentable.games.fiddlefoo.state import FULL_PILE

NOTES_ON = np.array(c.NOTES_OF_NUMBER, np.int64)
"""Music notes on a card, by its number; shape (17,)."""

# The probabilities and values below and in `team` were set by trial.
HOPELESS = 1e-30
"""Probability for a pile that can no longer become full; positive, so that it has a logarithm."""
HELD, UNSEEN, IN_PILE = 0.6, 0.5, 0.35
"""Probability that a card in a known hand, a hidden hand or the draw pile gets onto its pile."""
PURPLE_SHARE, OTHER_SHARE = 0.2, 0.45
"""Factors of these probabilities; low ones make progress on a pile more urgent."""
RANGE_ONLY = 0.8
"""Further factor for cards with four notes, which fit no distance."""
NEEDED_FROM = 0.1
"""A card is spare if its loss lowers the value of its pile by less than this."""


class Outlook(NamedTuple):
    """The prospects of a team as one seat sees them; cards are indexed by color and number."""

    chances: Floats
    """Probability that a card gets onto its pile in time; shape (4, 18)."""
    elsewhere: Floats
    """Probability that another seat holds it; shape (4, 18)."""
    spare: Floats
    """1 for a card that no pile needs; shape (4, 18)."""
    ways: Floats
    """``ways[color, top, notes]`` from `fill_ways`; shape (4, 18, 11)."""
    values: Floats
    """Value of each pile in its current state; shape (4,)."""


@subroutine
def fill_ways(chances: Floats, ways: Floats) -> None:
    """Sum the probabilities of all increasing sequences of cards above each top, by their notes.

    Args:
        chances: probability of each card of one color, by number; shape (18,).
        ways: overwritten with the sums, by top and notes; shape (18, 11).
    """
    ways[:, :] = 0.0
    ways[c.HIGHEST, 0] = 1.0
    for number in range(c.HIGHEST, 0, -1):
        chance, notes = chances[number], NOTES_ON[number]
        for left in range(FULL_PILE + 1):
            ways[number - 1, left] = ways[number, left]
            if left >= notes:
                ways[number - 1, left] += chance * ways[number, left - notes]


@kernel
def value_of(ways: Floats, top: int, notes: int) -> float:
    """Return the value of a pile with a given top and notes, a logarithm; 0 if it is full."""
    left = FULL_PILE - notes
    if left == 0:
        return 0.0
    chance = -math.expm1(-ways[top, left]) if left > 0 else 0.0
    return math.log(max(HOPELESS, chance))


@allocating_kernel
def look_out(known: Knowledge) -> Outlook:
    """Return the outlook of the seat to act, from what it knows."""
    chances = np.zeros((c.NUM_COLORS, c.HIGHEST + 2))
    elsewhere = np.zeros((c.NUM_COLORS, c.HIGHEST + 2))
    in_hand = share_in_hands(known)
    for card in range(c.NUM_CARDS):
        if c.has(known.in_play, card):
            color, number = c.COLOR[card], c.NUMBER[card]
            chance = 1 - (1 - chances[color, number]) * (1 - _chance_of(known, card, in_hand))
            chances[color, number] = chance
            other = 1 - (1 - elsewhere[color, number]) * (1 - _held_by_others(known, card, in_hand))
            elsewhere[color, number] = other
    ways = np.zeros((c.NUM_COLORS, c.HIGHEST + 2, FULL_PILE + 1))
    spare, values = np.zeros((c.NUM_COLORS, c.HIGHEST + 2)), np.zeros(c.NUM_COLORS)
    without = np.zeros((c.HIGHEST + 2, FULL_PILE + 1))
    for color in range(c.NUM_COLORS):
        fill_ways(chances[color], ways[color])
        values[color] = value_of(ways[color], known.pile_tops[color], known.pile_notes[color])
        _find_spare(known, color, chances[color], values[color], without, spare[color])
    return Outlook(chances, elsewhere, spare, ways, values)


@kernel
def share_in_hands(known: Knowledge) -> float:
    """Return the probability that an unseen card is in another hand, not in the draw pile."""
    hidden = 0
    for seat in range(1, known.num_players):
        hidden += num_hidden(known, seat)
    return hidden / max(1, hidden + known.deck_size)


@kernel
def _is_known(known: Knowledge, card: int) -> bool:
    """Return whether all seats know which other seat holds a card."""
    held = False
    for seat in range(1, known.num_players):
        held |= c.has(known.known[seat], card)
    return held


@kernel
def _held_by_others(known: Knowledge, card: int, in_hand: float) -> float:
    if c.has(known.unseen, card):
        return in_hand
    return 1.0 if _is_known(known, card) else 0.0


@kernel
def _chance_of(known: Knowledge, card: int, in_hand: float) -> float:
    """Return the probability that a card gets onto its pile; 0 for cards on the table or gone."""
    chance = 0.0
    if c.has(known.unseen, card):
        chance = in_hand * UNSEEN + (1 - in_hand) * IN_PILE
    elif c.has(known.hands[0], card) or _is_known(known, card):
        chance = HELD
    if NOTES_ON[c.NUMBER[card]] == c.MOST_NOTES:
        chance *= RANGE_ONLY
    return chance * (PURPLE_SHARE if c.COLOR[card] == c.PURPLE else OTHER_SHARE)


@kernel
def _find_spare(
    known: Knowledge, color: int, chances: Floats, value: float, without: Floats, spare: Floats
) -> None:
    """Mark the spare cards of a color with 1 in ``spare``; ``without`` is a scratch array."""
    top, notes = int(known.pile_tops[color]), int(known.pile_notes[color])
    for number in range(1, c.HIGHEST + 1):
        chance = chances[number]
        if chance == 0 or number <= top or notes == FULL_PILE:
            spare[number] = 1
        else:
            chances[number] = 0
            fill_ways(chances, without)
            chances[number] = chance
            spare[number] = value - value_of(without, top, notes) < NEEDED_FROM


@kernel
def purple_to_draw(known: Knowledge) -> float:
    """Return the expected number of purple cards above their pile's top in the draw pile."""
    count = 0
    if known.pile_notes[c.PURPLE] < FULL_PILE:
        for card in range(c.NUM_CARDS):
            above = c.COLOR[card] == c.PURPLE and c.NUMBER[card] > known.pile_tops[c.PURPLE]
            count += above and c.has(known.unseen, card)
    return count * (1 - share_in_hands(known))
