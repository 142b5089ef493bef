"""Search for settings by Ray Tune: `pip install ".[ray]"`.

    python examples/ray_tune_sweep.py diddly_first /shared/sweep steps=2_000_000 --samples 16

Each trial is a separate training run in the folder, with some settings sampled. It reports the mean
win rate of each evaluation, and is stopped early if other trials do better. A trial that was
interrupted resumes from the last checkpoint of its run; the same command resumes the sweep.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ray import tune
from ray.tune.schedulers import ASHAScheduler

from kitchentable_training.files import PROGRESS
from kitchentable_training.runs.progress import EVALUATION, read_progress
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import load_settings

DRAWN = {
    "training.learning_rate": tune.loguniform(1e-4, 3e-3),
    "training.ent_coef": tune.loguniform(1e-3, 1e-1),
    "training.gae_lambda": tune.choice([0.7, 0.8, 0.9, 0.95]),
}
LAP = 60.0
"""Seconds of training between two reports; the run is saved then."""


def trial(drawn: dict[str, Any], config: str, overrides: Sequence[str], folder: Path) -> None:
    """Train or resume one run, and report its evaluations."""
    set_anew = [f"{name}={json.dumps(value)}" for name, value in drawn.items()]
    settings = load_settings(config, [*overrides, *set_anew, "threads=1"])
    run = folder / "runs" / tune.get_context().get_trial_id()
    final, reported = None, 0
    while final is None:
        final = Run(settings, run).train(LAP)
        for line in read_progress(run / PROGRESS):
            rates = [rate for name, rate in line.items() if name.startswith(EVALUATION)]
            if rates and line["step"] > reported:
                reported = line["step"]
                tune.report({"step": reported, "win_rate": fmean(rates)})


def sweep(config: str, overrides: Sequence[str], folder: Path, samples: int) -> tune.ResultGrid:
    """Start or resume a sweep; all machines share the folder."""
    settings = load_settings(config, overrides)
    folder = folder.resolve()  # trials run in other folders
    parameters = {"config": config, "overrides": list(overrides), "folder": folder}
    trainable = tune.with_resources(tune.with_parameters(trial, **parameters), {"cpu": 1})
    if tune.Tuner.can_restore(str(folder / "tune")):
        tuner = tune.Tuner.restore(str(folder / "tune"), trainable, resume_errored=True)
    else:
        stop_poor = ASHAScheduler(
            "step", max_t=settings.steps, grace_period=settings.evaluation.every
        )
        tuner = tune.Tuner(
            trainable,
            param_space=DRAWN,
            tune_config=tune.TuneConfig(
                metric="win_rate", mode="max", num_samples=samples, scheduler=stop_poor
            ),
            run_config=tune.RunConfig(
                name="tune",
                storage_path=str(folder),
                failure_config=tune.FailureConfig(max_failures=10),
            ),
        )
    return tuner.fit()


def main() -> None:
    """Read the command line, and print the best settings."""
    parser = argparse.ArgumentParser(description="Search for settings by Ray Tune.")
    parser.add_argument("config", help="a settings file, or the name of shipped settings")
    parser.add_argument("folder", type=Path, help="folder of the runs, shared by all machines")
    parser.add_argument("overrides", nargs="*", help="settings for all trials: key=value")
    parser.add_argument("--samples", type=int, default=8)
    args = parser.parse_args()
    best = sweep(args.config, args.overrides, args.folder, args.samples).get_best_result()
    metrics = best.metrics or {}  # those of a trial that has ended are there
    sys.stdout.write(f"{metrics['win_rate']:.3f} by {best.config}\n")


if __name__ == "__main__":
    main()
