"""Export of what RLlib has learned as a checkpoint of the project."""

from __future__ import annotations

import importlib.metadata
import math
from pathlib import Path
from typing import Any

import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, NUM_MODULE_STEPS_SAMPLED_LIFETIME

from kitchentable_training.players.checkpoint import make_card, versions, write_checkpoint
from kitchentable_training.rllib.module import MaskedModule

SETTINGS = (
    "lr", "gamma", "lambda_", "clip_param", "entropy_coeff", "vf_loss_coeff", "vf_clip_param",
    "use_kl_loss", "kl_coeff", "kl_target", "grad_clip", "num_epochs", "minibatch_size",
    "train_batch_size_per_learner", "num_learners", "num_env_runners", "num_envs_per_env_runner",
    "seed",
)  # fmt: skip
"""The settings of RLlib's configuration that the card contains."""


def export_checkpoint(
    learned: Algorithm | MaskedModule, folder: str | Path, module_id: str = DEFAULT_MODULE_ID
) -> Path:
    """Write what RLlib has learned as a checkpoint of the project; return its folder.

    It is a player like any other: ``kitchentable evaluate FOLDER --against random``. The card says
    that RLlib trained it, with which settings and versions and on how many decisions. Training
    cannot be resumed from it, as it can from RLlib's own checkpoints.

    Args:
        learned: the algorithm, or only a module; the card then says less.
        folder: the folder of the checkpoint; an older checkpoint there is replaced.
        module_id: the ID of the module in the algorithm.

    Raises:
        ValueError: there is no such module, or it is not a `MaskedModule`.
    """
    module = learned
    if isinstance(learned, Algorithm):
        module = learned.get_module(module_id)
    if not isinstance(module, MaskedModule):
        raise ValueError(
            f"module {module_id!r} is {type(module).__name__}; a checkpoint of the project holds a "
            "MaskedModule"
        )
    weights, table = module.network.state_dict(), module.table
    details: dict[str, Any] = {"settings": {"algorithm": "RLlib's, from a module alone"}}
    if isinstance(learned, Algorithm):
        # Env runners may lag behind the learner, or lack weights that are only used in training.
        state = learned.learner_group.get_weights([module_id])[module_id]
        weights = {name: torch.as_tensor(state[f"network.{name}"]) for name in weights}
        details = _details(learned, module_id)
    packages = {name: importlib.metadata.version(name) for name in ("ray", "gymnasium")}
    card = make_card(
        table.found, table.checked, table.network, versions=versions() | packages, **details
    )
    write_checkpoint(Path(folder), card, weights)
    return Path(folder)


def _details(algorithm: Algorithm, module_id: str) -> dict[str, Any]:
    """Return how an algorithm was trained, for the card."""
    config, figures = algorithm.config, algorithm.get_auto_filled_metrics()
    steps = (ENV_RUNNER_RESULTS, NUM_MODULE_STEPS_SAMPLED_LIFETIME, module_id)
    return {
        "steps": int(algorithm.metrics.peek(steps, default=0)),
        "seconds": float(figures["time_total_s"]),
        "value_until": "game",
        "settings": {
            "algorithm": f"RLlib's {type(algorithm).__name__}",
            "opponents": config.env_config.get("opponents"),
            "iterations": int(algorithm.iteration),
            "env_runner": type(algorithm.env_runner).__name__,
            **{name: _plain(getattr(config, name, None)) for name in SETTINGS},
        },
    }


def _plain(value: Any) -> Any:
    """Return a setting as a JSON value; None for an infinite bound."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return repr(value)
