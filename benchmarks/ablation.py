"""Network architectures: several networks that imitate `expert`, compared with a plain perceptron.

All learn from the same decisions in the same order, without action features, which would do part of
the networks' work. The rows have the agreement with `expert` on unseen decisions, the results on
duplicate deals, and the cost.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import torch

from kitchentable import find_game
from kitchentable.players.scripted import ScriptedPlayer
from kitchentable_training.evaluate.duplicate import Duplicate, figures, play_duplicate
from kitchentable_training.learn.imitation import Lesson, Teacher, imitate
from kitchentable_training.learn.settings import ImitationSettings, RunSettings, load_settings
from kitchentable_training.networks.inputs import NetworkInputs
from kitchentable_training.networks.policy import PolicyPlayer, build_policy


class Table(NamedTuple):
    """A game, the number of decisions to learn from, and the networks."""

    game: str
    decisions: int
    networks: tuple[str, ...]


TABLES = (
    Table("diddly", 600_000, ("flat", "cards", "embeddings")),
    Table("fiddlefoo", 200_000, ("flat", "kinds", "maps")),
)
SEEDS = (1, 2)
"""The seeds of the initial weights and of the decisions learned from."""
UNSEEN_SEED = 1_000
"""The seed of the decisions for measuring agreement."""
UNSEEN = 40_000
"""The number of these decisions; those with a single legal action are not counted."""
DEALS = 1_000
OPPONENTS = ("greedy", "expert")
TAUGHT = "player: expert, lesson: 20_000, batch_size: 512, learning_rate: 0.001"
LAYERS = "layers: [256, 128], activation: relu"


def measure() -> list[dict[str, Any]]:
    """Return a row for every game and network."""
    return [_measure_one(table, features) for table in TABLES for features in table.networks]


class _WatchedTeacher(Teacher):
    """A teacher that counts its decisions and its processor seconds."""

    decisions = 0
    seconds = 0.0

    def lesson(self, decisions: int) -> Lesson:
        start = time.process_time()
        lesson = super().lesson(decisions)
        self.decisions += len(lesson.actions)
        self.seconds += time.process_time() - start
        return lesson


def _measure_one(table: Table, features: str) -> dict[str, Any]:
    """Train a network with every seed, and measure the results."""
    learned = [_teach(table, features, seed) for seed in SEEDS]
    game = find_game(table.game)
    params = game.make_params(**_settings(table, features, 0).params)
    usual = game.make_params(reward=params.reward).plain()
    players = [player for player, _ in learned]
    row = {
        "game": table.game,
        "params": {key: value for key, value in params.plain().items() if value != usual.get(key)},
        "network": features,
        "seeds": len(SEEDS),
        "parameters": sum(one.numel() for one in players[0].policy.parameters()),
        "decisions": learned[0][1]["decisions"],
        "decisions_a_second": float(np.median([found["speed"] for _, found in learned])),
        "agreement": [found["agreement"] for _, found in learned],
    }
    for name in OPPONENTS:
        results = [
            play_duplicate(player, ScriptedPlayer(game, name, params, seed=1), game, params, DEALS)
            for player in players
        ]
        found = figures(_together(results))
        wanted = ("deals", "win_rate", "win_rate_interval", "difference", "difference_interval")
        row[name] = {key: found[key] for key in wanted}
    print(row)
    return row


def _settings(table: Table, features: str, seed: int) -> RunSettings:
    overrides = [
        f"game={table.game}",
        "params={reward: margin}",
        f"seed={seed}",
        f"imitation={{{TAUGHT}, decisions: {table.decisions}}}",
        f"network={{{LAYERS}, features: {features}}}",
    ]
    return load_settings("diddly_ppo", overrides)


def _teach(table: Table, features: str, seed: int) -> tuple[PolicyPlayer, dict[str, float]]:
    """Return a trained network as a player, and its speed and agreement."""
    settings = _settings(table, features, seed)
    assert isinstance(settings.imitation, ImitationSettings)
    game = find_game(settings.game)
    params = game.make_params(**settings.params)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    policy = build_policy(game, params, settings.network)
    teacher = _WatchedTeacher(game, settings, settings.imitation)
    start = time.process_time()
    imitate(policy, teacher, settings.imitation, lambda *_: None)
    seconds = time.process_time() - start - teacher.seconds
    player = PolicyPlayer(policy, NetworkInputs(game, params), features)
    examiner = Teacher(game, settings.model_copy(update={"seed": UNSEEN_SEED}), settings.imitation)
    return player, {
        "decisions": teacher.decisions,
        "speed": teacher.decisions / seconds,
        "agreement": _agreement(player, examiner.lesson(UNSEEN)),
    }


def _agreement(player: PolicyPlayer, lesson: Lesson) -> float:
    """Return how often a player agrees with the teacher, over decisions with a choice."""
    open_ones = lesson.masks.sum(axis=1) > 1
    logits = player.logits(lesson.observations[open_ones], lesson.masks[open_ones])
    return float(np.mean(logits.argmax(dim=1).numpy() == lesson.actions[open_ones]))


def _together(results: list[Duplicate]) -> Duplicate:
    """Return the results of several players on the same deals as those of one player."""
    names = ("wins", "decided", "scores", "others", "payoffs")
    arrays = [np.concatenate([getattr(one, name) for one in results], axis=1) for name in names]
    return Duplicate(*arrays, truncated=sum(one.truncated for one in results))
