"""What learns, made by the settings of a run."""

from __future__ import annotations

from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import LinearSchedule
from torch.distributions import Distribution

from kitchentable_training.learn.algorithms import ALGORITHMS
from kitchentable_training.learn.settings import PPOSettings, RunSettings
from kitchentable_training.learn.vec_env import LearnerVecEnv
from kitchentable_training.networks.policy import policy_kwargs


def make_model(settings: RunSettings, env: LearnerVecEnv) -> MaskablePPO:
    """Return what learns, ready to go."""
    # Every distribution would be checked to be one, several times a step. A network gone wrong is
    # still noticed: NaN cannot be drawn from.
    Distribution.set_default_validate_args(False)
    algorithm = ALGORITHMS[settings.algorithm]
    own = settings.ppo.model_dump() | getattr(settings, settings.algorithm).model_dump()
    own.pop("final_ent_coef")  # see `entropy_schedule`
    own["learning_rate"] = _line(own["learning_rate"], own.pop("final_learning_rate"))
    own["clip_range"] = _line(own["clip_range"], own.pop("final_clip_range"))
    return algorithm.learner(
        algorithm.policy,
        env=env,
        policy_kwargs=policy_kwargs(settings.network, env.batch.game, env.batch.params),
        seed=settings.seed,
        device=settings.device,
        **own,
    )


def entropy_schedule(settings: PPOSettings) -> LinearSchedule:
    """Return the coefficient of the entropy by what is left of a run, 1 to 0.

    stable-baselines3 knows schedules of the learning rate and of clipping, but none of this.
    """
    return _line(settings.ent_coef, settings.final_ent_coef)


def _line(start: float, end: float | None) -> LinearSchedule:
    return LinearSchedule(start, start if end is None else end, 1.0)
