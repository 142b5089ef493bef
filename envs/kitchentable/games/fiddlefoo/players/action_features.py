"""Features of each legal action of Fiddlefoo, as input for a network.

The features describe the action's card and the pair that it would make, with the number of cards,
unseen or known to be in other hands, that could be thrown at that pair. They are counts by the
rules of pairs, and in a team also of piles and Safe Songs. They contain no guesses about other
players and no judgments of a scripted player.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import kernel, subroutine
from kitchentable.core.scratch import scratch_bits, scratch_ints, scratch_shorts
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import NUM_CARDS, WORDS
from kitchentable.games.fiddlefoo.knowledge import num_hidden
from kitchentable.games.fiddlefoo.observation import SPAN
from kitchentable.games.fiddlefoo.state import BLOCKS

MOST = 32
"""Maximum number of legal actions described; there are seldom more legal cells."""
NAMES = (
    *("card", "cell", "throw", "pass", "pile", "map"),  # one-hot: kind of action
    # The card of the action; of a cell, the card that is put there.
    *(f"number_{number}" for number in range(1, c.HIGHEST + 1)),
    *c.COLORS,
    "notes",  # of 4
    "known",  # whether the other seats know that the own hand holds it
    "in_range",  # whether it may be thrown as a range card; 0 unless thrown or put on a pile
    # The pair that it makes in the cell. For a hand card to be played, thrown or put on a pile: in
    # the legal cell where the fewest cards could come into the hand; in a team, in the one where
    # the most cards of other seats could go on piles.
    "unseen_range",  # unseen cards that could be thrown as range cards, of 16
    "unseen_notes",  # the same for notes cards, of 32
    "known_range",  # the same for cards that other seats are known to hold, of 8
    "known_notes",
    "share_range",  # share of the unseen cards that could be thrown as range cards
    "share_notes",
    "own_range",  # range cards in the own hand, of 8
    "no_range",  # whether no unseen or known card could be thrown as a range card
    "no_throws",  # whether no unseen or known card could be thrown at all
    "safe",  # whether it is a Safe Song
    "distance",  # of 14
    "range",  # numbers in range, of 14
    "cells",  # of a hand card: its legal cells, of 64
)
TEAM_NAMES = (
    "pile_missing",  # notes that its pile lacks with the card on it, of 10; 0 if full or spoiled
    "pile_full",  # whether the pile would then hold exactly 10 notes
    "pile_spoiled",  # whether it would hold more than 10
    "pile_too_low",  # whether the card is not above the top of its pile
    # log2(1 + n), of 12, with n the number of ways in which cards in hands and the draw pile can
    # fill its pile exactly:
    "ways",  # now
    "ways_without",  # without the card
    "ways_then",  # with the card on the pile
    "useful_range",  # unseen cards and known ones of other seats that could be thrown as range
    # cards and that leave their pile fillable if put on it, of 8
    "useful_notes",  # the same for notes cards, of 8
    "needed_range",  # of these, cards without which the pile cannot be filled, of 8
    "needed_notes",
    "safe_cells",  # of a hand card: cells where it makes a Safe Song, of 64
    # A card is spare if its pile can be filled without it, useless if it cannot be filled with it.
    "spare_left",  # spare cards in the own hand after the action, of 8
    "useless_left",
    "spare_shown",  # spare cards that the active seat, if another one, is known to hold, of 8
    "useless_shown",
    "hidden",  # hidden cards of that seat, of 8
    "spare_unseen",  # share of spare cards among the unseen cards
    "useless_unseen",
    # Cells where any card of the color would make a Safe Song, of 16. For a cell or a card to be
    # played: after the card is put in the cell described above. For a throw, `pass`, a pile or a
    # map card: now.
    *(f"songs_{color}" for color in c.COLORS),
    "longer",  # rows and columns that the card adds to the extent of the map, of 2
)
# Column indices of these features; team features follow the others.
ALL_NAMES = NAMES + TEAM_NAMES
CARD, CELL, THROW, PASS, PILE, MAP = map(
    ALL_NAMES.index, ("card", "cell", "throw", "pass", "pile", "map")
)
NUMBER, COLOR, NOTES, KNOWN, IN_RANGE = map(
    ALL_NAMES.index, ("number_1", "yellow", "notes", "known", "in_range")
)
UNSEEN_RANGE, UNSEEN_NOTES = map(ALL_NAMES.index, ("unseen_range", "unseen_notes"))
KNOWN_RANGE, KNOWN_NOTES = map(ALL_NAMES.index, ("known_range", "known_notes"))
SHARE_RANGE, SHARE_NOTES = map(ALL_NAMES.index, ("share_range", "share_notes"))
OWN_RANGE, NO_RANGE, NO_THROWS = map(ALL_NAMES.index, ("own_range", "no_range", "no_throws"))
SAFE, DISTANCE, RANGE, CELLS = map(ALL_NAMES.index, ("safe", "distance", "range", "cells"))
PILE_MISSING, PILE_FULL = map(ALL_NAMES.index, ("pile_missing", "pile_full"))
PILE_SPOILED, PILE_TOO_LOW = map(ALL_NAMES.index, ("pile_spoiled", "pile_too_low"))
WAYS, WAYS_WITHOUT, WAYS_THEN = map(ALL_NAMES.index, ("ways", "ways_without", "ways_then"))
USEFUL_RANGE, USEFUL_NOTES = map(ALL_NAMES.index, ("useful_range", "useful_notes"))
NEEDED_RANGE, NEEDED_NOTES = map(ALL_NAMES.index, ("needed_range", "needed_notes"))
SAFE_CELLS, SPARE_LEFT, SPARE_SHOWN, SPARE_UNSEEN = map(
    ALL_NAMES.index, ("safe_cells", "spare_left", "spare_shown", "spare_unseen")
)
USELESS_LEFT, USELESS_SHOWN, USELESS_UNSEEN = map(
    ALL_NAMES.index, ("useless_left", "useless_shown", "useless_unseen")
)
HIDDEN, SONGS, LONGER = map(ALL_NAMES.index, ("hidden", "songs_yellow", "longer"))
MOST_RANGE, MOST_BY_NOTES, MOST_KNOWN, MOST_USEFUL, MOST_CELLS = 16, 32, 8, 8, 64
MOST_IN_HAND, MOST_SONGS = 8, 16
NUMBERS = c.HIGHEST + 1
NUM_WAYS = NUMBERS * (s.FULL_PILE + 1)
ALL_WAYS = c.NUM_COLORS * NUM_WAYS
MOST_WAYS = 12
SHARES = np.array([math.log2(1 + n) / MOST_WAYS for n in range(1 << MOST_WAYS)], np.float32)
"""A number of ways as a feature. A GPU would compute other logarithms than a CPU."""


class Piles(NamedTuple):
    """The ways in which the piles of a team can still be filled."""

    coming: Bits
    """Cards in hands and draw pile; shape (2,)."""
    ways: Ints
    """Number of ways to add notes above a top, by color, top and notes; shape (`ALL_WAYS`,)."""
    without: Ints
    """Number of ways to fill each card's pile without that card; shape (`NUM_CARDS`,)."""
    useful: Bits
    """Those outside the own hand that leave their pile fillable; shape (2,)."""
    needed: Bits
    """Of these, the cards without which their pile cannot be filled; shape (2,)."""
    spare: Bits
    """Coming cards without which their pile can still be filled; shape (2,)."""
    useless: Bits
    """Coming cards that would leave their pile unfillable; shape (2,)."""


