"""What a team's seat throws: onto piles what brings them on, to the active seat what is spare."""

from __future__ import annotations

import math

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray
from kitchentable.games.fiddlefoo.cards import COLOR, HIGHEST, NUM_CARDS, NUMBER, count, has
from kitchentable.games.fiddlefoo.players.team_value import (
    NOTES_ON,
    Floats,
    Outlook,
    fill_ways,
    value_of,
)
from kitchentable.games.fiddlefoo.players.view import View
from kitchentable.games.fiddlefoo.state import FULL_PILE, index_of

AT_ONCE = 0.95
"""Chance of a card that can be put on its pile right after this one."""
THIRST = 2.0
"""Spare cards that take the need for more down to 1 / e."""


@allocating_kernel
def choose_throw(view: View, mask: BoolArray, outlook: Outlook) -> int:
    """Return the action: the best card for its pile, else a gift or `pass`."""
    gains = np.zeros(len(mask))
    judge_throws(view, mask, outlook, gains)
    best = int(view.at_pass)
    for action in range(len(mask)):
        if mask[action] and gains[action] > gains[best]:
            best = action
    return best


@allocating_kernel
def judge_throws(view: View, mask: BoolArray, outlook: Outlook, gains: Floats) -> None:
    """Write what each way to throw is worth, by its action; 0 for `pass` and what is worth less."""
    chances, ways = np.zeros(HIGHEST + 2), np.zeros((HIGHEST + 2, FULL_PILE + 1))
    gift = gift_value(view, outlook)
    for card in range(NUM_CARDS):
        if has(view.hand, card):
            color, number, place = COLOR[card], NUMBER[card], index_of(view, card)
            if mask[view.at_pile + place]:
                chances[:] = outlook.chances[color]
                if has(view.fits_range, card):
                    _expect_more(view, card, chances)
                fill_ways(chances, ways)
                notes = int(view.pile_notes[color]) + NOTES_ON[number]
                gain = value_of(ways, number, notes) - outlook.values[color]
                gains[view.at_pile + place] = max(0.0, gain)
            if mask[view.at_throw + place] and outlook.spare[color, number] > 0:
                gains[view.at_throw + place] = max(0.0, gift)


@kernel
def _expect_more(view: View, card: int, chances: Floats) -> None:
    """Expect to put those range cards of the own hand on the pile that follow a card."""
    for other in range(NUM_CARDS):
        follows = COLOR[other] == COLOR[card] and NUMBER[other] > NUMBER[card]
        if follows and has(view.hand, other) and has(view.fits_range, other):
            chances[NUMBER[other]] = max(chances[NUMBER[other]], AT_ONCE)


@subroutine
def spare_in_hand(view: View, outlook: Outlook) -> tuple[float, float]:
    """Return how many spare cards the own hand holds, and how many that are needed."""
    spare = 0.0
    for card in range(NUM_CARDS):
        if has(view.hand, card):
            spare += outlook.spare[COLOR[card], NUMBER[card]]
    return spare, count(view.hand) - spare


@subroutine
def spare_share(view: View, outlook: Outlook) -> float:
    """Return the share of spare cards among those that nobody has seen."""
    spare = 0.0
    for card in range(NUM_CARDS):
        if has(view.unseen, card):
            spare += outlook.spare[COLOR[card], NUMBER[card]]
    return spare / max(1, count(view.unseen))


@subroutine
def gift_value(view: View, outlook: Outlook) -> float:
    """Return what it is worth to give the active seat a spare card.

    A seat without one must play a card that a pile needs: who has fewer needs it more.
    """
    seat = view.player
    hidden = int(view.sizes[seat]) - count(view.known[seat])
    other = hidden * spare_share(view, outlook)
    for card in range(NUM_CARDS):
        if has(view.known[seat], card):
            other += outlook.spare[COLOR[card], NUMBER[card]]
    own, _ = spare_in_hand(view, outlook)
    before = math.exp(-own / THIRST) + math.exp(-other / THIRST)
    return before - math.exp(-(own - 1) / THIRST) - math.exp(-(other + 1) / THIRST)
