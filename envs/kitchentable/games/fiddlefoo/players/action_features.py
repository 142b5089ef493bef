"""What can be said at once of each legal action of Fiddlefoo, as numbers for a network.

What card it is about, and which pair it would make: how many cards, unseen or known to be in
another hand, could be thrown at it. These are counts by the rules of pairs, and at a team's table
by those of piles and of Safe Songs; what others may be expected to do, and what a scripted player
makes of it, is not among them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import NUM_CARDS, WORDS
from kitchentable.games.fiddlefoo.players.reading import view_of
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
    # its pile, in the cell where fewest cards could come into the hand; of a team's, in the one
    # where most cards of the others could go to their piles.
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
)
TEAM_NAMES = (
    "pile_missing",  # notes that its pile lacks once the card is on it, of 10; 0 for none or fewer
    "pile_full",  # whether the pile would then hold exactly what it must
    "pile_spoiled",  # whether it would hold more
    "pile_too_low",  # whether the card is not above the top of its pile
    # In how many ways the cards that are still in hands and the draw pile can fill its pile
    # exactly, each as the logarithm to the base 2 of one more, of 12.
    "ways",
    "ways_without",  # without the card
    "ways_then",  # once the card is on the pile
    "useful_range",  # unseen or known cards of the others that could be thrown at the pair as range
    # cards and lie on a pile that can then still be filled exactly, of 8
    "useful_notes",  # likewise for their notes, of 8
    "needed_range",  # of these, cards without which the pile cannot be filled any more, of 8
    "needed_notes",
    "safe_cells",  # of a card of the own hand: cells where it makes a Safe Song, of 64
    # Cards are spare if their pile can be filled without them, useless if it cannot be with them.
    "spare_left",  # in the own hand once the action is done, of 8
    "useless_left",
    "spare_shown",  # of the cards that the seat that is thrown at is known to hold, of 8
    "useless_shown",
    "hidden",  # other cards of that seat, of 8
    "spare_unseen",  # of the unseen cards, the share that is spare
    "useless_unseen",
    # Cells where cards of each color would make a Safe Song, whatever their numbers, once the
    # action is done, of 16; of a card to be played, once it lies in the cell described above.
    *(f"songs_{color}" for color in c.COLORS),
    "longer",  # rows and columns that the card makes the map longer by, of 2
)
CARD, IN_RANGE, PAIR = NAMES.index("number_1"), NAMES.index("in_range"), NAMES.index("unseen_range")
SAFE, CELLS, TEAM = NAMES.index("safe"), NAMES.index("cells"), len(NAMES)
USEFUL, SAFE_CELLS, SPARE, SONGS, LONGER = (
    TEAM + TEAM_NAMES.index(name)
    for name in ("useful_range", "safe_cells", "spare_left", "songs_yellow", "longer")
)
MOST_RANGE, MOST_NOTES, MOST_KNOWN, MOST_USEFUL, MOST_CELLS = 16, 32, 8, 8, 64
MOST_IN_HAND, MOST_SONGS = 8, 16
SPAN = c.HIGHEST - 2
NUMBERS = c.HIGHEST + 1
NUM_WAYS = NUMBERS * (s.FULL_PILE + 1)
ALL_WAYS = c.NUM_COLORS * NUM_WAYS
MOST_WAYS = 12


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


class Piles(NamedTuple):
    """How the piles of a team can still be filled."""

    ways: Ints
    """In how many ways cards above a top make up so many notes, by color, top and notes; shape
    (`ALL_WAYS`,)."""
    without: Ints
    """In how many ways the pile of each card can be filled without it; shape (NUM_CARDS,)."""
    useful: Bits
    """Cards that others may hold or draw and that leave their pile such that it can be filled;
    shape (2,)."""
    needed: Bits
    """Of these, the cards without which it cannot be filled; shape (2,)."""
    spare: Bits
    """Cards in hands and the draw pile without which their pile can be filled; shape (2,)."""
    useless: Bits
    """Likewise those with which it cannot be filled; shape (2,)."""


@subroutine
def _write(view: Any, actions: Ints, out: FloatArray) -> None:
    piles = Piles(
        scratch_ints(ALL_WAYS), scratch_ints(NUM_CARDS), scratch_bits(WORDS), scratch_bits(WORDS),
        scratch_bits(WORDS), scratch_bits(WORDS),
    )  # fmt: skip
    if view.cooperative:
        _look_at_piles(view, piles)
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            return
        _write_action(view, piles, int(actions[row]), out[row])


@subroutine
def _look_at_piles(view: Any, piles: Piles) -> None:
    for color in range(c.NUM_COLORS):
        _count_ways(view, color, c.NO_CARD, piles.ways[color * NUM_WAYS : (color + 1) * NUM_WAYS])
    for word in range(WORDS):
        piles.useful[word] = piles.needed[word] = piles.spare[word] = piles.useless[word] = 0
    without = scratch_ints(NUM_WAYS)
    for card in range(c.NUM_CARDS):
        if c.has(view.in_play, card):
            color = int(c.COLOR[card])
            _count_ways(view, color, card, without)
            piles.without[card] = _ways_now(view, color, without)
            if _can_come(view, card):
                needed, useful = piles.without[card] == 0, _ways_then(view, card, piles) > 0
                if not needed:
                    c.add(piles.spare, card)
                if not useful:
                    c.add(piles.useless, card)
                elif not c.has(view.hand, card):
                    c.add(piles.useful, card)
                    if needed:
                        c.add(piles.needed, card)


@kernel
def _count_ways(view: Any, color: int, gone: int, ways: Ints) -> None:
    """Count the increasing sequences of a color's cards above each top, by their notes.

    Args:
        view: the table.
        color: of the pile.
        gone: a card that is left out, or `NO_CARD`.
        ways: overwritten; shape (`NUM_WAYS`,).
    """
    cards = scratch_ints(NUMBERS)
    for number in range(NUMBERS):
        cards[number] = 0
    for card in range(c.NUM_CARDS):
        if c.COLOR[card] == color and card != gone and _can_come(view, card):
            cards[c.NUMBER[card]] += 1
    width = s.FULL_PILE + 1
    for notes in range(width):
        ways[c.HIGHEST * width + notes] = notes == 0
    for number in range(c.HIGHEST, 0, -1):
        first = c.NOTES_OF_NUMBER[number]
        for notes in range(width):
            found = ways[number * width + notes]
            if notes >= first:
                found += cards[number] * ways[number * width + notes - first]
            ways[(number - 1) * width + notes] = found


@kernel
def _can_come(view: Any, card: int) -> bool:
    """Whether a card is in a hand or the draw pile, as far as the seat to act knows."""
    found = c.has(view.hand, card) or c.has(view.unseen, card)
    for seat in range(1, view.num_players):
        found = found or c.has(view.known[seat], card)
    return found


@kernel
def _ways_from(ways: Ints, top: int, notes: int) -> int:
    """Return in how many ways a pile with so many notes can be filled."""
    left = s.FULL_PILE - notes
    return ways[top * (s.FULL_PILE + 1) + left] if left >= 0 else 0


@kernel
def _ways_now(view: Any, color: int, ways: Ints) -> int:
    """Return in how many ways the pile of a color can be filled."""
    return _ways_from(ways, int(view.pile_tops[color]), int(view.pile_notes[color]))


@kernel
def _ways_then(view: Any, card: int, piles: Piles) -> int:
    """Return in how many ways its pile can be filled once a card is on it."""
    color, number = int(c.COLOR[card]), int(c.NUMBER[card])
    if number <= view.pile_tops[color]:
        return 0
    notes = int(view.pile_notes[color]) + int(c.NOTES[card])
    return _ways_from(piles.ways[color * NUM_WAYS : (color + 1) * NUM_WAYS], number, notes)


@subroutine
def _write_action(view: Any, piles: Piles, action: int, out: FloatArray) -> None:
    card = c.NO_CARD
    if action < view.num_cards:
        card = _write_hand_card(view, piles, 0, action, out)
    elif action < view.at_throw:
        card = _write_cell(view, piles, action - int(view.num_cards), out)
    elif action < view.at_pass:
        card = _write_hand_card(view, piles, 2, action - int(view.at_throw), out)
    elif action == view.at_pass:
        out[3] = 1.0
    elif action < view.at_map:
        card = _write_hand_card(view, piles, 4, action - int(view.at_pile), out)
    else:
        out[5] = 1.0
        _write_card(view, piles, int(s.card_at(view, action - int(view.at_map))), out)
    if view.cooperative:
        _write_hands(view, piles, card, out)
        if action >= view.at_throw:
            _write_songs(view, out)


@subroutine
def _write_hand_card(view: Any, piles: Piles, kind: int, name: int, out: FloatArray) -> int:
    """Describe a card of the own hand, and how it could be played, now or if it is kept.

    Returns:
        The card.
    """
    out[kind] = 1.0
    card = int(s.card_at(view, name))
    _write_card(view, piles, card, out)
    _write_best(view, piles, card, out)
    if kind != 0:
        out[IN_RANGE] = c.has(view.fits_range, card)
    return card


@subroutine
def _write_cell(view: Any, piles: Piles, place: int, out: FloatArray) -> int:
    """Describe a cell for the card that is chosen; return the card."""
    out[1] = 1.0
    side, card = int(view.map_size), int(view.chosen)
    _write_card(view, piles, card, out)
    if view.phase == s.CELL:
        matches = scratch_bits(BLOCKS)
        board.fill_matches(view, card, matches)
        cell = s.SIDE * (place // side) + place % side
        _write_pair(view, piles, card, cell, matches, out)
        if view.cooperative:
            _write_songs_after(view, card, cell, out)
    return card


@kernel
def _write_card(view: Any, piles: Piles, card: int, out: FloatArray) -> None:
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
        ways = piles.ways[color * NUM_WAYS : (color + 1) * NUM_WAYS]
        out[TEAM + 4] = math.log2(1 + _ways_now(view, color, ways)) / MOST_WAYS
        out[TEAM + 5] = math.log2(1 + piles.without[card]) / MOST_WAYS
        out[TEAM + 6] = math.log2(1 + _ways_then(view, card, piles)) / MOST_WAYS


@subroutine
def _write_best(view: Any, piles: Piles, card: int, out: FloatArray) -> None:
    """Describe the pair of a card in the cell that `NAMES` tells of."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(view, card, legal)
    board.fill_matches(view, card, matches)
    best, least, cells, safe_cells = 0, 0, 0, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            coming = _write_pair(view, piles, card, cell, matches, out)
            safe_cells += out[SAFE] > 0
            if cells == 0 or coming < least:
                best, least = cell, coming
            cells += 1
    if cells > 0:
        _write_pair(view, piles, card, best, matches, out)
        if view.cooperative and view.phase == s.CARD:
            _write_songs_after(view, card, best, out)
    out[CELLS] = min(cells / MOST_CELLS, 1.0)
    if view.cooperative:
        out[SAFE_CELLS] = min(safe_cells / MOST_CELLS, 1.0)


