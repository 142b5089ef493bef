"""One table as a multi-agent environment of RLlib, for use with RLlib's own runner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from kitchentable import TableEnv
from kitchentable_training.rllib.table import Table, named

Seen = dict[str, NDArray[Any]]


class TableMultiAgentEnv(MultiAgentEnv):
    """A table at which the agents ``player_0``, ``player_1`` ... act one at a time.

    ``step`` takes the action of the agent that received the last observation. Only the agent to
    move receives an observation, with its rewards since its last decision; rewards from before its
    first decision come with the observation after that. At the end every agent receives both. So
    the rewards that RLlib credits to an agent's decisions sum to its payoff. An illegal action ends
    the game at a cost, as in the project's PettingZoo environments.

    Observations are dicts of ``"observations"`` and ``"action_mask"``, as `MaskedModule` and
    RLlib's own masking module require.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Set up the table.

        Args:
            config: RLlib's ``env_config``, see `table.Table`; without opponents, as every agent
                asks for actions.

        Raises:
            ValueError: something is missing or invalid.
        """
        super().__init__()
        table = Table.read(config)
        if table.opponents is not None:
            raise ValueError(
                "opponents: every agent of TableMultiAgentEnv asks for actions; leave them out, or "
                "map their agents to modules of their own"
            )
        self.table = TableEnv(table.game, **table.params)
        self.inputs = table.inputs
        self.possible_agents = list(self.table.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict.fromkeys(self.possible_agents, table.spaces[0])
        self.action_spaces = dict.fromkeys(self.possible_agents, table.spaces[1])
        self._owed = dict.fromkeys(self.possible_agents, 0.0)
        self._acted: set[str] = set()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Any]]:
        """Deal a new game; return observation and info of the agent to move."""
        self.table.reset(seed=seed, options=options)
        self._owed = dict.fromkeys(self.possible_agents, 0.0)
        self._acted.clear()
        agent = self.table.agent_selection
        return {agent: self._seen(agent)}, {agent: self.table.infos[agent]}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the agent to move.

        Args:
            action_dict: the action by the agent's name.

        Raises:
            ValueError: the action of the agent to move is missing, or there are others.
        """
        table, mover = self.table, self.table.agent_selection
        if set(action_dict) != {mover}:
            raise ValueError(f"actions: {mover} is to act, and nobody else; got {action_dict}")
        action = action_dict[mover]
        if table.is_legal(action):
            table.step(action)
        else:
            table.forfeit(action)
        self._acted.add(mover)
        for agent, reward in table.rewards.items():
            self._owed[agent] += reward
        terminated, truncated = any(table.terminations.values()), any(table.truncations.values())
        agents = self.agents if terminated or truncated else [table.agent_selection]
        paid = {agent: self._take(agent) for agent in agents}
        infos = {agent: table.infos[agent] for agent in agents}
        seen = {agent: self._seen(agent) for agent in agents}
        return seen, paid, {"__all__": terminated}, {"__all__": truncated}, infos

    def _take(self, agent: str) -> float:
        """Return an agent's owed rewards; 0 before its first decision, to which they belong."""
        if agent not in self._acted:
            return 0.0
        owed, self._owed[agent] = self._owed[agent], 0.0
        return owed

    def _seen(self, agent: str) -> Seen:
        batch = self.table.batch
        if agent == self.table.agent_selection and batch.masks.any():
            inputs = self.inputs(batch)
            masks = batch.masks.copy()
        else:
            seat = self.possible_agents.index(agent)
            inputs = self.inputs.not_to_act(batch, batch.records, [seat])
            masks = np.zeros_like(batch.masks)
        return {name: array[0] for name, array in named(inputs, masks).items()}
