"""A player for any game that tries its actions on random deals of the hidden cards.

This is flat Monte Carlo search over determinizations: the cards that the seat cannot know are dealt
again, every action is tried on the same deal (so that luck cancels between actions), and a scripted
player plays all seats to the end of the hand. Sequential halving (Karnin, Koren and Somekh, "Almost
optimal exploration in multi-armed bandits", 2013) repeatedly drops the worse half of the actions,
so that most of the budget is spent on the actions that are hardest to tell apart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.game import Game
from kitchentable.core.parameters import is_whole, one_line_repr
from kitchentable.core.rewards import MARGIN
from kitchentable.core.rng import advance, mix, seeds_for, settled
from kitchentable.engine.batch import Batch
from kitchentable.engine.compiling import loop
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Actions, Games, check_scripted


def check_budget(rollouts: int, seconds: float | None) -> None:
    """Raise `ValueError` unless ``rollouts`` is a positive integer and ``seconds`` is positive."""
    has_time = seconds is None or 0 < seconds < math.inf
    if not is_whole(rollouts) or rollouts < 1 or not has_time:
        raise ValueError(
            f"rollouts={one_line_repr(rollouts)}, seconds={one_line_repr(seconds)}: choose values "
            "above 0, of rollouts a whole number"
        )


class SearchPlayer:
    """A player that searches with ``redeal`` and compiled rollouts, within a budget.

    The value of a rollout is the seat's reward, also in a team: the game's own reward if the hand
    ends the game, else the ``"margin"`` reward of the hand. In a game with a single seat, which is
    only paid at the end of the game, rollouts go to the end of the game.
    """

    def __init__(
        self,
        game: Game,
        *,
        rollouts: int = 512,
        seconds: float | None = None,
        policy: str | None = None,
        seed: int = 0,
    ) -> None:
        """Create the player.

        Args:
            game: the game.
            rollouts: the number of rollouts per decision, over all its actions.
            seconds: the time per decision instead of a number of rollouts, in seconds; the choices
                then depend on the machine.
            policy: the scripted player of the rollouts; None: the strongest one.
            seed: the seed of the deals.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
            NotImplementedError: the game has no ``redeal``.
        """
        check_budget(rollouts, seconds)
        policy = list(game.players.scripted)[-1] if policy is None else policy
        check_scripted(game, policy)
        if game.rules.redeal is None:
            raise game.lacks("rules.redeal", "a search")
        self.name = f"search:{rollouts}" if seconds is None else f"search:{seconds}s"
        self._rollouts = rollouts
        self._seconds = seconds
        self._kind = game, policy
        self._known = game.rules.blank()
        self.seed(seed)
        self.visits: dict[int, int] = {}
        """Rollouts spent on each legal action of the last decision."""
        self.values: dict[int, float] = {}
        """Mean payoff of each legal action of the last decision."""

    def seed(self, seed: int) -> None:
        """Restart the random deals from a seed."""
        self._streams = seeds_for(as_seed(seed), 1)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` for the seat to act; int64, shape (k,)."""
        return np.array([self._choose(batch, int(i)) for i in games], np.int64)

    def _choose(self, batch: Batch, i: int) -> int:
        legal = np.flatnonzero(batch.masks[i])
        sums = np.zeros(len(batch.action_names))
        visits = np.zeros(len(batch.action_names), np.int64)
        alive = legal
        deadline = None if self._seconds is None else time.monotonic() + self._seconds
        halvings = max(1, math.ceil(math.log2(len(legal)))) if len(legal) > 1 else 0
        for halving in range(halvings):
            rest = halvings - halving
            left = None if deadline is None else (deadline - time.monotonic()) / rest
            self._spend(batch, i, alive, sums, visits, halvings, left)
            order = np.argsort(-sums[alive] / np.maximum(visits[alive], 1), kind="stable")
            alive = alive[order[: (len(alive) + 1) // 2]]
        self.visits = {int(a): int(visits[a]) for a in legal}
        self.values = {int(a): float(sums[a] / max(visits[a], 1)) for a in legal}
        return int(alive[0])

    def _spend(
        self,
        batch: Batch,
        i: int,
        alive: NDArray[np.intp],
        sums: NDArray[np.float64],
        visits: NDArray[np.int64],
        halvings: int,
        seconds: float | None,
    ) -> None:
        """Spend one halving's share of the budget on the remaining actions."""
        record = batch.records[i : i + 1]
        scratch = self._known, np.empty((1, batch.masks.shape[1]), np.bool_)
        simulate = _simulation(*self._kind)
        start = time.monotonic()
        deals = 8 if seconds is not None else max(1, self._rollouts // (halvings * len(alive)))
        while True:
            simulate(record, alive, deals, self._streams, *scratch, sums, batch.tables)
            visits[alive] += deals
            if seconds is None or time.monotonic() - start >= seconds:
                return


@cache
def _simulation(game: Game, policy: str) -> Callable[..., None]:
    """Return the compiled rollouts of a game with one scripted player at all seats."""
    rules, bot = game.rules, game.players.scripted[policy]
    play, mask_of, know = rules.step, rules.legal_action_mask, rules.known_by(bot)
    deal_anew: Any = rules.redeal
    rewards_of = rules.rewards

    def simulate(
        record: Any,
        actions: Any,
        deals: int,
        streams: Any,
        known: Any,
        mask: Any,
        sums: Any,
        tables: Any,
    ) -> None:
        world = record.copy()
        table = record.copy()
        paid = np.zeros(record[0].num_players, np.float32)
        player = int(record[0].current_player)
        by_hand = record[0].num_players > 1
        for _ in range(deals):
            world[0] = record[0]
            streams[0] = advance(streams[0])
            # Scrambled: the player's draws go on with this stream.
            world[0].rng = mix(streams[0], 1)
            deal_anew(world[0], player, *tables)
            for k in range(actions.shape[0]):
                table[0] = world[0]
                state = table[0]
                play(state, actions[k], *tables)
                while not ((by_hand and state.hand_over) or state.terminated or state.truncated):
                    mask[0, :] = False
                    mask_of(state, mask[0], *tables)
                    know(state, state.current_player, known[0], *tables)
                    action = bot(known[0], mask[0], streams, *tables)
                    play(state, settled(action, mask[0], streams), *tables)
                if not (state.terminated or state.truncated):
                    state.reward = MARGIN
                paid[:] = 0.0
                rewards_of(state, paid)
                sums[actions[k]] += paid[player]

    return loop(simulate, game=game, name=f"search-{policy}", allocates=True)
