"""The full state of a training run as tensors and plain values, for export and import.

A run that resumes from it ends with exactly the same weights as one that was never stopped. Nothing
is pickled.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.learner import Learner
from kitchentable_training.algorithms.seating import Seating
from kitchentable_training.networks.policy import frozen_player
from kitchentable_training.networks.settings import NetworkSettings

Tensors = dict[str, torch.Tensor]
SELVES = ("past", "retired")
"""Groups of the learner's selves in `OpponentPool`."""
OTHERS = "other_processes"
"""The key under which the state of processes other than the first is saved."""


def export_run(learner: Learner) -> tuple[Tensors, dict[str, Any]]:
    """Return tensors and JSON values from which `import_run` resumes with identical results.

    It is called between two updates. The weights of the learner's network are not included.
    """
    tensors, plain = learner.export_own()
    for number, values in learner.optimizer.state_dict()["state"].items():
        for name, value in values.items():
            tensors[f"optimizer/{number}/{name}"] = value
    seating = learner.seating
    parts = seating.export_state(), _export_random(), _export_pool(seating.pool)
    for part_tensors, part_plain in parts:
        tensors |= part_tensors
        plain |= part_plain
    return {key: value.detach().cpu().contiguous() for key, value in tensors.items()}, plain


def put_together(parts: Sequence[tuple[Tensors, dict[str, Any]]]) -> tuple[Tensors, dict[str, Any]]:
    """Merge what several processes have exported, to be saved as one.

    The result has all of the first process's state, and of the others only what differs from it.
    """
    (tensors, plain), *others = parts
    together = dict(tensors)
    for rank, (other_tensors, _) in enumerate(others, 1):
        for key, value in other_tensors.items():
            if key not in tensors or not torch.equal(tensors[key], value):
                together[f"{OTHERS}/{rank}/{key}"] = value
    if others:
        own_plain = [
            {key: value for key, value in other_plain.items() if plain.get(key) != value}
            for _, other_plain in others
        ]
        plain = plain | {OTHERS: own_plain}
    return together, plain


def part_of(
    tensors: Mapping[str, torch.Tensor], plain: Mapping[str, Any], rank: int
) -> tuple[Tensors, dict[str, Any]]:
    """Return what one of the processes had exported, from the result of `put_together`."""
    shared = {key: tensor for key, tensor in tensors.items() if not key.startswith(f"{OTHERS}/")}
    if rank == 0:
        return shared, dict(plain)
    return shared | under(tensors, f"{OTHERS}/{rank}/"), {**plain, **plain[OTHERS][rank - 1]}


def import_run(
    learner: Learner,
    network: NetworkSettings,
    tensors: Mapping[str, torch.Tensor],
    plain: Mapping[str, Any],
) -> None:
    """Restore what `export_run` returned, in a learner made with the same settings."""
    _import_pool(learner.seating, network, tensors, plain)
    learner.seating.import_state(tensors, plain)
    state: dict[int, Tensors] = defaultdict(dict)
    for key, value in under(tensors, "optimizer/").items():
        number, name = key.split("/")
        state[int(number)][name] = value
    learner.optimizer.load_state_dict({**learner.optimizer.state_dict(), "state": dict(state)})
    learner.import_own(tensors, plain)
    _import_random(tensors, plain)


def _export_random() -> tuple[Tensors, dict[str, Any]]:
    """Export the global generators, which stable-baselines3 and torch use."""
    state: Any = np.random.get_state()  # noqa: NPY002
    name, keys, *rest = state
    words = torch.from_numpy(keys.view(np.int32))
    tensors = {"rng/torch": torch.get_rng_state(), "rng/numpy": words}
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
    for number, player in pool.selves.items():
        for key, value in player.network.state_dict().items():
            tensors[f"past/{number}/weights/{key}"] = value
        tensors[f"past/{number}/rng"] = player.generator.get_state()
    plain: dict[str, Any] = {
        group: {
            str(n): [player.name, player.deterministic]
            for n, player in getattr(pool, group).items()
        }
        for group in SELVES
    }
    return tensors, plain | {"next_number": pool.next_number}


def _import_pool(
    seating: Seating,
    network: NetworkSettings,
    tensors: Mapping[str, torch.Tensor],
    plain: Mapping[str, Any],
) -> None:
    pool, batch = seating.pool, seating.batch
    for group in SELVES:
        for number, (name, deterministic) in plain[group].items():
            player = frozen_player(
                under(tensors, f"past/{number}/weights/"),
                batch.game,
                batch.params,
                network,
                name,
                device=pool.device,
                deterministic=deterministic,
            )
            player.generator.set_state(tensors[f"past/{number}/rng"])
            getattr(pool, group)[int(number)] = player
    pool.next_number = plain["next_number"]


def under(tensors: Mapping[str, torch.Tensor], prefix: str) -> Tensors:
    """Return the tensors whose names begin with a prefix, with the prefix removed."""
    return {
        key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)
    }
