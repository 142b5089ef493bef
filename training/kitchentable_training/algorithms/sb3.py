"""Learning with stable-baselines3: MaskablePPO on the `VecEnv`, update by update."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.utils import LinearSchedule, safe_mean
from torch import nn
from torch.distributions import Distribution

from kitchentable import find_game
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.vec_env import LearnerVecEnv
from kitchentable_training.networks.inputs import OBSERVATION, NetworkInputs, pack
from kitchentable_training.networks.network import build_network
from kitchentable_training.runs.settings import RunSettings
from kitchentable_training.runs.state import Tensors, under


class NetworkPolicy(MaskableActorCriticPolicy):
    """A network of `networks.network` as a policy of sb3-contrib."""

    def __init__(self, *args: Any, make: Callable[[], nn.Module], **kwargs: Any) -> None:
        self._make = make
        super().__init__(*args, **kwargs | {"features_extractor_class": _AsItIs})

    def set_training_mode(self, mode: bool) -> None:
        """Leave the network in evaluation mode (see `networks.network`)."""

    def _build(self, lr_schedule: Any) -> None:
        self.mlp_extractor: Any = _Whole(self._make())
        self.action_net: Any = nn.Identity()
        self.value_net: Any = nn.Identity()
        make: Any = self.optimizer_class
        self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class _AsItIs(BaseFeaturesExtractor):
    """Hands on observations: an array, or a dict of arrays."""

    def __init__(self, observation_space: spaces.Space[Any]) -> None:
        super().__init__(observation_space, features_dim=1)

    def forward(self, observations: Any) -> Any:
        return observations


class _Whole(nn.Module):
    """A network where stable-baselines3 has the layers before the last ones."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Any) -> tuple[torch.Tensor, torch.Tensor]:
        inputs = observations if isinstance(observations, dict) else {OBSERVATION: observations}
        logits, values = self.network(pack(inputs))
        return logits, values[:, None]

    def forward_actor(self, observations: Any) -> torch.Tensor:
        logits: torch.Tensor = self(observations)[0]
        return logits

    def forward_critic(self, observations: Any) -> torch.Tensor:
        values: torch.Tensor = self(observations)[1]
        return values


class SB3Learner:
    """Masked PPO of sb3-contrib, where one seat of each game learns."""

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        """Deal the games and create the network."""
        game = find_game(settings.game)
        params = game.make_params(**settings.params)
        self.inputs = NetworkInputs(game, params, settings.network)
        self.env = LearnerVecEnv(
            game,
            settings.num_envs,
            pool,
            seed=settings.seed,
            threads=settings.threads,
            episode=settings.episode,
            inputs=self.inputs,
            **settings.params,
        )
        self.seating = self.env.seating
        # Otherwise torch validates every distribution, several times per step. A broken network is
        # still noticed, as sampling from NaN fails.
        Distribution.set_default_validate_args(False)
        own = settings.training.model_dump()
        self._entropy = _line(own["ent_coef"], own.pop("final_ent_coef"))
        own["learning_rate"] = _line(own["learning_rate"], own.pop("final_learning_rate"))
        self.model = MaskablePPO(
            NetworkPolicy,
            env=self.env,
            policy_kwargs={"make": partial(build_network, game, params, settings.network)},
            seed=settings.seed,
            device=pool.device,
            **own,
        )
        self.model.set_logger(Logger(None, []))  # otherwise it creates a folder of its own
        policy: Any = self.model.policy
        self.network: nn.Module = policy.mlp_extractor.network
        self.optimizer: torch.optim.Optimizer = policy.optimizer
        self._total = settings.steps
        _, self._callback = self.model._setup_learn(0, _Nothing())  # noqa: SLF001

    @property
    def steps(self) -> int:
        """The number of decisions learned from so far."""
        return self.model.num_timesteps

    def update(self, logger: Logger) -> None:
        """Play a rollout, learn from it and log figures."""
        model = self.model
        model.set_logger(logger)
        # stable-baselines3 has no schedule for this coefficient.
        model.ent_coef = self._entropy(model._current_progress_remaining)  # noqa: SLF001
        env, buffer = model.env, model.rollout_buffer
        assert env is not None
        model.collect_rollouts(env, self._callback, buffer, model.n_steps)
        self._update_remaining()
        episodes = list(model.ep_info_buffer or [])
        if episodes:
            logger.record("rollout/ep_rew_mean", safe_mean([episode["r"] for episode in episodes]))
            logger.record("rollout/ep_len_mean", safe_mean([episode["l"] for episode in episodes]))
        model.train()

    def _update_remaining(self) -> None:
        model = self.model
        model._update_current_progress_remaining(model.num_timesteps, self._total)  # noqa: SLF001

    def export_own(self) -> tuple[Tensors, dict[str, Any]]:
        """Return tensors and JSON values from which `import_own` resumes with identical results."""
        model = self.model
        tensors = {
            f"env/{name}": torch.from_numpy(array) for name, array in self.env.sums().items()
        }
        seen: Any = model._last_obs  # noqa: SLF001
        for name, array in (seen if isinstance(seen, dict) else {OBSERVATION: seen}).items():
            tensors[f"last_obs/{name}"] = torch.from_numpy(np.array(array))
        tensors["last_starts"] = torch.from_numpy(np.array(model._last_episode_starts))  # noqa: SLF001
        return tensors, {
            "steps": model.num_timesteps,
            "updates": model._n_updates,  # noqa: SLF001
            "episodes": list(model.ep_info_buffer or []),
        }

    def import_own(self, tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
        """Resume from what `export_own` returned."""
        model = self.model
        for name, array in self.env.sums().items():
            array[:] = tensors[f"env/{name}"].numpy()
        seen: Any = {name: tensor.numpy() for name, tensor in under(tensors, "last_obs/").items()}
        model._last_obs = seen if len(seen) > 1 else seen[OBSERVATION]  # noqa: SLF001
        model._last_episode_starts = tensors["last_starts"].numpy()  # noqa: SLF001
        model.num_timesteps, model._n_updates = plain["steps"], plain["updates"]  # noqa: SLF001
        if model.ep_info_buffer is not None:
            model.ep_info_buffer.extend(plain["episodes"])
        self._update_remaining()


class _Nothing(BaseCallback):
    """A callback that does nothing."""

    def _on_step(self) -> bool:
        return True


def _line(start: float, end: float | None) -> LinearSchedule:
    return LinearSchedule(start, start if end is None else end, 1.0)
