"""The value of every legal action one decision ahead, as a target for a policy.

Each action is played on tables of its own, where the cards that the mover cannot see are redealt.
Its value is what it pays plus the network's value of the next decision that is not forced, as in
TD-Gammon (Tesauro, "Temporal difference learning and TD-Gammon", 1995). The network's value is
subtracted instead if that decision is a rival's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Batch
from kitchentable.engine.loops import LEAVE
from kitchentable_training.algorithms.options import Learning, Option
from kitchentable_training.algorithms.rollout import Minibatch

LANES = 1024
"""The number of actions that are tried at once."""
TEMPERATURE = 0.05
"""The values are divided by it to give logits; in units of the reward."""

Values = Callable[[Batch, NDArray[np.intp]], torch.Tensor]
"""Returns a network's values of the decisions in some games of a batch, shape (games,)."""


class Lookahead(Option):
    """The policy acts by the values of the actions, and learns to instead of using advantages."""

    def __init__(self, ppo: Learning) -> None:
        seed = ppo.settings.seed + ppo.processes.rank
        by_hand = ppo.settings.episode == "hand"
        self.trials = Trials(ppo.games.batch, ppo.own.lookahead, by_hand=by_hand, seed=seed)

    def logits(self, ppo: Learning, step: int, logits: torch.Tensor) -> torch.Tensor:
        """Return the values of the actions as logits, which are the reference of the loss."""

        def expect(tables: Batch, games: NDArray[np.intp]) -> torch.Tensor:
            inputs = ppo.rollout.inputs.stored(ppo.inputs.tensors(tables, games))
            return ppo.evaluate(ppo.network, inputs)[1]

        logits = self.trials.action_values(ppo.steps + step, expect) / TEMPERATURE
        ppo.rollout.refer(step, logits)
        return logits

    def loss(self, ppo: Learning, minibatch: Minibatch) -> None:
        """Take the minibatch's advantages away."""
        del ppo
        minibatch.advantages = torch.zeros_like(minibatch.advantages)


class Trials:
    """Tables on which the legal actions of a batch of games are tried."""

    def __init__(self, batch: Batch, deals: int, *, by_hand: bool, seed: int) -> None:
        self._batch, self._deals, self._by_hand, self._seed = batch, deals, by_hand, seed
        options = {"threads": batch.threads, **batch.params.as_dict()}
        self._worlds, self._tables = (
            Batch(batch.game, size, seed=0, autoreset=False, **options)
            for size in (batch.num_envs, LANES)
        )

    def action_values(self, moment: int, values: Values) -> torch.Tensor:
        """Return the values of the legal actions of all games for the players to move.

        All actions of a game are tried on the same deals. A single legal action is not tried.

        Returns:
            float32, shape (games, num_actions); 0 for actions that are not tried.
        """
        batch, worlds = self._batch, self._worlds
        masks, movers = batch.masks, batch.current_player.astype(np.int64)
        games, actions = (masks & (masks.sum(axis=1, keepdims=True) > 1)).nonzero()
        action_values = np.zeros(masks.shape, np.float32)
        for seed in np.random.SeedSequence([self._seed, moment]).generate_state(self._deals):
            worlds.states[:] = batch.states
            worlds.redeal(movers, int(seed))
            for first in range(0, len(games), LANES):
                lanes = slice(first, first + LANES)
                action_values[games[lanes], actions[lanes]] += self._try(
                    games[lanes], actions[lanes], values
                )
        return torch.from_numpy(action_values / self._deals)

    def _try(
        self, games: NDArray[np.intp], actions: NDArray[np.intp], values: Values
    ) -> NDArray[np.float32]:
        """Return the values of at most `LANES` actions on the current deal."""
        tables, count, movers = self._tables, len(games), self._worlds.current_player[games]
        tables.states[:count] = self._worlds.states[games]
        tables.look()
        moves = np.full(LANES, LEAVE, np.int64)
        moves[:count] = actions
        worth, over = np.zeros(count, np.float32), np.zeros(count, np.bool_)
        while (moves != LEAVE).any():
            tables.step(moves)
            worth += tables.rewards[np.arange(count), movers]
            over |= tables.dones[:count] | (self._by_hand & tables.states["hand_over"][:count])
            moves[:count] = np.where(over, LEAVE, tables.forced_actions()[:count])
        on = np.flatnonzero(~over)
        allied = self._batch.is_team | (tables.current_player[on] == movers[on])
        expected: Any = values(tables, on)
        worth[on] += np.where(allied, 1, -1) * expected.numpy()
        return worth
