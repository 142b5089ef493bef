"""Behavior cloning: before reinforcement learning, the learner imitates another player.

The other player plays all seats. The policy learns its choices (cross entropy over the legal
actions), and the value learns what the episodes paid, as far as they end within the lesson.
Reinforcement learning then starts from there instead of from random play, which takes hours to
leave behind on a few processor cores.

A network for several tables imitates a player at each of them. If these are trained networks, this
is policy distillation (Rusu et al. 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from kitchentable import Batch, Game
from kitchentable.engine.loops import LEAVE
from kitchentable.players.scripted import Player
from kitchentable_training.algorithms.rollout import RecordedInputs
from kitchentable_training.networks.inputs import MASK, NetworkInputs, moved
from kitchentable_training.networks.network import masked_logits_and_values
from kitchentable_training.runs.settings import BehaviorCloningSettings, RunSettings

MOST_GAMES = 1024
STEPS = 150
"""The minimum number of decisions of each game in a lesson: several whole hands of any game."""
MAX_NORM = 0.5


class Demonstrations(NamedTuple):
    """What a player was shown, what it did, and what was still paid to the mover."""

    inputs: RecordedInputs
    actions: torch.Tensor
    """Int64, shape (decisions,), as `RecordedInputs.take` counts them."""
    payoffs: torch.Tensor
    """Float32, shape (decisions,)."""
    is_over: torch.Tensor
    """Whether the episode ended, so that the payoff is known; bool, shape (decisions,)."""


class Demonstrator:
    """A player that plays all seats of many games."""

    def __init__(self, game: Game, settings: RunSettings, player: Player, lesson: int) -> None:
        """Deal the games.

        Args:
            game: the game.
            settings: the settings of a run, of which the table is that of its ``params``.
            player: the player.
            lesson: the number of decisions of a lesson.
        """
        params = game.make_params(**settings.params)
        self._player = player
        self.num_games = min(MOST_GAMES, max(1, lesson // STEPS))
        self._batch = Batch(
            game,
            self.num_games,
            seed=settings.seed + 1,
            threads=settings.threads,
            **settings.params,
        )
        self._inputs = NetworkInputs(game, params, settings.network)
        self._episode = settings.episode

    def demonstrate(self, decisions: int) -> Demonstrations:
        """Play about ``decisions`` more decisions, as many in each game.

        Raises:
            ValueError: no episode ends within so few decisions.
        """
        batch, games = self._batch, np.arange(self.num_games)
        steps = max(1, decisions // self.num_games)
        inputs = RecordedInputs(
            self._inputs, steps, self.num_games, dtype=torch.float32, device=torch.device("cpu")
        )
        actions = np.empty((steps, self.num_games), np.int64)
        players = np.empty((steps, self.num_games), np.int64)
        paid = np.empty((steps, *batch.rewards.shape), np.float32)
        ended = np.empty((steps, self.num_games), np.bool_)
        for t in range(steps):
            inputs.write(t, slice(None), self._inputs.tensors(batch))
            players[t] = batch.current_player
            actions[t] = self._player.act(batch, games)
            paid[t], ended[t] = self._play(actions[t])
        if not ended.any():
            raise ValueError(
                f"behavior_cloning.lesson={decisions}: no {self._episode} ends within {steps} "
                "decisions; raise it"
            )
        arrays = (actions, *_payoffs(paid, ended, players))
        return Demonstrations(inputs, *(torch.from_numpy(array.ravel()) for array in arrays))

    def _play(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play actions, and forced ones up to the next decisions; see `ppo`.

        Returns:
            What was paid, by seat, and whether an episode has ended.
        """
        batch = self._batch
        paid, ended = np.zeros_like(batch.rewards), np.zeros(self.num_games, np.bool_)
        while True:
            batch.step(actions)
            paid += batch.rewards
            ended |= batch.dones
            if self._episode == "hand":
                ended |= batch.states["hand_over"]
            actions = np.where(ended, LEAVE, batch.forced_actions())
            if (actions == LEAVE).all():
                return paid, ended


def _payoffs(
    paid: NDArray[np.float32], ended: NDArray[np.bool_], players: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return what the episode still pays each mover, and whether it ended in the lesson."""
    remaining = np.zeros_like(paid[0])
    finished = np.zeros(ended.shape, np.bool_)
    payoffs = np.zeros(ended.shape, np.float32)
    known = np.zeros(ended.shape[1], np.bool_)
    games = np.arange(ended.shape[1])
    for t in range(len(paid) - 1, -1, -1):
        remaining[ended[t]] = 0.0
        known |= ended[t]
        remaining += paid[t]
        payoffs[t] = remaining[games, players[t]]
        finished[t] = known
    return payoffs, finished


def clone_behavior(
    tables: Sequence[tuple[nn.Module, Demonstrator]],
    settings: BehaviorCloningSettings,
    progress: Callable[[int, dict[str, float]], None],
) -> None:
    """Let a network imitate players.

    Args:
        tables: the network and the demonstrator at each table, which give lessons in turn; the
            networks share their weights.
        settings: how to imitate.
        progress: called after each lesson with the decisions so far and figures of the lesson.
    """
    optimizer = torch.optim.Adam(tables[0][0].parameters(), lr=settings.learning_rate)
    lessons = settings.decisions // settings.lesson
    for number in range(lessons):
        rate = settings.learning_rate * (1 - number / lessons)
        for group in optimizer.param_groups:
            group["lr"] = rate
        network, demonstrator = tables[number % len(tables)]
        shown = demonstrator.demonstrate(settings.lesson)
        figures = _learn(network, optimizer, shown, settings)
        progress((number + 1) * settings.lesson, figures)


def _learn(
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    shown: Demonstrations,
    settings: BehaviorCloningSettings,
) -> dict[str, float]:
    """Learn from each decision once, in random order; return means of losses and of agreement.

    Agreement counts decisions with a choice alone; in all others everybody agrees.
    """
    order = (shown.actions != LEAVE).nonzero()[:, 0]  # some games may be over when dealt
    order = order[torch.randperm(len(order))]
    sums = dict.fromkeys(("policy_loss", "value_loss"), 0.0)
    choices, agreed = 0, 0
    parts = torch.split(order, settings.batch_size)
    device = next(network.parameters()).device
    for part in parts:
        inputs = moved(shown.inputs.take(part), device)
        actions, payoffs, is_over = (
            tensor[part].to(device) for tensor in (shown.actions, shown.payoffs, shown.is_over)
        )
        logits, values = masked_logits_and_values(network, inputs)
        policy_loss = functional.cross_entropy(logits, actions)
        errors = is_over * (values - payoffs).square()
        value_loss = errors.sum() / is_over.sum().clamp(min=1)
        optimizer.zero_grad()
        torch.autograd.backward(policy_loss + 0.5 * value_loss)
        torch.nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
        optimizer.step()
        sums["policy_loss"] += policy_loss.item()
        sums["value_loss"] += value_loss.item()
        is_choice = inputs[MASK].sum(dim=1) > 1
        choices += int(is_choice.sum())
        agreed += int((is_choice & (logits.argmax(1) == actions)).sum())
    means = {name: value / len(parts) for name, value in sums.items()}
    means["agreement"] = agreed / max(choices, 1)
    return {f"behavior_cloning/{name}": value for name, value in means.items()}