@subroutine
def _write_hands(view: Any, piles: Piles, card: int, out: FloatArray) -> None:
    """Describe the own hand without one card, if any, and that of the seat that is thrown at."""
    seat, at = int(view.player), SPARE
    unseen = max(c.count(view.unseen), 1)
    for kind in (piles.spare, piles.useless):
        left = _count_in(kind, view.hand)
        if card != c.NO_CARD and c.has(kind, card) and c.has(view.hand, card):
            left -= 1
        out[at] = min(left / MOST_IN_HAND, 1.0)
        if seat != 0:
            out[at + 2] = min(_count_in(kind, view.known[seat]) / MOST_IN_HAND, 1.0)
        out[at + 5] = _count_in(kind, view.unseen) / unseen
        at += 1
    if seat != 0:
        hidden = int(view.sizes[seat]) - c.count(view.known[seat])
        out[SPARE + 4] = min(hidden / MOST_IN_HAND, 1.0)


@subroutine
def _write_songs_after(view: Any, card: int, cell: int, out: FloatArray) -> None:
    """Describe where Safe Songs will be possible once a card is added to the map."""
    box = scratch_ints(4)
    board.find_extent(view.boards[s.ALL_COLORS], box)
    out[LONGER] = min(board.growth(box, cell) / 2, 1.0)
    board.put(view, card, cell)
    _write_songs(view, out)
    board.lift(view, card)


