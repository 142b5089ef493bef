"""The entries: algorithms as functions of an environment, a budget and a seed.

A shipped entry is an algorithm with the same settings in all environments: those that a random
search chose (see `tuning`), and the network's default layers. Its run is in the folder that it
is given, so a run that was killed is resumed there.

A variant of an entry is named by what differs: ``ppo+features`` has action features, and
``mmd+ent_coef=0.05`` another setting of the algorithm; ``ppo+defaults`` has the algorithm's
defaults instead of the settings that were chosen.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from pydantic import ValidationError

from kitchentable.core.parameters import did_you_mean
from kitchentable.players.scripted import Player
from kitchentable_training.algorithms.behavior_cloning import Demonstrator, clone_behavior
from kitchentable_training.algorithms.registry import ALGORITHMS, find_algorithm
from kitchentable_training.algorithms.settings import RolloutSettings, SelfPlaySettings
from kitchentable_training.benchmark.protocol import ENVIRONMENTS, SHORT, Budget, Environment
from kitchentable_training.files import FINAL, read_json, write_json
from kitchentable_training.named import import_module, source_hash
from kitchentable_training.networks.network import build_network
from kitchentable_training.players.by_name import make_player
from kitchentable_training.players.checkpoint import load_player, make_card, write_checkpoint
from kitchentable_training.runs.run import Run
from kitchentable_training.runs.settings import RunSettings, override_settings, parse_settings
from kitchentable_training.strict_yaml import parse_yaml

Train = Callable[[Environment, Budget, int, Path], Player]
"""An entry's function: given an environment, a budget, a seed and its own folder, it returns a
player.

If the folder has a checkpoint ``final`` afterwards, its settings and learning curve are copied to
the result; else the settings are the player's attribute ``settings``, if it has one. A function
that finds its player there returns it without training again. Decisions are counted in the batches
of this process; see `counting.Counted`.
"""
LEAST_UPDATES = 8
"""The minimum number of updates: for a small budget, fewer games are played in parallel."""
CURVE_DEALS, CURVE_POINTS = 50, 10
"""The numbers of deals of an evaluation during training, and of such evaluations."""
LESSON = 100_000
"""The number of decisions in a lesson of behavior cloning."""
TRIED = 50_000
"""The number of decisions that measure an entry's speed, where the budget is processor time."""
NUM_ENVS = 128
"""The number of games played in parallel, where settings do not say otherwise."""
BEHAVIOR_CLONING = "behavior_cloning"
FEATURES, DEFAULTS = "features", "defaults"
TUNED = Path(__file__).with_name("tuned.json")
STEPS = "steps.json"


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


# --- Settings of runs -----------------------------------------------------------------------------

Changes = Mapping[str, Any]
"""Settings that differ from the defaults, by ``group.key``."""


