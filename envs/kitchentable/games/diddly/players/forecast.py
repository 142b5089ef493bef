"""What boards of Diddly will score at the end of the round, as far as one player can tell.

A `Forecast` answers one question: what does a board score at the end of the round, if some more
cards come along that may be placed on it? It treats every column (nine cards: every card and every
line) by itself. Columns compete for the cards that come, so a placement costs a price.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, Floats, Ints
from kitchentable.games.diddly.players.reading import UNKNOWN, Look, num_hidden
from kitchentable.games.diddly.scoring import column_score
from kitchentable.games.diddly.state import HALF, LINES, MAX_CARDS, NUM_KINDS, POINTS, RECYCLE

# The constants here and of `expert` were found by playing: one constant at a time, up and
# down by a fifth to a half, some thousand deals from both seats for each value, against `greedy`
# and against the player as it was before; steps that gained more than chance were kept. Two things
# were tried and gained nothing: playing for the lead in the last round instead of for points, and
# weighing what the next seat gets by more or less than it is worth.

DELAY = 1.5
"""Turns that a seat takes to turn up its cards beyond one for each."""
OFFERS_A_TURN = 1.5
"""Cards a turn that a seat may choose from: the deck's, and now and then the pile's."""
MOST_OFFERS = 5
"""Looking further ahead makes a player wait for matches that come too late."""
COLUMN_PRICE = 2.8
"""Points that a placement must gain in a column, for it could have gained them in another."""
CARD_PRICE = 1.0
"""Likewise with nine cards, where lines are counted apart from single cards."""
RECYCLE_LEFT = 4.0
"""Points that a Recycle on a nine-card board is worth at most while it can still be used."""


class Forecast(NamedTuple):
    """Expected points at the end of the round, by how many cards come along until then."""

    columns: Floats
    """Of a column of two kinds; shape (offers + 1, kinds and UNKNOWN, the same)."""
    singles: Floats
    """Nine cards: of a card outside all lines; shape (offers + 1, kinds and UNKNOWN)."""
    arrivals: Floats
    """Nine cards: chance that 0, 1 or 2 cards of a kind come; shape (offers + 1, 3, NUM_KINDS)."""
    kept: Floats
    """Scratch paper: the chance that no line makes a card worth nothing; shape (MAX_CARDS,)."""


# --- How long the round will last ----------------------------------------------------------------


@kernel
def longest(seen: Look) -> float:
    """Return how many turns any seat may have left, as `turns_left` counts them."""
    if seen.closer != NOBODY:
        return 1.0
    fewest = seen.cards
    for seat in range(seen.seats):
        fewest = min(fewest, num_hidden(seen, seat))
    return fewest + DELAY + 1.0


@kernel
def turns_left(seen: Look, seat: int, own_hidden: int) -> float:
    """Estimate the turns that a seat has after this one, which leaves me ``own_hidden`` cards.

    The first seat to turn up its cards closes the round; then each other seat has one more turn. So
    seats that act before the closer have one turn more than it, seats that act after it as many.
    """
    if seen.closer != NOBODY:
        return 1.0 if 0 < seat < seen.closer else 0.0
    if own_hidden == 0:
        return 1.0 if seat > 0 else 0.0
    fewest = np.inf
    for closer in range(seen.seats):
        turns = (own_hidden if closer == 0 else num_hidden(seen, closer)) + DELAY
        # I am the last to act from now on.
        before = seat > 0 and (closer == 0 or seat < closer)
        fewest = min(fewest, turns + 1.0 if before else turns)
    return fewest


# --- What boards will score ----------------------------------------------------------------------


@kernel
def offers_in(turns: float) -> int:
    """Return how many cards to choose from come along in so many turns, as the forecast counts."""
    return min(int(turns * OFFERS_A_TURN + 0.5), MOST_OFFERS)


@allocating_kernel
def forecast(seen: Look, turns: float) -> Forecast:
    """Work out what boards of this table may be expected to score in up to ``turns`` turns."""
    lines = seen.cards == MAX_CARDS
    steps = offers_in(turns) + 1
    kinds = NUM_KINDS + 1
    columns = np.empty((0 if lines else steps, kinds, kinds), np.float64)
    singles = np.empty((steps if lines else 0, kinds), np.float64)
    arrivals = np.empty((steps if lines else 0, 3, NUM_KINDS), np.float64)
    if lines:
        _fill_singles(seen.odds, singles)
        _fill_arrivals(seen.odds, arrivals)
    else:
        _fill_scores(seen.odds, columns[0])
        for offers in range(1, steps):
            _fill_columns(seen, columns[offers - 1], columns[offers])
    return Forecast(columns, singles, arrivals, np.empty(MAX_CARDS, np.float64))


@kernel
def board_value(ahead: Forecast, board: Ints, turns: float) -> float:
    """Return what a board may be expected to score after so many more turns of its owner."""
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
    """Write what columns score as they lie, unknown cards on average."""
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
def _fill_columns(seen: Look, later: Floats, now: Floats) -> None:
    """Write what columns are worth one card earlier than ``later``.

    The card may replace either card of the column, for the price, or go elsewhere.
    """
    for first in range(NUM_KINDS + 1):
        for second in range(first, NUM_KINDS + 1):
            now[first, second] = 0.0
        for kind in range(NUM_KINDS):
            for second in range(first, NUM_KINDS + 1):
                placed = min(later[kind, second], later[first, kind]) + COLUMN_PRICE
                now[first, second] += seen.odds[kind] * min(later[first, second], placed)
        for second in range(first):
            now[first, second] = now[second, first]
    for other in range(NUM_KINDS + 1):
        best = now[RECYCLE, other]
        for kind in range(NUM_KINDS):
            if seen.pile[kind]:
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
def _nine_value(ahead: Forecast, board: Ints, offers: int) -> float:
    """Value nine cards: each counts unless one of its lines becomes three equal cards."""
    kept = ahead.kept
    kept[:] = 1.0
    halved = 0  # one bit a slot
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
            # Rounding up costs a quarter on average, but nothing where there is nothing to halve.
            points = min(points, 0.5 * points + 0.25)
        total += kept[slot] * points
    return total


@kernel
def _line_chance(arrivals: Floats, offers: int, first: int, second: int, third: int) -> float:
    """Return the chance that a line becomes three equal cards."""
    chance = 0.0
    for kind in (first, second, third):
        if kind != UNKNOWN:
            need = int(first != kind) + int(second != kind) + int(third != kind)
            chance = max(chance, arrivals[offers, need, kind])
    return chance
