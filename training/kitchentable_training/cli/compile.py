"""Compilation of games in advance: for an image, for a shared folder, or before tests.

Code compiled by Numba is cached on disk, see `kitchentable.core.user_cache`. Processes that need
the same loop at the same time wait for the one that compiles it. Here several processes compile
different loops.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import product, zip_longest
from multiprocessing import active_children, get_context
from types import SimpleNamespace
from typing import cast

import numpy as np

from kitchentable import Batch, all_games, find_game
from kitchentable.core.state import for_loops
from kitchentable.engine import code_cache
from kitchentable.engine.batch import PARALLEL_FROM
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.stopping import out_of_reach


def compile_games(
    games: Sequence[str], *, jobs: int = 1, players: bool = True, parallel: bool = False
) -> None:
    """Compile loops, action features and scripted players of games that are not yet compiled.

    Raises:
        CompileError: Numba cannot compile a game.
        ValueError: ``parallel`` is set, but only one thread is available.
    """
    threads = (1, 2) if parallel else (1,)
    workers = ProcessPoolExecutor(jobs, get_context("spawn"), _say_nothing)
    with workers as pool, _stopped_with_this_process():
        with out_of_reach():
            compiled = [
                pool.submit(_compile_loops, *variant) for variant in product(games, threads)
            ]
            if players:
                compiled += [pool.submit(_compile_features, name) for name in games]
                compiled += [pool.submit(_compile_player, *player) for player in _players(games)]
        for future in compiled:
            future.result()  # raises the errors of the processes


def _say_nothing() -> None:
    """Leave out the lines that a process is compiling, which would come from each process."""
    logging.getLogger(code_cache.__name__).setLevel(logging.ERROR)


@contextmanager
def _stopped_with_this_process() -> Iterator[None]:
    """Stop the processes of a pool if this one is stopped in a context."""
    try:
        yield
    except KeyboardInterrupt:
        for process in active_children():
            process.terminate()
        raise


def _players(games: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield all games' players, the slowest to compile first, so that processes end together."""
    by_game = [
        [(name, player) for player in reversed(list(all_games()[name].players.scripted))]
        for name in games
    ]
    for rank in zip_longest(*by_game):
        yield from filter(None, rank)


def _compile_loops(name: str, threads: int) -> None:
    """Call once every loop that a game has."""
    num_envs = 1 if threads == 1 else PARALLEL_FROM
    seat = np.zeros(num_envs, np.int64)
    batch = Batch(find_game(name), num_envs, seed=0, threads=threads)
    batch.observe(seat)
    batch.standings()
    if batch.game.rules.observe_state is not None:
        batch.observe_state()
    if batch.game.rules.redeal is not None:
        batch.redeal(seat, 0)


def _compile_features(name: str) -> None:
    """Describe the actions of a game."""
    batch = Batch(find_game(name), 1, seed=0)
    if batch.game.rules.has_knowledge:
        batch.know([0])
    if batch.game.players.action_features is not None:
        batch.describe()
    if batch.game.players.derived_parts is not None:
        batch.derive()


def _compile_player(name: str, player: str) -> None:
    """Call a player for no games, with a stand-in for a batch that compiles no loops."""
    game = find_game(name)
    params = game.make_params()
    table = SimpleNamespace(
        num_envs=1,
        records=for_loops(game.rules.records(params, 1)),
        masks=np.zeros((1, len(game.rules.action_names(params))), np.bool_),
        tables=game.rules.tables(params),
    )
    ScriptedPlayer(game, player).act(cast("Batch", table), np.arange(0))
