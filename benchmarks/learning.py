"""Speed of learning in decisions per second, including playing, opponents and training."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from kitchentable import Batch, all_games, find_game
from kitchentable.engine.batch import available_threads
from kitchentable_training.learn import selfplay
from kitchentable_training.learn.league import OpponentPool
from kitchentable_training.learn.run import network_device
from kitchentable_training.learn.sb3 import SB3Learner
from kitchentable_training.learn.selfplay import SelfPlay
from kitchentable_training.learn.settings import RunSettings, load_settings
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.shipped import shipped_configs

RUNS = 3
"""The number of runs of each contender, all of them in turn."""
SECONDS, BRIEF_SECONDS = 5.0, 8.0
"""The length of each run in seconds; the last update is completed."""
COMMON = [
    "num_envs=1024", "ppo.n_steps=64", "ppo.batch_size=8192", "ppo.n_epochs=1",
    "ppo.learning_rate=0.0007", "ppo.ent_coef=0.03", "ppo.gae_lambda=0.95",
    "selfplay.normalize_advantage=true", "network.shared=true",
]  # fmt: skip
FLAT, FLAT_BFLOAT16, CARDS_BFLOAT16 = "256 flat", "256 flat bf16", "256 cards bf16"
ACTIONS_BFLOAT16 = "256 actions bf16"
SETTINGS = {
    "64 flat": (64, False, False, False),
    FLAT: (256, False, False, False),
    FLAT_BFLOAT16: (256, True, False, False),
    CARDS_BFLOAT16: (256, True, True, False),
    ACTIONS_BFLOAT16: (256, True, True, True),
}
"""Units of each of the two layers; whether they multiply in bfloat16; whether the inputs include
the relations of every two cards, and action features."""
ON_GPU = ("device=cuda", "num_envs=16384", "ppo.batch_size=65536")
PPO = ("algorithm=ppo", "selfplay=null", "opponents.scripted={greedy: 1}")
SPEED = "decisions_a_cpu_second"
NO_LOG = Logger(None, [])
NOT_MEASURED = [
    "PufferLib: not installed; its trainer also hands policies no mask of legal actions"
]
REST, GATHERING = "the rest", "gathering minibatches"
PARTS = (
    (SelfPlay, "update", REST),
    (Batch, "step", "engine, observations included"),
    (NetworkInputs, "__call__", "what the network is shown"),
    (selfplay, "draw", "drawing actions"),
    (SelfPlay, "_go_back", GATHERING),
    (SelfPlay, "_network", "policy"),
    (selfplay, "loss_gradients", "loss"),
    (torch.autograd, "backward", "backward"),
    (SelfPlay, "_descend", "optimizer"),
)
"""What is timed: the owner, its method, and the name of the part."""


class _Nothing(VecEnv):
    """An environment without cost: random arrays of the same shapes, made in advance."""

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


class _Alone(SB3Learner):
    """sb3-contrib's MaskablePPO with the same network and an environment without cost."""

    def __init__(self, settings: RunSettings, pool: OpponentPool) -> None:
        super().__init__(settings, pool)
        sizes = self.inputs.size, len(self.env.batch.action_names)
        self.model.set_env(_Nothing(settings.num_envs, *sizes))

    def update(self, logger: Logger) -> None:
        self.model.set_logger(logger)
        self.model.learn(self.model.n_steps * self.model.n_envs, reset_num_timesteps=False)


@dataclass(frozen=True)
class Setup:
    """A learner with one of `SETTINGS`."""

    setting: str
    game: str = "diddly"
    learner: str = "self-play"
    make: type[SelfPlay | SB3Learner] = SelfPlay
    more: tuple[str, ...] = ()

    def start(self) -> SelfPlay | SB3Learner:
        """Create the learner, and warm it up with one update."""
        units, bfloat16, relations, actions = SETTINGS[self.setting]
        own = [f"network.layers=[{units}, {units}]", f"network.relations={relations}"]
        own += [f"network.action_features={actions}", f"selfplay.bfloat16={bfloat16}", *self.more]
        settings = load_settings(f"{self.game}_selfplay", [*COMMON, *own])
        game = find_game(settings.game)
        params = game.make_params(**settings.params)
        torch.set_num_threads(settings.threads)
        others, on_gpu = (settings.opponents, settings.seed), settings.games_device == "cuda"
        pool = OpponentPool.make(game, params, *others, network_device(settings), on_gpu=on_gpu)
        learner = self.make(settings, pool)
        learner.update(NO_LOG)
        return learner


