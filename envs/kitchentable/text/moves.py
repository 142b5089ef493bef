"""The decisions of games, for players that read what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kitchentable.core.game import Game
from kitchentable.core.state import NO_CARDS, BoolArray, FloatArray
from kitchentable.engine.batch import Batch


class Move(NamedTuple):
    """One decision of a game; decisions are public in all games."""

    agent: str
    action: str


Moves = Sequence[tuple[str, str]]
"""Decisions in order: agents and the names of their actions."""


class RecordedBatch(Batch):
    """A batch without ``autoreset`` that keeps all decisions.

    Attributes:
        moves: the decisions of each game since its deal.
    """

    def __init__(self, game: Game, num_envs: int, **options: Any) -> None:
        """Deal; the arguments are those of `Batch`."""
        self.moves: list[list[Move]] = []
        super().__init__(game, num_envs, autoreset=False, **options)

    def reset(self, which: ArrayLike | None = None, top: NDArray[np.int8] = NO_CARDS) -> None:
        """Deal new games; see `Batch.reset`."""
        super().reset(which, top)
        if which is None:
            self.moves = [[] for _ in range(self.num_envs)]
        else:
            for i in self._indices("which", which):
                self.moves[i] = []

    def step(self, actions: ArrayLike, into: tuple[FloatArray, BoolArray] | None = None) -> None:
        """Play one action in each game; see `Batch.step`."""
        movers = self.current_player.tolist()
        super().step(actions, into)
        for moves, mover, action in zip(self.moves, movers, self._actions.tolist(), strict=True):
            if action >= 0:
                moves.append(Move(f"player_{mover}", self.action_names[action]))


def since_last_turn(moves: Moves, seat: int) -> Moves:
    """Return what the others have decided since the last turn of a seat, and what it has since.

    If nobody else has decided anything, that is the last decision of the seat itself.
    """
    me, turn = f"player_{seat}", len(moves)
    while turn and moves[turn - 1][0] == me:
        turn -= 1
    start = turn
    while start and moves[start - 1][0] != me:
        start -= 1
    return moves[start:] if turn else moves[-1:]
