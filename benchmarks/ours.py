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

SIZES = (1, 64, 1024, 8192)
VECTOR_SIZE = 1024


def contenders(game: str) -> list[Contender]:
    """Return all interfaces for playing a game."""
    title = all_games()[game].title
    version = all_games()[game].version
    module = importlib.import_module(f"kitchentable.{game}_v{version}")
    threads = sorted({1, available_threads()})
    found = [
        Contender(
            "Kitchentable", title, f"batch of {size:,}, {count} thread{'s'[: count > 1]}", play
        )
        for size in SIZES
        for count in (threads if size >= 1024 else [1])
        for play in [batch_player(game, size, threads=count)]
    ]
    found.append(Contender("Kitchentable", title, "raw_env", table_player(module.raw_env)))
    found.append(Contender("Kitchentable", title, "env()", table_player(module.env)))
    one_seat = seat_player(game, version)
    found.append(Contender("Kitchentable", title, "Gymnasium, one seat", one_seat))
    vector = vector_player(game, version, VECTOR_SIZE)
    how = f"Gymnasium, vector of {VECTOR_SIZE:,}"
    found.append(Contender("Kitchentable", title, how, vector))
    return found


def batch_player(
    game: str, num_envs: int, wait: Callable[[], object] = lambda: None, **options: Any
) -> Callable[[int], int]:
    """Return a function that plays a batch with random actions, whose sampling is timed too.

    Args:
        game: the name of the game.
        num_envs: the number of parallel games.
        wait: called at the end of a run, to synchronize with a GPU.
        options: other arguments of `make_batch`.
    """
    batch = make_batch(game, num_envs, seed=0, **options)

    def play(decisions: int) -> int:
        steps = max(1, decisions // num_envs)
        for _ in range(steps):
            batch.step(batch.sample_actions())
        wait()
        return steps * num_envs

    return play


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


def table_player(make: Callable[[], Any]) -> Callable[[int], int]:
    """Return a function that plays any PettingZoo environment with masks by `last` and `step`."""
    table, rng = make(), np.random.default_rng(0)
    table.reset(seed=0)

    def play(decisions: int) -> int:
        draws = rng.random(decisions)
        for draw in draws:
            seen, _, terminated, truncated, info = table.last()
            if terminated or truncated:
                table.reset()
                seen, _, _, _, info = table.last()
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            legal = mask.nonzero()[0]
            table.step(int(legal[int(draw * len(legal))]))
        return decisions

    return play
