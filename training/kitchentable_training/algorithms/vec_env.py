"""The engine as a stable-baselines3 ``VecEnv``: one seat of every game learns."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from kitchentable import Batch, Game, find_game
from kitchentable.adapters.vector import is_legal, read_actions
from kitchentable.core.state import BoolArray
from kitchentable.engine.games import as_seed
from kitchentable.engine.loops import LEAVE
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.seating import LEARNER, Seating
from kitchentable_training.algorithms.settings import OpponentSettings
from kitchentable_training.networks.inputs import OBSERVATION, NetworkInputs

_ARRAYS = ("_owed", "_episode_reward", "_episode_length")


class LearnerVecEnv(VecEnv):
    """A batch of games in which the agent plays one seat and other players fill the others.

    The learning seat and the other players are drawn when a game starts and stay until it ends. In
    a cooperative game one player of the pool fills all other seats, because evaluations measure
    teams of one player. Rewards that are paid while others move are returned with the preceding
    step, so the rewards of an episode sum to what it pays the seat. Episodes without a decision of
    the learner are left out. Its forced moves are played, and games that reach their limit end as
    others, see `advantages`. Observations contain only the vector; the legal actions are in
    `action_masks`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        pool: OpponentPool,
        *,
        seed: int,
        threads: int = 1,
        episode: str = "game",
        inputs: NetworkInputs | None = None,
        **params: Any,
    ) -> None:
        """Make and deal the games.

        Args:
            game: the game.
            num_envs: the number of parallel games.
            pool: the players of the other seats; empty if there are no other seats.
            seed: the seed of deals and seating.
            threads: the number of threads of the engine.
            episode: ``"game"``, or ``"hand"`` to report every end of a hand as ``done``.
            inputs: the inputs of the learner's network; None: the observation.
            params: the game's parameters.
        """
        self.batch = Batch(game, num_envs, seed=seed, threads=threads, **params)
        self.seating = Seating(TensorBatch(self.batch), pool, seed, np.ones(num_envs, np.bool_))
        self.episode = episode
        self.inputs = inputs or NetworkInputs(game, self.batch.params)
        self.render_mode = None
        self._done = np.zeros(num_envs, np.bool_)
        self._rewards = np.zeros(num_envs, np.float32)
        self._owed = np.zeros(num_envs, np.float32)  # paid before an episode's first decision
        self._episode_reward = np.zeros(num_envs, np.float32)
        self._episode_length = np.zeros(num_envs, np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._start = time.monotonic()
        space = self.inputs.space
        super().__init__(
            num_envs,
            space[OBSERVATION] if self.inputs.is_observation else space,
            spaces.Discrete(self.inputs.num_actions),
        )

    @classmethod
    def make(
        cls,
        game: str,
        num_envs: int,
        opponents: Mapping[str, float] | None = None,
        *,
        seed: int | None = None,
        episode: str = "game",
        **params: Any,
    ) -> LearnerVecEnv:
        """Make an environment with opponents given by name.

        Args:
            game: the game's name.
            num_envs: the number of parallel games.
            opponents: the players of the other seats with their weights: scripted players, and
                trained ones by a checkpoint's folder or name. None: the strongest scripted player.
            seed: the seed of deals, seating and the other players' choices. None takes one from the
                operating system, so that an environment for evaluation has deals of its own. A
                model of stable-baselines3 with a seed calls `seed` with it.
            episode: ``"game"``, or ``"hand"`` to report every end of a hand as ``done``.
            params: the game's parameters.

        Raises:
            ValueError: there is no such game, player or parameter.
        """
        seed = _seed(seed)
        loaded_game = find_game(game)
        checked = loaded_game.make_params(**params)
        if opponents is None:
            alone = checked.num_players == 1
            opponents = {} if alone else {list(loaded_game.players.scripted)[-1]: 1.0}
        settings = OpponentSettings.of(loaded_game, opponents)
        if checked.num_players > 1 and not any(opponents.values()):
            raise ValueError(
                f"opponents={opponents} is not possible; choose players for the other seats, such "
                'as {"greedy": 1}'
            )
        pool = OpponentPool.make(loaded_game, checked, settings, seed)
        return cls(loaded_game, num_envs, pool, seed=seed, episode=episode, **params)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Restart deals, seating and the other players' choices, from the next `reset` on.

        They are the same as in an environment that is made with this seed.

        Args:
            seed: a whole number from 0 on; None takes one from the operating system.

        Returns:
            The seed once per game.

        Raises:
            ValueError: the seed is invalid; nothing changes then.
        """
        seed = _seed(seed)
        self.batch.seed(seed)
        self.batch.reset()
        self.seating.seed(seed)
        self.seating.pool.seed(seed)
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Deal all games and play up to the learner's first choice in each."""
        self.batch.reset()
        for name in _ARRAYS:
            getattr(self, name)[:] = 0
        self._done[:] = True
        self.seating.begin()
        self._play_others()
        return self._seen()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for ``step_wait``; integers, shape (num_envs,).

        Raises:
            ValueError: an action is illegal, or the array has another shape or dtype.
        """
        numbers = read_actions(actions, self.num_envs)
        illegal = ~is_legal(self.batch.masks, numbers)
        if illegal.any():
            i = int(illegal.argmax())
            raise ValueError(f"game {i}: {self.batch.describe_illegal(i, int(numbers[i]))}")
        self._actions = numbers

    def step_wait(self) -> VecEnvStepReturn:
        """Play the learner's actions, then all others up to its next choice."""
        self._rewards = self._owed.copy()
        self._owed[:] = 0.0
        self._done[:] = False
        self._infos = [{} for _ in range(self.num_envs)]
        self._step(self._actions)
        self._play_others()
        self._episode_reward += self._rewards
        self._episode_length += 1
        for i in np.flatnonzero(self._done):
            self._infos[i]["episode"] = {
                "r": float(self._episode_reward[i]),
                "l": int(self._episode_length[i]),
                "t": time.monotonic() - self._start,
            }
        self._episode_reward[self._done] = 0.0
        self._episode_length[self._done] = 0
        return self._seen(), self._rewards, self._done.copy(), self._infos

    def action_masks(self) -> BoolArray:
        """Return the learner's legal actions in every game; bool, (num_envs, num_actions)."""
        return self.batch.masks.copy()

    # --- Inside ---------------------------------------------------------------------------------

    def _seen(self) -> Any:
        inputs = self.inputs(self.batch)
        inputs[OBSERVATION] = inputs[OBSERVATION].copy()
        return inputs if len(inputs) > 1 else inputs[OBSERVATION]

    def _play_others(self) -> None:
        """Play until the learner has a choice in every game; one call per player and round."""
        while True:
            movers = self.seating.movers()
            is_learners = (movers == LEARNER).numpy()
            actions = np.where(is_learners, self.batch.forced_actions(), LEAVE)
            if (is_learners & (actions == LEAVE)).all():
                return
            self.seating.ask_others(movers, torch.from_numpy(actions))
            self._step(actions)

    def _step(self, actions: NDArray[np.int64]) -> None:
        """Step the engine, assign its rewards, and draw players where a new game starts."""
        batch = self.batch
        batch.step(actions)
        paid = self.seating.take_pay().numpy()
        self._rewards += np.where(self._done, 0, paid)
        self._owed += np.where(self._done, paid, 0)
        ended = batch.dones.copy()
        if self.episode == "hand":
            ended |= (actions >= 0) & batch.states["hand_over"]
        # Most steps end no episode, and the code below costs as much as playing.
        if ended.any():
            self._owed[ended & self._done] = 0.0  # of an episode without a decision of the learner
            self._report(np.flatnonzero(ended & ~self._done))
        for i in np.flatnonzero(batch.dones):
            self._infos[i]["game_over"] = True
        self.seating.seat_anew()

    def _report(self, games: NDArray[np.intp]) -> None:
        """Mark episodes as done, with their last observations."""
        batch = self.batch
        self._done[games] = True
        records = np.where(batch.dones[games], batch.final_states[games], batch.states[games])
        last = self.inputs.not_to_act(batch, records, self.seating.seat[games].numpy())
        for k, i in enumerate(games):
            observation = {name: array[k] for name, array in last.items()}
            self._infos[i]["terminal_observation"] = (
                observation if len(observation) > 1 else observation[OBSERVATION]
            )

    # --- Checkpoints ----------------------------------------------------------------------------

    def sums(self) -> dict[str, NDArray[Any]]:
        """Return owed rewards and the episodes' sums and lengths by name, as writable arrays."""
        return {name: getattr(self, name) for name in _ARRAYS}

    # --- Other methods that VecEnv requires -----------------------------------------------------

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Return the action masks of all games, the only method that sb3-contrib calls."""
        del args, kwargs, indices
        if method_name != "action_masks":
            raise AttributeError(f"games have no method {method_name!r}")
        return list(self.action_masks())

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute once per game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise NotImplementedError: games have no settable attributes."""
        raise NotImplementedError(f"{attr_name} cannot be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return False for every game."""
        del wrapper_class
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _seed(seed: object) -> int:
    """Return a seed as an int; for None, one from the operating system."""
    return secrets.randbits(32) if seed is None else as_seed(seed)
