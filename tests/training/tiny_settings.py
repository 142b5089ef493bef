"""Settings of training runs that take a second, for tests of all that surrounds a run."""

import shutil
from pathlib import Path

TINY = {
    "seed": 1,
    "threads": 1,
    "device": "cpu",
    "episode": "game",
    "checkpoint_seconds": 1000,
    "checkpoints_kept": 1,
    "ppo": {
        "n_steps": 16,
        "batch_size": 64,
        "n_epochs": 1,
        "learning_rate": 0.001,
        "final_learning_rate": 0.001,
        "gamma": 1.0,
        "gae_lambda": 0.95,
        "clip_range": 0.2,
        "ent_coef": 0.01,
        "vf_coef": 0.5,
        "max_grad_norm": 0.5,
    },
    "start": None,
    "imitation": None,
}
"""What they share; each names its game, parameters, network, opponents and evaluations."""
TAUGHT = {
    "player": "careful",
    "decisions": 20_000,
    "lesson": 4000,
    "batch_size": 64,
    "learning_rate": 0.01,
}
"""An imitation of the games made for tests, whose best player is `careful`."""


def check_picked_up(trained: Path, folder: Path) -> None:
    """Check that a copy of a run without its end comes to the same end, byte for byte."""
    from kitchentable_training.cli.main import main

    shutil.copytree(trained, folder)
    shutil.rmtree(folder / "final")
    (folder / "evaluation.json").unlink()
    assert main(["train", "--resume", str(folder)]) == 0
    for file in ("evaluation.json", "progress.jsonl", "final/weights.safetensors"):
        assert (folder / file).read_bytes() == (trained / file).read_bytes()


def cut_back(folder: Path, steps: int) -> None:
    """Leave a finished run as if it had been killed just after the checkpoint at ``steps``."""
    shutil.rmtree(folder / "final")
    (folder / "evaluation.json").unlink()
    for saved in (folder / "checkpoints").iterdir():
        if int(saved.name.removeprefix("step_")) > steps:
            shutil.rmtree(saved)
