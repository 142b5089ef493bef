"""A search that asks a trained network what the rest of a hand is worth.

As in `kitchentable.players.search`, the cards that the seat cannot know are dealt anew, every legal
action is tried on the same deals, and sequential halving spends most of the budget on the close
calls. But a rollout is not played to the end of the hand: it stops where the seat decides again,
and is worth what was paid until then plus what the network's value says of that place. So a rollout
costs a few moves instead of a hand, and carries the luck of a few moves instead of a hand's; its
errors are the network's. Silver and others, "Mastering the game of Go with deep neural networks and
tree search" (2016), put a learned value at the leaves of a search likewise.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.rewards import REWARDS
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.players.scripted import Actions, Games, Player, ScriptedPlayer
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.players.checkpoint import CheckpointError, load_player, read_card

WORLDS = 1024
"""Most rollouts that are played at once; bounds the memory."""
TOGETHER = 64
"""Most decisions that share them."""
AT_A_TIME = 8
"""Deals of each action between two looks at the clock."""
SELF = "self"
"""As the player inside rollouts: the network's own policy."""

Values = NDArray[np.float64]


class Choice:
    """What a decision has found out so far: sequential halving over the actions worth trying.

    Attributes:
        game: index into the batch.
        alive: the actions that may still be chosen, the best first after each halving.
        halvings: in how many parts the budget is spent.
        left: of these, how many are not spent yet.
        sums: of what the rollouts of each action were worth; shape (num_actions,).
        visits: rollouts of each action; shape (num_actions,).
    """

    def __init__(self, game: int, mask: NDArray[np.bool_]) -> None:
        """Begin with the actions of a game that ``mask`` allows."""
        self.game = game
        self.alive = self._legal = np.flatnonzero(mask)
        self.halvings = self.left = math.ceil(math.log2(len(self._legal)))
        self.sums: Values = np.zeros(len(mask))
        self.visits = np.zeros(len(mask), np.int64)

    def add(self, actions: NDArray[np.intp], worth: Values) -> None:
        """Learn what some rollouts were worth; shapes (rollouts,)."""
        np.add.at(self.sums, actions, worth)
        np.add.at(self.visits, actions, 1)

    def halve(self) -> None:
        """Drop the worse half of the actions."""
        order = np.argsort(-self.sums[self.alive] / self.visits[self.alive], kind="stable")
        self.alive = self.alive[order[: (len(order) + 1) // 2]]
        self.left -= 1

    def results(self) -> tuple[dict[int, int], dict[int, float]]:
        """Return the number of rollouts and their mean worth by legal action."""
        visits = {int(a): int(self.visits[a]) for a in self._legal}
        return visits, {a: float(self.sums[a] / max(1, n)) for a, n in visits.items()}


class ValueSearchPlayer:
    """Plays by ``redeal``, short rollouts and a checkpoint's value.

    What rollouts pay is counted as the checkpoint was trained (its reward; the hand or the game as
    its episode), whatever the table pays, for the value continues just that. Up to `TOGETHER`
    decisions are made together: each step of their rollouts is one step of a batch, and all leaves
    are valued in one forward pass (of at most `WORLDS`).
    """

    def __init__(
        self,
        folder: str | Path,
        game: Game,
        params: Any,
        *,
        rollouts: int = 512,
        seconds: float | None = None,
        policy: str | None = None,
        depth: int = 1,
        prior: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Sit down to play.

        Args:
            folder: the checkpoint, trained for this game and variant.
            game: which game.
            params: the game's parameters, made by ``game.make_params``.
            rollouts: how many for a decision, over all its actions.
            seconds: if given, how long a decision may take instead; what it plays then depends on
                the machine.
            policy: who plays all seats in the rollouts: a scripted player, or `SELF`; None: the
                strongest scripted player.
            depth: how often the turn comes round to the seat before a rollout stops.
            prior: actions that the network's own policy gives less are not tried: its value knows
                little of places where its policy never leads.
            seed: of the deals.

        Raises:
            CheckpointError: the checkpoint is missing, damaged, or made for something else.
            ValueError: a budget, the depth, the prior or the policy is impossible; says what is
                possible.
        """
        if rollouts < 1 or depth < 1 or (seconds is not None and not seconds > 0):
            raise ValueError(
                f"rollouts={rollouts}, seconds={seconds}, depth={depth}: choose values above 0"
            )
        if not 0 <= prior < 1:
            raise ValueError(f"prior={prior} is not possible; choose 0 or more, and less than 1")
        self._network = load_player(folder, game, params, seed=seed)
        self._policy = _inside(self._network, game, params, policy)
        reward, self._by_hand = _what_is_valued(folder)
        self._params = dataclasses.replace(params, reward=reward)
        self.name = f"search:{self._network.name}"
        self._game = game
        self._rollouts, self._seconds, self._depth = rollouts, seconds, depth
        self._prior = prior
        self._worlds: dict[int, Batch] = {}
        self.seed(seed)
        self.visits: dict[int, int] = {}
        """Rollouts spent on each legal action of the last decision."""
        self.values: dict[int, float] = {}
        """Mean worth of each legal action of the last decision."""

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        self._rng = np.random.default_rng(seed)
        self._policy.seed(seed)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``."""
        tried = self._worth_trying(batch.observations[games], batch.masks[games])
        choices = [Choice(int(i), mask) for i, mask in zip(games, tried, strict=True)]
        # Decisions that are timed take turns; the others share their steps and forward passes.
        together = TOGETHER if self._seconds is None else 1
        for first in range(0, len(choices), together):
            self._decide(batch, choices[first : first + together])
        if choices:
            self.visits, self.values = choices[-1].results()
        return np.array([choice.alive[0] for choice in choices], np.int64)

    def _worth_trying(self, observations: FloatArray, masks: BoolArray) -> BoolArray:
        """Return the legal actions that the prior allows; the most probable one always."""
        if self._prior == 0 or not len(masks):
            return masks
        chances = self._network.probabilities(observations, masks)
        least = np.minimum(self._prior, chances.max(axis=1, keepdims=True))
        allowed: BoolArray = masks & (chances >= least)
        return allowed

    def _decide(self, batch: Batch, choices: Sequence[Choice]) -> None:
        end = None if self._seconds is None else time.monotonic() + self._seconds
        while open_choices := [choice for choice in choices if choice.left]:
            if end is None:
                self._try_out(batch, open_choices, [self._deals(one) for one in open_choices])
            else:
                now = time.monotonic()
                until = now + (end - now) / open_choices[0].left
                self._try_out(batch, open_choices, [AT_A_TIME])
                while time.monotonic() < until:
                    self._try_out(batch, open_choices, [AT_A_TIME])
            for choice in open_choices:
                choice.halve()

    def _deals(self, choice: Choice) -> int:
        """Return how many deals of each action one part of the budget allows."""
        return max(1, self._rollouts // (choice.halvings * len(choice.alive)))

    def _try_out(self, batch: Batch, choices: Sequence[Choice], deals: Sequence[int]) -> None:
        """Try the actions alive in each choice, each on the same so many deals."""
        records = self._deal_anew(batch, np.repeat([choice.game for choice in choices], deals))
        tried = [np.tile(one.alive, count) for one, count in zip(choices, deals, strict=True)]
        times = np.repeat([len(choice.alive) for choice in choices], deals)
        deal = np.repeat(np.arange(len(records)), times)
        worth = self._play(records, deal, np.concatenate(tried))
        ends = np.cumsum([len(actions) for actions in tried])[:-1]
        for choice, actions, part in zip(choices, tried, np.split(worth, ends), strict=True):
            choice.add(actions, part)

    def _deal_anew(self, batch: Batch, games: NDArray[np.intp]) -> NDArray[Any]:
        """Return records of ``games``, what the seat to act cannot know dealt anew in each."""
        dealt = []
        for part in _portions(games):
            worlds = self._filled(batch.states[part])
            worlds.redeal(worlds.current_player.copy(), int(self._rng.integers(2**62)))
            dealt.append(worlds.states[: len(part)].copy())
        return np.concatenate(dealt)

    def _play(
        self, records: NDArray[Any], deal: NDArray[np.intp], actions: NDArray[np.intp]
    ) -> Values:
        """Return what each action is worth to the seat to act in ``records[deal]``."""
        parts = [
            self._roll_out(records[deal[part]], actions[part])
            for part in _portions(np.arange(len(deal)))
        ]
        return np.concatenate(parts)

    def _roll_out(self, records: NDArray[Any], actions: NDArray[np.intp]) -> Values:
        """Play each action in one record and go on to a leaf; return what that was worth."""
        worlds = self._filled(records)
        seats = worlds.current_player.copy()
        everyone = games = np.arange(len(records))
        chosen: NDArray[Any] = actions
        worth = np.zeros(len(records))
        leaves = np.zeros(len(records), np.bool_)
        rounds = np.zeros(len(records), np.int64)
        while len(games):
            movers = worlds.current_player[games]
            moves = np.full(worlds.num_envs, -1, np.int64)
            moves[games] = chosen
            worlds.step(moves)
            mine = seats[games]
            worth[games] += worlds.rewards[games, mine]
            over = worlds.dones[games] | (self._by_hand & worlds.states["hand_over"][games])
            # Where nobody else sits, every decision is a turn.
            back = (movers != mine) | (worlds.num_players == 1)
            rounds[games] += back & (worlds.current_player[games] == mine)
            leaves[games] = ~over & (rounds[games] >= self._depth)
            games = games[~over & ~leaves[games]]
            chosen = self._policy.act(worlds, games) if len(games) else games
        found = everyone[leaves]
        if len(found):
            seen, masks = worlds.observations[found], worlds.masks[found]
            worth[found] += self._network.values(seen, masks)
        return worth

    def _filled(self, records: NDArray[Any]) -> Batch:
        """Return a batch that begins with these records; the rest of it repeats them.

        There is one batch for every power of two, since making one takes longer than a few games.
        """
        size = 1 << (len(records) - 1).bit_length()
        if size not in self._worlds:
            options = self._params.as_dict()
            self._worlds[size] = Batch(self._game, size, seed=0, autoreset=False, **options)
        worlds = self._worlds[size]
        worlds.states[:] = records[np.arange(size) % len(records)]
        worlds.states.reward = REWARDS.index(self._params.reward)
        worlds.look()
        return worlds


def _portions(indices: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Cut indices into parts of at most `WORLDS`."""
    return (indices[start : start + WORLDS] for start in range(0, len(indices), WORLDS))


def _inside(network: PolicyPlayer, game: Game, params: Any, policy: str | None) -> Player:
    """Return who plays in the rollouts."""
    if policy == SELF:
        return network
    name = list(game.players.scripted)[-1] if policy is None else policy
    try:
        return ScriptedPlayer(game, name, params)
    except ValueError as error:
        raise ValueError(f"{error}, and {SELF}, the network's own policy") from None


def _what_is_valued(folder: str | Path) -> tuple[str, bool]:
    """Return the reward that a checkpoint's value counts, and whether it ends with the hand."""
    card = read_card(folder)
    episode = card.get("settings", {}).get("episode")
    if episode not in {"game", "hand"}:
        raise CheckpointError(
            f"{folder}: settings.episode on its card is {episode!r}, so it is unknown what its "
            "value predicts; it must be game or hand"
        )
    return card["params"]["reward"], episode == "hand"
