"""The plain scripted player of Fiddlefoo, as a rival and in a team."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits, BoolArray, FloatArray, Ints
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.players.piles import fill_ways
from kitchentable.games.fiddlefoo.players.reading import (
    Stream,
    View,
    cell_action,
    pass_or_first,
    view_of,
)
from kitchentable.games.fiddlefoo.state import BLOCKS

SONG = 4
"""Cards in range that are as bad as the card drawn for a Safe Song: most are in nobody's hand."""
BY_RANGE, BY_NOTES = 10_000, 10
"""First the fewest cards in range count, then the fewest by their notes, then the own notes."""
PLENTY = 1 << 30


@allocating_kernel
def greedy(
    observation: FloatArray,
    mask: BoolArray,
    variant: Ints,
    rng: Stream,  # noqa: ARG001
    *_: Any,
) -> int:
    """Do the obvious: give the others as little as possible to throw, and throw all there is.

    It counts no odds, and does not think of later turns. In a team see `_play_in_team`.
    """
    view: Any = view_of(observation, variant)
    if view.cooperative:
        return _play_in_team(view, mask)
    if view.phase in (s.CARD, s.AGAIN):
        return _quietest_card(view)
    if view.phase == s.CELL:
        return cell_action(view, _quietest_cell(view, view.chosen)[0])
    if view.phase == s.THROW:
        return _by_notes(view, mask, view.at_throw, 1)
    return _choose_for_effect(view, mask)


@kernel
def _choose_for_effect(view: Any, mask: BoolArray) -> int:
    """Give away the most notes for the fewest; nothing is moved or removed."""
    if view.phase in (s.DISCARD, s.SWAP_CARD):
        return _by_notes(view, mask, 0, 1)
    if view.phase == s.SWAP_MAP:
        return _by_notes(view, mask, view.at_map, -1)
    return pass_or_first(view, mask)


@kernel
def _by_notes(view: Any, mask: BoolArray, at: int, sign: int) -> int:
    """Return the action from ``at`` on with the most notes; with ``sign`` -1 the fewest."""
    most, best = -PLENTY, int(at)
    for index in range(view.num_cards):
        notes = sign * c.NOTES[s.card_at(view, index)]
        if mask[at + index] and notes > most:
            most, best = notes, at + index
    return int(best)


@subroutine
def _quietest_card(view: Any) -> int:
    """Return the action of the card that has the quietest cell, among equals the most notes."""
    least, best = PLENTY, c.NO_CARD
    for word in range(WORDS):
        rest = view.playable[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            noise = _quietest_cell(view, card)[1] - c.NOTES[card]
            if noise < least:
                least, best = noise, card
    return s.index_of(view, best)


@subroutine
def _quietest_cell(view: Any, card: int) -> tuple[int, int]:
    """Return the cell where the others can throw least, and a number for how much that is."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(view, card, legal)
    board.fill_matches(view, card, matches)
    least, best = PLENTY, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            noise = _noise(view, card, cell, matches)
            if noise < least:
                least, best = noise, cell
    return int(best), int(least)


@kernel
def _noise(view: Any, card: int, cell: int, matches: Bits) -> int:
    """Return how much the others could throw, if they held every card that may be in a hand."""
    pair = board.find_pair(view, card, cell, matches)
    partner, distance = int(view.cells[board.pair_cell(pair)]), board.pair_distance(pair)
    low, high = min(c.NUMBER[card], c.NUMBER[partner]), max(c.NUMBER[card], c.NUMBER[partner])
    safe, color = (
        pairing.is_safe(card, partner, distance),
        pairing.color_of_pair(view, card, partner),
    )
    by_range, by_notes = SONG * safe, 0
    for word in range(WORDS):
        theirs = view.unseen[word]
        for seat in range(1, view.num_players):
            theirs |= view.known[seat, word]
        fits = pairing.fits_range(view, low, high, color, safe, word)
        by_range += count_bits(fits & theirs)
        by_notes += count_bits(pairing.fits_notes(view, distance, safe, word) & ~fits & theirs)
    return int(BY_RANGE * by_range + BY_NOTES * by_notes)


# --- In a team ------------------------------------------------------------------------------------


@allocating_kernel
def _play_in_team(view: View, mask: BoolArray) -> int:
    """Put on a pile whatever may still make it full, and let the others do so.

    It looks at the piles and the map alone, not at what has been seen of the hands.
    """
    if view.phase == s.THROW:
        return _throw(view, mask)
    if view.phase == s.CARD:
        return s.index_of(view, _useless_card(view))
    if view.phase == s.CELL:
        return _widest_cell(view)
    return pass_or_first(view, mask)


@kernel
def _is_useless(view: View, card: int) -> bool:
    """Whether a card cannot go on its pile any more."""
    color = c.COLOR[card]
    left = s.FULL_PILE - view.pile_notes[color]
    return bool(c.NUMBER[card] <= view.pile_tops[color] or c.NOTES[card] > left)


@subroutine
def _useless_card(view: View) -> int:
    """Return the card to play: one that no pile takes, or one with few notes."""
    best, choice = -1, 0
    for card in range(c.NUM_CARDS):
        if c.has(view.playable, card):
            score = 10 if _is_useless(view, card) else 5 - c.NOTES[card]
            if score > best:
                best, choice = score, card
    return choice


@allocating_kernel
def _widest_cell(view: Any) -> int:
    """Return the cell for the chosen card with the most numbers in range, if throws are allowed."""
    matches = np.zeros(BLOCKS, np.uint64)
    board.fill_matches(view, view.chosen, matches)
    legal = np.zeros(BLOCKS, np.uint64)
    board.find_cells(view, view.chosen, legal)
    best, place = -1, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            pair = board.find_pair(view, view.chosen, cell, matches)
            score = board.pair_range(pair) + 1 if board.pair_distance(pair) <= s.LONGEST else 0
            if score > best:
                best, place = score, cell
    return cell_action(view, place)


@allocating_kernel
def _throw(view: View, mask: BoolArray) -> int:
    """Put the lowest card on its pile that can still be full then, or nothing."""
    chances, ways = np.zeros(c.HIGHEST + 2), np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    for card in range(c.NUM_CARDS):
        action = (
            view.at_pile + s.index_of(view, card) if c.has(view.in_play, card) else view.at_pass
        )
        if not (c.has(view.hand, card) and mask[action]):
            continue
        chances[:] = 0.0
        for other in range(c.NUM_CARDS):
            free = c.has(view.in_play, other) and not c.has(view.on_map, other)
            if c.COLOR[other] == c.COLOR[card] and free and not c.has(view.extras.removed, other):
                chances[c.NUMBER[other]] = 1.0
        fill_ways(chances, ways)
        left = s.FULL_PILE - view.pile_notes[c.COLOR[card]] - c.NOTES[card]
        if left >= 0 and ways[c.NUMBER[card], left] > 0:
            return int(action)
    return int(view.at_pass)
