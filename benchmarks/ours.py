"""The engine and the adapters with random legal play, with mask and observation per decision."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from benchmarks.clock import Contender
from kitchentable import all_games, make_batch
from kitchentable.adapters.registration import gymnasium_id
from kitchentable.engine.batch import available_threads
from kitchentable_training.cli.bench import batch_player, table_player

SIZES = (1, 64, 1024, 8192)
VECTOR_SIZE = 1024


def contenders(game: str) -> list[Contender]:
    """Return all interfaces for playing a game."""
    title = all_games()[game].title
    version = all_games()[game].version
    module = importlib.import_module(f"kitchentable.{game}_v{version}")
    threads = sorted({1, available_threads()})
    interfaces = [
        Contender(
            "Kitchentable", title, f"batch of {size:,}, {count} thread{'s'[: count > 1]}", play
        )
        for size in SIZES
        for count in (threads if size >= 1024 else [1])
        for play in [batch_player(make_batch(game, size, seed=0, threads=count))]
    ]
    interfaces.append(Contender("Kitchentable", title, "raw_env", table_player(module.raw_env())))
    interfaces.append(Contender("Kitchentable", title, "env()", table_player(module.env())))
    one_seat = seat_player(game, version)
    interfaces.append(Contender("Kitchentable", title, "Gymnasium, one seat", one_seat))
    vector = vector_player(game, version, VECTOR_SIZE)
    how = f"Gymnasium, vector of {VECTOR_SIZE:,}"
    interfaces.append(Contender("Kitchentable", title, how, vector))
    return interfaces


def seat_player(game: str, version: int) -> Callable[[int], int]:
    """Return a function that plays one seat through Gymnasium; only its decisions count.

    The other seats also play at random, which takes part of the time.
    """
    env = gymnasium.make(gymnasium_id(game, version), opponents="random")
    rng = np.random.default_rng(0)
    info = env.reset(seed=0)[1]

    def play(decisions: int) -> int:
        nonlocal info
        for draw in rng.random(decisions):
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, truncated, info = env.step(int(legal[int(draw * len(legal))]))
            if terminated or truncated:
                _, info = env.reset()
        return decisions

    return play


def vector_player(game: str, version: int, num_envs: int) -> Callable[[int], int]:
    """Return a function like that of `seat_player` for a vector of games."""
    env: Any = gymnasium.make_vec(gymnasium_id(game, version), num_envs, opponents="random")
    env.reset(seed=0)

    def play(decisions: int) -> int:
        steps = max(1, decisions // num_envs)
        for _ in range(steps):
            env.step(env.batch.sample_actions())
        return steps * num_envs

    return play
