"""The obvious team of Fiddlefoo's cooperative variant."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.bits import lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.games.fiddlefoo.board import (
    fill_matches,
    find_cells,
    find_pair,
    pair_distance,
    pair_range,
)
from kitchentable.games.fiddlefoo.cards import COLOR, HIGHEST, NOTES, NUM_CARDS, NUMBER, has
from kitchentable.games.fiddlefoo.players.team_value import fill_ways
from kitchentable.games.fiddlefoo.players.view import View, view_of
from kitchentable.games.fiddlefoo.state import (
    BLOCKS,
    CARD,
    CELL,
    FULL_PILE,
    LONGEST,
    THROW,
    index_of,
)

Integers = NDArray[np.int64]
Stream = NDArray[np.uint64]


@allocating_kernel
def team_greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: Integers,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Do the obvious: put on a pile whatever may still make ten, and let the others do so.

    It looks at the piles and the map alone, not at what has been seen of the hands.
    """
    view = view_of(observation, variant)
    if view.phase == THROW:
        return _throw(view, mask)
    if view.phase == CARD:
        return index_of(view, _useless_card(view))
    if view.phase == CELL:
        return _widest_cell(view)
    if mask[view.at_pass]:
        return int(view.at_pass)
    return int(np.argmax(mask))


@kernel
def _is_useless(view: View, card: int) -> bool:
    """Whether a card cannot go on its pile any more."""
    color = COLOR[card]
    left = FULL_PILE - view.pile_notes[color]
    return bool(NUMBER[card] <= view.pile_tops[color] or NOTES[card] > left)


@subroutine
def _useless_card(view: View) -> int:
    """Return the card to play: one that no pile takes, or one with few notes."""
    best, choice = -1, 0
    for card in range(NUM_CARDS):
        if has(view.playable, card):
            score = 10 if _is_useless(view, card) else 5 - NOTES[card]
            if score > best:
                best, choice = score, card
    return choice


@allocating_kernel
def _widest_cell(view: Any) -> int:
    """Return the cell for the chosen card with the most numbers in range, if throws are allowed."""
    matches = np.zeros(BLOCKS, np.uint64)
    fill_matches(view, view.chosen, matches)
    legal = np.zeros(BLOCKS, np.uint64)
    find_cells(view, view.chosen, legal)
    best, place = -1, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - np.uint64(1)
            pair = find_pair(view, view.chosen, cell, matches)
            score = pair_range(pair) + 1 if pair_distance(pair) <= LONGEST else 0
            if score > best:
                best, place = score, cell
    return int(view.num_cards + (place >> 4) * view.map_size + (place & 15))


@allocating_kernel
def _throw(view: View, mask: BoolArray) -> int:
    """Put the lowest card on its pile from which ten can still be reached, or nothing."""
    chances, ways = np.zeros(HIGHEST + 2), np.zeros((HIGHEST + 2, FULL_PILE + 1))
    for card in range(NUM_CARDS):
        action = view.at_pile + index_of(view, card) if has(view.in_play, card) else view.at_pass
        if not (has(view.hand, card) and mask[action]):
            continue
        chances[:] = 0.0
        for other in range(NUM_CARDS):
            free = has(view.in_play, other) and not has(view.on_map, other)
            if COLOR[other] == COLOR[card] and free and not has(view.extras.removed, other):
                chances[NUMBER[other]] = 1.0
        fill_ways(chances, ways)
        left = FULL_PILE - view.pile_notes[COLOR[card]] - NOTES[card]
        if left >= 0 and ways[NUMBER[card], left] > 0:
            return int(action)
    return int(view.at_pass)