@subroutine
def write(known: Any, _mask: BoolArray, actions: Ints, out: FloatArray) -> None:
    """Write the features of at most `MOST` legal actions into the rows of ``out``."""
    piles = Piles(
        scratch_bits(WORDS), scratch_shorts(ALL_WAYS), scratch_shorts(NUM_CARDS),
        scratch_bits(WORDS), scratch_bits(WORDS), scratch_bits(WORDS), scratch_bits(WORDS),
    )  # fmt: skip
    if known.cooperative:
        _look_at_piles(known, piles)
    for row in range(actions.shape[0]):
        if actions[row] < 0:
            return
        _write_action(known, piles, int(actions[row]), out[row])


@subroutine
def _look_at_piles(known: Any, piles: Piles) -> None:
    for word in range(WORDS):
        piles.useful[word] = piles.needed[word] = piles.spare[word] = piles.useless[word] = 0
        piles.coming[word] = known.unseen[word]
        for seat in range(known.num_players):
            piles.coming[word] |= known.hands[seat, word]
    for color in range(c.NUM_COLORS):
        ways = piles.ways[color * NUM_WAYS : (color + 1) * NUM_WAYS]
        _count_ways(piles.coming, color, c.NO_CARD, ways)
    without = scratch_shorts(NUM_WAYS)
    for card in range(c.NUM_CARDS):
        color = int(c.COLOR[card])
        top, notes = int(known.pile_tops[color]), int(known.pile_notes[color])
        piles.without[card] = _ways_from(piles.ways, color, top, notes)
        if c.has(piles.coming, card):
            _count_ways(piles.coming, color, card, without)
            piles.without[card] = _ways_from(without, 0, top, notes)
            needed, useful = piles.without[card] == 0, _ways_then(known, card, piles) > 0
            if not needed:
                c.add(piles.spare, card)
            if not useful:
                c.add(piles.useless, card)
            elif not c.has(known.hands[0], card):
                c.add(piles.useful, card)
                if needed:
                    c.add(piles.needed, card)


