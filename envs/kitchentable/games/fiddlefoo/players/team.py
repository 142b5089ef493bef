"""How `expert` plays Fiddlefoo's cooperative variant, in a team of `expert` players.

The seats do not communicate: each sees its own cards and the open ones, and assumes that the others
play the same way. They first prolong the game by Safe Songs until the purple cards are in the hands
(most of the purple notes are needed, in order), and meanwhile play cards that no pile needs.
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
from kitchentable.games.fiddlefoo.knowledge import Knowledge, num_hidden
from kitchentable.games.fiddlefoo.players.greedy import pass_or_first
from kitchentable.games.fiddlefoo.players.piles import (
    NOTES_ON,
    Outlook,
    fill_ways,
    look_out,
    purple_to_draw,
    value_of,
)
from kitchentable.games.fiddlefoo.state import BLOCKS

AT_ONCE = 0.95
"""Probability of a card that can be put on its pile right after the current one."""
THIRST = 2.0
"""Number of spare cards that reduces the need for more to 1 / e."""
SAFE, SAFE_FOR_PURPLE = 0.05, 6.0
"""Value of a Safe Song while there are cards to draw, and its extra value for a purple one."""
THROW_COST = 1.0
"""Cost of a turn without a Safe Song while there are cards to draw: the hands lose a card."""
GROWTH, SPACE = 1.0, 2.0
"""Value of one more row or column of the map, and of one more color for Safe Songs."""
IN_RANGE, BY_NOTES = 0.9, 0.8
"""Factors for what other seats are expected to put on piles, in range and by notes."""
DRY, DRY_THIRST = 1.0, 0.5
"""Cost of having no spare card, and number of spare cards that reduces it to 1 / e."""
NOTHING_NEEDED = 0.3
"""Factor of that cost for a seat whose cards no pile needs."""
MOST_GIFTS = 2.0
WORST = -1e9
FEW_CELLS = 0.5
"""Factor of the probability that a color has no Safe Song, for each cell where it can make one."""


@allocating_kernel
def play_in_team(known: Knowledge, mask: BoolArray) -> int:
    """Return the best action for four full piles, by the probability of each way to fill them."""
    if known.phase == s.THROW:
        return _choose_throw(known, mask, look_out(known))
    if known.phase in (s.CARD, s.CELL):
        card, cell = _choose_play(known, look_out(known))
        return s.index_of(known, card) if known.phase == s.CARD else s.cell_action(known, cell)
    if known.phase == s.SWAP_CARD:
        return _least_needed(known, mask, look_out(known))
    if known.phase == s.SWAP_MAP:
        return _most_wanted(known, mask)
    return pass_or_first(known, mask)


@subroutine
def _least_needed(known: Knowledge, mask: BoolArray, outlook: Outlook) -> int:
    """Return the action for the hand card to swap: a spare card, if there is one."""
    choice = c.NO_CARD
    for card in range(c.NUM_CARDS):
        if c.has(known.hands[0], card) and mask[s.index_of(known, card)]:
            spare = outlook.spare[c.COLOR[card], c.NUMBER[card]] > 0
            if choice == c.NO_CARD or spare:
                choice = card
    return s.index_of(known, choice)


@subroutine
def _most_wanted(known: Knowledge, mask: BoolArray) -> int:
    """Return the action for the map card to take: one that fits its pile, preferably purple."""
    best, choice = -1, c.NO_CARD
    for card in range(c.NUM_CARDS):
        if c.has(known.on_map, card) and mask[known.at_map + s.index_of(known, card)]:
            color = c.COLOR[card]
            fits = c.NUMBER[card] > known.pile_tops[color] and known.pile_notes[color] < s.FULL_PILE
            score = int(fits) + int(fits and color == c.PURPLE)
            if score > best:
                best, choice = score, card
    return int(known.at_map + s.index_of(known, choice))


# --- Throws ---------------------------------------------------------------------------------------


@allocating_kernel
def _choose_throw(known: Knowledge, mask: BoolArray, outlook: Outlook) -> int:
    """Return the best throw: a card for its pile, a gift of a spare card, or ``pass``."""
    gains = np.zeros(len(mask))
    chances, ways = np.zeros(c.HIGHEST + 2), np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    gift = _gift_value(known, outlook)
    for card in range(c.NUM_CARDS):
        if c.has(known.hands[0], card):
            color, number, place = c.COLOR[card], c.NUMBER[card], s.index_of(known, card)
            if mask[known.at_pile + place]:
                chances[:] = outlook.chances[color]
                if c.has(known.fits_range, card):
                    _expect_more(known, card, chances)
                fill_ways(chances, ways)
                notes = int(known.pile_notes[color]) + NOTES_ON[number]
                gain = value_of(ways, number, notes) - outlook.values[color]
                gains[known.at_pile + place] = gain
            if mask[known.at_throw + place] and outlook.spare[color, number] > 0:
                gains[known.at_throw + place] = gift
    best = int(gains.argmax())
    return best if gains[best] > 0 else int(known.at_pass)


@kernel
def _expect_more(known: Knowledge, card: int, chances: Floats) -> None:
    """Raise the probabilities of the own range cards that can follow ``card`` on its pile."""
    for other in range(c.NUM_CARDS):
        follows = c.COLOR[other] == c.COLOR[card] and c.NUMBER[other] > c.NUMBER[card]
        if follows and c.has(known.hands[0], other) and c.has(known.fits_range, other):
            chances[c.NUMBER[other]] = max(chances[c.NUMBER[other]], AT_ONCE)


@subroutine
def _spare_in_hand(known: Knowledge, outlook: Outlook) -> tuple[float, float]:
    """Return the numbers of spare cards and of needed cards in the own hand."""
    spare = 0.0
    for card in range(c.NUM_CARDS):
        if c.has(known.hands[0], card):
            spare += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    return spare, c.count(known.hands[0]) - spare


@subroutine
def _spare_share(known: Knowledge, outlook: Outlook) -> float:
    """Return the share of spare cards among the unseen cards."""
    spare = 0.0
    for card in range(c.NUM_CARDS):
        if c.has(known.unseen, card):
            spare += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    return spare / max(1, c.count(known.unseen))


@subroutine
def _gift_value(known: Knowledge, outlook: Outlook) -> float:
    """Return the value of giving the active seat a spare card.

    A seat without spare cards must play one that a pile needs, so the seat with fewer gains more.
    """
    seat = known.player
    other = num_hidden(known, seat) * _spare_share(known, outlook)
    for card in range(c.NUM_CARDS):
        if c.has(known.known[seat], card):
            other += outlook.spare[c.COLOR[card], c.NUMBER[card]]
    own, _ = _spare_in_hand(known, outlook)
    before = math.exp(-own / THIRST) + math.exp(-other / THIRST)
    return before - math.exp(-(own - 1) / THIRST) - math.exp(-(other + 1) / THIRST)


# --- Plays ----------------------------------------------------------------------------------------


class Prospects(NamedTuple):
    """Inputs for judging the cells of one card."""

    outlook: Outlook
    gains: Floats
    """Expected gain from a card thrown for its notes, by notes and color; shape (5, 4)."""
    chances: Floats
    """As in `Outlook`, without the card to be played; shape (4, 18)."""
    values: Floats
    """Value of each pile with these chances; shape (4,)."""
    own: float
    """Number of spare cards left in the hand."""
    dry: float
    """Cost of having none."""
    fresh: float
    """Share of spare cards among the unseen cards."""
    song: float
    """Value of a Safe Song."""
    box: Ints
    """Extent of the map, from `board.find_extent`; shape (4,)."""
    line: Floats
    """Scratch array; shape (18,)."""
    ways: Floats
    """Scratch array; shape (18, 11)."""


@allocating_kernel
def _choose_play(known: Knowledge, outlook: Outlook) -> tuple[int, int]:
    """Return the best card to play and its cell; a card that is already chosen is kept."""
    gains = _note_gains(known, outlook)
    best, choice, place = WORST, c.NO_CARD, s.NOWHERE
    for card in range(c.NUM_CARDS):
        may = c.has(known.playable, card) if known.chosen == c.NO_CARD else card == known.chosen
        if may:
            cell, score = _judge_cells(known, card, _prospects(known, card, outlook, gains))
            if score > best:
                best, choice, place = score, card, cell
    return choice, place


@allocating_kernel
def _note_gains(known: Knowledge, outlook: Outlook) -> Floats:
    """Return the expected gain from a notes card, by notes and color; shape (5, 4)."""
    gains = np.zeros((c.MOST_NOTES + 1, c.NUM_COLORS))
    for color in range(c.NUM_COLORS):
        top, notes = int(known.pile_tops[color]), int(known.pile_notes[color])
        for number in range(top + 1, c.HIGHEST + 1):
            more, other = NOTES_ON[number], outlook.elsewhere[color, number]
            if other > 0:
                after = value_of(outlook.ways[color], number, notes + more)
                gain = other * (after - outlook.values[color])
                gains[more, color] = max(gains[more, color], gain)
    return gains


@allocating_kernel
def _prospects(known: Knowledge, card: int, outlook: Outlook, gains: Floats) -> Prospects:
    """Return the inputs for judging the cells of a card; ``gains`` is from `_note_gains`."""
    color, number = c.COLOR[card], c.NUMBER[card]
    chances, values = outlook.chances.copy(), outlook.values.copy()
    chances[color, number] = 0.0
    ways = np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    fill_ways(chances[color], ways)
    values[color] = value_of(ways, known.pile_tops[color], known.pile_notes[color])
    spare, needed = _spare_in_hand(known, outlook)
    own = spare - outlook.spare[color, number]
    dry = DRY if needed > 0 else DRY * NOTHING_NEEDED
    song = SAFE + SAFE_FOR_PURPLE * min(1.0, purple_to_draw(known))
    box = np.zeros(4, np.int64)
    board.find_extent(known.boards[s.ALL_COLORS], box)
    fresh = _spare_share(known, outlook)
    line = np.zeros(c.HIGHEST + 2)
    return Prospects(outlook, gains, chances, values, own, dry, fresh, song, box, line, ways)


@allocating_kernel
def _judge_cells(known: Any, card: int, ahead: Prospects) -> tuple[int, float]:
    """Return the best cell for a card, which must have a legal one, and its value."""
    legal, matches = np.zeros(BLOCKS, np.uint64), np.zeros(BLOCKS, np.uint64)
    board.find_cells(known, card, legal)
    board.fill_matches(known, card, matches)
    burnt = ahead.values[c.COLOR[card]] - ahead.outlook.values[c.COLOR[card]]
    best, most = 0, WORST
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            pair = pairing.pair_at(known, card, cell, matches)
            score = burnt + _judge_pair(known, pair, ahead)
            if known.deck_size > 0:
                score += GROWTH * board.growth(ahead.box, cell)
                score += SPACE * _space_after(known, card, cell)
            if score > most:
                best, most = cell, score
    return int(best), float(most)


@kernel
def _judge_pair(known: Any, pair: pairing.Pair, ahead: Prospects) -> float:
    """Return the value of a pair: its Safe Song or throws on piles, and spare cards received."""
    more_to_draw = known.deck_size > 0
    if pair.safe:
        received = ahead.fresh if more_to_draw else 0.0
        score = ahead.song if more_to_draw else 0.0
    else:
        score = -THROW_COST if more_to_draw else 0.0
        for color in range(c.NUM_COLORS):
            gain = 0.0
            if pair.distance <= c.MOST_NOTES:
                gain = BY_NOTES * ahead.gains[pair.distance, color]
            if pair.color in (color, s.ANY_COLOR) and known.pile_notes[color] < s.FULL_PILE:
                gain = max(gain, _range_gain(known, color, pair, ahead))
            score += gain
        received = _gifts(ahead.outlook, pair)
    return score - ahead.dry * math.exp(-(ahead.own + received) / DRY_THIRST)


@kernel
def _range_gain(known: Knowledge, color: int, pair: pairing.Pair, ahead: Prospects) -> float:
    """Return the expected gain for a pile from the cards in the range of a pair."""
    for number in range(1, c.HIGHEST + 1):
        chance = ahead.chances[color, number]
        if pair.low < number < pair.high:
            chance = max(chance, IN_RANGE * ahead.outlook.elsewhere[color, number])
        ahead.line[number] = chance
    fill_ways(ahead.line, ahead.ways)
    after = value_of(ahead.ways, known.pile_tops[color], known.pile_notes[color])
    return float(after - ahead.values[color])


@kernel
def _gifts(outlook: Outlook, pair: pairing.Pair) -> float:
    """Return the expected number of spare cards that the others throw, at most `MOST_GIFTS`."""
    gifts = 0.0
    for color in range(c.NUM_COLORS):
        for number in range(1, c.HIGHEST + 1):
            in_range = pair.low < number < pair.high and pair.color in (color, s.ANY_COLOR)
            if in_range or NOTES_ON[number] == pair.distance:
                gifts += outlook.spare[color, number] * outlook.elsewhere[color, number]
    return min(MOST_GIFTS, gifts)


# --- Space on the map -----------------------------------------------------------------------------


@kernel
def _space_after(known: Any, card: int, cell: int) -> float:
    """Return roughly in how many colors any card can make a Safe Song after a play.

    Args:
        known: the table; the card is put on its map and removed again.
        card: the card to be added.
        cell: a legal cell for it.
    """
    board.put(known, card, cell)
    total = 0.0
    for color in range(c.NUM_COLORS):
        total += 1.0 - FEW_CELLS ** board.count_song_cells(known, color)
    board.lift(known, card)
    return total
