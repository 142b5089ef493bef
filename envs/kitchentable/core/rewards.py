"""The rewards ``"win"`` and ``"margin"``, the same in every game; both sum to zero over the seats.

The games compute the rewards of teams (see `Game.is_team`), which have no opponents. For teams,
this module only defines the cost of an illegal action.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel

Reward = Literal["win", "margin"]
# Values of the parameter ``reward``, in the order that records store them.
REWARDS: tuple[str, ...] = get_args(Reward)
WIN, MARGIN = range(2)

POINTS_PER_UNIT = 10.0
"""Score points per unit of ``"margin"`` reward."""


@kernel
def pay_winners(out: NDArray[np.float32], num_players: int) -> None:
    """Turn ranks into ``"win"`` rewards: (n/k - 1)/(n - 1) for k winners of n, -1/(n - 1) else.

    Args:
        out: by seat, the rank on entry (1 for every winner) and the reward on return; shape
            (num_players or more,).
        num_players: the number of seats in the game, at least two.
    """
    winners = 0
    for player in range(num_players):
        winners += out[player] == 1
    for player in range(num_players):
        if out[player] == 1:
            out[player] = (num_players / winners - 1.0) / (num_players - 1)
        else:
            out[player] = -1.0 / (num_players - 1)


@kernel
def pay_margins(
    points: NDArray[np.int32], num_players: int, sign: int, out: NDArray[np.float32]
) -> None:
    """Write ``"margin"`` rewards: (own points - mean of the others') / 10, times ``sign``.

    Args:
        points: points by seat; shape (num_players or more,).
        num_players: the number of seats in the game, at least two.
        sign: 1 if high points are good, -1 if low points are good.
        out: rewards by seat, overwritten; shape (num_players or more,).
    """
    total = 0
    for player in range(num_players):
        total += points[player]
    for player in range(num_players):
        # own - (total - own) / (n - 1), over the common denominator.
        above = num_players * points[player] - total
        out[player] = sign * above / ((num_players - 1) * POINTS_PER_UNIT)


def forfeit(num_players: int, offender: int, stake: float, *, team: bool) -> NDArray[np.float64]:
    """Return the rewards, float64, by seat after an illegal action: the offender pays the others.

    Args:
        num_players: the number of seats in the game.
        offender: the seat that chose the illegal action.
        stake: what the offender loses and the others share equally, see `stake`.
        team: whether all seats are one team, in which every seat loses the stake.
    """
    if team:
        return np.full(num_players, -stake)
    payoff = np.full(num_players, stake / (num_players - 1))
    payoff[offender] = -stake
    return payoff


def forfeit_ranks(num_players: int, offender: int, *, team: bool) -> NDArray[np.int32]:
    """Return the ranks, int32, by seat after an illegal action: the offender is last, a team has 2.

    Args:
        num_players: the number of seats in the game.
        offender: the seat that chose the illegal action.
        team: whether all seats are one team.
    """
    if team:
        return np.full(num_players, 2, np.int32)
    ranks = np.ones(num_players, np.int32)
    ranks[offender] = num_players
    return ranks


def stake(reward: str, worst_hand: int, *, team: bool) -> float:
    """Return the cost of an illegal action that ends the game, in units of reward.

    Args:
        reward: the game's parameter.
        worst_hand: an upper bound of the points that a hand can win or lose.
        team: whether all seats are one team. With either reward a hand pays a team at most 1, and
            an illegal action costs it 1.
    """
    return 1.0 if team or reward == REWARDS[WIN] else worst_hand / POINTS_PER_UNIT
