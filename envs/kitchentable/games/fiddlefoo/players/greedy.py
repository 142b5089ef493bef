"""The plain scripted player of Fiddlefoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_cells,
    find_pair,
    pair_cell,
    pair_distance,
)
from kitchentable.games.fiddlefoo.cards import NO_CARD, NOTES, NUMBER, ONE, WORDS, Bits
from kitchentable.games.fiddlefoo.pairing import color_of_pair, fits_notes, fits_range, is_safe
from kitchentable.games.fiddlefoo.players.view import view_of
from kitchentable.games.fiddlefoo.state import (
    AGAIN,
    BLOCKS,
    CARD,
    CELL,
    DISCARD,
    SIDE,
    SWAP_CARD,
    SWAP_MAP,
    THROW,
    card_at,
    index_of,
)

Ints = NDArray[np.int64]
Stream = NDArray[np.uint64]

SONG = 4
"""Cards in range that are as bad as the card drawn for a Safe Song: most are in nobody's hand."""
BY_RANGE, BY_NOTES = 10_000, 10
"""First the fewest cards in range count, then the fewest by their notes, then the own notes."""
PLENTY = 1 << 30


@allocating_kernel
def rival_greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Do the obvious: give the others as little as possible to throw, and throw all there is.

    It counts no odds, and does not think of later turns.
    """
    view: Any = view_of(observation, variant)
    if view.phase in (CARD, AGAIN):
        return _quietest_card(view)
    if view.phase == CELL:
        cell = _quietest_cell(view, view.chosen)[0]
        return int(view.num_cards + (cell // SIDE) * view.map_size + cell % SIDE)
    if view.phase == THROW:
        return _by_notes(view, mask, view.at_throw, 1)
    return _choose_for_effect(view, mask)


@kernel
def _choose_for_effect(view: Any, mask: BoolArray) -> int:
    """Give away the most notes for the fewest; nothing is moved or removed."""
    if view.phase in (DISCARD, SWAP_CARD):
        return _by_notes(view, mask, 0, 1)
    if view.phase == SWAP_MAP:
        return _by_notes(view, mask, view.at_map, -1)
    return int(view.at_pass) if mask[view.at_pass] else first_legal(mask)


@kernel
def _by_notes(view: Any, mask: BoolArray, at: int, sign: int) -> int:
    """Return the action from ``at`` on with the most notes; with ``sign`` -1 the fewest."""
    most, best = -PLENTY, int(at)
    for index in range(view.num_cards):
        notes = sign * NOTES[card_at(view, index)]
        if mask[at + index] and notes > most:
            most, best = notes, at + index
    return int(best)


@kernel
def first_legal(mask: BoolArray) -> int:
    """Return the first legal action."""
    for action in range(mask.shape[0]):
        if mask[action]:
            return action
    return 0


@subroutine
def _quietest_card(view: Any) -> int:
    """Return the action of the card that has the quietest cell, among equals the most notes."""
    least, best = PLENTY, NO_CARD
    for word in range(WORDS):
        rest = view.playable[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - ONE
            noise = _quietest_cell(view, card)[1] - NOTES[card]
            if noise < least:
                least, best = noise, card
    return index_of(view, best)


@subroutine
def _quietest_cell(view: Any, card: int) -> tuple[int, int]:
    """Return the cell where the others can throw least, and a number for how much that is."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    find_cells(view, card, legal)
    fill_matches(view, card, matches)
    least, best = PLENTY, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - ONE
            noise = _noise(view, card, cell, matches)
            if noise < least:
                least, best = noise, cell
    return int(best), int(least)


@kernel
def _noise(view: Any, card: int, cell: int, matches: Bits) -> int:
    """Return how much the others could throw, if they held every card that may be in a hand."""
    pair = find_pair(view, card, cell, matches)
    partner, distance = int(view.cells[pair_cell(pair)]), pair_distance(pair)
    low, high = min(NUMBER[card], NUMBER[partner]), max(NUMBER[card], NUMBER[partner])
    safe, color = is_safe(card, partner, distance), color_of_pair(view, card, partner)
    by_range, by_notes = SONG * safe, 0
    for word in range(WORDS):
        theirs = view.unseen[word]
        for seat in range(1, view.num_players):
            theirs |= view.known[seat, word]
        fits = fits_range(view, low, high, color, safe, word)
        by_range += count_bits(fits & theirs)
        by_notes += count_bits(fits_notes(view, distance, safe, word) & ~fits & theirs)
    return int(BY_RANGE * by_range + BY_NOTES * by_notes)
