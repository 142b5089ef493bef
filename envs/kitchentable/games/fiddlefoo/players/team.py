"""What `expert` does in a team of Fiddlefoo's cooperative variant, where it sits in every seat.

The seats agree on nothing: each sees the open cards and its own, and trusts that the others play
alike. They first draw out the game by Safe Songs, until the purple cards are in the hands (most of
the purple notes are needed, in order), and meanwhile play what no pile needs.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray, Floats, Ints
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.players.piles import (
    NOTES_ON,
    Outlook,
    fill_ways,
    look_out,
    purple_to_draw,
    value_of,
)
from kitchentable.games.fiddlefoo.players.reading import Look, cell_action, pass_or_first
from kitchentable.games.fiddlefoo.state import BLOCKS

AT_ONCE = 0.95
"""Chance of a card that can be put on its pile right after this one."""
THIRST = 2.0
"""Spare cards that take the need for more down to 1 / e."""
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
FEW_CELLS = 0.5
"""How much of the doubt is left with each cell more at which a color can make a Safe Song."""


@allocating_kernel
def play_in_team(seen: Look, mask: BoolArray) -> int:
    """Return the action for four full piles, by the chances of all ways to fill them."""
    if seen.phase == s.THROW:
        return _choose_throw(seen, mask, look_out(seen))
    if seen.phase in (s.CARD, s.CELL):
        card, cell = _choose_play(seen, look_out(seen))
        return s.index_of(seen, card) if seen.phase == s.CARD else cell_action(seen, cell)
    if seen.phase == s.SWAP_CARD:
        return _least_needed(seen, mask, look_out(seen))
    if seen.phase == s.SWAP_MAP:
        return _most_wanted(seen, mask)
    return pass_or_first(seen, mask)


@subroutine
def _least_needed(seen: Look, mask: BoolArray, outlook: Outlook) -> int:
    """Return the hand card to swap: a spare one, if there is any."""
    choice = c.NO_CARD
    for card in range(c.NUM_CARDS):
        if c.has(seen.hand, card) and mask[s.index_of(seen, card)]:
            spare = outlook.spare[c.COLOR[card], c.NUMBER[card]] > 0
            if choice == c.NO_CARD or spare:
                choice = card
    return s.index_of(seen, choice)


@subroutine
def _most_wanted(seen: Look, mask: BoolArray) -> int:
    """Return the map card to take: one that fits on its pile, best a purple one."""
    best, choice = -1, c.NO_CARD
    for card in range(c.NUM_CARDS):
        if c.has(seen.on_map, card) and mask[seen.at_map + s.index_of(seen, card)]:
            color = c.COLOR[card]
            fits = c.NUMBER[card] > seen.pile_tops[color] and seen.pile_notes[color] < s.FULL_PILE
            score = int(fits) + int(fits and color == c.PURPLE)
            if score > best:
                best, choice = score, card
    return int(seen.at_map + s.index_of(seen, choice))


# --- Throws ---------------------------------------------------------------------------------------


@allocating_kernel
def _choose_throw(seen: Look, mask: BoolArray, outlook: Outlook) -> int:
    """Return the action: the best card for its pile, else a gift or `pass`."""
    gains = np.zeros(len(mask))
    judge_throws(seen, mask, outlook, gains)
    best = int(seen.at_pass)
    for action in range(len(mask)):
        if mask[action] and gains[action] > gains[best]:
            best = action
    return best


@allocating_kernel
def judge_throws(seen: Look, mask: BoolArray, outlook: Outlook, gains: Floats) -> None:
    """Write what each way to throw is worth, by its action; 0 for `pass` and what is worth less."""
    chances, ways = np.zeros(c.HIGHEST + 2), np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    gift = _gift_value(seen, outlook)
    for card in range(c.NUM_CARDS):
        if c.has(seen.hand, card):
            color, number, place = c.COLOR[card], c.NUMBER[card], s.index_of(seen, card)
            if mask[seen.at_pile + place]:
                chances[:] = outlook.chances[color]
                if c.has(seen.fits_range, card):
                    _expect_more(seen, card, chances)
                fill_ways(chances, ways)
                notes = int(seen.pile_notes[color]) + NOTES_ON[number]
                gain = value_of(ways, number, notes) - outlook.values[color]
                gains[seen.at_pile + place] = max(0.0, gain)
            if mask[seen.at_throw + place] and outlook.spare[color, number] > 0:
                gains[seen.at_throw + place] = max(0.0, gift)


@kernel
def _expect_more(seen: Look, card: int, chances: Floats) -> None:
    """Expect to put those range cards of the own hand on the pile that follow a card."""
    for other in range(c.NUM_CARDS):
        follows = c.COLOR[other] == c.COLOR[card] and c.NUMBER[other] > c.NUMBER[card]
        if follows and c.has(seen.hand, other) and c.has(seen.fits_range, other):
            chances[c.NUMBER[other]] = max(chances[c.NUMBER[other]], AT_ONCE)


@subroutine
def _spare_in_hand(seen: Look, outlook: Outlook) -> tuple[float, float]:
    """Return how many spare cards the own hand holds, and how many that are needed."""
    spare = 0.0
    for card in range(c.NUM_CARDS):
        if c.has(seen.hand, card):
            spare += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    return spare, c.count(seen.hand) - spare


@subroutine
def _spare_share(seen: Look, outlook: Outlook) -> float:
    """Return the share of spare cards among those that nobody has seen."""
    spare = 0.0
    for card in range(c.NUM_CARDS):
        if c.has(seen.unseen, card):
            spare += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    return spare / max(1, c.count(seen.unseen))


@subroutine
def _gift_value(seen: Look, outlook: Outlook) -> float:
    """Return what it is worth to give the active seat a spare card.

    A seat without one must play a card that a pile needs: who has fewer needs it more.
    """
    seat = seen.player
    hidden = int(seen.sizes[seat]) - c.count(seen.known[seat])
    other = hidden * _spare_share(seen, outlook)
    for card in range(c.NUM_CARDS):
        if c.has(seen.known[seat], card):
            other += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    own, _ = _spare_in_hand(seen, outlook)
    before = math.exp(-own / THIRST) + math.exp(-other / THIRST)
    return before - math.exp(-(own - 1) / THIRST) - math.exp(-(other + 1) / THIRST)


# --- Plays ----------------------------------------------------------------------------------------


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


@allocating_kernel
def _choose_play(seen: Look, outlook: Outlook) -> tuple[int, int]:
    """Return the best card to play and its cell; if a card is chosen already, that one."""
    gains, scores = note_gains(seen, outlook), np.zeros(s.NUM_CELLS)
    best, choice, place = WORST, c.NO_CARD, s.NOWHERE
    for card in range(c.NUM_CARDS):
        may = c.has(seen.playable, card) if seen.chosen == c.NO_CARD else card == seen.chosen
        if may:
            cell = judge_cells(seen, card, prospects(seen, card, outlook, gains), scores)
            if scores[cell] > best:
                best, choice, place = scores[cell], card, cell
    return choice, place


@allocating_kernel
def note_gains(seen: Look, outlook: Outlook) -> Floats:
    """Return what one card thrown for its notes is expected to bring, by notes and color."""
    gains = np.zeros((c.MOST_NOTES + 1, c.NUM_COLORS))
    for color in range(c.NUM_COLORS):
        top, notes = int(seen.pile_tops[color]), int(seen.pile_notes[color])
        for number in range(top + 1, c.HIGHEST + 1):
            more, other = NOTES_ON[number], outlook.elsewhere[color, number]
            if other > 0:
                after = value_of(outlook.ways[color], number, notes + more)
                gain = other * (after - outlook.values[color])
                gains[more, color] = max(gains[more, color], gain)
    return gains


@allocating_kernel
def prospects(seen: Look, card: int, outlook: Outlook, gains: Floats) -> Prospects:
    """Return what the cells of a card are judged by; ``gains`` from `note_gains`."""
    color, number = c.COLOR[card], c.NUMBER[card]
    chances, values = outlook.chances.copy(), outlook.values.copy()
    chances[color, number] = 0.0
    ways = np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    fill_ways(chances[color], ways)
    values[color] = value_of(ways, seen.pile_tops[color], seen.pile_notes[color])
    spare, needed = _spare_in_hand(seen, outlook)
    own = spare - outlook.spare[color, number]
    dry = DRY if needed > 0 else DRY * NOTHING_NEEDED
    song = SAFE + SAFE_FOR_PURPLE * min(1.0, purple_to_draw(seen))
    box = np.zeros(4, np.int64)
    board.find_extent(seen.boards[s.ALL_COLORS], box)
    fresh = _spare_share(seen, outlook)
    line = np.zeros(c.HIGHEST + 2)
    return Prospects(outlook, gains, chances, values, own, dry, fresh, song, box, line, ways)


@allocating_kernel
def judge_cells(seen: Any, card: int, ahead: Prospects, scores: Floats) -> int:
    """Write what each cell is worth for a card, `WORST` where it may not go; return the best one.

    Args:
        seen: the table.
        card: the card to be added; it has a legal cell.
        ahead: from `prospects`.
        scores: overwritten; shape (256,).
    """
    legal, matches = np.zeros(BLOCKS, np.uint64), np.zeros(BLOCKS, np.uint64)
    board.find_cells(seen, card, legal)
    board.fill_matches(seen, card, matches)
    burnt = ahead.values[c.COLOR[card]] - ahead.outlook.values[c.COLOR[card]]
    scores[:] = WORST
    best = 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            pair = pairing.pair_at(seen, card, cell, matches)
            score = burnt + _judge_pair(seen, pair, ahead)
            if seen.pile > 0:
                score += GROWTH * board.growth(ahead.box, cell)
                score += SPACE * _space_after(seen, card, cell)
            scores[cell] = score
            if score > scores[best]:
                best = cell
    return int(best)


@kernel
def _judge_pair(seen: Any, pair: pairing.Pair, ahead: Prospects) -> float:
    """Return what the others are expected to do for the piles and for the hand at a pair."""
    more_to_draw = seen.pile > 0
    if pair.safe:
        received = ahead.fresh if more_to_draw else 0.0
        score = ahead.song if more_to_draw else 0.0
    else:
        score = -THROW_COST if more_to_draw else 0.0
        for one in range(c.NUM_COLORS):
            gain = 0.0
            if pair.distance <= c.MOST_NOTES:
                gain = BY_NOTES * ahead.gains[pair.distance, one]
            if pair.color in (one, s.ANY_COLOR) and seen.pile_notes[one] < s.FULL_PILE:
                gain = max(gain, _range_gain(seen, one, pair, ahead))
            score += gain
        received = _gifts(ahead.outlook, pair)
    return score - ahead.dry * math.exp(-(ahead.own + received) / DRY_THIRST)


@kernel
def _range_gain(seen: Look, color: int, pair: pairing.Pair, ahead: Prospects) -> float:
    """Return what the cards in a range are expected to bring their pile."""
    for number in range(1, c.HIGHEST + 1):
        chance = ahead.chances[color, number]
        if pair.low < number < pair.high:
            chance = max(chance, IN_RANGE * ahead.outlook.elsewhere[color, number])
        ahead.line[number] = chance
    fill_ways(ahead.line, ahead.ways)
    after = value_of(ahead.ways, seen.pile_tops[color], seen.pile_notes[color])
    return float(after - ahead.values[color])


@kernel
def _gifts(outlook: Outlook, pair: pairing.Pair) -> float:
    """Return how many spare cards the others may be expected to throw."""
    found = 0.0
    for one in range(c.NUM_COLORS):
        for number in range(1, c.HIGHEST + 1):
            in_range = pair.low < number < pair.high and pair.color in (one, s.ANY_COLOR)
            if in_range or NOTES_ON[number] == pair.distance:
                found += outlook.spare[one, number] * outlook.elsewhere[one, number]
    return min(MOST_GIFTS, found)


# --- Room on the map ------------------------------------------------------------------------------


@kernel
def _space_after(seen: Any, card: int, cell: int) -> float:
    """Return in how many colors a Safe Song will be possible whatever the number, about.

    Args:
        seen: the table.
        card: the card to be added.
        cell: where.
    """
    board.put(seen, card, cell)
    found = 0.0
    for color in range(c.NUM_COLORS):
        found += 1.0 - FEW_CELLS ** board.count_song_cells(seen, color)
    board.lift(seen, card)
    return found
