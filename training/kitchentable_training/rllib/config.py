"""The configuration of RLlib's PPO for a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from kitchentable import find_game
from kitchentable.adapters.registration import gymnasium_id
from kitchentable_training.named import with_folder
from kitchentable_training.networks.settings import NetworkSettings
from kitchentable_training.rllib.module import TABLE, MaskedModule
from kitchentable_training.rllib.runner import BatchEnvRunner
from kitchentable_training.rllib.table import Table

TICKS = 64
"""The number of decisions of each game between updates."""


def ppo_config(
    game: str,
    num_envs: int = 256,
    num_env_runners: int = 0,
    opponents: Mapping[str, float] | None = None,
    *,
    network: NetworkSettings | Mapping[str, Any] | None = None,
    seed: int | None = None,
    **params: Any,
) -> PPOConfig:
    """Return the configuration of RLlib's PPO for a game on the engine.

    It is RLlib's own configuration, so it can be changed before ``build_algo()``. Besides the game
    it sets 64 decisions per game between updates, no discount, and hyperparameters with which even
    a short run learns.

    Args:
        game: the name of the game.
        num_envs: the number of parallel games of each env runner.
        num_env_runners: the number of processes that play, on any node of the cluster; 0: the
            learning process plays.
        opponents: the players of all seats but one with their weights: scripted players, and
            trained ones by a checkpoint's folder or name (found on every node). None: one network
            learns from every seat.
        network: `NetworkSettings`, or a dict of them; None: two shared layers of 128 units, with
            relations of cards if the game has cards.
        seed: the seed of deals, weights and random choices.
        params: the game's parameters.

    Raises:
        ValueError: there is no such game, player, parameter or setting.
    """
    loaded_game = find_game(game)
    loaded_game.make_params(**params)
    if network is None:
        network = NetworkSettings(layers=[128, 128], relations=bool(loaded_game.rules.card_parts))
    config: dict[str, Any] = {
        "game": game,
        "params": params,
        "network": dict(network),
        "opponents": None if opponents is None else dict(opponents),
    }
    observations, actions = Table.read(config).spaces
    if config["network"].get("module"):  # other processes have other working directories
        config["network"]["module"] = with_folder(config["network"]["module"])
    return (
        PPOConfig()
        .environment(
            gymnasium_id(loaded_game.name, loaded_game.version),
            env_config=config,
            observation_space=observations,
            action_space=actions,
        )
        .env_runners(
            env_runner_cls=BatchEnvRunner,
            num_env_runners=num_env_runners,
            num_envs_per_env_runner=num_envs,
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config={TABLE: config})
        )
        .training(
            train_batch_size_per_learner=TICKS * num_envs * max(1, num_env_runners),
            minibatch_size=min(1024, TICKS * num_envs),
            num_epochs=4,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.7,
            clip_param=0.2,
            entropy_coeff=0.01,
            vf_loss_coeff=0.5,
            vf_clip_param=float("inf"),
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=seed)
    )
