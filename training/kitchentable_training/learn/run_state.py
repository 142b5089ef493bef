"""All that the future of a training run depends on, as tensors and plain values, and back.

A run that goes on from here ends with the same weights to the last bit as one that was never
stopped. Nothing is pickled.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from kitchentable_training.learn.league import OpponentPool
from kitchentable_training.learn.vec_env import LearnerVecEnv
from kitchentable_training.networks.policy import PolicyPlayer, frozen_copy
from kitchentable_training.networks.settings import NetworkSettings

Tensors = dict[str, torch.Tensor]
SELVES = ("past", "best", "retired")
"""Groups of the learner's selves in `OpponentPool`."""
POOL_VALUES = ("best_score", "next_number")
"""Numbers of `OpponentPool` that change."""


def export_run(model: MaskablePPO, env: LearnerVecEnv) -> tuple[Tensors, dict[str, Any]]:
    """Return tensors and JSON values from which `import_run` goes on bit by bit.

    Args:
        model: between an update and the next games; its policy's weights are not included.
        env: its environment.
    """
    arrays, plain = env.export_state()
    plain["env_arrays"] = {name: str(array.dtype) for name, array in arrays.items()}
    tensors = {f"env/{name}": _as_bytes(array) for name, array in arrays.items()}
    for number, values in model.policy.optimizer.state_dict()["state"].items():
        for name, value in values.items():
            tensors[f"optimizer/{number}/{name}"] = value
    tensors["last_obs"] = torch.from_numpy(np.array(model._last_obs))  # noqa: SLF001
    tensors["last_starts"] = torch.from_numpy(np.array(model._last_episode_starts))  # noqa: SLF001
    plain["steps"], plain["updates"] = model.num_timesteps, model._n_updates  # noqa: SLF001
    plain["episodes"] = list(model.ep_info_buffer or [])
    for part_tensors, part_plain in (_export_random(), _export_pool(env.pool)):
        tensors |= part_tensors
        plain |= part_plain
    return {key: value.contiguous() for key, value in tensors.items()}, plain


def import_run(
    model: MaskablePPO,
    env: LearnerVecEnv,
    network: NetworkSettings,
    tensors: Mapping[str, torch.Tensor],
    plain: Mapping[str, Any],
) -> None:
    """Go on from what `export_run` returned, with a model and environment made alike."""
    _import_pool(env, network, tensors, plain)
    arrays = {
        name: tensors[f"env/{name}"].numpy().view(np.dtype(kind)).copy()
        for name, kind in plain["env_arrays"].items()
    }
    env.import_state(arrays, dict(plain))
    state: dict[int, Tensors] = defaultdict(dict)
    for key, value in _under(tensors, "optimizer/").items():
        number, name = key.split("/")
        state[int(number)][name] = value
    optimizer = model.policy.optimizer
    optimizer.load_state_dict({**optimizer.state_dict(), "state": dict(state)})
    model._last_obs = tensors["last_obs"].numpy()  # noqa: SLF001
    model._last_episode_starts = tensors["last_starts"].numpy()  # noqa: SLF001
    model.num_timesteps, model._n_updates = plain["steps"], plain["updates"]  # noqa: SLF001
    model._setup_learn(0, reset_num_timesteps=False)  # noqa: SLF001 - makes the buffers of `learn`
    if model.ep_info_buffer is not None:
        model.ep_info_buffer.extend(plain["episodes"])
    _import_random(tensors, plain)


def _export_random() -> tuple[Tensors, dict[str, Any]]:
    """The global generators, which stable-baselines3 and torch draw from."""
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    tensors = {"rng/torch": torch.get_rng_state(), "rng/numpy": _as_bytes(np.asarray(keys))}
    if torch.cuda.is_available():
        tensors["rng/cuda"] = torch.cuda.get_rng_state()
    return tensors, {"numpy": [name, *rest], "python": random.getstate()}


def _import_random(tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any]) -> None:
    name, *rest = plain["numpy"]
    keys = tensors["rng/numpy"].numpy().view(np.uint32)
    np.random.set_state((name, keys, *rest))  # noqa: NPY002
    version, internal, gauss = plain["python"]
    random.setstate((version, tuple(internal), gauss))
    torch.set_rng_state(tensors["rng/torch"])
    if "rng/cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["rng/cuda"])


def _export_pool(pool: OpponentPool) -> tuple[Tensors, dict[str, Any]]:
    tensors: Tensors = {}
    for i, player in enumerate(pool.trained):
        tensors[f"trained/{i}/rng"] = player.generator.get_state()
    for number, player in pool.selves.items():
        for key, value in player.policy.state_dict().items():
            tensors[f"past/{number}/weights/{key}"] = value
        tensors[f"past/{number}/rng"] = player.generator.get_state()
    plain: dict[str, Any] = {
        group: {str(n): [one.name, one.deterministic] for n, one in getattr(pool, group).items()}
        for group in SELVES
    }
    plain["beaten"] = {str(number): share for number, share in pool.beaten.items()}
    return tensors, {**plain, **{name: getattr(pool, name) for name in POOL_VALUES}}


def _import_pool(
    env: LearnerVecEnv,
    network: NetworkSettings,
    tensors: Mapping[str, torch.Tensor],
    plain: Mapping[str, Any],
) -> None:
    pool, batch = env.pool, env.batch
    for i, player in enumerate(pool.trained):
        player.generator.set_state(tensors[f"trained/{i}/rng"])
    for group in SELVES:
        for number, (name, deterministic) in plain[group].items():
            weights = _under(tensors, f"past/{number}/weights/")
            policy = frozen_copy(weights, batch.game, batch.params, network)
            player = PolicyPlayer(policy, env.inputs, name, deterministic=deterministic)
            player.generator.set_state(tensors[f"past/{number}/rng"])
            getattr(pool, group)[int(number)] = player
    pool.beaten = {int(number): share for number, share in plain["beaten"].items()}
    for name in POOL_VALUES:
        setattr(pool, name, plain[name])


def _under(tensors: Mapping[str, torch.Tensor], prefix: str) -> Tensors:
    return {
        key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)
    }


def _as_bytes(array: NDArray[Any]) -> torch.Tensor:
    """Return an array as bytes: safetensors knows no unsigned words."""
    return torch.from_numpy(np.ascontiguousarray(array).view(np.uint8).copy())
