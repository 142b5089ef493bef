"""Generalized advantage estimates for the decisions of a rollout, seat by seat.

Several seats decide in turn, so other seats' decisions come between a seat's decision and its next
one. Rewards that a seat gets in the meantime are credited to its last decision. (Schulman and
others, "High-dimensional continuous control using generalized advantage estimation", 2016.)

Only a seat's own decisions have values: the network does not learn what a seat expects while
another one is to move. So a seat's last decision in the rollout is only a bootstrap: its value
stands for everything that follows, and its own advantage is 0 unless the episode ends there. So
episodes that end have a little more weight than others. With two seats, the negative value of the
one to move could stand for what the other one expects; in Kuhn and Leduc poker that did not help.

An episode that is truncated at its limit has ended as any other one: the limit is a rule of the
game, which players observe, and evaluations count what such games pay.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable_training.algorithms.game_loops import GameLoop


@kernel
def advantages_in(
    i: int, row: int, rewards: Any, ends: Any, movers: Any, learned: Any, values: Any,
    discount: Any, trace: Any, out: Any, paid: Any, next_advantage: Any, next_value: Any,
) -> None:  # fmt: skip
    """Compute the advantages of game ``i``, backward in time; see `advantages`.

    The last three arguments are scratch: what each seat is paid from the current step until its
    next decision, and that decision's advantage and value. The value is NaN if the episode goes on
    without another decision of the seat in the rollout.
    """
    paid, next_advantage, next_value = paid[row], next_advantage[row], next_value[row]
    steps, _, seats = rewards.shape
    for seat in range(seats):
        paid[seat] = next_advantage[seat] = 0.0
        next_value[seat] = math.nan
    next_value[movers[steps, i]] = values[steps, i]
    for t in range(steps - 1, -1, -1):
        if ends[t, i]:
            for seat in range(seats):
                paid[seat] = next_advantage[seat] = 0.0
                next_value[seat] = 0.0
        for seat in range(seats):
            paid[seat] += rewards[t, i, seat]
        out[t, i] = 0.0
        if learned[t, i]:
            seat = movers[t, i]
            if not math.isnan(next_value[seat]):
                td_error = paid[seat] + discount * next_value[seat] - values[t, i]
                out[t, i] = td_error + discount * trace * next_advantage[seat]
            next_advantage[seat], next_value[seat] = out[t, i], values[t, i]
            paid[seat] = 0.0


advantages = GameLoop(advantages_in, np.float32, np.float32, np.float32)
"""Compute the advantage of each decision.

A decision's episode ends at the next step where ``ends`` is set, whichever seat moved there. What a
seat is paid before its first decision of an episode is ignored.

Args:
    rewards: the rewards of each step by seat; float32, shape (steps, games, seats).
    ends: whether a step ended an episode; bool, shape (steps, games).
    movers: the seat that moved, with one row after the last step; int64, shape (steps + 1, games).
    learned: whether the decision is learned from; bool, shape (steps, games).
    values: the values of the decisions, with one row more; float32, shape (steps + 1, games).
    discount: the discount factor from one decision of a seat to its next; float32.
    trace: the lambda of the estimate; float32.
    out: output: the advantages; float32, shape (steps, games). They are 0 for decisions that are
        not learned from, and for a seat's last one if the episode goes on after the rollout.
"""
