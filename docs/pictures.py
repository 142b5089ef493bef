"""Draw the pictures of the README and the site: ``python -m docs.pictures``.

``python -m docs.pictures benchmark`` draws only the figures of the published benchmark results, and
``python -m docs.pictures results`` only those of the other results.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from docs import tables
from kitchentable import Batch, find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable.render.view import View
from kitchentable_training.benchmark.leaderboard import budgets_of, scores_of
from kitchentable_training.benchmark.protocol import ENVIRONMENTS, Budget
from kitchentable_training.benchmark.results import Result
from kitchentable_training.cli.main import main as kitchentable
from kitchentable_training.report.benchmark_section import exploitability_figure, profile_figure
from kitchentable_training.report.plots import (
    COLORS,
    MINUTES,
    evaluation_figure,
    save_png,
    together_figure,
)

FOLDER = Path(__file__).parent / "pictures"
# File name, game, parameters, seed, decisions of the strongest player before the picture.
POSITIONS: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("diddly", "diddly", {}, 5, 75),
    ("diddly_nine", "diddly", {"cards": 9, "num_players": 4}, 3, 60),
    ("quiddler", "quiddler", {"hand_sizes": (10,)}, 3, 22),
    ("quiddler_solitaire", "quiddler_solitaire", {}, 3, 20),
    ("fiddlefoo", "fiddlefoo", {}, 3, 44),
    ("fiddlefoo_cooperative", "fiddlefoo", {"cooperative": True}, 2, 60),
    ("fiddlefoo_talkytoot", "fiddlefoo", {"num_players": 4, "talkytoot": "all"}, 3, 67),
    ("addtoo", "addtoo", {}, 1, 24),
    ("addtoo_four", "addtoo", {"num_players": 4}, 6, 32),
]
FILMS = {
    "addtoo": (), "diddly": ("rounds=1",), "fiddlefoo": (), "quiddler": ("hand_sizes=[5]",),
    "quiddler_solitaire": (),
}  # fmt: skip
"""The parameters of each game's animation."""
IN_README = "diddly"
"""The game whose animation is also a GIF."""


def main() -> None:
    """Draw everything, or only what is named."""
    FOLDER.mkdir(exist_ok=True)
    parts = {"benchmark": draw_benchmark, "results": draw_results, "games": draw_games}
    for name in sys.argv[1:] or parts:
        parts[name]()


def draw_benchmark() -> None:
    """Draw the performance profiles and the curves of exploitability, by budget."""
    for budget in budgets_of(results := tables.benchmark_results()):
        if scores := scores_of(results, budget):
            save_png(profile_figure(scores), FOLDER / f"benchmark_{budget}.png")
        _draw_exploitability(results, budget, "exploitability")
    for budget in budgets_of(results := tables.benchmark_results(settings=True)):
        _draw_exploitability(results, budget, "settings")


def _draw_exploitability(results: Sequence[Result], budget: str, name: str) -> None:
    """Draw the curves of exploitability with a budget, if there are any."""
    by_environment = {
        environment: [
            result
            for result in results
            if (result["budget"], result["environment"]) == (budget, environment)
        ]
        for environment in ENVIRONMENTS
    }
    if figure := exploitability_figure(by_environment):
        save_png(figure, FOLDER / f"benchmark_{budget}_{name}.png")


def draw_results() -> None:
    """Draw what the pages of strength, learning, speed and exploitability show as tables."""
    against = {
        f"{player} against {(name := list(measured['results'])[-1])}": measured["results"][name]
        for player, measured in tables.trained_results().items()
        if tables.cards()[player]["params"].get("num_players") == 2
    }
    evaluation = {"player": "a player", "params": {"num_players": 2}, "opponents": against}
    save_png(evaluation_figure(evaluation), FOLDER / "strength.png")
    curves = {
        f"{run['game']}, seed {run['seed']}": tuple(
            np.array([point[key] for point in run["curve"]]) for key in ("minutes", "greedy")
        )
        for run in tables.learning_curves()
        if find_game(run["game"]).make_params().num_players > 1
    }
    save_png(
        together_figure(curves, [0.5], MINUTES, "wins against greedy"), FOLDER / "learning.png"
    )
    save_png(speed_figure(), FOLDER / "speed.png")
    save_png(solving_figure(), FOLDER / "solving.png")


def speed_figure() -> Figure:
    """Draw the decisions per second in the summary of speeds."""
    games = tables.fastest_games()
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes, places = figure.subplots(), np.arange(len(games))
    for i, way in enumerate(tables.WAYS):
        speeds = [speeds.get(way, np.nan) for speeds in games.values()]
        axes.barh(places + 0.4 * i, speeds, 0.38, color=COLORS[i], label=way)
    axes.set_yticks(places + 0.2, list(games))
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="decisions per second")
    figure.legend(loc="outside upper right", ncols=len(tables.WAYS), fontsize=9, frameon=False)
    return figure


def solving_figure() -> Figure:
    """Draw the exploitability of tabular CFR+ over the nodes that it has visited."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for table in tables.solved_tables():
        solved = table["equilibrium"]
        after = {Budget.parse(name).decisions: value for name, value in solved["after"].items()}
        after[solved["nodes"]] = solved["exploitability"]
        axes.plot(list(after), list(after.values()), marker="o", label=table["table"])
    axes.set(xscale="log", yscale="log", xlabel="nodes visited", ylabel="points per game")
    axes.legend(fontsize=9, frameon=False)
    return figure


def draw_games() -> None:
    """Draw each position as seen by the seat to move, and the animations."""
    for name, game_name, params, seed, decisions in POSITIONS:
        game = find_game(game_name)
        batch = Batch(game, 1, seed=seed, autoreset=False, **params)
        player = ScriptedPlayer(game, list(game.players.scripted)[-1])
        for _ in range(decisions):
            batch.step(player.act(batch, np.array([0])))
        viewer = int(batch.current_player[0])
        picture = View(game, batch.states[0], batch.params, viewer).draw().to_rgb()
        Image.fromarray(picture).save(FOLDER / f"{name}.png", optimize=True)
    for name, words in FILMS.items():
        strongest = list(find_game(name).players.scripted)[-1]
        files = [f"--svg={FOLDER / name}.svg"]
        files += [f"--gif={FOLDER / name}.gif"] * (name == IN_README)
        kitchentable(["watch", strongest, "--game", name, "--seed", "3", *files, *words])


if __name__ == "__main__":
    main()
