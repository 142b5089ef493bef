"""What can be said at once of each legal action of Fiddlefoo, as numbers for a network.

What card it is about, and which pair it would make: how many cards, unseen or known to be in
another hand, could be thrown at it. These are counts by the rules of pairs; what others may be
expected to do, and what a scripted player makes of it, is not among them.
"""

from __future__ import annotations

from typing import Any

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS, Bits
from kitchentable.games.fiddlefoo.players.reading import Ints, view_of
from kitchentable.games.fiddlefoo.state import BLOCKS

MOST = 32
"""Legal actions that are described; there are seldom more cells."""
NAMES = (
    *("card", "cell", "throw", "pass", "pile", "map"),  # one-hot: what is chosen
    # The card that is chosen or goes to the cell.
    *(f"number_{number}" for number in range(1, c.HIGHEST + 1)),
    *c.COLORS,
    "notes",  # of 4
    "known",  # whether the others know that the own hand holds it
    "in_range",  # throws: whether it is a range card
    # The pair that it makes in the cell; of a card of the own hand, to be played, thrown or put on
    # its pile, in the cell where fewest cards could come into the hand.
    "unseen_range",  # unseen cards that could be thrown as range cards, of 16
    "unseen_notes",  # likewise for their notes, of 32
    "known_range",  # of those that others are known to hold, of 8
    "known_notes",
    "share_range",  # of the unseen cards, those that could be thrown as range cards
    "share_notes",
    "own_range",  # range cards in the own hand, of 8
    "no_range",  # whether nothing unseen or known could be thrown as a range card
    "no_throws",  # whether nothing unseen or known could be thrown at all
    "safe",  # Safe Song
    "distance",  # of 14
    "range",  # numbers in range, of 14
    "cells",  # of a card: cells where it may go, of 64
    # Cooperative.
    "pile_missing",  # notes that its pile lacks once the card is on it, of 10; 0 for none or fewer
    "pile_full",  # whether the pile would then hold exactly what it must
    "pile_spoiled",  # whether it would hold more
    "pile_too_low",  # whether the card is not above the top of its pile
)
CARD, IN_RANGE, PAIR = NAMES.index("number_1"), NAMES.index("in_range"), NAMES.index("unseen_range")
CELLS, TEAM = NAMES.index("cells"), NAMES.index("pile_missing")
MOST_RANGE, MOST_NOTES, MOST_KNOWN, MOST_CELLS = 16, 32, 8, 64
SPAN = c.HIGHEST - 2


@allocating_kernel
def write(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    actions: Ints,
    out: FloatArray,
    *_: Any,
) -> None:
    """Describe the first `MOST` legal actions of the seat to act, in rows of ``out``."""
    if mask.any():
        _write(view_of(observation, variant), actions, out)


@subroutine
def _write(view: Any, actions: Ints, out: FloatArray) -> None:
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            return
        _write_action(view, int(actions[row]), out[row])


@subroutine
def _write_action(view: Any, action: int, out: FloatArray) -> None:
    if action < view.num_cards:
        _write_hand_card(view, 0, action, out)
    elif action < view.at_throw:
        _write_cell(view, action - int(view.num_cards), out)
    elif action < view.at_pass:
        _write_hand_card(view, 2, action - int(view.at_throw), out)
    elif action == view.at_pass:
        out[3] = 1.0
    elif action < view.at_map:
        _write_hand_card(view, 4, action - int(view.at_pile), out)
    else:
        out[5] = 1.0
        _write_card(view, int(s.card_at(view, action - int(view.at_map))), out)


@subroutine
def _write_hand_card(view: Any, kind: int, name: int, out: FloatArray) -> None:
    """Describe a card of the own hand, and how it could be played, now or if it is kept."""
    out[kind] = 1.0
    card = int(s.card_at(view, name))
    _write_card(view, card, out)
    _write_safest(view, card, out)
    if kind != 0:
        out[IN_RANGE] = c.has(view.fits_range, card)


