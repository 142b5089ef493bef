"""The expert scripted player of Diddly: it plays for the expected score of the round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kitchentable.core.kernels import allocating_kernel, kernel
from kitchentable.core.state import NOBODY, BoolArray, FloatArray, Floats, Stream
from kitchentable.games.diddly.players.forecast import (
    Forecast,
    board_value,
    forecast,
    longest,
    turns_left,
)
from kitchentable.games.diddly.players.reading import (
    UNKNOWN,
    Look,
    exchange,
    look_at,
    num_hidden,
)
from kitchentable.games.diddly.state import (
    DRAW,
    FLIP,
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
    USE_PEEK,
    State,
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
def expert(observation: FloatArray, mask: BoolArray, variant: State, _rng: Stream) -> int:
    """Return the action with the best expected score of the round, relative to the other seats.

    The player counts cards to know the odds of unseen ones, values every board by the matches that
    are possible in the turns left, and considers how the next seat can use the discard. So it
    closes the round when its board beats what the others can expect after one more turn.
    """
    seen = look_at(observation, variant)
    ahead = forecast(seen, longest(seen))
    if seen.phase in (FLIP, USE_PEEK):
        return _choose_to_learn(seen, ahead, mask)
    plan = _make_plan(seen, ahead)
    if seen.phase == SOURCE:
        return _choose_source(seen, ahead, plan, mask)
    if seen.phase in (SWAP_FIRST, SWAP_SECOND):
        return _choose_swap(seen, ahead, plan)
    return _choose_place(seen, ahead, plan, mask)


@allocating_kernel
def _make_plan(seen: Look, ahead: Forecast) -> Plan:
    turns = np.zeros(2, np.float64)
    others = np.zeros((2, NUM_KINDS + 1), np.float64)
    bonus = np.zeros(2, np.float64)
    own_hidden = num_hidden(seen, 0)
    for turned in range(1 + min(own_hidden, 1)):
        turns[turned] = turns_left(seen, 0, own_hidden - turned)
        _fill_others(seen, ahead, own_hidden - turned, others[turned])
    if seen.closer == NOBODY:
        bonus[1] = PROGRESS + HURRY * max(seen.turn - PATIENCE, 0)
    return Plan(turns, others, bonus)


@kernel
def _fill_others(seen: Look, ahead: Forecast, own_hidden: int, others: Floats) -> None:
    """Write the mean expected score of the others, by the kind that this player discards."""
    rest = 0.0
    for seat in range(2, seen.seats):
        turns = turns_left(seen, seat, own_hidden)
        rest += board_value(ahead, seen.boards[seat], turns)
    turns = turns_left(seen, 1, own_hidden)
    if turns > 0.0:
        _fill_next(seen, ahead, turns - 1.0, others)
    else:
        others[:] = board_value(ahead, seen.boards[1], 0.0)
    others[UNKNOWN] = 0.0
    for kind in range(NUM_KINDS):
        others[kind] = (rest + others[kind]) / (seen.seats - 1)
        others[UNKNOWN] += seen.odds[kind] * others[kind]


@kernel
def _fill_next(seen: Look, ahead: Forecast, turns: float, values: Floats) -> None:
    """Write the expected score of the next seat, by the kind on top of the discard pile.

    That seat takes the card, draws or recycles, and has ``turns`` turns after that one.
    """
    board = seen.boards[1]
    without = 0.0  # the expected value of a draw
    recycled = np.inf
    for kind in range(NUM_KINDS):
        values[kind] = np.inf
        for slot in range(seen.cards):
            before = board[slot]
            board[slot] = kind
            value = board_value(ahead, board, turns)
            board[slot] = before
            values[kind] = min(values[kind], value)
            if before == RECYCLE and not seen.hidden[1, slot] and seen.pile[kind]:
                recycled = min(recycled, value)
        without += seen.odds[kind] * values[kind]
    without = min(without, recycled)
    for kind in range(NUM_KINDS):
        values[kind] = min(values[kind], without)


@kernel
def _value(seen: Look, ahead: Forecast, plan: Plan, kind: int, slot: int) -> float:
    """Return the value of placing a card in a slot, which ends the turn; lower is better."""
    board = seen.boards[0]
    turned = int(seen.hidden[0, slot])
    before = board[slot]
    board[slot] = kind
    value = board_value(ahead, board, plan.turns[turned])
    board[slot] = before
    return float(value - plan.others[turned, before] - plan.bonus[turned])


@kernel
def _best_value(seen: Look, ahead: Forecast, plan: Plan, kind: int) -> float:
    """Return the value of a card in hand, which is that of its best slot."""
    best = np.inf
    for slot in range(seen.cards):
        best = min(best, _value(seen, ahead, plan, kind, slot))
    return best


@kernel
def _choose_place(seen: Look, ahead: Forecast, plan: Plan, mask: BoolArray) -> int:
    best, action = np.inf, NOBODY
    for slot in range(seen.cards):
        if mask[SLOT + slot]:
            value = _value(seen, ahead, plan, seen.held, slot)
            if value < best:
                best, action = value, SLOT + slot
    return action


@kernel
def _choose_source(seen: Look, ahead: Forecast, plan: Plan, mask: BoolArray) -> int:
    swap = min(_best_value(seen, ahead, plan, SWAP), _value_of_swap(seen, ahead, plan))
    drawn = 0.0 if mask[DRAW] else np.inf
    taken = np.inf
    for kind in range(NUM_KINDS):
        if seen.odds[kind] > 0.0 or kind == seen.top:
            value = swap if kind == SWAP else _best_value(seen, ahead, plan, kind)
            drawn += seen.odds[kind] * value
            if kind == seen.top:
                taken = value
    recycled, kind = _best_recycling(seen, ahead, plan)
    if recycled < min(taken, drawn):
        return RECYCLE_KIND + kind
    return TAKE if taken < drawn else DRAW


@kernel
def _best_recycling(seen: Look, ahead: Forecast, plan: Plan) -> tuple[float, int]:
    """Return the value of the best card to recycle and its kind; `NOBODY` if there is none."""
    best, best_kind = np.inf, NOBODY
    for slot in range(seen.cards):
        if seen.boards[0, slot] == RECYCLE and not seen.hidden[0, slot]:
            for kind in range(NUM_KINDS):
                value = _value(seen, ahead, plan, kind, slot) if seen.pile[kind] else np.inf
                if value < best:
                    best, best_kind = value, kind
    return best, best_kind


@kernel
def _value_of_swap(seen: Look, ahead: Forecast, plan: Plan) -> float:
    """Return the value of a Swap in hand, used for the exchange that helps the board most."""
    board = seen.boards[0]
    best, first, second = np.inf, 0, 0
    for i in range(seen.cards):
        for j in range(i):
            board[i], board[j] = board[j], board[i]
            value = board_value(ahead, board, plan.turns[0])
            board[i], board[j] = board[j], board[i]
            if value < best:
                best, first, second = value, i, j
    exchange(seen, first, second)
    value = _best_value(seen, ahead, plan, SWAP)
    exchange(seen, first, second)
    return value


@kernel
def _choose_swap(seen: Look, ahead: Forecast, plan: Plan) -> int:
    """Choose the lower slot of the best swap, or pass; then choose the other slot."""
    first = seen.swap_slot
    action = PASS
    best = np.inf if first != NOBODY else _value_in_hand(seen, ahead, plan) - NOTICEABLE
    for i in range(seen.cards):
        for j in range(seen.cards):
            if i < j if first == NOBODY else (i == first and i != j):
                exchange(seen, i, j)
                value = _value_in_hand(seen, ahead, plan)
                exchange(seen, i, j)
                if value < best:
                    best, action = value, SLOT + (i if first == NOBODY else j)
    return action


@kernel
def _value_in_hand(seen: Look, ahead: Forecast, plan: Plan) -> float:
    """Return the value of the board with the Swap in hand; the set-up has no card in hand."""
    if seen.held == NOBODY:
        return board_value(ahead, seen.boards[0], plan.turns[0])
    return _best_value(seen, ahead, plan, seen.held)


@kernel
def _choose_to_learn(seen: Look, ahead: Forecast, mask: BoolArray) -> int:
    """Choose the face-down card whose knowledge gives the lowest expected score of the board."""
    board = seen.boards[0]
    turns = turns_left(seen, 0, max(num_hidden(seen, 0), 1))
    best, action = np.inf, NOBODY
    for slot in range(seen.cards):
        if mask[SLOT + slot]:
            before = board[slot]
            value = 0.0
            for kind in range(NUM_KINDS):
                board[slot] = kind
                value += seen.odds[kind] * board_value(ahead, board, turns)
            board[slot] = before
            if value < best - NOTICEABLE:
                best, action = value, SLOT + slot
    return action
