"""Speed of learning in decisions per second, including playing, opponents and training."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from stable_baselines3.common.logger import Logger

from kitchentable import all_games, find_game
from kitchentable.engine.batch import available_threads
from kitchentable_training.algorithms.league import OpponentPool
from kitchentable_training.algorithms.ppo import PPO
from kitchentable_training.algorithms.sb3 import SB3Learner
from kitchentable_training.runs.run import network_device
from kitchentable_training.runs.settings import load_settings
from kitchentable_training.shipped import shipped_configs

RUNS = 3
"""The number of runs of each contender, all of them in turn."""
SECONDS, BRIEF_SECONDS = 5.0, 8.0
"""The length of each run in seconds; the last update is completed."""
TRAINING = (
    "n_steps: 64, batch_size: 8192, n_epochs: 1, learning_rate: 0.0007, ent_coef: 0.03, "
    "gae_lambda: 0.95"
)
COMMON = ["num_envs=1024", f"training={{{TRAINING}, normalize_advantage: true}}"]
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
ON_GPU = ("device=cuda", "num_envs=16384", "training.batch_size=65536")
SB3 = ("algorithm=sb3_ppo", f"training={{{TRAINING}}}", "opponents.scripted={greedy: 1}")
SPEED = "decisions_a_cpu_second"
NO_LOG = Logger(None, [])
NOT_MEASURED = [
    "PufferLib: not installed; its trainer also hands policies no mask of legal actions"
]


@dataclass(frozen=True)
class Setup:
    """A learner with one of `SETTINGS`."""

    setting: str
    game: str = "diddly"
    learner: str = "self-play"
    make: type[PPO | SB3Learner] = PPO
    more: tuple[str, ...] = ()

    def start(self) -> PPO | SB3Learner:
        """Create the learner, and warm it up with one update."""
        units, bfloat16, relations, actions = SETTINGS[self.setting]
        own = [f"network.layers=[{units}, {units}]", f"network.relations={relations}"]
        own += [f"network.action_features={actions}", f"training.bfloat16={bfloat16}", *self.more]
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
    """Return the speed of all contenders, and wall-clock speed by threads."""
    others = [name for name in all_games() if f"{name}_selfplay" in shipped_configs()]
    setups = [
        *(Setup(setting) for setting in SETTINGS),
        *(
            Setup(setting, name)
            for setting in (FLAT, ACTIONS_BFLOAT16)
            for name in others
            if name != "diddly"
        ),
        Setup(FLAT, "diddly", "MaskablePPO against greedy", SB3Learner, SB3),
    ]
    speeds = _medians(setups, time.process_time)
    rows = [
        {"learner": setup.learner, "game": setup.game, "setting": setup.setting, SPEED: speed}
        for setup, speed in zip(setups, speeds, strict=True)
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
    runs = [[_speed(contender, clock, SECONDS) for contender in contenders] for _ in range(RUNS)]
    return [statistics.median(speeds) for speeds in zip(*runs, strict=True)]


def _speed(contender: Setup, clock: Callable[[], float], seconds: float) -> float:
    """Return the learned decisions per second of a clock."""
    learner = contender.start()
    steps, start = learner.steps, clock()
    while clock() - start < seconds:
        learner.update(NO_LOG)
    return (learner.steps - steps) / (clock() - start)