@subroutine
def _write_cell(view: Any, place: int, out: FloatArray) -> None:
    """Describe a cell for the card that is chosen."""
    out[1] = 1.0
    side, card = int(view.map_size), int(view.chosen)
    _write_card(view, card, out)
    if view.phase == s.CELL:
        matches = scratch_bits(BLOCKS)
        board.fill_matches(view, card, matches)
        _write_pair(view, card, s.SIDE * (place // side) + place % side, matches, out)


@kernel
def _write_card(view: Any, card: int, out: FloatArray) -> None:
    color = int(c.COLOR[card])
    out[CARD + int(c.NUMBER[card]) - 1] = 1.0
    out[CARD + c.HIGHEST + color] = 1.0
    out[CARD + c.HIGHEST + c.NUM_COLORS] = c.NOTES[card] / c.MOST_NOTES
    out[CARD + c.HIGHEST + c.NUM_COLORS + 1] = c.has(view.known[0], card)
    if view.cooperative:
        missing = s.FULL_PILE - int(view.pile_notes[color]) - int(c.NOTES[card])
        out[TEAM] = max(missing, 0) / s.FULL_PILE
        out[TEAM + 1] = missing == 0
        out[TEAM + 2] = missing < 0
        out[TEAM + 3] = c.NUMBER[card] <= view.pile_tops[color]


@subroutine
def _write_safest(view: Any, card: int, out: FloatArray) -> None:
    """Describe the pair of a card in the cell where fewest cards could come into the hand."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(view, card, legal)
    board.fill_matches(view, card, matches)
    safest, fewest, cells = s.NOWHERE, c.NUM_CARDS, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            cells += 1
            thrown = _write_pair(view, card, cell, matches, out)
            if thrown < fewest:
                safest, fewest = cell, thrown
    if cells > 0:
        _write_pair(view, card, safest, matches, out)
    out[CELLS] = min(cells / MOST_CELLS, 1.0)


@subroutine
def _write_pair(view: Any, card: int, cell: int, matches: Bits, out: FloatArray) -> int:
    """Describe the pair that a card makes in a cell.

    Returns:
        The cards that could come into the hand at most: range cards, one by its notes from each
        other seat, one drawn after a Safe Song.
    """
    pair = board.find_pair(view, card, cell, matches)
    partner = int(view.cells[board.pair_cell(pair)])
    low, high = min(c.NUMBER[card], c.NUMBER[partner]), max(c.NUMBER[card], c.NUMBER[partner])
    distance = board.pair_distance(pair)
    safe = pairing.is_safe(card, partner, distance)
    color = pairing.color_of_pair(view, card, partner)
    unseen_range, unseen_notes, known_range, known_notes, own_range = 0, 0, 0, 0, 0
    for word in range(WORDS):
        ranged = pairing.fits_range(view, low, high, color, safe, word)
        notes = pairing.fits_notes(view, distance, safe, word) & ~ranged
        unseen_range += count_bits(ranged & view.unseen[word])
        unseen_notes += count_bits(notes & view.unseen[word])
        own_range += count_bits(ranged & view.hand[word])
        for seat in range(1, view.num_players):
            known_range += count_bits(ranged & view.known[seat, word])
            known_notes += count_bits(notes & view.known[seat, word])
    unseen = max(c.count(view.unseen), 1)
    in_range = unseen_range + known_range
    out[PAIR] = min(unseen_range / MOST_RANGE, 1.0)
    out[PAIR + 1] = min(unseen_notes / MOST_NOTES, 1.0)
    out[PAIR + 2] = min(known_range / MOST_KNOWN, 1.0)
    out[PAIR + 3] = min(known_notes / MOST_KNOWN, 1.0)
    out[PAIR + 4] = unseen_range / unseen
    out[PAIR + 5] = unseen_notes / unseen
    out[PAIR + 6] = min(own_range / MOST_KNOWN, 1.0)
    out[PAIR + 7] = in_range == 0
    out[PAIR + 8] = in_range + unseen_notes + known_notes == 0
    out[PAIR + 9] = safe
    out[PAIR + 10] = distance / SPAN
    out[PAIR + 11] = max(high - low - 1, 0) / SPAN
    by_notes = min(unseen_notes + known_notes, view.num_players - 1)
    return int(in_range + by_notes + safe)
