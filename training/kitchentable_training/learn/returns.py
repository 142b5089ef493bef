"""What each decision of a rollout was worth: generalised advantages, seat by seat.

Several seats decide in turn, so a seat's next decision stands several steps further on, behind
those of others; what it is paid meanwhile is owed to its last decision. (Schulman and others,
"High-dimensional continuous control using generalized advantage estimation", 2016.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kitchentable.core.kernels import kernel
from kitchentable.engine.compiling import loop


@kernel
def go_back(
    t: int,
    i: int,
    rewards: Any,
    ends: Any,
    movers: Any,
    learned: Any,
    values: Any,
    cut: Any,
    discount: Any,
    trace: Any,
    out: Any,
    paid: Any,
    next_advantage: Any,
    next_value: Any,
) -> None:
    """Go back to step ``t`` of game ``i`` from the one after it; see `advantages`.

    The last three are by game and seat: what a seat has been paid since, and the advantage and
    value of its next decision.
    """
    if ends[t, i]:
        for seat in range(rewards.shape[2]):
            paid[i, seat] = next_advantage[i, seat] = 0.0
            next_value[i, seat] = cut[t, i, seat]
    for seat in range(rewards.shape[2]):
        paid[i, seat] += rewards[t, i, seat]
    if learned[t, i]:
        seat = movers[t, i]
        surprise = paid[i, seat] + discount * next_value[i, seat] - values[t, i]
        out[t, i] = surprise + discount * trace * next_advantage[i, seat]
        next_advantage[i, seat], next_value[i, seat] = out[t, i], values[t, i]
        paid[i, seat] = 0.0
    else:
        out[t, i] = 0.0


def _advantages(
    rewards: Any,
    ends: Any,
    movers: Any,
    learned: Any,
    values: Any,
    after: Any,
    cut: Any,
    discount: Any,
    trace: Any,
    out: Any,
) -> None:
    steps, games, seats = rewards.shape
    paid = np.zeros((games, seats), np.float32)
    next_advantage = np.zeros((games, seats), np.float32)
    next_value = after.copy()
    for t in range(steps - 1, -1, -1):
        for i in range(games):
            go_back(
                t,
                i,
                rewards,
                ends,
                movers,
                learned,
                values,
                cut,
                discount,
                trace,
                out,
                paid,
                next_advantage,
                next_value,
            )


advantages = loop(_advantages, game=None, name="advantages", allocates=True)
"""Write the advantage of each decision.

A decision's episode ends at the next step where ``ends`` is set, whoever moved there. What a seat
is paid before its first decision of an episode is owed to none, and is left out.

Args:
    rewards: what each step paid, by seat; float32, shape (steps, games, seats).
    ends: whether a step ended an episode; bool, shape (steps, games).
    movers: the seat that decided; int64, shape (steps, games).
    learned: whether it is one that learns; bool, shape (steps, games).
    values: what each decision was expected to be paid; float32, shape (steps, games).
    after: what each seat expects after the last step; float32, shape (games, seats).
    cut: what each seat expected where a game was truncated, else 0; float32, shape (steps, games,
        seats).
    discount: from one decision of a seat to its next; float32.
    trace: the lambda of the estimate; float32.
    out: where advantages are written, 0 for decisions that are not learned from; float32, shape
        (steps, games).
"""