@kernel
def _count_ways(coming: Bits, color: int, omitted: int, ways: Ints) -> None:
    """Count the increasing sequences of a color's cards above each top, by their notes.

    Args:
        coming: the cards.
        color: the color.
        omitted: one of the cards that is left out, or `NO_CARD`.
        ways: overwritten, by top and notes; shape (`NUM_WAYS`,).
    """
    cards = scratch_shorts(NUMBERS)
    for number in range(NUMBERS):
        cards[number] = 0
    for word in range(WORDS):
        rest = coming[word] & c.OF_COLOR[color, word]
        while rest != 0:
            cards[c.NUMBER[64 * word + lowest_bit(rest)]] += 1
            rest &= rest - c.ONE
    if omitted != c.NO_CARD:
        cards[c.NUMBER[omitted]] -= 1
    width = s.FULL_PILE + 1
    for notes in range(width):
        ways[c.HIGHEST * width + notes] = notes == 0
    for number in range(c.HIGHEST, 0, -1):
        first = c.NOTES_OF_NUMBER[number]
        for notes in range(width):
            count = ways[number * width + notes]
            if notes >= first:
                count += cards[number] * ways[number * width + notes - first]
            ways[(number - 1) * width + notes] = count


@kernel
def _ways_from(ways: Ints, color: int, top: int, notes: int) -> int:
    """Return the number of ways to fill a pile of a color with a given top and notes."""
    left = s.FULL_PILE - notes
    return ways[color * NUM_WAYS + top * (s.FULL_PILE + 1) + left] if left >= 0 else 0


@kernel
def _ways_then(known: Any, card: int, piles: Piles) -> int:
    """Return the number of ways to fill a card's pile once the card is on it."""
    color, number = int(c.COLOR[card]), int(c.NUMBER[card])
    if number <= known.pile_tops[color]:
        return 0
    return _ways_from(piles.ways, color, number, int(known.pile_notes[color]) + int(c.NOTES[card]))


@subroutine
def _write_action(known: Any, piles: Piles, action: int, out: FloatArray) -> None:
    card = c.NO_CARD
    if action < known.num_cards:
        card = _write_hand_card(known, piles, CARD, action, out)
    elif action < known.at_throw:
        card = _write_cell(known, piles, action - int(known.num_cards), out)
    elif action < known.at_pass:
        card = _write_hand_card(known, piles, THROW, action - int(known.at_throw), out)
    elif action == known.at_pass:
        out[PASS] = 1.0
    elif action < known.at_map:
        card = _write_hand_card(known, piles, PILE, action - int(known.at_pile), out)
    else:
        out[MAP] = 1.0
        _write_card(known, piles, int(s.card_at(known, action - int(known.at_map))), out)
    if known.cooperative:
        _write_hands(known, piles, card, out)
        if action >= known.at_throw:
            _write_songs(known, out)


