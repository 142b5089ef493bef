"""Training with RLlib's PPO: the engine as an env runner, the project's networks as a module.

Ray is only imported in this package. `ppo_config` sets everything up; `export_checkpoint` writes
the project's own checkpoint, so that a player trained with RLlib can be evaluated, served and rated
like any other.
"""

from __future__ import annotations

try:
    import ray.rllib  # noqa: F401
except ImportError as error:
    raise ImportError('learning with RLlib needs Ray: pip install "kitchentable[rllib]"') from error

from kitchentable_training.rllib.config import ppo_config
from kitchentable_training.rllib.export import export_checkpoint
from kitchentable_training.rllib.module import MaskedModule
from kitchentable_training.rllib.multi_agent import TableMultiAgentEnv
from kitchentable_training.rllib.runner import BatchEnvRunner

__all__ = [
    "BatchEnvRunner",
    "MaskedModule",
    "TableMultiAgentEnv",
    "export_checkpoint",
    "ppo_config",
]
