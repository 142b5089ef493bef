"""An RLlib env runner for `Batch`: one forward pass and one step of the engine for all games.

RLlib's own runners step environments one by one, or a vector of them in which every agent acts in
every step. Here each tick is one decision in every game, of any seat, and the decisions of one seat
in a game become an episode (see `decisions`).
"""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
import torch
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils import force_list

from kitchentable import Batch
from kitchentable_training.algorithms.batches import TensorBatch
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.seating import LEARNER, Seating
from kitchentable_training.networks.inputs import MASK
from kitchentable_training.networks.network import ILLEGAL
from kitchentable_training.rllib.decisions import Chunk, Decisions, Rows
from kitchentable_training.rllib.table import Table, named

NEVER_CALLED = (
    "on_environment_created", "on_episode_created", "on_episode_start", "on_episode_step",
    "on_episode_end",
)  # fmt: skip
"""Callbacks of RLlib's runners about single environments, which this runner does not have."""
MODEL_OUTPUTS = (Columns.ACTION_LOGP, Columns.ACTION_DIST_INPUTS)


class _Spaces(VectorEnv):
    """The environment that RLlib sees, which only has spaces."""

    def __init__(self, table: Table, num_envs: int) -> None:
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = table.spaces
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)


class BatchEnvRunner(SingleAgentEnvRunner):
    """Plays a batch of games with the module in every seat, or in one besides ``opponents``.

    `ppo_config` sets it up. ``num_envs_per_env_runner`` is the number of games. A time step is a
    decision of the module, and an episode has the decisions of one seat in one game. `sample`
    returns at least the requested number of time steps, and less than one per seat and game more.
    Last decisions whose outcome is not yet known start the next fragment.

    After a checkpoint is restored or a runner is restarted, new games are dealt, by ``config.seed``
    and the number of steps sampled so far, so they are never the same ones again.
    """

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        """Set up the tables.

        Args:
            config: the configuration of the algorithm.
            kwargs: other arguments of RLlib.

        Raises:
            ValueError: the configuration has something that this runner does not support, or an
                invalid table.
        """
        _refuse(config)
        super().__init__(config=config, **kwargs)

    def make_env(self) -> None:
        """Set up the tables; called by RLlib."""
        table = Table.read(self.config.env_config)
        game, params = table.found, table.checked
        games = self.config.num_envs_per_env_runner
        self.batch = Batch(game, games, seed=self._seed, **table.params)
        self.inputs = table.inputs
        seed = int(np.random.SeedSequence(self._seed).generate_state(1)[0])
        pool = OpponentPool.make(game, params, table.league(), seed)
        league = np.full(games, table.opponents is not None)
        self.seating = Seating(TensorBatch(self.batch), pool, seed, league)
        self.env, self.num_envs = _Spaces(table, games), games
        self._deals = 0
        self._finished: list[Chunk] = []
        self._needs_initial_reset = True

    def get_metrics(self) -> Any:
        """Return the figures since the last call; called by RLlib."""
        window = self.config.metrics_num_episodes_for_smoothing
        for chunk in self._finished[-window:]:
            length = chunk.started + len(chunk.rewards)
            self._log_episode_metrics(length, chunk.paid, chunk.seconds)
        self._finished.clear()
        by_opponent: dict[str, list[float]] = {}
        for numbers, payoff in self.seating.results:
            for name in {self.seating.pool.label(number) for number in numbers}:
                by_opponent.setdefault(name, []).append(payoff)
        self.seating.results.clear()
        for name, payoffs in by_opponent.items():
            self.metrics.log_value(("payoff", name), float(np.mean(payoffs)), window=1)
        return self.metrics.reduce()

    # --- Sampling -------------------------------------------------------------------------------

    def _sample(
        self,
        *,
        num_timesteps: int | None = None,
        num_episodes: int | None = None,
        explore: bool,
        random_actions: bool = False,
        force_reset: bool = False,
    ) -> list[SingleAgentEpisode]:
        if force_reset or num_episodes is not None or self._needs_initial_reset:
            self._deal()
        self._needs_initial_reset = num_episodes is not None
        while True:
            games = np.flatnonzero(self.seating.movers().numpy() == LEARNER)
            seats = self.batch.current_player[games]
            if num_episodes is not None:
                if self._decisions.over >= num_episodes:
                    break
            elif self._decisions.known(games, seats) >= (num_timesteps or 0):
                break
            self._tick(games, seats, explore=explore, random_actions=random_actions)
        chunks = self._decisions.cut(games, seats, **self._shown(games))
        if num_episodes is not None:
            chunks = [chunk for chunk in chunks if chunk.is_over]
        episodes = [self._episode(chunk) for chunk in chunks]
        steps, over = sum(map(len, episodes)), [chunk for chunk in chunks if chunk.is_over]
        self._finished += over
        self._log_env_steps(metric=self._metrics_num_env_steps_sampled, num_steps=steps)
        self._increase_sampled_metrics(steps, len(over))
        return episodes

    def _deal(self) -> None:
        """Deal new games at all tables, never those that this run had before."""
        if self._seed is not None:
            parts = [self._seed, self.num_env_steps_sampled_lifetime, self._deals]
            self.batch.seed(np.random.SeedSequence(parts))
        self._deals += 1
        self.batch.reset()
        self.seating.begin()
        self._decisions = Decisions(self.num_envs, self.batch.num_players)
        self._name = uuid.uuid4().hex  # makes the IDs of episodes unique

    def _shown(self, games: NDArray[np.intp]) -> Rows:
        """Return the module's inputs for the seats to move in some games."""
        return named(self.inputs(self.batch, games), self.batch.masks[games])

    def _tick(
        self,
        games: NDArray[np.intp],
        seats: NDArray[np.int64],
        *,
        explore: bool,
        random_actions: bool,
    ) -> None:
        """Play one decision in every game; the module decides for ``seats`` in ``games``."""
        batch, seating = self.batch, self.seating
        actions = np.empty(self.num_envs, np.int64)
        seating.ask_others(seating.movers(), torch.from_numpy(actions))
        if len(games):
            rows = self._shown(games)
            rows |= self._choose(rows, explore=explore, random_actions=random_actions)
            actions[games] = rows[Columns.ACTIONS]
            self._decisions.add(games, seats, **rows)
        batch.step(actions)
        if batch.rewards.any():
            self._decisions.pay(batch.rewards)
        for game in np.flatnonzero(batch.dones):
            self._end(game)
        seating.take_pay()
        seating.seat_anew()

    @torch.no_grad()
    def _choose(self, rows: Rows, *, explore: bool, random_actions: bool) -> Rows:
        """Return actions, their log probabilities and the logits."""
        seen = {name: torch.from_numpy(array).to(self._device) for name, array in rows.items()}
        steps = self.num_env_steps_sampled_lifetime
        if random_actions:
            mask = seen[MASK].bool()
            logits = torch.zeros(mask.shape, device=self._device).masked_fill(~mask, ILLEGAL)
        elif explore:
            module_outputs = self.module.forward_exploration({Columns.OBS: seen}, t=steps)
            logits = module_outputs[Columns.ACTION_DIST_INPUTS]
        else:
            logits = self.module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
        chances = self.module.get_exploration_action_dist_cls().from_logits(logits)
        drawn = explore or random_actions
        actions = chances.sample() if drawn else logits.argmax(dim=-1)
        outputs = {
            Columns.ACTIONS: actions,
            Columns.ACTION_LOGP: chances.logp(actions),
            Columns.ACTION_DIST_INPUTS: logits,
        }
        return {name: tensor.cpu().numpy() for name, tensor in outputs.items()}

    def _end(self, game: np.intp) -> None:
        """Record the end of a game, and what the learning seats see of it."""
        final = self.batch.final_states[[game]]
        seats = self._decisions.seats_of(int(game))
        inputs = self.inputs.not_to_act(self.batch, np.repeat(final, len(seats)), seats)
        last: Rows = named(inputs, np.zeros((len(seats), self.batch.masks.shape[1]), np.bool_))
        self._decisions.end(int(game), bool(final.truncated[0]), seats, **last)

    def _episode(self, chunk: Chunk) -> SingleAgentEpisode:
        """Return a chunk as an episode of RLlib."""
        rows, space = chunk.rows, self.env.single_observation_space
        seen = {name: np.concatenate([rows[name], [last]]) for name, last in chunk.last.items()}
        return SingleAgentEpisode(
            id_=f"{self._name}_{chunk.number}",
            observations=InfiniteLookbackBuffer(seen),
            observation_space=space,
            actions=rows[Columns.ACTIONS],
            action_space=self.env.single_action_space,
            rewards=chunk.rewards,
            terminated=chunk.terminated,
            truncated=chunk.truncated,
            extra_model_outputs={name: rows[name] for name in MODEL_OUTPUTS},
            t_started=chunk.started,
            len_lookback_buffer=0,
        )


def _refuse(config: Any) -> None:
    """Check that the runner supports the configuration."""
    for name in ("env_to_module_connector", "module_to_env_connector"):
        if getattr(config, f"_{name}") is not None:
            raise ValueError(
                f"{name}: BatchEnvRunner runs no connectors between games and module; leave it "
                "out, or use TableMultiAgentEnv with RLlib's own runner (learner_connector works)"
            )
    classes = force_list(config.callbacks_class)
    for name in NEVER_CALLED:
        overridden = any(
            getattr(callbacks, name) is not getattr(RLlibCallback, name) for callbacks in classes
        )
        if overridden or getattr(config, f"callbacks_{name}") is not None:
            raise ValueError(
                f"callbacks: BatchEnvRunner never calls {name}; use on_sample_end, which gets all "
                "episodes, or TableMultiAgentEnv with RLlib's own runner"
            )
    if config.is_multi_agent:
        raise ValueError(
            "multi_agent: BatchEnvRunner has one module for all its seats; use "
            "TableMultiAgentEnv with RLlib's own runner for several"
        )
