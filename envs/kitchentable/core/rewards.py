"""What a game pays its players, the same in every game. Both payoffs sum to zero.

Teams (see `Game.is_team`) have nobody to win from and pay by functions of their
own; only what an illegal action costs them stands here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.kernels import kernel

# Values of the parameter ``reward``, in the order that records store them.
REWARDS = ("win", "margin")
WIN, MARGIN = range(2)

POINTS_PER_UNIT = 10.0
"""Score points that make one unit of ``"margin"`` reward."""


@kernel
def pay_winners(out: NDArray[np.float32], num_players: int) -> None:
    """Turn ranks into ``"win"`` rewards: (n/k - 1)/(n - 1) for k winners of n, -1/(n - 1) else.

    Args:
        out: by seat, the rank on entry, 1 for every winner, and the reward on return; shape
            (num_players or more,).
        num_players: seats in the game. One seat alone gets nothing.
    """
    winners = 0
    for player in range(num_players):
        winners += out[player] == 1
    for player in range(num_players):
        if num_players == 1:
            out[player] = 0.0
        elif out[player] == 1:
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
        num_players: seats in the game. One seat alone gets nothing.
        sign: 1 where high points are good, -1 where low points are.
        out: rewards by seat, overwritten; shape (num_players or more,).
    """
    total = 0
    for player in range(num_players):
        total += points[player]
    for player in range(num_players):
        if num_players == 1:
            out[player] = 0.0
        else:
            # own - (total - own) / (n - 1), over the common denominator.
            above = num_players * points[player] - total
            out[player] = sign * above / ((num_players - 1) * POINTS_PER_UNIT)


def forfeit(num_players: int, offender: int, stake: float, *, team: bool) -> NDArray[np.float64]:
    """Return what an illegal action that ends the game pays: the offender pays all the others.

    Args:
        num_players: seats in the game.
        offender: the seat that chose the illegal action.
        stake: what it loses; the others share it. At least what a lost hand can cost.
        team: whether all seats are one team, which loses together.
    """
    if team:
        return np.full(num_players, -stake)
    payoff = np.full(num_players, stake / (num_players - 1))
    payoff[offender] = -stake
    return payoff


def forfeit_ranks(num_players: int, offender: int, *, team: bool) -> NDArray[np.int32]:
    """Return the ranks after an illegal action: the offender is last, a team has lost with 2.

    Args:
        num_players: seats in the game.
        offender: the seat that chose the illegal action.
        team: whether all seats are one team.
    """
    if team:
        return np.full(num_players, 2, np.int32)
    ranks = np.ones(num_players, np.int32)
    ranks[offender] = num_players
    return ranks


def stake(reward: str, worst_hand: int, *, team: bool) -> float:
    """Return what an illegal action that ends the game costs.

    Args:
        reward: the game's parameter.
        worst_hand: at least as many points as a hand can win or lose.
        team: whether all seats are one team; with either reward it is paid 1 for all that a hand
            can bring, and loses as much.
    """
    return 1.0 if team or reward == REWARDS[WIN] else worst_hand / POINTS_PER_UNIT
