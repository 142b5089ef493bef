"""The expert scripted player of Diddly: it plays for the expected score of the round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, BoolArray, Floats, Stream
from kitchentable.games.diddly.knowledge import Knowledge
from kitchentable.games.diddly.players.boards import num_hidden
from kitchentable.games.diddly.players.forecast import (
    Forecast,
    board_value,
    forecast,
    longest,
    turns_left,
)
from kitchentable.games.diddly.state import (
    DRAW,
    FLIP,
    NO_CARD,
    NUM_KINDS,
    PASS,
    RECYCLE,
    RECYCLE_KIND,
    SLOT,
    SOURCE,
    SWAP,
    SWAP_FIRST,
    SWAP_SECOND,
    TAKE,
    UNKNOWN,
    USE_PEEK,
    exchange,
)

PROGRESS = 0.75
"""Bonus in points for turning up a card, because it leaves the others less time."""
PATIENCE = 12
"""Turns after which the bonus grows; otherwise two experts could wait forever for better cards."""
HURRY = 0.5
"""Increase of the bonus, in points, with every turn after `PATIENCE`."""
NOTICEABLE = 0.01
"""Minimum gain in points for a swap, or for a later slot when choosing a card to look at."""


class Plan(NamedTuple):
    """Outlook after this turn, by whether it replaces a face-up (0) or a face-down card (1).

    All values of the expert are its expected points in this round minus the mean of the others'.
    """

    turns: Floats
    """Turns that this seat will have after this one; shape (2,)."""
    others: Floats
    """Mean expected score of the others by discard (`UNKNOWN`: unseen); shape (2, NUM_KINDS +
    1)."""
    bonus: Floats
    """Bonus for turning up a card; shape (2,)."""


@allocating_kernel
def expert(known: Knowledge, mask: BoolArray, _rng: Stream) -> int:
    """Return the action with the best expected score of the round, relative to the other seats.

    The player counts cards to know the odds of unseen ones, values every board by the matches that
    are possible in the turns left, and considers how the next seat can use the discard. So it
    closes the round when its board beats what the others can expect after one more turn.
    """
    ahead = forecast(known, longest(known))
    if known.phase in (FLIP, USE_PEEK):
        return _choose_to_learn(known, ahead, mask)
    plan = _make_plan(known, ahead)
    if known.phase == SOURCE:
        return _choose_source(known, ahead, plan, mask)
    if known.phase in (SWAP_FIRST, SWAP_SECOND):
        return _choose_swap(known, ahead, plan)
    return _choose_place(known, ahead, plan, mask)


@allocating_kernel
def _make_plan(known: Knowledge, ahead: Forecast) -> Plan:
    turns = np.zeros(2, np.float64)
    others = np.zeros((2, NUM_KINDS + 1), np.float64)
    bonus = np.zeros(2, np.float64)
    own_hidden = num_hidden(known, 0)
    for turned in range(1 + min(own_hidden, 1)):
        turns[turned] = turns_left(known, 0, own_hidden - turned)
        _fill_others(known, ahead, own_hidden - turned, others[turned])
    if known.closer == NOBODY:
        bonus[1] = PROGRESS + HURRY * max(known.turns[0] - PATIENCE, 0)
    return Plan(turns, others, bonus)


@kernel
def _fill_others(known: Knowledge, ahead: Forecast, own_hidden: int, others: Floats) -> None:
    """Write the mean expected score of the others, by the kind that this player discards."""
    rest = 0.0
    for seat in range(2, known.num_players):
        turns = turns_left(known, seat, own_hidden)
        rest += board_value(ahead, known.boards[seat, : known.cards], turns)
    turns = turns_left(known, 1, own_hidden)
    if turns > 0.0:
        _fill_next(known, ahead, turns - 1.0, others)
    else:
        others[:] = board_value(ahead, known.boards[1, : known.cards], 0.0)
    others[UNKNOWN] = 0.0
    for kind in range(NUM_KINDS):
        others[kind] = (rest + others[kind]) / (known.num_players - 1)
        others[UNKNOWN] += ahead.odds[kind] * others[kind]


@kernel
def _fill_next(known: Knowledge, ahead: Forecast, turns: float, values: Floats) -> None:
    """Write the expected score of the next seat, by the kind on top of the discard pile.

    That seat takes the card, draws or recycles, and has ``turns`` turns after that one.
    """
    board = known.boards[1, : known.cards]
    without = 0.0  # the expected value of a draw
    recycled = np.inf
    for kind in range(NUM_KINDS):
        values[kind] = np.inf
        for slot in range(known.cards):
            before = board[slot]
            board[slot] = kind
            value = board_value(ahead, board, turns)
            board[slot] = before
            values[kind] = min(values[kind], value)
            if before == RECYCLE and known.face_up[1, slot] and known.pile_counts[kind] > 0:
                recycled = min(recycled, value)
        without += ahead.odds[kind] * values[kind]
    without = min(without, recycled)
    for kind in range(NUM_KINDS):
        values[kind] = min(values[kind], without)


@kernel
def _value(known: Knowledge, ahead: Forecast, plan: Plan, kind: int, slot: int) -> float:
    """Return the value of placing a card in a slot, which ends the turn; lower is better."""
    board = known.boards[0, : known.cards]
    turned = int(known.face_up[0, slot] == 0)
    before = board[slot]
    board[slot] = kind
    value = board_value(ahead, board, plan.turns[turned])
    board[slot] = before
    return float(value - plan.others[turned, before] - plan.bonus[turned])


@kernel
def _best_value(known: Knowledge, ahead: Forecast, plan: Plan, kind: int) -> float:
    """Return the value of a card in hand, which is that of its best slot."""
    best = np.inf
    for slot in range(known.cards):
        best = min(best, _value(known, ahead, plan, kind, slot))
    return best


@kernel
def _choose_place(known: Knowledge, ahead: Forecast, plan: Plan, mask: BoolArray) -> int:
    best, action = np.inf, NOBODY
    for slot in range(known.cards):
        if mask[SLOT + slot]:
            value = _value(known, ahead, plan, known.held, slot)
            if value < best:
                best, action = value, SLOT + slot
    return action


@kernel
def _choose_source(known: Knowledge, ahead: Forecast, plan: Plan, mask: BoolArray) -> int:
    swap = min(_best_value(known, ahead, plan, SWAP), _value_of_swap(known, ahead, plan))
    drawn = 0.0 if mask[DRAW] else np.inf
    taken = np.inf
    for kind in range(NUM_KINDS):
        if ahead.odds[kind] > 0.0 or kind == known.top:
            value = swap if kind == SWAP else _best_value(known, ahead, plan, kind)
            drawn += ahead.odds[kind] * value
            if kind == known.top:
                taken = value
    recycled, kind = _best_recycling(known, ahead, plan)
    if recycled < min(taken, drawn):
        return RECYCLE_KIND + kind
    return TAKE if taken < drawn else DRAW


@kernel
def _best_recycling(known: Knowledge, ahead: Forecast, plan: Plan) -> tuple[float, int]:
    """Return the value of the best card to recycle and its kind; `NO_CARD` if there is none."""
    best, best_kind = np.inf, NO_CARD
    for slot in range(known.cards):
        if known.boards[0, slot] == RECYCLE and known.face_up[0, slot]:
            for kind in range(NUM_KINDS):
                value = (
                    _value(known, ahead, plan, kind, slot)
                    if known.pile_counts[kind] > 0
                    else np.inf
                )
                if value < best:
                    best, best_kind = value, kind
    return best, best_kind


@kernel
def _value_of_swap(known: Knowledge, ahead: Forecast, plan: Plan) -> float:
    """Return the value of a Swap in hand, used for the exchange that helps the board most."""
    board = known.boards[0, : known.cards]
    best, first, second = np.inf, 0, 0
    for i in range(known.cards):
        for j in range(i):
            board[i], board[j] = board[j], board[i]
            value = board_value(ahead, board, plan.turns[0])
            board[i], board[j] = board[j], board[i]
            if value < best:
                best, first, second = value, i, j
    exchange(known, 0, first, second)
    value = _best_value(known, ahead, plan, SWAP)
    exchange(known, 0, first, second)
    return value


@kernel
def _choose_swap(known: Knowledge, ahead: Forecast, plan: Plan) -> int:
    """Choose the lower slot of the best swap, or pass; then choose the other slot."""
    first = known.swap_slot
    action = PASS
    best = np.inf if first != NOBODY else _value_in_hand(known, ahead, plan) - NOTICEABLE
    for i in range(known.cards):
        for j in range(known.cards):
            if i < j if first == NOBODY else (i == first and i != j):
                exchange(known, 0, i, j)
                value = _value_in_hand(known, ahead, plan)
                exchange(known, 0, i, j)
                if value < best:
                    best, action = value, SLOT + (i if first == NOBODY else j)
    return action


@kernel
def _value_in_hand(known: Knowledge, ahead: Forecast, plan: Plan) -> float:
    """Return the value of the board with the Swap in hand; the set-up has no card in hand."""
    if known.held == NO_CARD:
        return board_value(ahead, known.boards[0, : known.cards], plan.turns[0])
    return _best_value(known, ahead, plan, known.held)


@kernel
def _choose_to_learn(known: Knowledge, ahead: Forecast, mask: BoolArray) -> int:
    """Choose the face-down card whose knowledge gives the lowest expected score of the board."""
    board = known.boards[0, : known.cards]
    turns = turns_left(known, 0, max(num_hidden(known, 0), 1))
    best, action = np.inf, NOBODY
    for slot in range(known.cards):
        if mask[SLOT + slot]:
            before = board[slot]
            value = 0.0
            for kind in range(NUM_KINDS):
                board[slot] = kind
                value += ahead.odds[kind] * board_value(ahead, board, turns)
            board[slot] = before
            if value < best - NOTICEABLE:
                best, action = value, SLOT + slot
    return action
