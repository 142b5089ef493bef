"""How exploitable players are at the small tables of the protocol, worked out exactly."""

from __future__ import annotations

import time
from collections.abc import Sequence

from kitchentable.core.rewards import POINTS_PER_UNIT
from kitchentable_training.benchmark.protocol import SIBLINGS, find_table
from kitchentable_training.evaluate.formatting import markdown_table
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.players.by_name import make_players


def exact_table(name: str, players: Sequence[str], draws: int) -> str:
    """Say how exploitable players are at a small table, as a Markdown table and a sentence.

    Args:
        name: of the table.
        players: as `make_player` reads them.
        draws: how often a player without probabilities is asked for an action.

    Raises:
        ValueError: there is no such table or player, or nobody is asked; says what is possible.
    """
    table = find_table(name)
    if table.value is None:
        small = ", ".join(one.name for one in SIBLINGS)
        raise ValueError(f"{name} is too large for exact computations; small tables are {small}")
    if draws < 1 or not players:
        raise ValueError("give at least one player, and --draws of 1 or more")
    seated = make_players(players, *table.load())
    start = time.process_time()
    tree = table.tree()
    rows = []
    for player in seated:
        found = exploitability(tree, tree.policy(player, draws))
        gains = found.best_responses - found.values
        points = [found.values[0], *gains, found.nash_conv, found.exploitability]
        rows.append([player.name, *(f"{POINTS_PER_UNIT * one:.6f}" for one in points)])
    header = ["points a game", "player_0 wins"]
    header += [f"gain of player_{seat}" for seat in range(tree.num_players)]
    header += ["NashConv", "exploitability"]
    return (
        f"{markdown_table(header, rows)}\n\n"
        f"{name}: {len(tree.chances):,} deals, {tree.num_nodes:,} nodes, {tree.num_sets:,} "
        f"information sets, walked in {time.process_time() - start:.0f} s. At equilibrium "
        f"player_0 wins {table.value:.3f}."
    )
