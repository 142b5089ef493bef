"""An environment for OpenSpiel's learners, with the interface of its ``rl_environment``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

try:
    import pyspiel
    from open_spiel.python.rl_environment import StepType, TimeStep
except ImportError as error:
    raise ImportError("the environment for OpenSpiel needs it: pip install open_spiel") from error

from kitchentable.adapters.aec import TableEnv
from kitchentable.adapters.rows import NAMES, row_spaces
from kitchentable.engine.games import as_seed


class OpenSpielEnv:
    """A table for OpenSpiel's agents: ``reset`` and ``step([action])`` return a `TimeStep`.

    OpenSpiel's agents receive the time steps at their own decisions and at the end of the game, and
    learn from the rewards in them. So the rewards of a player since its last decision are in the
    time step of its next decision or of the end; rewards paid before its first decision are in the
    time step of its second. For each player, the rewards of a game's time steps sum to its payoff.

    ``observations["info_state"]`` has the same vectors as the observations of the other adapters.
    They contain what a player can see at the table, not the history of the game, so a learner
    without memory plays with imperfect recall.

    Attributes:
        table: the table, for names, transcript and pictures.
        name: the name of the game.
        num_players: the number of seats.
        is_turn_based: True: one player decides at a time, possibly several times in a row.
        num_actions_per_step: 1.
    """

    is_turn_based = True
    num_actions_per_step = 1

    def __init__(
        self,
        game: str,
        *,
        discount: float = 1.0,
        seed: SupportsIndex | None = None,
        action_features: bool = False,
        **params: Any,
    ) -> None:
        """Create the environment.

        Args:
            game: the game's name.
            discount: the discount in time steps in the middle of a game, 0 to 1.
            seed: the seed of the deals; None: they differ from run to run.
            action_features: whether observations describe the legal actions, as in `TableEnv`.
            params: the game's parameters, see its page.

        Raises:
            NotImplementedError: ``action_features`` of a game that has none.
            ValueError: an argument is invalid; the message says what is possible.
        """
        if not 0 <= discount <= 1:
            raise ValueError(f"discount={discount!r} is not possible; choose from 0 to 1")
        self.table = TableEnv(game, action_features=action_features, **params)
        self._row_names = NAMES if action_features else ()
        self.name = game
        self.num_players = len(self.table.possible_agents)
        self._discount = discount
        self.seed(seed)
        self._step_type = StepType.LAST

    def seed(self, seed: SupportsIndex | None = None) -> None:
        """Seed the next game and those after it; None continues the random stream.

        Raises:
            ValueError: the seed is not a whole number from 0 on.
        """
        self._seed = None if seed is None else as_seed(seed)

    def observation_spec(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of one player's observation."""
        parts = self.table.observation_parts.values()
        size = (max(part.stop for part in parts),)
        actions = (len(self.table.action_names),)
        return {
            "info_state": size,
            "legal_actions": actions,
            "current_player": (),
            "serialized_state": (),
            **{name: row_spaces(self.table.batch)[name].shape for name in self._row_names},
        }

    def action_spec(self) -> dict[str, Any]:
        """Return the number of actions, their range and their type."""
        count = len(self.table.action_names)
        return {"num_actions": count, "min": 0, "max": count - 1, "dtype": int}

    def reset(self) -> TimeStep:
        """Deal a new game; if it is over at once, its first time step is also its last."""
        self.table.reset(seed=self._seed)
        self._seed = None
        self._owed, self._paid = np.zeros(self.num_players), np.zeros(self.num_players)
        self._has_acted = np.zeros(self.num_players, np.bool_)
        self._step_type = StepType.FIRST
        self._hand_out()
        return self.get_time_step()

    def step(self, actions: Sequence[SupportsIndex]) -> TimeStep:
        """Play the only action in ``actions``; after the end of a game, ignore it and `reset`.

        Raises:
            ValueError: there is not exactly one action, or it is illegal; nothing changes then.
        """
        if self._step_type is StepType.LAST:
            return self.reset()
        if np.asarray(actions, object).shape != (1,):
            raise ValueError(f"actions={actions!r} is not possible; give a list of one action")
        mover = self.table.mover
        self.table.step(actions[0])
        self._has_acted[mover] = True
        self._owed += list(self.table.rewards.values())
        self._step_type = StepType.MID
        self._hand_out()
        return self.get_time_step()

    def get_time_step(self) -> TimeStep:
        """Return the current time step again."""
        table, is_first = self.table, self._step_type is StepType.FIRST
        is_last = self._step_type is StepType.LAST
        seen = [table.observe(agent) for agent in table.possible_agents]
        return TimeStep(
            observations={
                "info_state": [observation["observation"] for observation in seen],
                "legal_actions": [
                    np.flatnonzero(observation["action_mask"]).tolist() for observation in seen
                ],
                "current_player": pyspiel.PlayerId.TERMINAL if is_last else table.mover,
                "serialized_state": [],
                **{name: [observation[name] for observation in seen] for name in self._row_names},
            },
            rewards=None if is_first else self._paid.tolist(),
            discounts=None if is_first else [0.0 if is_last else self._discount] * self.num_players,
            step_type=self._step_type,
        )

    def _hand_out(self) -> None:
        """Put the rewards due into the time step: those of the player to act, or all at the end."""
        if self.table.is_over:
            self._step_type = StepType.LAST
            due = np.ones(self.num_players, np.bool_)
        else:
            due = self._has_acted & (np.arange(self.num_players) == self.table.mover)
        self._paid = np.where(due, self._owed, 0.0)
        self._owed = np.where(due, 0.0, self._owed)