@subroutine
def _write_hand_card(known: Any, piles: Piles, kind: int, index: int, out: FloatArray) -> int:
    """Write the features of a hand card, including those of its best cell; return the card."""
    out[kind] = 1.0
    card = int(s.card_at(known, index))
    _write_card(known, piles, card, out)
    _write_best(known, piles, card, out)
    if kind != CARD:
        out[IN_RANGE] = c.has(known.fits_range, card)
    return card


@subroutine
def _write_cell(known: Any, piles: Piles, place: int, out: FloatArray) -> int:
    """Write the features of a cell for the chosen card; return the card."""
    out[CELL] = 1.0
    card = int(known.chosen)
    _write_card(known, piles, card, out)
    if known.phase == s.CELL:
        matches = scratch_bits(BLOCKS)
        board.fill_matches(known, card, matches)
        cell = s.cell_at(known, place)
        _write_pair(known, piles, card, cell, matches, out)
        if known.cooperative:
            _write_songs_after(known, card, cell, out)
    return card


@kernel
def _write_card(known: Any, piles: Piles, card: int, out: FloatArray) -> None:
    color = int(c.COLOR[card])
    out[NUMBER + int(c.NUMBER[card]) - 1] = 1.0
    out[COLOR + color] = 1.0
    out[NOTES] = c.NOTES[card] / c.MOST_NOTES
    out[KNOWN] = c.has(known.known[0], card)
    if known.cooperative:
        top, notes = int(known.pile_tops[color]), int(known.pile_notes[color])
        missing = s.FULL_PILE - notes - int(c.NOTES[card])
        out[PILE_MISSING] = max(missing, 0) / s.FULL_PILE
        out[PILE_FULL] = missing == 0
        out[PILE_SPOILED] = missing < 0
        out[PILE_TOO_LOW] = c.NUMBER[card] <= top
        out[WAYS] = SHARES[_ways_from(piles.ways, color, top, notes)]
        out[WAYS_WITHOUT] = SHARES[piles.without[card]]
        out[WAYS_THEN] = SHARES[_ways_then(known, card, piles)]


@subroutine
def _write_best(known: Any, piles: Piles, card: int, out: FloatArray) -> None:
    """Write the features of a hand card's pair in the cell that `NAMES` specifies."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(known, card, legal)
    board.fill_matches(known, card, matches)
    best, least, cells, safe_cells = 0, 0, 0, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            coming = _write_pair(known, piles, card, cell, matches, out)
            safe_cells += out[SAFE] > 0
            if cells == 0 or coming < least:
                best, least = cell, coming
            cells += 1
    if cells > 0:
        _write_pair(known, piles, card, best, matches, out)
        if known.cooperative and known.phase == s.CARD:
            _write_songs_after(known, card, best, out)
    out[CELLS] = min(cells / MOST_CELLS, 1.0)
    if known.cooperative:
        out[SAFE_CELLS] = min(safe_cells / MOST_CELLS, 1.0)


@subroutine
def _write_hands(known: Any, piles: Piles, card: int, out: FloatArray) -> None:
    """Write team features of the own hand without ``card``, and of the active seat's hand."""
    seat, unseen = int(known.player), max(c.count(known.unseen), 1)
    for kind, left_at, shown_at, unseen_at in (
        (piles.spare, SPARE_LEFT, SPARE_SHOWN, SPARE_UNSEEN),
        (piles.useless, USELESS_LEFT, USELESS_SHOWN, USELESS_UNSEEN),
    ):
        left = _count_in(kind, known.hands[0])
        if card != c.NO_CARD and c.has(kind, card) and c.has(known.hands[0], card):
            left -= 1
        out[left_at] = min(left / MOST_IN_HAND, 1.0)
        if seat != 0:
            out[shown_at] = min(_count_in(kind, known.known[seat]) / MOST_IN_HAND, 1.0)
        out[unseen_at] = _count_in(kind, known.unseen) / unseen
    if seat != 0:
        out[HIDDEN] = min(num_hidden(known, seat) / MOST_IN_HAND, 1.0)