def measure() -> dict[str, Any]:
    """Return the speed of all contenders, wall-clock speed by threads, and shares by part."""
    others = [name for name in all_games() if f"{name}_selfplay" in shipped_configs()]
    everyone = [
        *(Setup(setting) for setting in SETTINGS),
        *(
            Setup(one, name)
            for one in (FLAT, ACTIONS_BFLOAT16)
            for name in others
            if name != "diddly"
        ),
        Setup(FLAT, "diddly", "MaskablePPO against greedy", SB3Learner, PPO),
        Setup(FLAT, "diddly", "sb3-contrib, an environment that costs nothing", _Alone, PPO),
    ]
    speeds = _medians(everyone, time.process_time)
    rows = [
        {"learner": one.learner, "game": one.game, "setting": one.setting, SPEED: speed}
        for one, speed in zip(everyone, speeds, strict=True)
    ]
    threads = range(1, min(2, available_threads()) + 1)
    threaded = [Setup(FLAT_BFLOAT16, more=(f"threads={count}",)) for count in threads]
    by_the_clock = zip(threads, _medians(threaded, time.perf_counter), strict=True)
    return {
        "runs": RUNS,
        "seconds": SECONDS,
        "rows": rows,
        "not_measured": NOT_MEASURED,
        "decisions_a_second_by_threads": {str(count): speed for count, speed in by_the_clock},
        "shares": {name: _shares(name) for name in ("64 flat", CARDS_BFLOAT16, ACTIONS_BFLOAT16)},
    }


def on_gpu() -> list[dict[str, Any]]:
    """Return the wall-clock speed of self-play with its network on a GPU.

    An update ends when its figures have been read, that is, when the GPU has finished. If the
    observation is the only input, games are also on the GPU, otherwise on all threads of the CPU.
    """
    more = (*ON_GPU, f"threads={available_threads()}")
    speeds = _medians([Setup(name, more=more) for name in SETTINGS], time.perf_counter)
    return [
        {"game": "diddly", "setting": name, "decisions_a_second": speed}
        for name, speed in zip(SETTINGS, speeds, strict=True)
    ]


def brief() -> Iterator[dict[str, Any]]:
    """Yield the speed of Diddly's settings, from one run each."""
    for name in SETTINGS:
        speed = _speed(Setup(name), time.process_time, BRIEF_SECONDS)
        yield {"setting": name, SPEED: speed}


def _medians(contenders: list[Setup], clock: Callable[[], float]) -> list[float]:
    runs = [[_speed(one, clock, SECONDS) for one in contenders] for _ in range(RUNS)]
    return [statistics.median(speeds) for speeds in zip(*runs, strict=True)]


def _speed(contender: Setup, clock: Callable[[], float], seconds: float) -> float:
    """Return the learned decisions per second of a clock."""
    learner = contender.start()
    steps, start = learner.steps, clock()
    while clock() - start < seconds:
        learner.update(NO_LOG)
    return (learner.steps - steps) / (clock() - start)


def _shares(setting: str) -> dict[str, float]:
    """Return the shares of processor time by part, largest first."""
    learner, watch = Setup(setting).start(), _Stopwatch()
    with ExitStack() as stack:
        for owner, method, name in PARTS:
            timed = watch.timed(name, getattr(owner, method))
            stack.enter_context(patch.object(owner, method, timed))
        while sum(watch.spent.values()) < SECONDS:
            learner.update(NO_LOG)
    total = sum(watch.spent.values())
    ordered = sorted(watch.spent.items(), key=lambda item: -item[1])
    return {name: spent / total for name, spent in ordered}


class _Stopwatch:
    """Times functions; the times of `REST` and `GATHERING` exclude the other parts."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys((name for _, _, name in PARTS), 0.0)
        self._within: list[str] = []

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            outer = self._within[-1] if self._within else None
            if outer not in (None, REST, GATHERING):  # the outer part includes this time
                return function(*args, **kwargs)
            self._within.append(name)
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                taken = time.process_time() - start
                self._within.pop()
                self.spent[name] += taken
                if outer is not None:
                    self.spent[outer] -= taken

        return timed
