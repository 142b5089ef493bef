"""Learning curves of self-play from random weights.

Each run is the same as ``kitchentable train GAME_selfplay seed=N --run runs/curves/GAME_N``, and is
kept there for ``kitchentable report runs/curves/*``; an interrupted run is resumed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kitchentable import find_game
from kitchentable_training.evaluate.duplicate import LEARNER_NAME
from kitchentable_training.files import PROGRESS, RESULTS, read_json
from kitchentable_training.runs.progress import EVALUATION, read_progress
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings
from kitchentable_training.shipped import shipped_configs

RUNS = Path("runs/curves")
SEEDS = {"diddly": 5}
"""The number of runs by game; one for all others."""
SELFPLAY = "_selfplay"


def measure() -> list[dict[str, Any]]:
    """Return a row for every run: its curve, and its final win rates."""
    names = [name for name in shipped_configs() if name.endswith(SELFPLAY)]
    games = [name.removesuffix(SELFPLAY) for name in names]
    return [_measure_one(game, 1 + i) for game in games for i in range(SEEDS.get(game, 1))]


def _measure_one(game: str, seed: int) -> dict[str, Any]:
    folder = RUNS / f"{game}_{seed}"
    settings = load_settings(f"{game}{SELFPLAY}", [f"seed={seed}"])
    Run(settings, folder).train()
    evaluations = [
        {
            "decisions": line["step"],
            "minutes": line["time/seconds"] / 60,
            **{key.removeprefix(EVALUATION): line[key] for key in line if EVALUATION in key},
        }
        for line in read_progress(folder / PROGRESS)
        if any(key.startswith(EVALUATION) for key in line)
    ]
    opponents = read_json(folder / RESULTS)["opponents"]
    reached = {name: result["win_rate"] for name, result in opponents.items()}
    table = find_game(game)
    if table.is_team(table.make_params(**settings.params)):  # a team's win rate has no opponents
        reached = {LEARNER_NAME: next(iter(reached.values()))}
    return {
        "game": game,
        "seed": seed,
        "curve": evaluations,
        "deals": settings.evaluation.final_deals,
        "reached": reached,
    }
