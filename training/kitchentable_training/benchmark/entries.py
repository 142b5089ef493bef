"""The entries: algorithms as functions of a table, a budget and a seed.

The shipped entries are based on the package's settings ``GAME_selfplay`` with the parameters of the
table; each entry changes only what its name says. Its run is in the folder that it is given, so a
run that was killed is resumed there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from kitchentable.players.scripted import Player
from kitchentable_training.algorithms.behavior_cloning import Teacher, clone_behavior
from kitchentable_training.algorithms.registry import find_algorithm
from kitchentable_training.algorithms.settings import RolloutSettings
from kitchentable_training.benchmark.protocol import Budget, Table
from kitchentable_training.files import FINAL
from kitchentable_training.named import import_module, source_hash
from kitchentable_training.networks.network import build_network
from kitchentable_training.players.checkpoint import load_player, make_card, write_checkpoint
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import RunSettings, load_settings
from kitchentable_training.settings import did_you_mean

Train = Callable[[Table, Budget, int, Path], Player]
"""An entry's function: given a table, a budget, a seed and its own folder, it returns a player.

If the folder has a checkpoint ``final`` afterwards, its settings and learning curve are copied to
the result; else the settings are the player's attribute ``settings``, if it has one. A function
that finds its player there returns it without training again. Decisions are counted in the batches
of this process; see `counting.Counted`.
"""
LEAST_UPDATES = 8
"""The minimum number of updates: for a small budget, fewer games are played in parallel."""
CURVE_DEALS = 100
"""The number of deals of each of the ten evaluations during training, for learning curves."""
LESSON = 100_000
"""The number of decisions in a lesson of behavior cloning."""


@dataclass(frozen=True)
class Entry:
    """An algorithm that takes part in the benchmark.

    Attributes:
        name: the name in results.
        train: the entry's function.
        shown: the scripted player that it learns from; "" for none.
        source: the `source_hash` of an entry that is not shipped; "" for a shipped one.
    """

    name: str
    train: Train
    shown: str = ""
    source: str = ""


def run_settings(
    table: Table, steps: int, seed: int, changes: Mapping[str, Any] | None = None
) -> RunSettings:
    """Return the settings of a shipped entry's run.

    Args:
        table: the table.
        steps: the number of decisions, rounded down to whole rollouts, at least one.
        seed: the seed of the run.
        changes: the settings that differ from self-play, by ``group.key``. Of the settings of the
            algorithm, another one has those that it knows.
    """
    base, changes = load_settings(f"{table.game}_selfplay"), changes or {}
    training = base.training
    assert isinstance(training, RolloutSettings)
    envs = base.num_envs
    while envs > 1 and steps < LEAST_UPDATES * envs * training.n_steps:
        envs //= 2
    rollout = envs * training.n_steps
    steps = max(rollout, steps // rollout * rollout)
    deals = min(CURVE_DEALS, table.deals)
    evaluation = {
        "every": max(1, steps // 10), "deals": deals, "final_deals": deals,
        "opponents": [table.reference],
    }  # fmt: skip
    known = find_algorithm(changes.get("algorithm", base.algorithm)).settings.model_fields
    settings = {
        "params": dict(table.params), "seed": seed, "steps": steps, "num_envs": envs,
        "training": training.model_dump(include=set(known)),
        "training.batch_size": min(training.batch_size, rollout), "threads": 1,
        "evaluation": evaluation, **changes,
    }  # fmt: skip
    overrides = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    return load_settings(f"{table.game}_selfplay", overrides)


def by_run(changes: Callable[[Table, int], Mapping[str, Any]]) -> Train:
    """Return an entry's function that trains a run.

    Args:
        changes: returns settings that differ from self-play, for a table and a number of decisions.
    """

    def train(table: Table, budget: Budget, seed: int, folder: Path) -> Player:
        if not (folder / FINAL).is_dir():
            steps = budget.decisions
            Run(run_settings(table, steps, seed, changes(table, steps)), folder).train()
        return load_player(folder / FINAL, *table.load())

    return train


def _clone_behavior(table: Table, budget: Budget, seed: int, folder: Path) -> Player:
    """Clone the reference player's behavior; each of its decisions that is learned from counts."""
    if not (folder / FINAL).is_dir():
        lesson = min(LESSON, budget.decisions)
        decisions = budget.decisions - budget.decisions % lesson
        cloning = {
            "player": table.reference, "decisions": decisions, "lesson": lesson,
            "batch_size": 1024, "learning_rate": 0.001,
        }  # fmt: skip
        settings = run_settings(table, decisions, seed, {"behavior_cloning": cloning})
        own = settings.behavior_cloning
        assert own is not None
        torch.set_num_threads(settings.threads)
        torch.manual_seed(seed)
        start = time.process_time()
        game, params = table.load()
        network = build_network(game, params, settings.network)
        clone_behavior(network, Teacher(game, settings, own), own, _unheard)
        about: dict[str, Any] = {"steps": decisions, "settings": settings.model_dump()}
        about["processor_seconds"] = round(time.process_time() - start, 1)
        about["value_until"] = settings.training.value_until(settings.episode)
        card = make_card(game, params, settings.network, **about)
        write_checkpoint(folder / FINAL, card, network.state_dict())
    return load_player(folder / FINAL, *table.load())


