"""Exact exploitability of players at the small tables of the protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import islice

from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable_training.benchmark.protocol import SIBLINGS, find_table
from kitchentable_training.evaluate.formatting import markdown_table
from kitchentable_training.exact.equilibrium import cfr_plus
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.players.by_name import make_players

TABULAR = "cfr+"
"""The name, before a number of iterations, of the average policy of tabular CFR+."""


def exact_table(name: str, players: Sequence[str], draws: int) -> str:
    """Return players' exploitability at a small table, as a Markdown table and a sentence.

    Args:
        name: the name of the table.
        players: players as for `make_player`, or ``cfr+:ITERATIONS`` (see `cfr_plus`).
        draws: how often a player without probabilities is asked for an action.

    Raises:
        ValueError: there is no such small table or player, or there are no players or draws.
    """
    table = find_table(name)
    if table.value is None:
        small = ", ".join(one.name for one in SIBLINGS)
        raise ValueError(f"{name} is too large for exact computations; small tables are {small}")
    if draws < 1 or not players:
        raise ValueError("give at least one player, and --draws of 1 or more")
    iterations = {word: _iterations(word) for word in players if word.startswith(TABULAR)}
    seated = iter(make_players([one for one in players if one not in iterations], *table.load()))
    start = time.process_time()
    tree = table.tree()
    rows = []
    for word in players:
        if word in iterations:
            label, policy = word, next(islice(cfr_plus(tree), iterations[word] - 1, None))
        else:
            player = next(seated)
            label, policy = player.name, tree.policy(player, draws)
        found = exploitability(tree, policy)
        gains = found.best_responses - found.values
        points = [found.values[0], *gains, found.nash_conv, found.exploitability]
        rows.append([label, *(f"{POINTS_PER_UNIT * one:.6f}" for one in points)])
    header = ["points a game", "player_0 wins"]
    header += [f"gain of player_{seat}" for seat in range(tree.num_players)]
    header += ["NashConv", "exploitability"]
    return (
        f"{markdown_table(header, rows)}\n\n"
        f"{name}: {len(tree.chances):,} deals, {tree.num_nodes:,} nodes, {tree.num_sets:,} "
        f"information sets, walked in {time.process_time() - start:.0f} s. At equilibrium "
        f"player_0 wins {table.value:.3f}."
    )


def _iterations(word: str) -> int:
    """Parse ``cfr+:ITERATIONS``."""
    found = re.fullmatch(re.escape(TABULAR) + r":([1-9]\d*)", word)
    if found is None:
        raise ValueError(f"{word!r}: give the number of iterations, as in {TABULAR}:100")
    return int(found[1])
