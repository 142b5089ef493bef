"""The wrappers that `env` of every game puts around a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

from kitchentable.adapters.aec import Observation, TableEnv
from kitchentable.core.copying import Copied
from kitchentable.core.parameters import is_whole

Options = ParamSpec("Options")


class EndOnIllegalWrapper(BaseWrapper[str, Observation, int]):
    """A wrapper that ends the game at an illegal action, with the rewards of `TableEnv.forfeit`.

    PettingZoo's own wrapper gives the other agents no reward, even in a team that loses together,
    and discards what the offender had accumulated.
    """

    def step(self, action: int | None) -> None:
        """Play ``action``; an illegal one ends the game."""
        table = self.env
        agent = table.agent_selection
        if not (table.terminations[agent] or table.truncations[agent]):
            try:
                table.check_action(action)
            except ValueError:
                table.forfeit(action)
                return
        self.env.step(action)

    def __str__(self) -> str:
        """Return the environment's name."""
        return str(self.env)


class OrderWrapper(Copied, OrderEnforcingWrapper[str, Observation, int]):
    """PettingZoo's check of the order of calls, with a shortcut for the most frequent calls.

    PettingZoo's wrappers look up every attribute in all layers, which takes longer than the game.
    """

    def __init__(self, env: AECEnv[str, Observation, int]) -> None:
        super().__init__(env)
        self._table = env.unwrapped

    def step(self, action: int | None) -> None:
        """Play ``action``; a legal one would pass all layers and goes to the table directly."""
        if self._has_reset and is_whole(action) and self._table.is_legal(action):
            self._has_updated = True
            self._table.step(action)
        else:
            super().step(action)

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, flags and info of the agent to act."""
        if not self._has_reset:
            super().last(observe)  # raises the error
        found: tuple[Observation | None, float, bool, bool, dict[str, Any]]
        found = self._table.last(observe)
        return found

    def load(self, data: bytes) -> None:
        """Load a table like `TableEnv.load`; to the wrappers it is a reset."""
        self.reset(options={"saved": data})

    def __str__(self) -> str:
        """Return the environment's name."""
        return str(self.env)


def wrap(table: TableEnv) -> AECEnv[str, Observation, int]:
    """Put PettingZoo's usual wrappers around a table."""
    return OrderWrapper(AssertOutOfBoundsWrapper(EndOnIllegalWrapper(table)))


def ending_on_illegal(
    raw_env: Callable[Options, TableEnv],
) -> Callable[Options, AECEnv[str, Observation, int]]:
    """Return a function like ``raw_env`` that returns wrapped tables."""

    @wraps(raw_env)
    def env(*args: Options.args, **options: Options.kwargs) -> AECEnv[str, Observation, int]:
        return wrap(raw_env(*args, **options))

    env.__doc__ = (raw_env.__doc__ or "").replace(
        "; an illegal action raises `ValueError`.", ", wrapped; an illegal action ends the game.", 1
    )
    return env
