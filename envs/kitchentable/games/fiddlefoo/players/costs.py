"""What a card costs a rival of Fiddlefoo: by what may be thrown where it is played, or to keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kitchentable.core.bits import count_bits, lowest_bit
from kitchentable.core.kernels import allocating_kernel, kernel, subroutine
from kitchentable.core.scratch import scratch_bits
from kitchentable.core.state import Bits, Floats
from kitchentable.games.fiddlefoo import board, pairing
from kitchentable.games.fiddlefoo import cards as c
from kitchentable.games.fiddlefoo.cards import WORDS
from kitchentable.games.fiddlefoo.players.reading import Look
from kitchentable.games.fiddlefoo.state import BLOCKS, MAX_PLAYERS, NOWHERE

# --- What may be thrown ---------------------------------------------------------------------------


# What counts how much; found by self-play on duplicate deals.
W_THROWN, W_RELIEF, W_FINISH, W_SAFE, W_QUIET, W_PAIRED, W_KNOWN = range(7)
W_NUMBER = 7
"""From here on, what a card costs that is kept, by how far its number is from the middle."""
WEIGHTS = np.array([
    2.95, 1.33, 2.74, 1.13, 7.0, 1.0, 0.65,
    1.55, 1.25, 1.1, 1.1, 0.8, 0.65, 0.75, 0.75,
])  # fmt: skip
MOST_COST = 4.0
"""What a card costs at most that cannot be played without a loss."""
TREASURE = -4.0
"""What `SCORE_MINUS_CONDITIONAL` costs: nobody wants to be rid of it."""
NEVER = 1e9
"""More than any play costs."""


class Odds(NamedTuple):
    """Where the unseen cards may be."""

    chance: Floats
    """The chance that an unseen card is in a seat's hand; shape (6,)."""
    none: Floats
    """The chance that none of n unseen cards is in a seat's hand; shape (6, 76)."""


class Threat(NamedTuple):
    """What a pair may cost the player who makes it."""

    thrown: float
    """Cards that the others may be expected to throw."""
    relief: float
    """Likewise, each as a share of its hand: a card counts more in a small hand."""
    quiet: float
    """The chance that nobody throws anything."""
    finish: float
    """The chance that somebody throws the last hand card."""
    safe: bool
    """Whether it is a Safe Song."""
    partner: int
    """The other card of the pair."""


@allocating_kernel
def odds_of(seen: Look) -> Odds:
    """Spread the unseen cards over the hidden hands and the pile."""
    chance, none = np.zeros(MAX_PLAYERS), np.ones((MAX_PLAYERS, c.NUM_CARDS + 1))
    unseen = max(c.count(seen.unseen), 1)
    for seat in range(1, seen.num_players):
        hidden = int(seen.sizes[seat]) - c.count(seen.known[seat])
        chance[seat] = min(max(hidden / unseen, 0.0), 1.0)
        for cards in range(1, c.NUM_CARDS + 1):
            # Drawn one after another from the unseen ones, without putting back.
            left = max(unseen - cards + 1, 1)
            none[seat, cards] = none[seat, cards - 1] * max(left - hidden, 0) / left
    return Odds(chance, none)


@subroutine
def threat_at(table: Any, odds: Odds, card: int, cell: int, matches: Bits) -> Threat:
    """Return what may be expected if a card is added in a cell where it may go.

    Args:
        table: what the player sees; its map may have been changed to try something.
        odds: from `odds_of`.
        card: the card to be added.
        cell: where.
        matches: from `board.fill_matches`.
    """
    pair = pairing.pair_at(table, card, cell, matches)
    first, second = pairing.fits_range(table, pair, 0), pairing.fits_range(table, pair, 1)
    first_notes = pairing.fits_notes(table, pair, 0) & ~first
    second_notes = pairing.fits_notes(table, pair, 1) & ~second
    in_range = count_bits(first & table.unseen[0]) + count_bits(second & table.unseen[1])
    by_notes = count_bits(first_notes & table.unseen[0])
    by_notes += count_bits(second_notes & table.unseen[1])
    thrown, relief, quiet, going_on = 0.0, 0.0, 1.0, 1.0
    for seat in range(1, table.num_players):
        known = table.known[seat]
        held = count_bits(first & known[0]) + count_bits(second & known[1])
        notes = count_bits(first_notes & known[0]) + count_bits(second_notes & known[1])
        no_range = odds.none[seat, in_range] if held == 0 else 0.0
        no_notes = odds.none[seat, by_notes] if notes == 0 else 0.0
        expected = held + odds.chance[seat] * in_range + no_range * (1.0 - no_notes)
        thrown += expected
        relief += expected / max(table.sizes[seat], 1)
        quiet *= no_range * no_notes
        going_on *= 1.0 - _finishes(table, seat, held, in_range, no_range * no_notes)
    return Threat(thrown, relief, quiet, 1.0 - going_on, pair.safe, pair.partner)