def _unheard(*_: Any) -> None:
    """Ignore progress."""


def _one_seat(table: Table, steps: int) -> dict[str, Any]:
    """Return settings with one learning seat; past selves and `random` play the others."""
    alone: dict[str, Any] = {"algorithm": "sb3_ppo"}
    if table.load()[1].num_players == 1:
        return alone
    selves = {"past_selves": 4, "past_every": max(1, steps // 20), "past_kept": 8}
    return alone | {"opponents": {"scripted": {"random": 1}, **selves}}


def _action_features(table: Table, _: int) -> dict[str, Any]:
    """Return settings with action features, if the game has any."""
    game, _ = table.load()
    return {"network.action_features": game.players.action_features is not None}


MONTE_CARLO = {
    "algorithm": "dmc", "training.epsilon": 0.1, "training.final_epsilon": 0.02,
    "training.n_epochs": 1, "training.learning_rate": 0.001,
    "training.final_learning_rate": 0.00001,
}  # fmt: skip
"""As in the shipped settings ``diddly_dmc``."""
ENTRIES = {
    entry.name: entry
    for entry in (
        Entry("ppo", by_run(lambda *_: {})),
        Entry("features", by_run(_action_features)),
        Entry("magnet", by_run(lambda *_: {"training.magnet_coef": 0.1})),
        Entry("critic", by_run(lambda *_: {"training.full_state_critic": True})),
        Entry("dmc", by_run(lambda *_: MONTE_CARLO)),
        Entry("sb3_ppo", by_run(_one_seat)),
        Entry("behavior_cloning", _clone_behavior, shown="the reference player"),
    )
}
"""The shipped entries: proximal policy optimization by self-play, alone, with action features, with
a magnet, or with a critic that sees the full state; deep Monte Carlo; MaskablePPO of sb3-contrib,
with one seat that learns against past selves; and behavior cloning."""


def find_entry(word: str) -> Entry:
    """Return a shipped entry by its name, or another one by the location of its function.

    The name of another one ends with the beginning of the hash of its source, so that results of
    one source are never those of another.

    Args:
        word: a name, ``package.module:function`` or ``file.py:function``.

    Raises:
        ValueError: there is no such entry, or the function has the name of a shipped entry.
    """
    if ":" not in word:
        if word not in ENTRIES:
            possible = (
                f"; shipped are {', '.join(ENTRIES)}; or give your own function, as in "
                "package.module:function or my_algorithm.py:function"
            )
            close = did_you_mean(word, ENTRIES) or possible
            raise ValueError(f"there is no entry {word!r}{close}")
        return ENTRIES[word]
    module, name = import_module(word, "entry"), word.rpartition(":")[2]
    train = getattr(module, name)
    if not callable(train):
        raise ValueError(f"entry {word!r}: {name} is not a function")
    if name in ENTRIES:
        raise ValueError(f"entry {word!r}: {name} is a shipped entry; give it another name")
    source = source_hash(module)
    return Entry(f"{name}@{source[:8]}", train, source=source)
