"""Compile the loops and the scripted players of every game ahead of the tests.

    python tests/compile_games.py --jobs 2

Tests that need them at the same time would each compile them; here each is compiled once, and the
tests find it in the cache, whose folder the environment names (`kitchentable.core.kernels`).
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context
from types import SimpleNamespace

import numpy as np

from kitchentable import Batch, all_games, find_game
from kitchentable.players.scripted import ScriptedPlayer


def players() -> Iterator[tuple[str, str]]:
    """Every game's players, the strongest first: they take longest, and so all end together."""
    by_game = [
        [(name, bot) for bot in reversed(all_games()[name].players.scripted)]
        for name in sorted(all_games())
    ]
    for rank in zip_longest(*by_game):
        yield from filter(None, rank)


def compile_loops(name: str) -> None:
    """Use every loop of a game once."""
    batch, seat = Batch(find_game(name), 1, seed=0), np.zeros(1, np.int64)
    batch.observe(seat)
    batch.observe_state()
    batch.standings()
    batch.redeal(seat, 0)


def compile_player(name: str, player: str) -> None:
    """Have a player choose in none of the games of a batch that compiles no loops."""
    game = find_game(name)
    params = game.make_params()
    table = SimpleNamespace(
        num_envs=1,
        observations=np.zeros((1, sum(game.rules.observation_layout(params).values())), np.float32),
        masks=np.zeros((1, len(game.rules.action_names(params))), np.bool_),
        tables=game.rules.tables(params),
    )
    ScriptedPlayer(game, player, params).act(table, np.arange(0))


def main() -> int:
    """Compile all in several processes; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--jobs", type=int, default=1, help="processes at the same time")
    parser.add_argument("--loops", action="store_true", help="no players, which take longest")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        compiled = [pool.submit(compile_loops, name) for name in sorted(all_games())]
        if not options.loops:
            compiled += [pool.submit(compile_player, *one) for one in players()]
        for one in compiled:
            one.result()  # raises what went wrong
    return 0


if __name__ == "__main__":
    sys.exit(main())