@subroutine
def _write_songs_after(known: Any, card: int, cell: int, out: FloatArray) -> None:
    """Write where Safe Songs will be possible after a card is added, and the map's growth."""
    box = scratch_ints(4)
    board.find_extent(known.boards[s.ALL_COLORS], box)
    out[LONGER] = min(board.growth(box, cell) / 2, 1.0)
    board.put(known, card, cell)
    _write_songs(known, out)
    board.lift(known, card)


@subroutine
def _write_songs(known: Any, out: FloatArray) -> None:
    for color in range(c.NUM_COLORS):
        out[SONGS + color] = min(board.count_song_cells(known, color) / MOST_SONGS, 1.0)


@subroutine
def _write_pair(
    known: Any, piles: Piles, card: int, cell: int, matches: Bits, out: FloatArray
) -> int:
    """Write the features of the pair that a card makes in a cell.

    Returns:
        The maximum number of cards that could come into the hand: range cards, a notes card from
        each other seat, and the draw of a Safe Song. In a team instead the negated number of cards
        that could go on piles, where needed cards count twice.
    """
    pair = pairing.pair_at(known, card, cell, matches)
    ranged, notes = scratch_bits(WORDS), scratch_bits(WORDS)
    for word in range(WORDS):
        ranged[word] = pairing.fits_range(known, pair, word)
        notes[word] = pairing.fits_notes(known, pair, word) & ~ranged[word]
    unseen_range, unseen_notes = _count_in(ranged, known.unseen), _count_in(notes, known.unseen)
    known_range, known_notes = 0, 0
    for seat in range(1, known.num_players):
        known_range += _count_in(ranged, known.known[seat])
        known_notes += _count_in(notes, known.known[seat])
    unseen = max(c.count(known.unseen), 1)
    in_range = unseen_range + known_range
    out[UNSEEN_RANGE] = min(unseen_range / MOST_RANGE, 1.0)
    out[UNSEEN_NOTES] = min(unseen_notes / MOST_BY_NOTES, 1.0)
    out[KNOWN_RANGE] = min(known_range / MOST_KNOWN, 1.0)
    out[KNOWN_NOTES] = min(known_notes / MOST_KNOWN, 1.0)
    out[SHARE_RANGE] = unseen_range / unseen
    out[SHARE_NOTES] = unseen_notes / unseen
    out[OWN_RANGE] = min(_count_in(ranged, known.hands[0]) / MOST_KNOWN, 1.0)
    out[NO_RANGE] = in_range == 0
    out[NO_THROWS] = in_range + unseen_notes + known_notes == 0
    out[SAFE] = pair.safe
    out[DISTANCE] = pair.distance / SPAN
    out[RANGE] = max(pair.high - pair.low - 1, 0) / SPAN
    if known.cooperative:
        return -_write_useful(known, piles, ranged, notes, out)
    return int(in_range + min(unseen_notes + known_notes, known.num_players - 1) + pair.safe)


@kernel
def _count_in(cards: Bits, counted: Bits) -> int:
    """Return the number of cards that two sets have in common."""
    count = 0
    for word in range(WORDS):
        count += count_bits(cards[word] & counted[word])
    return count


@subroutine
def _write_useful(known: Any, piles: Piles, ranged: Bits, notes: Bits, out: FloatArray) -> int:
    """Write and count the cards for a pair that could go on piles; needed cards count twice."""
    coming = 0
    for cards, range_at, notes_at in (
        (piles.useful, USEFUL_RANGE, USEFUL_NOTES),
        (piles.needed, NEEDED_RANGE, NEEDED_NOTES),
    ):
        by_range, by_notes = _count_in(ranged, cards), _count_in(notes, cards)
        out[range_at] = min(by_range / MOST_USEFUL, 1.0)
        out[notes_at] = min(by_notes / MOST_USEFUL, 1.0)
        coming += by_range + min(by_notes, int(known.num_players) - 1)
    return coming
