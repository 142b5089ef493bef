"""What each decision of a rollout was worth: generalised advantages, seat by seat.

Several seats decide in turn, so a seat's next decision stands several steps further on, behind
those of others; what it is paid meanwhile is owed to its last decision. (Schulman and others,
"High-dimensional continuous control using generalized advantage estimation", 2016.)

Only decisions have values: a network never learns what a seat expects while another one is to act.
So a seat's estimates end with its last decision of the rollout: its value stands for all that
follows, and its own advantage is 0 unless the episode ends there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable.engine.compiling import loop


@kernel
def advantages_in(
    i: int,
    rewards: Any,
    ends: Any,
    truncated: Any,
    movers: Any,
    learned: Any,
    values: Any,
    discount: Any,
    trace: Any,
    out: Any,
    paid: Any,
    next_advantage: Any,
    next_value: Any,
) -> None:
    """Go back through game ``i``; see `advantages`.

    The last three are scratch, (seats,): what a seat has been paid since its next decision's step,
    and that decision's advantage and value, NaN if there is none and the episode goes on.
    """
    steps, _, seats = rewards.shape
    for seat in range(seats):
        paid[seat] = next_advantage[seat] = 0.0
        next_value[seat] = math.nan
    next_value[movers[steps, i]] = values[steps, i]
    for t in range(steps - 1, -1, -1):
        if ends[t, i]:
            for seat in range(seats):
                paid[seat] = next_advantage[seat] = 0.0
                next_value[seat] = math.nan if truncated[t, i] else 0.0
        for seat in range(seats):
            paid[seat] += rewards[t, i, seat]
        out[t, i] = 0.0
        if learned[t, i]:
            seat = movers[t, i]
            if not math.isnan(next_value[seat]):
                surprise = paid[seat] + discount * next_value[seat] - values[t, i]
                out[t, i] = surprise + discount * trace * next_advantage[seat]
            next_advantage[seat], next_value[seat] = out[t, i], values[t, i]
            paid[seat] = 0.0


def _advantages(
    rewards: Any,
    ends: Any,
    truncated: Any,
    movers: Any,
    learned: Any,
    values: Any,
    discount: Any,
    trace: Any,
    out: Any,
) -> None:
    paid, next_advantage, next_value = np.empty((3, rewards.shape[2]), np.float32)
    given = rewards, ends, truncated, movers, learned, values, discount, trace, out
    for i in range(rewards.shape[1]):
        advantages_in(i, *given, paid, next_advantage, next_value)


advantages = loop(_advantages, game=None, name="advantages", allocates=True)
"""Write the advantage of each decision.

A decision's episode ends at the next step where ``ends`` is set, whoever moved there. What a seat
is paid before its first decision of an episode is owed to none, and is left out.

Args:
    rewards: what each step paid, by seat; float32, shape (steps, games, seats).
    ends: whether a step ended an episode; bool, shape (steps, games).
    truncated: whether it was only cut off there; bool, shape (steps, games).
    movers: the seat that decided, also behind the last step; int64, shape (steps + 1, games).
    learned: whether it is one that learns; bool, shape (steps, games).
    values: what it expected to be paid, likewise; float32, shape (steps + 1, games).
    discount: from one decision of a seat to its next; float32.
    trace: the lambda of the estimate; float32.
    out: where advantages are written; float32, shape (steps, games). They are 0 for decisions that
        are not learned from: those of others, and a seat's last one if nothing says how its episode
        went on.
"""
