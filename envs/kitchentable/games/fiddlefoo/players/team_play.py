"""Which card a team's seat adds to the map, and where: it makes the pairs that the others need."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_cells,
    find_pair,
    pair_cell,
    pair_distance,
)
from kitchentable.games.fiddlefoo.cards import (
    COLOR,
    HIGHEST,
    MOST_NOTES,
    NO_CARD,
    NUM_CARDS,
    NUM_COLORS,
    NUMBER,
    ONE,
    Bits,
    has,
)
from kitchentable.games.fiddlefoo.pairing import color_of_pair, is_safe
from kitchentable.games.fiddlefoo.players.reading import Ints
from kitchentable.games.fiddlefoo.players.team_give import spare_in_hand, spare_share
from kitchentable.games.fiddlefoo.players.team_space import extent, growth, space_after
from kitchentable.games.fiddlefoo.players.team_value import (
    NOTES_ON,
    Floats,
    Outlook,
    fill_ways,
    purple_to_draw,
    value_of,
)
from kitchentable.games.fiddlefoo.players.view import View
from kitchentable.games.fiddlefoo.state import ANY_COLOR, BLOCKS, FULL_PILE, NOWHERE, NUM_CELLS

SAFE, SAFE_FOR_PURPLE = 0.05, 6.0
"""What a Safe Song is worth while there are cards to draw, and while purple ones may be drawn."""
THROW_COST = 1.0
"""What a turn without one costs then: a card of the hands, which does not come back."""
GROWTH, SPACE = 1.0, 2.0
"""What it is worth to make the map longer by one, and to have one color more for Safe Songs."""
IN_RANGE, BY_NOTES = 0.9, 0.8
"""Share of what others can put on the piles in one turn that they may be expected to put there."""
DRY, DRY_THIRST = 1.0, 0.5
"""What it costs to have no spare card left, and spare cards that take that down to 1 / e."""
NOTHING_NEEDED = 0.3
"""Share of these costs for a seat whose cards no pile needs."""
MOST_GIFTS = 2.0
WORST = -1e9


class Prospects(NamedTuple):
    """What the cells of one card are judged by."""

    outlook: Outlook
    gains: Floats
    """By notes and color, what a card thrown for its notes would bring; shape (5, 4)."""
    chances: Floats
    """Of the cards of each color without the card to be played; shape (4, 18)."""
    values: Floats
    """What each pile is then worth; shape (4,)."""
    own: float
    """Spare cards that are left in the hand."""
    dry: float
    """What it costs to have none."""
    fresh: float
    """Share of spare cards among the unseen ones."""
    song: float
    """What a Safe Song is worth."""
    box: Ints
    line: Floats
    """Paper, shape (18,)."""
    ways: Floats
    """Paper, shape (18, 11)."""
    paper: Bits
    """Paper, shape (2, BLOCKS)."""


@allocating_kernel
def choose_play(view: View, outlook: Outlook) -> tuple[int, int]:
    """Return the best card to play and its cell; if a card is chosen already, that one."""
    gains, scores = note_gains(view, outlook), np.zeros(NUM_CELLS)
    best, choice, place = WORST, NO_CARD, NOWHERE
    for card in range(NUM_CARDS):
        may = has(view.playable, card) if view.chosen == NO_CARD else card == view.chosen
        if may:
            cell = judge_cells(view, card, prospects(view, card, outlook, gains), scores)
            if scores[cell] > best:
                best, choice, place = scores[cell], card, cell
    return choice, place


@allocating_kernel
def note_gains(view: View, outlook: Outlook) -> Floats:
    """Return what one card thrown for its notes is expected to bring, by notes and color."""
    gains = np.zeros((MOST_NOTES + 1, NUM_COLORS))
    for color in range(NUM_COLORS):
        top, notes = int(view.pile_tops[color]), int(view.pile_notes[color])
        for number in range(top + 1, HIGHEST + 1):
            more, other = NOTES_ON[number], outlook.elsewhere[color, number]
            if other > 0:
                after = value_of(outlook.ways[color], number, notes + more)
                gain = other * (after - outlook.values[color])
                gains[more, color] = max(gains[more, color], gain)
    return gains


@allocating_kernel
def prospects(view: View, card: int, outlook: Outlook, gains: Floats) -> Prospects:
    """Return what the cells of a card are judged by; ``gains`` from `note_gains`."""
    color, number = COLOR[card], NUMBER[card]
    chances, values = outlook.chances.copy(), outlook.values.copy()
    chances[color, number] = 0.0
    ways = np.zeros((HIGHEST + 2, FULL_PILE + 1))
    fill_ways(chances[color], ways)
    values[color] = value_of(ways, view.pile_tops[color], view.pile_notes[color])
    spare, needed = spare_in_hand(view, outlook)
    own = spare - outlook.spare[color, number]
    dry = DRY if needed > 0 else DRY * NOTHING_NEEDED
    song = SAFE + SAFE_FOR_PURPLE * min(1.0, purple_to_draw(view))
    box = np.zeros(4, np.int64)
    extent(view, box)
    fresh = spare_share(view, outlook)
    line, paper = np.zeros(HIGHEST + 2), np.zeros((2, BLOCKS), np.uint64)
    return Prospects(outlook, gains, chances, values, own, dry, fresh, song, box, line, ways, paper)


@allocating_kernel
def judge_cells(view: Any, card: int, ahead: Prospects, scores: Floats) -> int:
    """Write what each cell is worth for a card, `WORST` where it may not go; return the best one.

    Args:
        view: the table.
        card: the card to be added; it has a legal cell.
        ahead: from `prospects`.
        scores: overwritten; shape (256,).
    """
    legal, matches = np.zeros(BLOCKS, np.uint64), np.zeros(BLOCKS, np.uint64)
    find_cells(view, card, legal)
    fill_matches(view, card, matches)
    burnt = ahead.values[COLOR[card]] - ahead.outlook.values[COLOR[card]]
    scores[:] = WORST
    best = 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - ONE
            pair = find_pair(view, card, cell, matches)
            partner = int(view.cells[pair_cell(pair)])
            score = burnt + _judge_pair(view, card, partner, pair_distance(pair), ahead)
            if view.pile > 0:
                score += GROWTH * growth(ahead.box, cell)
                score += SPACE * space_after(view, card, cell, ahead.paper)
            scores[cell] = score
            if score > scores[best]:
                best = cell
    return int(best)


@subroutine
def _judge_pair(view: Any, card: int, partner: int, distance: int, ahead: Prospects) -> float:
    """Return what the others are expected to do for the piles and for the hand at a pair."""
    more_to_draw = view.pile > 0
    if is_safe(card, partner, distance):
        received = ahead.fresh if more_to_draw else 0.0
        score = ahead.song if more_to_draw else 0.0
    else:
        color = color_of_pair(view, card, partner)
        low = int(min(NUMBER[card], NUMBER[partner]))
        high = int(max(NUMBER[card], NUMBER[partner]))
        score = -THROW_COST if more_to_draw else 0.0
        for one in range(NUM_COLORS):
            gain = BY_NOTES * ahead.gains[distance, one] if distance <= MOST_NOTES else 0.0
            if color in (one, ANY_COLOR) and view.pile_notes[one] < FULL_PILE:
                gain = max(gain, _range_gain(view, one, low, high, ahead))
            score += gain
        received = _gifts(ahead.outlook, color, low, high, distance)
    return score - ahead.dry * math.exp(-(ahead.own + received) / DRY_THIRST)


@kernel
def _range_gain(view: View, color: int, low: int, high: int, ahead: Prospects) -> float:
    """Return what the cards in a range are expected to bring their pile."""
    for number in range(1, HIGHEST + 1):
        chance = ahead.chances[color, number]
        if low < number < high:
            chance = max(chance, IN_RANGE * ahead.outlook.elsewhere[color, number])
        ahead.line[number] = chance
    fill_ways(ahead.line, ahead.ways)
    after = value_of(ahead.ways, view.pile_tops[color], view.pile_notes[color])
    return float(after - ahead.values[color])


@kernel
def _gifts(outlook: Outlook, color: int, low: int, high: int, distance: int) -> float:
    """Return how many spare cards the others may be expected to throw."""
    found = 0.0
    for one in range(NUM_COLORS):
        for number in range(1, HIGHEST + 1):
            in_range = low < number < high and color in (one, ANY_COLOR)
            if in_range or NOTES_ON[number] == distance:
                found += outlook.spare[one, number] * outlook.elsewhere[one, number]
    return min(MOST_GIFTS, found)
