"""The wrapper that `env` of every game puts around a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

from pettingzoo.utils import OrderEnforcingWrapper

from kitchentable.adapters.aec import Last, Observation, TableEnv
from kitchentable.core.copying import Copied


class OrderWrapper(Copied, OrderEnforcingWrapper[str, Observation, int]):
    """A table whose calls must come in order, and at which an illegal action ends the game.

    It follows PettingZoo's two wrappers. Theirs look up every attribute in all layers, which takes
    longer than the game, and depend on assertions, which ``python -O`` leaves out. At an illegal
    action they give the other agents no reward, even in a team that loses together, and discard
    what the offender had accumulated.
    """

    def __init__(self, table: TableEnv) -> None:
        super().__init__(table)
        self._table = table

    @property
    def unwrapped(self) -> TableEnv:
        """The table, with all that is Kitchentable's own: see `TableEnv`."""
        return self._table

    def reset(
        self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Deal a new game; see `TableEnv.reset`."""
        self._table.reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True  # only now, as it may raise an error

    def step(self, action: SupportsIndex | None) -> None:
        """Play ``action``; an illegal one ends the game.

        Args:
            action: an action as in `TableEnv.step`, or None for an agent whose game has ended.
                Anything else that an agent sends in its game (a number out of range, None, 3.0,
                text) ends that game, with the rewards of `TableEnv.forfeit`.

        Raises:
            ValueError: an action for an agent whose game has ended.
        """
        table = self._table
        if not self._has_reset or not table.agents:
            super().step(action)  # raises the error, or warns that all is over
            return
        self._has_updated = True
        agent = table.agent_selection
        if table.is_legal(action) or table.terminations[agent] or table.truncations[agent]:
            table.step(action)
        else:
            table.forfeit(action)

    def last(self, observe: bool = True) -> Last:
        """Return observation, reward, flags and info of the agent to act."""
        if not self._has_reset:
            super().last(observe)  # raises the error
        return self._table.last(observe)

    def observe(self, agent: str) -> Observation:
        """Return the observation of any agent; see `TableEnv.observe`."""
        if not self._has_reset:
            super().observe(agent)  # raises the error
        return self._table.observe(agent)

    def load(self, data: bytes) -> None:
        """Load a table like `TableEnv.load`; to the wrappers it is a reset."""
        self.reset(options={"saved": data})

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Return an iterator over the agents to act, until the game has ended for all of them.

        Raises:
            RuntimeError: neither `step` nor `reset` was called after the last agent.
        """
        if not self._has_reset:
            super().agent_iter()  # raises the error
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        for agent in self._table.agent_iter(max_iter):
            self._has_updated = False
            yield agent
            if not self._has_updated:
                raise RuntimeError(f"{agent} is to act; call step() or reset() before you go on")

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows."""
        return self._table._repr_svg_()

    def __str__(self) -> str:
        """Return the environment's name."""
        return str(self.env)