@subroutine
def _write_songs(view: Any, out: FloatArray) -> None:
    for color in range(c.NUM_COLORS):
        out[SONGS + color] = min(board.count_song_cells(view, color) / MOST_SONGS, 1.0)


@subroutine
def _write_pair(
    view: Any, piles: Piles, card: int, cell: int, matches: Bits, out: FloatArray
) -> int:
    """Describe the pair that a card makes in a cell.

    Returns:
        The cards that could come into the hand at most: range cards, one by its notes from each
        other seat, one drawn after a Safe Song. Of a team, minus those that could go to their
        piles; cards that these need count twice.
    """
    pair = board.find_pair(view, card, cell, matches)
    partner = int(view.cells[board.pair_cell(pair)])
    low, high = min(c.NUMBER[card], c.NUMBER[partner]), max(c.NUMBER[card], c.NUMBER[partner])
    distance = board.pair_distance(pair)
    safe = pairing.is_safe(card, partner, distance)
    color = pairing.color_of_pair(view, card, partner)
    ranged, notes = scratch_bits(WORDS), scratch_bits(WORDS)
    for word in range(WORDS):
        ranged[word] = pairing.fits_range(view, low, high, color, safe, word)
        notes[word] = pairing.fits_notes(view, distance, safe, word) & ~ranged[word]
    unseen_range, unseen_notes = _count_in(ranged, view.unseen), _count_in(notes, view.unseen)
    known_range, known_notes = 0, 0
    for seat in range(1, view.num_players):
        known_range += _count_in(ranged, view.known[seat])
        known_notes += _count_in(notes, view.known[seat])
    unseen = max(c.count(view.unseen), 1)
    in_range = unseen_range + known_range
    out[PAIR] = min(unseen_range / MOST_RANGE, 1.0)
    out[PAIR + 1] = min(unseen_notes / MOST_NOTES, 1.0)
    out[PAIR + 2] = min(known_range / MOST_KNOWN, 1.0)
    out[PAIR + 3] = min(known_notes / MOST_KNOWN, 1.0)
    out[PAIR + 4] = unseen_range / unseen
    out[PAIR + 5] = unseen_notes / unseen
    out[PAIR + 6] = min(_count_in(ranged, view.hand) / MOST_KNOWN, 1.0)
    out[PAIR + 7] = in_range == 0
    out[PAIR + 8] = in_range + unseen_notes + known_notes == 0
    out[SAFE] = safe
    out[PAIR + 10] = distance / SPAN
    out[PAIR + 11] = max(high - low - 1, 0) / SPAN
    if view.cooperative:
        return -_write_useful(view, piles, ranged, notes, out)
    return int(in_range + min(unseen_notes + known_notes, view.num_players - 1) + safe)


@kernel
def _count_in(some: Bits, others: Bits) -> int:
    """Return how many cards two sets have in common."""
    count = 0
    for word in range(WORDS):
        count += count_bits(some[word] & others[word])
    return count


@subroutine
def _write_useful(view: Any, piles: Piles, ranged: Bits, notes: Bits, out: FloatArray) -> int:
    """Describe which of the cards that could be thrown could go to their piles; count them."""
    coming, at = 0, USEFUL
    for wanted in (piles.useful, piles.needed):
        by_range, by_notes = _count_in(ranged, wanted), _count_in(notes, wanted)
        out[at] = min(by_range / MOST_USEFUL, 1.0)
        out[at + 1] = min(by_notes / MOST_USEFUL, 1.0)
        coming += by_range + min(by_notes, int(view.num_players) - 1)
        at += 2
    return coming
