"""The simple scripted player of Fiddlefoo, for the competitive and the cooperative game."""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits, BoolArray, Stream
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo import state as s
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.knowledge import Knowledge
from kitchentable.games.fiddlefoo.players.piles import fill_ways
from kitchentable.games.fiddlefoo.state import BLOCKS

SONG = 4
"""A Safe Song's draw counts as this many cards in range, because most of those are in no hand."""
BY_RANGE, BY_NOTES = 10_000, 10
"""Weights that rank plays by cards in range, then by cards that fit by notes, then by own notes."""
PLENTY = 1 << 30


@allocating_kernel
def greedy(known: Any, mask: BoolArray, _rng: Stream) -> int:
    """Play where the others can throw least; throw whenever possible, the most notes first.

    The player ignores probabilities and later turns. In a team see `_play_in_team`.
    """
    if known.phase == s.CELL:
        return s.cell_action(known, _quietest_cell(known, known.chosen)[0])
    if known.cooperative:
        return _play_in_team(known, mask)
    if known.phase in (s.CARD, s.AGAIN):
        return _quietest_card(known)
    if known.phase == s.THROW:
        return _by_notes(known, mask, known.at_throw, 1)
    return _choose_for_effect(known, mask)


@kernel
def pass_or_first(known: Knowledge, mask: BoolArray) -> int:
    """Return ``pass`` if it is legal, else the first legal action."""
    action = int(known.at_pass)
    if not mask[action]:
        action = 0
        while not mask[action]:
            action += 1
    return action


@kernel
def _choose_for_effect(known: Any, mask: BoolArray) -> int:
    """Give up the card with most notes, take the one with fewest; move or remove nothing."""
    if known.phase in (s.DISCARD, s.SWAP_CARD):
        return _by_notes(known, mask, 0, 1)
    if known.phase == s.SWAP_MAP:
        return _by_notes(known, mask, known.at_map, -1)
    return pass_or_first(known, mask)


@kernel
def _by_notes(known: Any, mask: BoolArray, at: int, sign: int) -> int:
    """Return the legal action from ``at`` on for the most notes, or fewest if ``sign`` is -1."""
    most, best = -PLENTY, int(at)
    for index in range(known.num_cards):
        notes = sign * c.NOTES[s.card_at(known, index)]
        if mask[at + index] and notes > most:
            most, best = notes, at + index
    return int(best)


@subroutine
def _quietest_card(known: Any) -> int:
    """Return the action for the card with the quietest cell; ties go to the most notes."""
    least, best = PLENTY, c.NO_CARD
    for word in range(WORDS):
        rest = known.playable[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            noise = _quietest_cell(known, card)[1] - c.NOTES[card]
            if noise < least:
                least, best = noise, card
    return s.index_of(known, best)


@subroutine
def _quietest_cell(known: Any, card: int) -> tuple[int, int]:
    """Return the cell where the others can throw least, and its `_noise`."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(known, card, legal)
    board.fill_matches(known, card, matches)
    least, best = PLENTY, 0
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            noise = _noise(known, card, cell, matches)
            if noise < least:
                least, best = noise, cell
    return int(best), int(least)


@kernel
def _noise(known: Any, card: int, cell: int, matches: Bits) -> int:
    """Return how much the others could throw if they held every card that they may hold.

    In a team, whose seats want to throw, it is lower, the larger the range that allows throws.
    """
    pair = pairing.pair_at(known, card, cell, matches)
    if known.cooperative:
        return -(max(pair.high - pair.low - 1, 0) + 1) if pair.distance <= s.LONGEST else 0
    by_range, by_notes = SONG * pair.safe, 0
    for word in range(WORDS):
        held = known.unseen[word]
        for seat in range(1, known.num_players):
            held |= known.known[seat, word]
        fits = pairing.fits_range(known, pair, word)
        by_range += count_bits(fits & held)
        by_notes += count_bits(pairing.fits_notes(known, pair, word) & ~fits & held)
    return int(BY_RANGE * by_range + BY_NOTES * by_notes)


# --- In a team ------------------------------------------------------------------------------------


@allocating_kernel
def _play_in_team(known: Knowledge, mask: BoolArray) -> int:
    """Put cards on piles that can still become full, and let the others do the same.

    The player looks only at its hand, the piles and the map, not at what is known of other hands.
    """
    if known.phase == s.THROW:
        return _throw(known, mask)
    if known.phase == s.CARD:
        return s.index_of(known, _useless_card(known))
    return pass_or_first(known, mask)


@kernel
def _is_useless(known: Knowledge, card: int) -> bool:
    """Return whether a card can no longer go on its pile."""
    color = c.COLOR[card]
    left = s.FULL_PILE - known.pile_notes[color]
    return bool(c.NUMBER[card] <= known.pile_tops[color] or c.NOTES[card] > left)


@subroutine
def _useless_card(known: Knowledge) -> int:
    """Return the card to play: one that its pile cannot take, else one with few notes."""
    best, choice = -1, 0
    for card in range(c.NUM_CARDS):
        if c.has(known.playable, card):
            score = 10 if _is_useless(known, card) else 5 - c.NOTES[card]
            if score > best:
                best, choice = score, card
    return choice


@allocating_kernel
def _throw(known: Knowledge, mask: BoolArray) -> int:
    """Return the action for the first card that leaves its pile fillable, or ``pass``."""
    chances, ways = np.zeros(c.HIGHEST + 2), np.zeros((c.HIGHEST + 2, s.FULL_PILE + 1))
    for card in range(c.NUM_CARDS):
        action = (
            known.at_pile + s.index_of(known, card) if c.has(known.in_play, card) else known.at_pass
        )
        if not (c.has(known.hands[0], card) and mask[action]):
            continue
        chances[:] = 0.0
        for other in range(c.NUM_CARDS):
            free = c.has(known.in_play, other) and not c.has(known.on_map, other)
            if c.COLOR[other] == c.COLOR[card] and free and not c.has(known.removed, other):
                chances[c.NUMBER[other]] = 1.0
        fill_ways(chances, ways)
        left = s.FULL_PILE - known.pile_notes[c.COLOR[card]] - c.NOTES[card]
        if left >= 0 and ways[c.NUMBER[card], left] > 0:
            return int(action)
    return int(known.at_pass)