@kernel
def _finishes(table: Any, seat: int, held: int, in_range: int, quiet: float) -> float:
    """Return the chance that a seat throws all its cards."""
    size, known = int(table.sizes[seat]), c.count(table.known[seat])
    if size == 1:
        return 1.0 - quiet
    if held < known or size == 0:
        return 0.0
    share = in_range / max(c.count(table.unseen), 1)
    return float(share ** (size - known))


# --- What cards cost ------------------------------------------------------------------------------


@kernel
def cost_of(threat: Threat) -> float:
    """Return what a play costs by what the others may throw."""
    cost = WEIGHTS[W_THROWN] * threat.thrown + WEIGHTS[W_RELIEF] * threat.relief
    cost += WEIGHTS[W_FINISH] * threat.finish
    return float(cost + WEIGHTS[W_SAFE] * threat.safe)


@subroutine
def burden(seen: Any, card: int) -> float:
    """Return what it costs to keep a card, wherever it may be played.

    Numbers in the middle cost most. Cards that the others know of can seldom be thrown: who plays
    well makes no pair that they fit.
    """
    if card == c.SCORE_MINUS_CONDITIONAL:
        return TREASURE
    number = int(c.NUMBER[card])
    cost = WEIGHTS[W_NUMBER + max(number - c.HIGHEST // 2 - 1, c.HIGHEST // 2 - number)]
    return float(cost + WEIGHTS[W_KNOWN] * c.has(seen.known[0], card))


@subroutine
def cheapest(table: Any, odds: Odds, card: int) -> float:
    """Return what the best play of a card costs on this map, at most `MOST_COST`."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(table, card, legal)
    board.fill_matches(table, card, matches)
    best = MOST_COST
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            best = min(best, cost_of(threat_at(table, odds, card, cell, matches)))
    return float(best)


@subroutine
def outlook(table: Any, odds: Odds, without: int) -> float:
    """Return what the hand without one of its cards, or `NO_CARD`, is going to cost on this map."""
    total = 0.0
    for word in range(WORDS):
        rest = table.hand[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            if card != without:
                total += cheapest(table, odds, card) + burden(table, card)
    return float(total)


# --- Plays ----------------------------------------------------------------------------------------


class Play(NamedTuple):
    """A card, the cell where it is added, and what that costs, less what it cost to keep it."""

    card: int
    cell: int
    cost: float


@allocating_kernel
def best_play(seen: Any, cards: Bits) -> Play:
    """Return the best play with one of ``cards``."""
    odds = odds_of(seen)
    best = Play(c.NO_CARD, NOWHERE, NEVER)
    for word in range(WORDS):
        rest = cards[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            play = _best_cell(seen, odds, card)
            if play.cost < best.cost:
                best = play
    return best


@subroutine
def _best_cell(seen: Any, odds: Odds, card: int) -> Play:
    """Return the best play with a card; without a cell it costs `NEVER`."""
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(seen, card, legal)
    board.fill_matches(seen, card, matches)
    least, best = NEVER, NOWHERE
    kept = burden(seen, card)
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            threat = threat_at(seen, odds, card, cell, matches)
            cost = play_cost(seen, threat, card) - kept
            if cost < least:
                least, best = cost, cell
    return Play(int(card), int(best), float(least))


@kernel
def play_cost(seen: Any, threat: Threat, card: int) -> float:
    """Return what a play costs by its threat, less what its effects bring."""
    cost = cost_of(threat)
    if seen.sizes[0] == 1:  # the game is won if nobody throws, and nothing is drawn
        ends = not threat.safe or seen.pile == 0
        return float(cost - WEIGHTS[W_QUIET] * threat.quiet * ends)
    if seen.num_cards > c.NUM_BASE:
        cost -= WEIGHTS[W_PAIRED] * (_brings(card) + _brings(threat.partner))
    return float(cost)


@kernel
def _brings(card: int) -> float:
    """Return how many cards an action card takes out of the hand if it is paired."""
    return 1.0 if card in (c.DISCARD_CARD, c.PLAY_AGAIN) else 0.0
