"""Exact solutions of the siblings: size, equilibrium, and exploitability of scripted players.

For even smaller tables, the results are compared with OpenSpiel, which loads the game trees from a
file and computes best responses by its own algorithm.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kitchentable import Game, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.benchmark.protocol import SIBLINGS, Budget
from kitchentable_training.exact.efg import set_numbers, write_efg
from kitchentable_training.exact.equilibrium import SOLVERS, solved
from kitchentable_training.exact.exploitability import exploitability
from kitchentable_training.exact.tree import GameTree, Policy

ENOUGH = 1e-3
"""The exploitability, in points per game, that counts as an equilibrium."""
VISITED = ("10M", "100M", "1000M")
"""Numbers of visited nodes after which it is measured."""
STEPS = 10
"""Number of iterations between looks whether it is reached."""
COMPARED: list[tuple[str, dict[str, Any]]] = [
    ("diddly", {"cards": 2, "rounds": 1, "turn_limit": 1, "copies": {"1": 3, "5": 3, "D": 1}}),
    ("quiddler", {
        "meld": "auto", "hand_sizes": [3], "max_turns": 1, "two_player_bonus": "none",
        "copies": {"a": 9, "t": 2}, "lexicon": ["at", "tat"],
    }),
    ("addtoo", {
        "diamonds": ["1-2", "2-7", "2-9", "3-4", "4-7", "6-8"], "hand": 2, "max_hands": 1,
        "target": 1, "turned": False,
    }),
]  # fmt: skip
ITERATIONS = 10
"""The iterations of regret minimization for the compared policy."""


def measure() -> dict[str, Any]:
    """Return a row for each sibling, and one for each comparison with OpenSpiel.

    Raises:
        ImportError: OpenSpiel is not installed.
    """
    return {
        "tables": [_solve(table.name, *table.load()) for table in SIBLINGS],
        "compared": [_compare(name, params) for name, params in COMPARED],
    }


def _solve(name: str, game: Game, params: Any) -> dict[str, Any]:
    """Solve a table; figures are in points per game."""
    start = time.process_time()
    tree = GameTree(game, params)
    walked = time.process_time() - start
    scripted = {
        player: exploitability(tree, policy).exploitability
        for player, policy in _scripted(tree).items()
    }
    start, solver, iterations, after = time.process_time(), SOLVERS["cfr+"](tree, 0), 0, {}
    for budget in VISITED:
        more = Budget.parse(budget).decisions // tree.num_nodes - iterations
        if more > 0:
            solver.run(more)
            iterations += more
            after[budget] = exploitability(tree, solver.solution()).exploitability
    while exploitability(tree, solver.solution()).exploitability >= ENOUGH:
        solver.run(STEPS)
        iterations += STEPS
    found = exploitability(tree, solver.solution())
    row = {
        "table": name,
        "deals": len(tree.chances),
        "nodes": tree.num_nodes,
        "sets": tree.num_sets,
        "seconds": walked,
        "exploitability": scripted,
        "equilibrium": {
            "value": float(found.values[0]),
            "exploitability": found.exploitability,
            "nodes": iterations * tree.num_nodes,
            "seconds": time.process_time() - start,
            "after": after,
        },
    }
    print(row, flush=True)
    return row


def _compare(name: str, params: dict[str, Any]) -> dict[str, Any]:
    game = find_game(name)
    tree = GameTree(game, game.make_params(reward="margin", **params))
    policies = _scripted(tree)
    policies["CFR+"] = solved("cfr+", tree, ITERATIONS)
    with TemporaryDirectory() as folder:
        reference = open_spiel_nash_convs(tree, policies, Path(folder) / "table.efg")
    nash_convs = {
        player: {"here": exploitability(tree, policy).nash_conv, "OpenSpiel": reference[player]}
        for player, policy in policies.items()
    }
    row = {"game": name, "params": params, "nodes": tree.num_nodes, "nash_conv": nash_convs}
    print(row, flush=True)
    return row


def _scripted(tree: GameTree) -> dict[str, Policy]:
    """Return the policies of the scripted players by name."""
    game = tree.game
    return {name: tree.policy(ScriptedPlayer(game, name)) for name in game.players.scripted}


def open_spiel_nash_convs(
    tree: GameTree, policies: dict[str, Policy], path: Path
) -> dict[str, float]:
    """Return the NashConv of policies by OpenSpiel, in the game that it loads from our file.

    Args:
        tree: the game tree of the table.
        policies: the policies by name.
        path: the file to write.

    Raises:
        ImportError: OpenSpiel is not installed.
    """
    import pyspiel  # noqa: PLC0415 - an optional library
    from open_spiel.python.algorithms.exploitability import nash_conv  # noqa: PLC0415
    from open_spiel.python.policy import TabularPolicy  # noqa: PLC0415

    write_efg(tree, path)
    game = pyspiel.load_game(f"efg_game(filename={path})")
    table, numbers = TabularPolicy(game), set_numbers(tree)
    names = tree.game.rules.action_names(tree.params)
    nash_convs = {}
    for player, policy in policies.items():
        chances = {}
        for level, known, own in zip(tree.levels, numbers, policy, strict=True):
            for k, (seat, number) in enumerate(zip(level.owners, known, strict=True)):
                pairs = slice(level.first_pair[k], level.first_pair[k + 1])
                actions = [names[action] for action in level.actions[pairs]]
                chances[f"{seat}-{seat}-{number}-{number}"] = dict(
                    zip(actions, own[pairs], strict=True)
                )
        table.action_probability_array[:] = 0.0
        for key, row in table.state_lookup.items():
            state = table.states[row]
            for action in state.legal_actions():
                chance = chances[key][state.action_to_string(action)]
                table.action_probability_array[row, action] = chance
        nash_convs[player] = float(nash_conv(game, table))
    return nash_convs
