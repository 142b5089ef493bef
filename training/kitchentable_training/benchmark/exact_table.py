"""Exact exploitability of players in small environments."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable import Game, all_games, find_game
from kitchentable_training.benchmark.protocol import ENVIRONMENTS, Environment, find_environment
from kitchentable_training.evaluate.formatting import markdown_table
from kitchentable_training.exact.equilibrium import SOLVERS, solved
from kitchentable_training.exact.exploitability import exploitability, measure
from kitchentable_training.exact.tree import DRAWS, GROUPS, GameTree
from kitchentable_training.players.by_name import PLAY, make_players, set_sampling


def exact_table(
    name: str,
    words: Sequence[str],
    options: Mapping[str, Any] | None = None,
    *,
    draws: int = DRAWS,
    sample: bool = False,
) -> str:
    """Return players' exploitability in a small environment, as a Markdown table and a sentence.

    Args:
        name: the name of a small environment of the benchmark, or of a game.
        words: players as for `make_player`, or ``ALGORITHM:ITERATIONS`` (see `SOLVERS`).
        options: parameters of the game that replace the environment's, or the game's defaults.
        draws: how often a player that does not tell its probabilities is asked for an action.
        sample: whether networks sample their actions instead of playing the most probable one.

    Raises:
        ValueError: there is no such small environment, game or player, the parameters are invalid
            or make too large a tree, or there are no players or draws.
    """
    game, params, environment = _find(name, options or {})
    if draws < 1 or not words:
        raise ValueError("give at least one player, and --draws of 1 or more")
    tabular = {word: _iterations(word) for word in words if word.partition(":")[0] in SOLVERS}
    players = make_players([word for word in words if word not in tabular], game, params)
    for player in players:
        set_sampling(player, sample)
    start, seated = time.process_time(), iter(players)
    tree = environment.tree() if environment else GameTree(game, params)
    walked = time.process_time() - start
    rows, estimated = [], False
    for word in words:
        if word in tabular:
            policy = solved(word.partition(":")[0], tree, tabular[word])
            label, result, error = word, exploitability(tree, policy), 0.0
            is_estimate = False
        else:
            player = next(seated)
            label, is_estimate = player.name, not tree.tells(player)
            result, error = measure(tree, player, draws, most_probable=not sample)
            estimated |= is_estimate
            label += " (estimate)" if is_estimate else ""
        figures = [result.values[0], *(result.best_responses - result.values), result.nash_conv]
        lost = f"{result.exploitability:.6f}" + (f" ± {error:.6f}" if is_estimate else "")
        rows.append([label, *(f"{figure:.6f}" for figure in figures), lost])
    header = [f"{tree.unit} per game", "player_0 wins"]
    header += [f"gain of player_{seat}" for seat in range(tree.num_players)]
    header += ["NashConv", "exploitability"]
    sentences = [
        f"{name}: {len(tree.chances):,} deals, {tree.num_nodes:,} nodes, {tree.num_sets:,} "
        f"information sets, walked in {walked:.0f} s.",
        f"Trained players {PLAY[sample]}.",
    ]
    if environment and environment.value is not None:
        sentences.append(f"At equilibrium player_0 wins {environment.value:.3f}.")
    if estimated:
        sentences.append(
            f"An estimate is made of {GROUPS * max(1, draws // GROUPS)} actions in each "
            "information set, as the player does not tell its probabilities; after ± is its "
            "standard error."
        )
    return f"{markdown_table(header, rows)}\n\n{' '.join(sentences)}"


def _find(name: str, options: Mapping[str, Any]) -> tuple[Game, Any, Environment | None]:
    """Return the game, the parameters, and the environment of the benchmark if it is as it is."""
    if name not in ENVIRONMENTS and name in all_games():
        game = find_game(name)
        return game, game.make_params(**options), None
    environment = find_environment(name)
    if environment.uniform is None:
        exactly = ", ".join(
            small.name for small in ENVIRONMENTS.values() if small.uniform is not None
        )
        raise ValueError(f"{name} is too large for exact computations; small ones are {exactly}")
    game, params = environment.load()
    if not options:
        return game, params, environment
    return game, game.make_params(**{**environment.params, **options}), None


def _iterations(word: str) -> int:
    """Return the iterations of ``ALGORITHM:ITERATIONS``."""
    name, _, count = word.partition(":")
    if re.fullmatch(r"[1-9]\d*", count) is None:
        raise ValueError(f"{word!r}: give the number of iterations, as in {name}:100")
    return int(count)
