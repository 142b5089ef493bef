"""Costs in competitive Fiddlefoo: of playing a card in a cell, and of keeping it in the hand."""

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
from kitchentable.games.fiddlefoo.knowledge import Knowledge, num_hidden
from kitchentable.games.fiddlefoo.state import BLOCKS, MAX_PLAYERS, NOWHERE

# --- What may be thrown ---------------------------------------------------------------------------


# Weights, which were tuned by self-play on duplicate deals.
THROWN, RELIEF, FINISH, SAFE, QUIET, PAIRED, KNOWN = 2.95, 1.33, 2.74, 1.13, 7.0, 1.0, 0.65
BY_NUMBER = np.array([1.55, 1.25, 1.1, 1.1, 0.8, 0.65, 0.75, 0.75])
"""Weights for keeping a card, by the distance of its number from the middle."""
MOST_COST = 4.0
"""Upper limit of the cost in `cheapest`, also for a card without a legal cell."""
TREASURE = -4.0
"""Cost of keeping `SCORE_MINUS_CONDITIONAL`: negative, since it is worth keeping."""
NEVER = 1e9
"""A cost higher than that of any play."""


class Odds(NamedTuple):
    """Probabilities of where the unseen cards are."""

    chance: Floats
    """Probability that an unseen card is in each seat's hand; shape (6,)."""
    none: Floats
    """Probability that none of n unseen cards is in each seat's hand; shape (6, 76)."""


class Threat(NamedTuple):
    """What a pair may cost the seat that makes it."""

    thrown: float
    """Expected number of cards that the other seats throw."""
    relief: float
    """The same, with each card as a share of the hand it comes from: small hands count more."""
    quiet: float
    """Probability that no seat throws anything."""
    finish: float
    """Probability that some seat throws its last card."""
    safe: bool
    """Whether the pair is a Safe Song."""
    partner: int
    """The other card of the pair."""


@allocating_kernel
def odds_of(known: Knowledge) -> Odds:
    """Return the odds if the unseen cards are spread evenly over hidden hands and draw pile."""
    chance, none = np.zeros(MAX_PLAYERS), np.ones((MAX_PLAYERS, c.NUM_CARDS + 1))
    unseen = max(c.count(known.unseen), 1)
    for seat in range(1, known.num_players):
        hidden = num_hidden(known, seat)
        chance[seat] = min(max(hidden / unseen, 0.0), 1.0)
        for cards in range(1, c.NUM_CARDS + 1):
            # Drawn one by one from the unseen cards, without replacement.
            left = max(unseen - cards + 1, 1)
            none[seat, cards] = none[seat, cards - 1] * max(left - hidden, 0) / left
    return Odds(chance, none)


@subroutine
def threat_at(table: Any, odds: Odds, card: int, cell: int, matches: Bits) -> Threat:
    """Return the threat to a seat that adds a card to the map in a legal cell.

    Args:
        table: what the seat knows; its map may be a hypothetical one.
        odds: from `odds_of`.
        card: the card to be added.
        cell: a legal cell for it.
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
        shown = table.known[seat]
        held = count_bits(first & shown[0]) + count_bits(second & shown[1])
        notes = count_bits(first_notes & shown[0]) + count_bits(second_notes & shown[1])
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
    """Return the probability that a seat throws all its cards."""
    size, shown = int(table.sizes[seat]), c.count(table.known[seat])
    if size == 1:
        return 1.0 - quiet
    if held < shown or size == 0:
        return 0.0
    share = in_range / max(c.count(table.unseen), 1)
    return float(share ** (size - shown))


# --- What cards cost ------------------------------------------------------------------------------


@kernel
def cost_of(threat: Threat) -> float:
    """Return the cost of a play from what the other seats may throw."""
    cost = THROWN * threat.thrown + RELIEF * threat.relief + FINISH * threat.finish
    return float(cost + SAFE * threat.safe)


@subroutine
def burden(known: Any, card: int) -> float:
    """Return the cost of keeping a card, independent of the map.

    Numbers in the middle cost most. A card that the others know of costs more: good players make no
    pair that it fits, so it can seldom be thrown.
    """
    if card == c.SCORE_MINUS_CONDITIONAL:
        return TREASURE
    number = int(c.NUMBER[card])
    cost = BY_NUMBER[max(number - c.HIGHEST // 2 - 1, c.HIGHEST // 2 - number)]
    return float(cost + KNOWN * c.has(known.known[0], card))


class Play(NamedTuple):
    """A card, the cell to put it in, and the cost of that; see `cheapest`."""

    card: int
    cell: int
    cost: float


@subroutine
def cheapest(table: Any, odds: Odds, card: int, is_play: bool) -> Play:
    """Return the cheapest play of a card on this map.

    Args:
        table: what the seat knows; its map may be a hypothetical one.
        odds: from `odds_of`.
        card: the card.
        is_play: whether it may be played now. Then the cost is that of the play minus that of
            keeping the card, or `NEVER` if it has no legal cell. Else it is that of a later play,
            at most `MOST_COST`.
    """
    legal, matches = scratch_bits(BLOCKS), scratch_bits(BLOCKS)
    board.find_cells(table, card, legal)
    board.fill_matches(table, card, matches)
    least, best = NEVER if is_play else MOST_COST, NOWHERE
    holding_cost = burden(table, card)
    for block in range(BLOCKS):
        rest = legal[block]
        while rest != 0:
            cell = 64 * block + lowest_bit(rest)
            rest &= rest - c.ONE
            threat = threat_at(table, odds, card, cell, matches)
            cost = play_cost(table, threat, card) - holding_cost if is_play else cost_of(threat)
            if cost < least:
                least, best = cost, cell
    return Play(int(card), int(best), float(least))


@subroutine
def outlook(table: Any, odds: Odds, without: int) -> float:
    """Return the future cost on this map of the hand minus the card ``without`` (or `NO_CARD`)."""
    total = 0.0
    for word in range(WORDS):
        rest = table.hands[0][word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            if card != without:
                total += cheapest(table, odds, card, False).cost + burden(table, card)
    return float(total)


# --- Plays ----------------------------------------------------------------------------------------


@allocating_kernel
def best_play(known: Any, cards: Bits) -> Play:
    """Return the cheapest play with one of ``cards``."""
    odds = odds_of(known)
    best = Play(c.NO_CARD, NOWHERE, NEVER)
    for word in range(WORDS):
        rest = cards[word]
        while rest != 0:
            card = 64 * word + lowest_bit(rest)
            rest &= rest - c.ONE
            play = cheapest(known, odds, card, True)
            if play.cost < best.cost:
                best = play
    return best


@kernel
def play_cost(known: Any, threat: Threat, card: int) -> float:
    """Return the cost of a play: its threat, minus the chance to win and what effects bring."""
    cost = cost_of(threat)
    if known.sizes[0] == 1:  # the last card ends the game if no seat throws and nothing is drawn
        ends = not threat.safe or known.deck_size == 0
        return float(cost - QUIET * threat.quiet * ends)
    if known.num_cards > c.NUM_BASE:
        cost -= PAIRED * (_brings(card) + _brings(threat.partner))
    return float(cost)


@kernel
def _brings(card: int) -> float:
    """Return how many more cards an action card lets its seat get rid of if it is paired."""
    return 1.0 if card in (c.DISCARD_CARD, c.PLAY_AGAIN) else 0.0
