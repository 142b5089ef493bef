"""The engine and the adapters with random legal play, with mask and observation per decision."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from benchmarks import peers
from benchmarks.clock import RUNS, Contender, rows
from kitchentable import all_games, make_batch
from kitchentable.adapters.registration import gymnasium_id
from kitchentable.engine.batch import available_threads
from kitchentable_training.cli.bench import batch_player, table_player

SIZES = (1, 64, 1024, 8192)
VECTOR_SIZE = 1024


def measure() -> dict[str, Any]:
    """Return the speed of every interface of each game, and of other libraries."""
    others, missing = peers.contenders()
    own = [contender for game in all_games() for contender in contenders(game)]
    measured = rows([*own, *others])
    for row in measured:
        print(f"{row['decisions_a_second']:14,.0f}  {row['library']} {row['game']}, {row['how']}")
    for line in missing:
        print(f"not measured: {line}")
    return {"runs": RUNS, "rows": measured, "not_measured": missing}


def contenders(game: str) -> list[Contender]:
    """Return all interfaces for playing a game."""
    title = all_games()[game].title
    version = all_games()[game].version
    module = importlib.import_module(f"kitchentable.{game}_v{version}")
    threads = sorted({1, available_threads()})
    plays = {
        f"batch of {size:,}, {count} thread{'s'[: count > 1]}": batch_player(
            make_batch(game, size, seed=0, threads=count)
        )
        for size in SIZES
        for count in (threads if size >= 1024 else [1])
    }
    plays |= {
        "raw_env": table_player(module.raw_env()),
        "env()": table_player(module.env()),
        "Gymnasium, one seat": seat_player(game, version),
        f"Gymnasium, vector of {VECTOR_SIZE:,}": vector_player(game, version, VECTOR_SIZE),
    }
    return [Contender("Kitchentable", title, how, play) for how, play in plays.items()]


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
