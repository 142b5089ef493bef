"""Other libraries through their public interfaces, with random legal play and observations."""

from __future__ import annotations

import contextlib
import importlib
import random
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.clock import Contender
from kitchentable.engine.batch import available_threads
from kitchentable_training.cli.bench import table_player

PETTINGZOO = {
    "gin_rummy": "pettingzoo.classic.rlcard_envs.gin_rummy",  # removed in PettingZoo 1.27
    "leduc_holdem": "pettingzoo.classic.rlcard_envs.leduc_holdem",
    "connect_four": "pettingzoo.classic.connect_four.connect_four",
}
RLCARD = ("gin-rummy", "leduc-holdem", "uno")
PGX = ("leduc_holdem", "connect_four", "tic_tac_toe")
PGX_SIZE, PGX_STEPS = 4_096, 64
"""Parallel games, and the steps that pgx plays in one call, for its best case on a few cores."""
PUFFER_SIZE, PUFFER_BATCHES = 1_024, 256
"""Parallel games, and the number of action batches sampled in advance, as in its own test."""
OPEN_SPIEL = ("gin_rummy", "leduc_poker", "crazy_eights", "connect_four")


def contenders() -> tuple[list[Contender], list[str]]:
    """Return the peers that are installed, and a line for each that is not."""
    installed, missing = [], []
    for name, module in PETTINGZOO.items():
        try:
            play = table_player(importlib.import_module(module).env())
            installed.append(Contender("PettingZoo", name, "env()", play))
        except ImportError as error:
            missing.append(f"PettingZoo {name}: {error}")
    for library, names, make in (
        ("RLCard", RLCARD, _rlcard_player),
        ("OpenSpiel", OPEN_SPIEL, _open_spiel_player),
    ):
        try:
            installed += [Contender(library, name, "Python", make(name)) for name in names]
        except ImportError as error:
            missing.append(f"{library}: {error}")
    for library, make in (("pgx", _pgx), ("PufferLib", _pufferlib)):
        try:
            installed += make()
        except ImportError as error:
            missing.append(f"{library}: {error}")
    return installed, missing


def _rlcard_player(name: str) -> Callable[[int], int]:
    import rlcard  # noqa: PLC0415 - an optional library

    env = rlcard.make(name, config={"seed": 0})
    rng = random.Random(0)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            state, _ = env.reset()
            while not env.is_over() and played < decisions:
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                played += 1
        return played

    return play


def _open_spiel_player(name: str) -> Callable[[int], int]:
    import pyspiel  # noqa: PLC0415 - an optional library

    game = pyspiel.load_game(name)
    rng = random.Random(0)

    def play(decisions: int) -> int:
        played = 0
        while played < decisions:
            state = game.new_initial_state()
            while not state.is_terminal() and played < decisions:
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                played += 1
        return played

    return play


def _pgx() -> list[Contender]:
    import jax  # noqa: PLC0415 - an optional library

    threads = available_threads()
    how = f"{PGX_SIZE:,} games on {jax.default_backend().upper()}, {threads} threads"
    players = {name: pgx_player(name, PGX_SIZE, PGX_STEPS) for name in PGX}
    return [Contender("pgx", name, how, play) for name, play in players.items()]


def pgx_player(name: str, size: int, steps: int) -> Callable[[int], int]:
    """Return a function that plays a game of pgx at random, on JAX's default device.

    Args:
        name: pgx's name of the game.
        size: the number of parallel games.
        steps: the number of steps in one compiled call.
    """
    import jax  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from jax import numpy as jnp  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def once(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draws, deals = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = step(state, jax.random.categorical(draws, logits), jax.random.split(deals, size))
        # Summed, because JAX would not compute observations that nothing reads.
        return (state, key), state.observation.sum(axis=range(1, state.observation.ndim))

    many = jax.jit(partial(jax.lax.scan, once, length=steps))
    first, key = jax.random.split(jax.random.key(0))
    carry = jax.jit(jax.vmap(env.init))(jax.random.split(first, size)), key

    def play(decisions: int) -> int:
        nonlocal carry
        calls = max(1, decisions // (size * steps))
        for _ in range(calls):
            carry, seen = many(carry, None)
        seen.block_until_ready()
        return calls * size * steps

    return play


def _pufferlib() -> list[Contender]:
    """Return PufferLib's card game, which has no masks: illegal actions change nothing."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        # The import creates a link in the working directory.
        from pufferlib.ocean.tripletriad.tripletriad import TripleTriad  # noqa: PLC0415
    env = TripleTriad(num_envs=PUFFER_SIZE)
    env.reset(seed=0)
    shape = (PUFFER_BATCHES, PUFFER_SIZE)
    actions = np.random.default_rng(0).integers(0, env.single_action_space.n, shape)

    def play(decisions: int) -> int:
        steps = max(1, decisions // PUFFER_SIZE)
        for t in range(steps):
            env.step(actions[t % PUFFER_BATCHES])
        return steps * PUFFER_SIZE

    return [Contender("PufferLib", "tripletriad", f"batch of {PUFFER_SIZE:,}, no mask", play)]
