"""The search for the settings of the shipped entries.

Each entry is tried with the same number of settings: its defaults, and others that are drawn from
its `SPACES`. They are tried in environments that no result is reported of, with a seed that no
result has, and with the smallest budget of the protocol. A trial's objective is the mean over these
environments of the score, or of 1 minus the distance from an equilibrium where that is known.
Of the trials that are about as good as the best one, the fastest is chosen. ``tuned.json`` has the
chosen settings of each entry, and all trials.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kitchentable_training.benchmark.entries import DEFAULTS, NAMES, TUNED, changes_in
from kitchentable_training.benchmark.protocol import BUDGETS, POINTS, PROTOCOL, Environment
from kitchentable_training.benchmark.results import Result
from kitchentable_training.benchmark.run import Plan
from kitchentable_training.files import read_json, write_text

TRIALS = 6
"""The number of settings that are tried of each entry; the first ones are its defaults."""
SEED = 101
"""The seed of the trials."""
BUDGET = BUDGETS[0]
NEAR = 0.02
"""How much worse than the best one a trial may be to be chosen for its speed."""
Space = Mapping[str, Sequence[Any]]
"""The values that are tried, by setting."""
ROLLOUTS: Space = {
    "num_envs": (64, 128, 256, 512),
    "n_steps": (16, 32, 64),
    "batch_size": (256, 512, 1024),
    "learning_rate": (0.0003, 0.0006, 0.001, 0.002),
    "gae_lambda": (0.7, 0.85, 0.95),
}
ENTROPY: Space = {"ent_coef": (0.01, 0.03, 0.1, 0.2), "final_ent_coef": (0.003, 0.01, 0.03)}
SPACES: Mapping[str, Space] = {
    "ppo": {**ROLLOUTS, **ENTROPY, "n_epochs": (1, 2, 4)},
    "sb3_ppo": {**ROLLOUTS, **ENTROPY, "n_epochs": (1, 2, 4)},
    "mmd": {
        **ROLLOUTS,
        "n_epochs": (1, 2, 4),
        "alpha": (0.005, 0.02, 0.05, 0.1),
        "step_size": (5, 20, 50, 100),
        "normalize_advantage": (False, True),
    },
    "rnad": {
        **ROLLOUTS,
        "n_epochs": (1, 2),
        "eta": (0.02, 0.05, 0.2, 0.5),
        "delta_m": (50_000, 100_000, 200_000),
        "polyak": (0.02, 0.1, 0.5),
    },
    "nfsp": {
        "num_envs": (64, 128, 256),
        "learning_rate": (0.001, 0.003, 0.01),
        "average_learning_rate": (0.0003, 0.001, 0.003),
        "anticipatory": (0.1, 0.2, 0.4),
        "target_every": (100, 300, 1000),
        "replays": (1, 2, 4),
    },
    "psro": {
        **ROLLOUTS,
        "responses": (5, 10, 20),
        "ent_coef": (0.02, 0.05, 0.1),
        "final_ent_coef": (0.003, 0.01, 0.03),
        "payoff_share": (0.1, 0.2, 0.4),
    },
    "dmc": {**ROLLOUTS, "n_epochs": (1, 2), "epsilon": (0.05, 0.1, 0.2)},
    "behavior_cloning": {
        "behavior_cloning.batch_size": (256, 512, 1024, 2048),
        "behavior_cloning.learning_rate": (0.0003, 0.001, 0.002, 0.004),
    },
}
"""What is tried of each entry."""
TUNING = (
    Environment(
        "diddly_tuning", "diddly",
        POINTS | {"cards": 2, "rounds": 1, "turn_limit": 2, "copies": {"2": 2, "6": 5, "8": 2}},
        500, random_payoff=-0.5454, value=1.645, uniform=5.72619, is_large=True,
    ),
    Environment(
        "quiddler_tuning", "quiddler",
        POINTS | {
            "meld": "auto", "hand_sizes": [3], "max_turns": 1, "two_player_bonus": "none",
            "copies": {"o": 5, "n": 4, "t": 2}, "lexicon": ["on", "to", "not", "ton", "toot"],
        },
        500, random_payoff=-0.486, value=0.738, uniform=4.887975, is_large=True,
    ),
    Environment(
        "diddly_3p", "diddly", POINTS | {"num_players": 3, "cards": 8}, 300, random_payoff=-14.6458
    ),
)  # fmt: skip
"""The environments of the trials: two whose game tree is known, and one with three seats."""


def trials(name: str) -> list[str]:
    """Return the words of an entry's trials, for `entries.find_entry`.

    Raises:
        ValueError: the entry has nothing to search.
    """
    if name not in SPACES:
        raise ValueError(
            f"entry {name!r} has no settings to search; choose from {', '.join(NAMES)}"
        )
    rng = np.random.default_rng([SEED, *name.encode()])
    words = [f"{name}+{DEFAULTS}"]
    while len(words) < TRIALS:
        drawn = (
            f"{key}={values[int(rng.integers(len(values)))]}"
            for key, values in SPACES[name].items()
        )
        word = "+".join([name, DEFAULTS, *drawn])
        if word not in words:
            words.append(word)
    return words


def plan(names: Sequence[str]) -> Plan:
    """Return the jobs of the trials of some entries."""
    return Plan(TUNING, [word for name in names for word in trials(name)], [BUDGET], [SEED])


def objective(result: Result) -> float:
    """Return what a trial counts in one environment: the higher, the better."""
    return float(1 - result["distance"] if "distance" in result else result["score"])


def write_chosen(results: Sequence[Result], names: Sequence[str], path: Path = TUNED) -> None:
    """Write the chosen settings of the entries whose trials are all done; keep those of others."""
    entries = dict(read_json(path)["entries"]) if path.exists() else {}
    environments = {environment.name for environment in TUNING}
    results = [result for result in results if result["environment"] in environments]
    for name in names:
        tried = {
            word: {
                result["environment"]: round(objective(result), 4)
                for result in results
                if result["entry"] == word
            }
            for word in trials(name)
        }
        if all(len(by_environment) == len(TUNING) for by_environment in tried.values()):
            commits = sorted({result["commit"] for result in results if result["entry"] in tried})
            chosen = changes_in(_choose(results, tried))
            entries[name] = {"commits": commits, "chosen": chosen, "trials": tried}
    write_text(path, json.dumps({"protocol": PROTOCOL, "entries": entries}, indent=1) + "\n")


def _choose(results: Sequence[Result], tried: Mapping[str, Mapping[str, float]]) -> str:
    """Return the fastest trial that is about as good as the best one."""
    objectives = {
        word: float(np.mean(list(by_environment.values())))
        for word, by_environment in tried.items()
    }
    seconds = dict.fromkeys(objectives, 0.0)
    for result in results:
        if result["entry"] in seconds:
            seconds[result["entry"]] += result["processor_seconds"]
    near = [word for word, value in objectives.items() if value >= max(objectives.values()) - NEAR]
    return min(near, key=lambda word: seconds[word])
