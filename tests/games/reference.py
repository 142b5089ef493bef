"""The base class of the games' plain references: decisions one by one, results, payoffs.

A reference is written from the rules page, works on names of cards, and shares no code with the
engine.
"""

from collections.abc import Generator
from fractions import Fraction
from typing import Any

Flow = Generator[list[str], str, None]
"""A game that reads like its page from top to bottom: it yields the names of the legal actions
whenever a seat must decide, and is sent the name of one."""


class Reference:
    """One game.

    Attributes:
        player: the seat to act.
        asks: the kind of its decision; ``over`` after the end.
        legal: names of the legal actions; empty after the end.
        history: points of each finished hand, by seat.
        hand_over: whether the last action ended a hand.
    """

    low_wins = False
    num_players: int
    reward: str
    player: int
    asks = ""

    def begin(self, **params: Any) -> None:
        """Deal the first hand, and go on to the first decision; parameters become attributes."""
        vars(self).update(params)
        self.history: list[list[int]] = [[] for _ in range(self.num_players)]
        self.terminated = self.truncated = self.hand_over = False
        self._flow = self._game()
        self.legal = next(self._flow)

    def _game(self) -> Flow:
        raise NotImplementedError

    def play(self, name: str) -> None:
        """Play a legal action for the seat to act.

        Raises:
            ValueError: the action is not legal.
        """
        if name not in self.legal:
            raise ValueError(f"{name} is not legal: {self.legal}")
        self.hand_over = False
        try:
            self.legal = self._flow.send(name)
        except StopIteration:
            self.legal, self.asks = [], "over"

    def _ask(self, seat: int, asks: str, legal: list[str]) -> list[str]:
        """Return the actions to yield where a seat must decide."""
        self.player, self.asks = seat, asks
        return legal

    def standing(self, points: list[int]) -> Any:
        """Return the sort key of a seat's rank, from its points of each finished hand."""
        return sum(points)

    @property
    def totals(self) -> list[int]:
        """Points of each seat in the finished hands."""
        return [sum(points) for points in self.history]

    @property
    def ranks(self) -> list[int]:
        """Rank of each seat."""
        keys = [self.standing(points) for points in self.history]
        return [
            1 + sum((other < own) if self.low_wins else (other > own) for other in keys)
            for own in keys
        ]

    @property
    def rewards(self) -> list[float]:
        """Payment of each seat for the last action."""
        others = self.num_players - 1
        if not (self.hand_over if self.reward == "margin" else self.terminated or self.truncated):
            return [0.0] * self.num_players
        if self.reward == "margin":
            last, sign = [points[-1] for points in self.history], -1 if self.low_wins else 1
            return [sign * float(own - Fraction(sum(last) - own, others)) / 10 for own in last]
        prize = (Fraction(self.num_players, self.ranks.count(1)) - 1) / others
        return [float(prize) if rank == 1 else -1 / others for rank in self.ranks]


# --- Players of any game's reference --------------------------------------------------------------


def at_random(game, rng):
    return str(rng.choice(game.legal))


def always_first(game, rng):
    return game.legal[0]


def always_last(game, rng):
    return game.legal[-1]
