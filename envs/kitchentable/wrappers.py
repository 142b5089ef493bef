"""The wrappers around a table that `env` of every game puts there."""

from __future__ import annotations

from pettingzoo import AECEnv
from pettingzoo.utils import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

from kitchentable.aec import Observation, TableEnv


class EndOnIllegalWrapper(BaseWrapper[str, Observation, int]):
    """Ends the game at an illegal action, with the payoff of `TableEnv.forfeit`.

    PettingZoo's own wrapper pays the others nothing and wipes what the offender had collected.
    """

    def step(self, action: int | None) -> None:
        """Play ``action``; an illegal one ends the game."""
        table = self.env.unwrapped
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


def wrap(table: TableEnv) -> AECEnv[str, Observation, int]:
    """Put PettingZoo's usual wrappers around a table."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(EndOnIllegalWrapper(table)))
