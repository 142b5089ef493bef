"""What learns: stable-baselines3's loop around one of the algorithms, by the settings of a run."""

from __future__ import annotations

from typing import Any

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import LinearSchedule
from torch.distributions import Distribution

from kitchentable_training.learn.dmc import DeepMonteCarlo, HintedValuesOfActions, ValuesOfActions
from kitchentable_training.learn.vec_env import LearnerVecEnv
from kitchentable_training.networks.policy import policy_class, policy_kwargs
from kitchentable_training.settings import PPOSettings, RunSettings


def make_model(settings: RunSettings, env: LearnerVecEnv) -> MaskablePPO:
    """Return what learns, ready to go; all algorithms share MaskablePPO's loop and its names."""
    # Every distribution would be checked to be one, several times a step. A network gone wrong is
    # still noticed: NaN cannot be drawn from.
    Distribution.set_default_validate_args(False)
    ppo = settings.ppo.model_dump()
    ppo.pop("final_ent_coef")  # see `entropy_schedule`
    ppo["learning_rate"] = _line(ppo["learning_rate"], ppo.pop("final_learning_rate"))
    ppo["clip_range"] = _line(ppo["clip_range"], ppo.pop("final_clip_range"))
    kind, more = _algorithm(settings)
    return kind(
        _policy(settings),
        env=env,
        policy_kwargs=policy_kwargs(settings.network, env.batch.game, env.batch.params),
        seed=settings.seed,
        device=settings.device,
        **ppo,
        **more,
    )


def entropy_schedule(settings: PPOSettings) -> LinearSchedule:
    """Return the coefficient of the entropy by what is left of a run, 1 to 0.

    stable-baselines3 knows schedules of the learning rate and of clipping, but none of this.
    """
    return _line(settings.ent_coef, settings.final_ent_coef)


def _line(start: float, end: float | None) -> LinearSchedule:
    return LinearSchedule(start, start if end is None else end, 1.0)


def _algorithm(settings: RunSettings) -> tuple[type[MaskablePPO], dict[str, Any]]:
    if settings.algorithm == "dmc":
        assert settings.dmc is not None
        return DeepMonteCarlo, settings.dmc.model_dump()
    return MaskablePPO, {}


def _policy(settings: RunSettings) -> type[MaskableActorCriticPolicy]:
    plain = policy_class(settings.network)
    if settings.algorithm != "dmc":
        return plain
    return ValuesOfActions if plain is MaskableActorCriticPolicy else HintedValuesOfActions
