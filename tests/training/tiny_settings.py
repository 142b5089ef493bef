"""Settings and learners of runs that take a second, for tests of everything around a run."""

import json
from pathlib import Path

import pytest
import yaml

from kitchentable import Game, all_games, find_game

TINY = {
    "algorithm": "sb3_ppo", "checkpoint_seconds": 1000, "checkpoints_kept": 1,
    "training": {
        "n_steps": 16, "batch_size": 64, "n_epochs": 1, "learning_rate": 0.001,
        "final_learning_rate": 0.001, "gae_lambda": 0.95,
    },
}  # fmt: skip
"""The common settings, which all algorithms know; each run adds its game, parameters, network,
opponents and evaluations."""
HANDS = TINY | {
    "game": "diddly", "params": {"num_players": 2, "cards": 6, "rounds": 1, "reward": "margin"},
    "steps": 256, "num_envs": 8, "episode": "hand", "network": {"layers": [6]},
    "opponents": {"scripted": {"random": 1}, "past_selves": 0, "past_every": 99, "past_kept": 1},
    "evaluation": {"every": 128, "deals": 4, "final_deals": 6, "opponents": ["random"]},
}  # fmt: skip
"""The settings of a whole run of two updates, which learns from hands of Diddly."""
NETWORK = {"layers": [16]}
SHOWN = {"relations": True, "action_features": True}
LEAGUE = {
    "scripted": {"random": 1, "greedy": 1}, "past_selves": 1, "past_every": 512, "past_kept": 2,
}  # fmt: skip
ALL = {
    "league": 0.5, "magnet_coef": 0.1, "full_state_critic": True, "bfloat16": True,
    "normalize_advantage": True,
}  # fmt: skip
MONTE_CARLO = {"algorithm": "dmc"}
MIRROR_DESCENT, REGULARIZED = {"algorithm": "mmd"}, {"algorithm": "rnad"}
EXPLORATION = {"epsilon": 0.3, "final_epsilon": 0.1}
FICTITIOUS = {
    "algorithm": "nfsp",
    "training": {
        "n_steps": 4, "batch_size": 64, "anticipatory": 0.3, "replay_size": 600,
        "reservoir_size": 200, "target_every": 3,
    },
}  # fmt: skip
ORACLES = {
    "algorithm": "psro",
    "training": {"n_steps": 4, "batch_size": 64, "n_epochs": 1, "responses": 3},
}
"""Settings of self-play: a small network, a league, all options at once, and other
algorithms: fictitious self-play with buffers that are soon full."""
DRAWING = """
import numpy as np

class Drawing:
    def seed(self, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, batch, games):
        masks = batch.masks[games]
        return (masks * self.rng.random(masks.shape)).argmax(axis=1)
"""
"""The source of somebody's own player, which draws legal actions."""
FIRST = """
from kitchentable.players.function import FunctionPlayer

def first(game, params, seed):
    return FunctionPlayer("first", lambda observations, masks: masks.argmax(axis=1))
"""
"""The file of an own player that plays the first legal action."""
TAUGHT = {
    "player": "careful", "decisions": 20_000, "lesson": 4000, "batch_size": 64,
    "learning_rate": 0.01,
}  # fmt: skip
"""Behavior cloning in the games made for tests, whose best player is `careful`."""
KUHN = {
    "game": "kuhn_poker", "params": {"reward": "margin"},
    "evaluation": {"opponents": ["random"], "deals": 4, "final_deals": 4},
}  # fmt: skip


def settings(own=None, *, training=None, algorithm="ppo", **more):
    """Return the settings of a run, by default of PPO at a short game of Diddly.

    Those of the algorithm are ``training``, by default those of `TINY`, and ``own``.
    """
    from kitchentable_training.runs.settings import parse_settings

    training = (training or TINY["training"]) | (EXPLORATION if algorithm == "dmc" else {})
    content = TINY | {
        "algorithm": algorithm, "training": training | (own or {}), "game": "diddly",
        "params": {"rounds": 1, "reward": "margin"}, "steps": 2048, "num_envs": 32,
        "network": NETWORK,
        "evaluation": {"every": 1024, "deals": 4, "final_deals": 4, "opponents": ["greedy"]},
    }  # fmt: skip
    return parse_settings(content | more, "test")


def learner(chosen):
    """Return the learner of a run with these settings."""
    from kitchentable_training.algorithms.league import OpponentPool
    from kitchentable_training.algorithms.registry import find_algorithm

    game = find_game(chosen.game)
    params = game.make_params(**chosen.params)
    on_gpu = chosen.games_device == "cuda"
    pool = OpponentPool.make(game, params, chosen.opponents, chosen.seed, on_gpu=on_gpu)
    return find_algorithm(chosen.algorithm).load()(chosen, pool)


def trained_by_command(game: Game, settings: dict, folder: Path) -> Path:
    """Train with a game registered meanwhile; return the folder of the run."""
    from kitchentable_training.cli.main import main

    file = folder / f"{game.name}.yaml"
    file.write_text(yaml.safe_dump(settings | {"game": game.name}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(all_games(), game.name, game)
        assert main(["train", str(file), "--runs-folder", str(folder)]) == 0
    return folder / game.name


def left_at_every_update(settings, folder: Path) -> int:
    """Train a run that is stopped and resumed at every update; return the number of stops."""
    from kitchentable_training.runs.run import Run

    left = 0
    while Run(settings, folder).train(seconds=0.0) is None:
        left += 1
    return left


def check_resumed(settings, folder: Path, least: int = 2) -> tuple[Path, Path]:
    """Check that a run that is left at every update ends as one that never is.

    Return both folders, that of the run in one piece first.
    """
    from kitchentable_training.runs.run import Run

    whole, parts = folder / "whole", folder / "parts"
    Run(settings, whole).train()
    assert left_at_every_update(settings, parts) >= least
    check_same_end(parts, whole)
    check_same_state(parts, whole)
    return whole, parts


def check_same_end(one: Path, other: Path) -> None:
    """Check that two runs ended with bit-identical weights and equal evaluations."""
    weights = "final/weights.safetensors"
    assert (one / weights).read_bytes() == (other / weights).read_bytes()
    ours, theirs = (json.loads((run / "evaluation.json").read_text()) for run in (one, other))
    assert ours["opponents"] == theirs["opponents"]


def check_same_state(one: Path, other: Path) -> None:
    """Check that two runs saved the same final state, with all that further training depends on."""
    ours, theirs = (max(run.glob("checkpoints/*/state.safetensors")) for run in (one, other))
    assert ours.parent.name == theirs.parent.name
    assert ours.read_bytes() == theirs.read_bytes()
