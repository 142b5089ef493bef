"""Expected scores of Diddly boards at the end of the round, from one player's view.

A `Forecast` gives the expected score of a board after a number of further cards that may be placed
on it. It treats every column (with nine cards, every card and every line) independently. Columns
compete for the same cards, so each placement has a price.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, Floats
from kitchentable.games.diddly.knowledge import Knowledge
from kitchentable.games.diddly.players.boards import Board, num_hidden, num_unseen
from kitchentable.games.diddly.scoring import column_score
from kitchentable.games.diddly.state import (
    HALF,
    LINES,
    MAX_CARDS,
    NUM_KINDS,
    POINTS,
    RECYCLE,
    UNKNOWN,
)

# The constants here and in `expert` were tuned by play, one at a time: each was raised and lowered
# by a fifth to a half and played several thousand deals from both seats against `greedy` and the
# previous version. Significant gains were kept. Two ideas gained nothing: playing for the lead
# instead of points in the last round, and weighting the next seat's gain higher or lower.

DELAY = 1.5
"""Turns that a seat needs to turn up its cards, beyond one turn for each of them."""
OFFERS_A_TURN = 1.5
"""Cards per turn that a seat can choose from: one from the deck, sometimes one from the pile."""
MOST_OFFERS = 5
"""Maximum number of offered cards; with more, players wait for matches that come too late."""
COLUMN_PRICE = 2.8
"""Points that a placement in a column must gain, because the card could help another column."""
CARD_PRICE = 1.0
"""The same for a single card with nine cards, where lines are counted separately."""
RECYCLE_LEFT = 4.0
"""Maximum points for a Recycle on a nine-card board while it can still be used."""


class Forecast(NamedTuple):
    """Expected points at the end of the round, by the number of cards offered until then."""

    odds: Floats
    """Probability of each kind for a card that the player does not know; shape (NUM_KINDS,)."""
    columns: Floats
    """A column, by its two kinds or `UNKNOWN`; shape (offers + 1, NUM_KINDS + 1, NUM_KINDS + 1)."""
    singles: Floats
    """Nine cards: a card outside all lines, by kind; shape (offers + 1, NUM_KINDS + 1)."""
    arrivals: Floats
    """Nine cards: chance of at least 0, 1 or 2 cards of a kind; shape (offers + 1, 3,
    NUM_KINDS)."""
    kept: Floats
    """Scratch space: probability that no line makes a card worth zero; shape (MAX_CARDS,)."""


# --- How long the round will last ----------------------------------------------------------------


@kernel
def longest(known: Knowledge) -> float:
    """Return an upper bound of `turns_left` for all seats."""
    if known.closer != NOBODY:
        return 1.0
    fewest = known.cards
    for seat in range(known.num_players):
        fewest = min(fewest, num_hidden(known, seat))
    return fewest + DELAY + 1.0


@kernel
def turns_left(known: Knowledge, seat: int, own_hidden: int) -> float:
    """Estimate the turns of a seat after this one, which leaves seat 0 ``own_hidden`` hidden cards.

    The first seat with all cards face up closes the round; each other seat then has one more turn.
    So seats that act before the closer have one turn more than it, and later seats the same number.
    """
    if known.closer != NOBODY:
        return 1.0 if 0 < seat < known.closer else 0.0
    if own_hidden == 0:
        return 1.0 if seat > 0 else 0.0
    fewest = np.inf
    for closer in range(known.num_players):
        turns = (own_hidden if closer == 0 else num_hidden(known, closer)) + DELAY
        # From now on, seat 0 acts last.
        before = seat > 0 and (closer == 0 or seat < closer)
        fewest = min(fewest, turns + 1.0 if before else turns)
    return fewest


# --- What boards will score ----------------------------------------------------------------------


@kernel
def offers_in(turns: float) -> int:
    """Return how many cards the forecast expects a seat to be offered in ``turns`` turns."""
    return min(int(turns * OFFERS_A_TURN + 0.5), MOST_OFFERS)


@allocating_kernel
def forecast(known: Knowledge, turns: float) -> Forecast:
    """Compute the expected scores of boards of a table for up to ``turns`` turns."""
    lines = known.cards == MAX_CARDS
    steps = offers_in(turns) + 1
    kinds = NUM_KINDS + 1
    columns = np.empty((0 if lines else steps, kinds, kinds), np.float64)
    singles = np.empty((steps if lines else 0, kinds), np.float64)
    arrivals = np.empty((steps if lines else 0, 3, NUM_KINDS), np.float64)
    odds = known.unseen / max(num_unseen(known), 1)
    if lines:
        _fill_singles(odds, singles)
        _fill_arrivals(odds, arrivals)
    else:
        _fill_scores(odds, columns[0])
        for offers in range(1, steps):
            _fill_columns(known, odds, columns[offers - 1], columns[offers])
    return Forecast(odds, columns, singles, arrivals, np.empty(MAX_CARDS, np.float64))


@kernel
def board_value(ahead: Forecast, board: Board, turns: float) -> float:
    """Return the expected score of a board after ``turns`` more turns of its owner."""
    offers = offers_in(turns)
    if board.shape[0] == MAX_CARDS:
        return _nine_value(ahead, board, offers)
    columns = board.shape[0] // 2
    total = 0.0
    for column in range(columns):
        total += ahead.columns[offers, board[column], board[column + columns]]
    return total


@kernel
def _fill_scores(odds: Floats, scores: Floats) -> None:
    """Write the scores of columns as they lie, averaged over unknown cards."""
    for first in range(NUM_KINDS):
        scores[first, UNKNOWN] = 0.0
        for second in range(NUM_KINDS):
            scores[first, second] = column_score(first, second)
            scores[first, UNKNOWN] += odds[second] * scores[first, second]
        scores[UNKNOWN, first] = scores[first, UNKNOWN]
    scores[UNKNOWN, UNKNOWN] = 0.0
    for first in range(NUM_KINDS):
        scores[UNKNOWN, UNKNOWN] += odds[first] * scores[first, UNKNOWN]


@kernel
def _fill_columns(known: Knowledge, odds: Floats, later: Floats, now: Floats) -> None:
    """Write the values of columns with one more card to come than in ``later``.

    The card may replace either card of the column, for the price, or go elsewhere.
    """
    for first in range(NUM_KINDS + 1):
        for second in range(first, NUM_KINDS + 1):
            now[first, second] = 0.0
        for kind in range(NUM_KINDS):
            for second in range(first, NUM_KINDS + 1):
                placed = min(later[kind, second], later[first, kind]) + COLUMN_PRICE
                now[first, second] += odds[kind] * min(later[first, second], placed)
        for second in range(first):
            now[first, second] = now[second, first]
    for other in range(NUM_KINDS + 1):
        best = now[RECYCLE, other]
        for kind in range(NUM_KINDS):
            if known.pile_counts[kind] > 0:
                best = min(best, later[kind, other] + COLUMN_PRICE)
        now[RECYCLE, other] = best
        now[other, RECYCLE] = best


@kernel
def _fill_singles(odds: Floats, singles: Floats) -> None:
    singles[0, UNKNOWN] = 0.0
    for kind in range(NUM_KINDS):
        singles[0, kind] = POINTS[kind]
        singles[0, UNKNOWN] += odds[kind] * POINTS[kind]
    for offers in range(1, singles.shape[0]):
        for card in range(NUM_KINDS + 1):
            value = 0.0
            for kind in range(NUM_KINDS):
                placed = singles[offers - 1, kind] + CARD_PRICE
                value += odds[kind] * min(singles[offers - 1, card], placed)
            singles[offers, card] = value
        singles[offers, RECYCLE] = min(singles[offers, RECYCLE], RECYCLE_LEFT)


@kernel
def _fill_arrivals(odds: Floats, arrivals: Floats) -> None:
    for kind in range(NUM_KINDS):
        for offers in range(arrivals.shape[0]):
            arrivals[offers, 0, kind] = 1.0
        arrivals[0, 1, kind] = 0.0
        arrivals[0, 2, kind] = 0.0
    for offers in range(1, arrivals.shape[0]):
        for need in range(1, 3):
            for kind in range(NUM_KINDS):
                before = arrivals[offers - 1, need, kind]
                one_less = arrivals[offers - 1, need - 1, kind]
                arrivals[offers, need, kind] = before + odds[kind] * (one_less - before)


@kernel
def _nine_value(ahead: Forecast, board: Board, offers: int) -> float:
    """Value nine cards: each counts unless one of its lines becomes three equal cards."""
    kept = ahead.kept
    kept[:] = 1.0
    halved = 0  # one bit per slot
    for a, b, c in LINES:
        if board[a] == HALF or board[b] == HALF or board[c] == HALF:
            halved |= (1 << a) | (1 << b) | (1 << c)
        missed = 1.0 - _line_chance(ahead.arrivals, offers, board[a], board[b], board[c])
        kept[a] *= missed
        kept[b] *= missed
        kept[c] *= missed
    total = 0.0
    for slot in range(MAX_CARDS):
        points = ahead.singles[offers, board[slot]]
        if (halved >> slot) & 1:
            # Rounding up costs a quarter on average, but nothing if there is nothing to halve.
            points = min(points, 0.5 * points + 0.25)
        total += kept[slot] * points
    return total


@kernel
def _line_chance(arrivals: Floats, offers: int, first: int, second: int, third: int) -> float:
    """Return the probability that a line becomes three equal cards."""
    chance = 0.0
    for kind in (first, second, third):
        if kind != UNKNOWN:
            need = int(first != kind) + int(second != kind) + int(third != kind)
            chance = max(chance, arrivals[offers, need, kind])
    return chance
