"""The ends of games, by the rules or by an illegal action, the same for every adapter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.rewards import forfeit_ranks, stake
from kitchentable.core.state import NOBODY, BoolArray, IntArray
from kitchentable.engine.batch import Batch


class Forfeits:
    """The games of a batch that ended by an illegal action, which the rules do not know.

    Attributes:
        stake: the cost of an illegal action, in units of reward.
        offenders: the seat whose illegal action ended each game, or `NOBODY`; int64, shape
            (num_envs,). The caller resets it when dealing a new game.
    """

    def __init__(self, batch: Batch) -> None:
        worst_hand = batch.game.rules.worst_hand
        if worst_hand is None and not batch.is_team:
            raise batch.game.lacks("rules.worst_hand", "an illegal action at a table of opponents")
        self.stake = stake(batch.params.reward, worst_hand or 0, team=batch.is_team)
        self.offenders: NDArray[np.int64] = np.full(batch.num_envs, NOBODY)
        self._batch = batch

    def forfeit(self, games: int | BoolArray, seats: int | NDArray[np.int64]) -> None:
        """End games in which a seat chose an illegal action; the caller pays the rewards.

        Args:
            games: the index of a game, or a mask of shape (num_envs,) with k games.
            seats: the seat, or the seats; shape (k,).
        """
        self._batch.states["terminated"][games] = True
        self._batch.look()
        self.offenders[games] = seats

    def standings(self, games: NDArray[np.intp]) -> tuple[IntArray, IntArray]:
        """Return points and ranks by seat; int32, shape (k, num_players).

        Args:
            games: indices of games; shape (k,).
        """
        scores, ranks = self._batch.standings(self._batch.records[games])
        seats, team = self._batch.num_players, self._batch.is_team
        for k, offender in enumerate(self.offenders[games].tolist()):
            if offender != NOBODY:
                ranks[k] = forfeit_ranks(seats, offender, team=team)
        return scores, ranks

    def infos(
        self, games: NDArray[np.intp], seats: NDArray[np.integer[Any]]
    ) -> list[dict[str, Any]]:
        """Return the final info of a seat in each game: score, rank, hand scores, whether it won.

        Args:
            games: indices of games; shape (k,).
            seats: the seat in each game; shape (k,).
        """
        batch, (scores, ranks) = self._batch, self.standings(games)
        return [
            {
                "score": int(scores[k, seat]),
                "rank": int(ranks[k, seat]),
                "hand_scores": batch.game.hand_scores(batch.states[i], seat),
                "is_winner": bool(ranks[k, seat] == 1),
            }
            for k, (i, seat) in enumerate(zip(games.tolist(), seats.tolist(), strict=True))
        ]