def run_settings(
    algorithm: str, environment: Environment, steps: int, seed: int, changes: Changes
) -> RunSettings:
    """Return the settings of a shipped entry's run."""
    game, params = environment.load()
    kind = find_algorithm(algorithm).settings
    deals = min(CURVE_DEALS, environment.deals)
    content: dict[str, Any] = {
        "game": game.name, "params": dict(environment.params), "seed": seed, "steps": steps,
        "num_envs": NUM_ENVS, "algorithm": algorithm,
        "episode": "hand" if params.reward == "margin" else "game",
        "training": {"bfloat16": True} if issubclass(kind, SelfPlaySettings) else {},
        "network": {"relations": bool(game.rules.card_parts)},
        "evaluation": {
            "deals": deals, "final_deals": deals, "opponents": [environment.reference],
            "exploitability": environment.uniform is not None and not environment.is_large,
        },
    }  # fmt: skip
    if algorithm == "sb3_ppo" and params.num_players > 1:
        content["opponents"] = {
            "scripted": {"random": 1}, "past_selves": 4, "past_every": max(1, steps // 20),
        }  # fmt: skip
    for key, value in changes.items():
        override_settings(content, f"{key}={json.dumps(value)}")
    if issubclass(kind, RolloutSettings):
        with suppress(ValidationError):  # it has a better error below
            _fit_rollouts(content, kind.model_validate(content["training"]))
    content["evaluation"].setdefault("every", max(1, content["steps"] // CURVE_POINTS))
    return parse_settings(content, f"entry {algorithm}")


def _fit_rollouts(content: dict[str, Any], training: RolloutSettings) -> None:
    """Make the steps a number of whole rollouts, of fewer games if there are few steps."""
    envs, steps = content["num_envs"], content["steps"]
    while envs > 1 and steps < LEAST_UPDATES * envs * training.n_steps:
        envs //= 2
    rollout = envs * training.n_steps
    content |= {"num_envs": envs, "steps": max(rollout, steps // rollout * rollout)}
    content["training"]["batch_size"] = min(training.batch_size, rollout)


@cache
def _tuned() -> dict[str, Any]:
    """Return the settings that the search has chosen, by entry; see `tuning`."""
    if not TUNED.exists():
        return {}
    return {name: entry["chosen"] for name, entry in read_json(TUNED)["entries"].items()}


def _features(environment: Environment, algorithm: str) -> dict[str, Any]:
    """Return settings with action features, if the game has any."""
    if environment.load()[0].players.action_features is None:
        return {}
    values = find_algorithm(algorithm).settings.outputs != "logits"
    return {"network.action_features": True} | ({"network.best_row": True} if values else {})


# --- Shipped entries ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByRun:
    """An entry's function that trains a run.

    Attributes:
        algorithm: the algorithm.
        changes: the settings that differ from its defaults.
        features: whether the network sees action features.
    """

    algorithm: str
    changes: Changes
    features: bool = False

    def __call__(self, environment: Environment, budget: Budget, seed: int, folder: Path) -> Player:
        """Train, or continue, and return the player."""
        if not (folder / FINAL).is_dir():
            steps = budget.limit or self._steps(environment, budget, folder)
            Run(self.settings(environment, steps, seed), folder).train()
        return load_player(folder / FINAL, *environment.load())

    def settings(self, environment: Environment, steps: int, seed: int) -> RunSettings:
        """Return the settings of a run with a number of decisions."""
        own = _features(environment, self.algorithm) if self.features else {}
        return run_settings(self.algorithm, environment, steps, seed, {**own, **self.changes})

    def _steps(self, environment: Environment, budget: Budget, folder: Path) -> int:
        """Return how many decisions fit into a budget of processor time.

        They are measured before a run begins, as its schedules depend on their number.
        """
        path = folder.with_name(STEPS)
        if not path.exists():
            speeds = []
            for _ in range(2):  # the first one compiles
                with TemporaryDirectory() as tried:
                    run = Run(self.settings(environment, TRIED, 0), tried)
                    run.train()
                    speeds.append(run.learner.steps / run.processor_seconds)
            assert budget.minutes is not None
            write_json(path, {"steps": int(60 * budget.minutes * speeds[-1])})
        return int(read_json(path)["steps"])


@dataclass(frozen=True)
class Cloning:
    """Behavior cloning of the reference player; each of its decisions that is learned from counts.

    Attributes:
        changes: the settings that differ from the defaults.
        features: whether the network sees action features.
    """

    changes: Changes
    features: bool = False

    def __call__(self, environment: Environment, budget: Budget, seed: int, folder: Path) -> Player:
        """Learn, and return the player."""
        if not (folder / FINAL).is_dir():
            self._learn(environment, self.settings(environment, budget.decisions, seed), folder)
        return load_player(folder / FINAL, *environment.load())

    def settings(self, environment: Environment, steps: int, seed: int) -> RunSettings:
        """Return the settings of a run that only clones, with whole lessons."""
        lesson = min(LESSON, steps)
        steps -= steps % lesson
        cloning = {
            "player": environment.reference, "decisions": steps, "lesson": lesson,
            "batch_size": 1024, "learning_rate": 0.001,
        }  # fmt: skip
        own_features = _features(environment, "ppo") if self.features else {}
        changes = {"behavior_cloning": cloning, **own_features, **self.changes}
        return run_settings("ppo", environment, steps, seed, changes)

    def _learn(self, environment: Environment, settings: RunSettings, folder: Path) -> None:
        own, seed = settings.behavior_cloning, settings.seed
        assert own is not None
        torch.set_num_threads(settings.threads)
        torch.manual_seed(seed)
        start = time.process_time()
        game, params = environment.load()
        network = build_network(game, params, settings.network)
        player = make_player(settings.imitated[0], game, params, settings.seed)
        demonstrator = Demonstrator(game, settings, player, own.lesson)
        clone_behavior([(network, demonstrator)], own, lambda *_: None)
        about: dict[str, Any] = {"steps": own.decisions, "settings": settings.model_dump()}
        about["processor_seconds"] = round(time.process_time() - start, 1)
        about["value_until"] = settings.training.value_until(settings.episode)
        card = make_card(game, params, settings.network, **about)
        write_checkpoint(folder / FINAL, card, network.state_dict())


NAMES = (*ALGORITHMS, BEHAVIOR_CLONING)
"""The names of the shipped entries: the algorithms, and behavior cloning."""


def find_entry(word: str) -> Entry:
    """Return an entry: a shipped one, a variant of it, or the function of somebody else.

    The name of somebody's entry ends with the beginning of the hash of its source, so that results
    of one source are never those of another.

    Args:
        word: a name; a name and what differs, as in ``ppo+features`` or ``ppo+ent_coef=0.1``;
            ``package.module:function`` or ``file.py:function``.

    Raises:
        ValueError: there is no such entry, a change is invalid, or the function has the name of a
            shipped entry.
    """
    name, *changes = word.split("+")
    if name in NAMES:
        return _shipped(word, name, changes)
    if ":" in word:
        return _own(word)
    possible = (
        f"; shipped are {', '.join(NAMES)}; or give your own function, as in "
        "package.module:function or my_algorithm.py:function"
    )
    raise ValueError(f"there is no entry {word!r}{did_you_mean(name, NAMES) or possible}")


def _shipped(word: str, name: str, words: list[str]) -> Entry:
    """Return a shipped entry or a variant of it."""
    features = FEATURES in words
    changes = {} if DEFAULTS in words else dict(_tuned().get(name, {}))
    changes |= changes_in(word)
    clones = name == BEHAVIOR_CLONING
    train = Cloning(changes, features) if clones else ByRun(name, changes, features)
    _check_settings(train)
    return Entry(word, train, shown="the reference player" if clones else "")


def _check_settings(train: ByRun | Cloning) -> None:
    """Check that the settings of an entry are possible in some environment."""
    errors = []
    for environment in ENVIRONMENTS.values():
        try:
            train.settings(environment, SHORT, seed=1)
        except ValueError as error:
            errors.append(error)
        else:
            return
    raise errors[0]


def changes_in(word: str) -> dict[str, Any]:
    """Return the settings in the name of a variant, by ``group.key``.

    Raises:
        ValueError: a part of the name is no setting.
    """
    settings = {}
    for change in word.split("+")[1:]:
        key, equals, value = change.partition("=")
        if change in {FEATURES, DEFAULTS}:
            continue
        if not equals or "/" in change:
            raise ValueError(
                f"entry {word!r}: {change!r} is no change; write {FEATURES}, or a setting as in "
                "ent_coef=0.1"
            )
        is_full = "." in key or key in RunSettings.model_fields
        settings[key if is_full else f"training.{key}"] = parse_yaml(value, key)
    return settings


def has_own_settings(word: str) -> bool:
    """Return whether an entry's name asks for other settings than those that the search chose."""
    return bool(changes_in(word)) or DEFAULTS in word.split("+")


def _own(word: str) -> Entry:
    """Return the entry of somebody else."""
    module, name = import_module(word, "entry"), word.rpartition(":")[2]
    train = getattr(module, name)
    if not callable(train):
        raise ValueError(f"entry {word!r}: {name} is not a function")
    if name in NAMES:
        raise ValueError(f"entry {word!r}: {name} is a shipped entry; give it another name")
    source = source_hash(module)
    return Entry(f"{name}@{source[:8]}", train, source=source)
