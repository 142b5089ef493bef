"""Learner steps a second, what sb3-contrib alone allows, and where the time goes."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from kitchentable_training.learn.run import Run
from kitchentable_training.learn.settings import RunSettings, load_settings

CONFIG = Path(__file__).parent.parent / "configs" / "diddly.yaml"
PLAIN = ["num_envs=256", "ppo.batch_size=2048", "ppo.n_epochs=4", "network.layers=[64, 64]"]
SETTINGS: dict[str, list[str]] = {
    "256 games, 2,048 x 4, 64 x 64, flat, 2 threads": [
        *PLAIN,
        "network.features=flat",
        "network.advice=null",
        "threads=2",
    ],
    "as configs/diddly.yaml": [],
}
UPDATES = 6
RUNS = 3


class _Nothing(VecEnv):
    """An environment that costs nothing: random numbers of the same shapes, made beforehand."""

    def __init__(self, num_envs: int, size: int, num_actions: int) -> None:
        rng = np.random.default_rng(0)
        self._seen = rng.random((8, num_envs, size), np.float32)
        self._masks = rng.random((num_envs, num_actions)) < 0.3
        self._masks[:, 0] = True
        self._steps = 0
        box = spaces.Box(0.0, 1.0, (size,), np.float32)
        self.render_mode = None
        super().__init__(num_envs, box, spaces.Discrete(num_actions))

    def reset(self) -> Any:
        return self._seen[0]

    def step_async(self, actions: Any) -> None:
        del actions

    def step_wait(self) -> Any:
        self._steps += 1
        done = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self._seen[self._steps % 8], np.zeros(self.num_envs, np.float32), done, infos

    def env_method(self, method_name: str, *_: Any, **__: Any) -> list[Any]:
        assert method_name == "action_masks"
        return list(self._masks)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        del indices
        return [getattr(self, attr_name)] * self.num_envs

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        del wrapper_class, indices
        return [False] * self.num_envs

    def close(self) -> None:
        pass


def measure() -> list[dict[str, Any]]:
    """Return steps a second of a whole run and of sb3-contrib alone, and shares of the time."""
    return [_measure_one(name, overrides) for name, overrides in SETTINGS.items()]


def _measure_one(name: str, overrides: list[str]) -> dict[str, Any]:
    settings = load_settings(CONFIG, overrides)
    per_update = settings.num_envs * settings.ppo.n_steps
    ours, alone, shares = [], [], {}
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            run = Run(_brief(settings, per_update), Path(folder) / "run")
            for _ in range(3):
                run.add_past_self()
            watch = _Stopwatch()
            watch.watch_run(run)
            ours.append(_steps_a_second(run, per_update))
            shares = watch.shares()
            run = Run(_brief(settings, per_update), Path(folder) / "alone")
            sizes = run.env.inputs.size, len(run.env.batch.action_names)
            run.model.set_env(_Nothing(settings.num_envs, *sizes))
            alone.append(_steps_a_second(run, per_update))
    speed, limit = statistics.median(ours), statistics.median(alone)
    return {
        "settings": name,
        "steps_a_second": speed,
        "sb3_contrib_alone": limit,
        "share_of_what_is_possible": speed / limit,
        "threads": settings.threads,
        "shares_of_time": shares,
    }


def _brief(settings: RunSettings, per_update: int) -> RunSettings:
    return settings.model_copy(update={"steps": per_update * (UPDATES + 2)})


def _steps_a_second(run: Run, per_update: int) -> float:
    """Learn two updates to warm up, then time the others."""
    torch.set_num_threads(run.settings.threads)
    run.model.learn(2 * per_update)
    start = time.perf_counter()
    run.model.learn(UPDATES * per_update, reset_num_timesteps=False)
    return UPDATES * per_update / (time.perf_counter() - start)


class _Stopwatch:
    """Times methods of living objects; what runs inside another watched one counts for it alone."""

    def __init__(self) -> None:
        self._spent: dict[str, float] = defaultdict(float)
        self._inner: list[float] = []
        self._start = time.perf_counter()

    def watch_run(self, run: Run) -> None:
        model = run.model
        self._watch("engine", run.env.batch, "step")
        for player in run.pool.scripted:
            self._watch("scripted opponents", player, "act")
        for past in run.pool.past.values():
            self._watch("past selves", past, "act")
        self._watch("learner's environment, rest", run.env, "step_wait")
        self._watch("hints and advice", run.env, "inputs")
        self._watch("policy in play", model.policy, "forward")
        self._watch("evaluate_actions", model.policy, "evaluate_actions")
        self._watch("optimiser step", model.policy.optimizer, "step")
        self._watch("update, rest (backward, losses, sampling the buffer)", model, "train")
        self._watch("collecting, rest (buffer, masks)", model, "collect_rollouts")

    def shares(self) -> dict[str, float]:
        total = sum(self._spent.values())
        return {name: spent / total for name, spent in sorted(self._spent.items())}

    def _watch(self, name: str, owner: Any, method: str) -> None:
        original: Callable[..., Any] = getattr(owner, method)

        def timed(*args: Any, **kwargs: Any) -> Any:
            self._inner.append(0.0)
            start = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                taken = time.perf_counter() - start
                self._spent[name] += taken - self._inner.pop()
                if self._inner:
                    self._inner[-1] += taken

        setattr(owner, method, timed)
