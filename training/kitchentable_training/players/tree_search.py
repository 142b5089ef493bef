"""A tree search with a trained network: its policy says where to look, its value how it ends.

A rollout deals anew what the searching seat cannot know and goes down a tree of decisions, by the
rule of Rosin ("Multi-armed bandits with episode context", 2011) as Silver and others have it
("Mastering the game of Go without human knowledge", 2017). It stops at the first decision of the
searching seat, or of its team, that is new to the tree, and is worth what was paid until then plus
what the network expects there.

Decisions of the tree are told apart by what their seat sees, so nobody makes use of what it cannot
know (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012). Where the
hands of rivals are hidden, every deal makes new decisions for them, and they play what the network
thinks most probable; where all lies open, as in Add-Too, the tree becomes deep.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.rewards import REWARDS
from kitchentable.players.scripted import Actions, Games
from kitchentable.players.search import check_budget
from kitchentable_training.players.checkpoint import (
    CheckpointError,
    load_player,
    read_card,
    why_no_search,
)

EXPLORATION = 1.25
"""How much the policy counts beside the values found, which are divided by their range."""
TOGETHER = 64
"""Most decisions that share the steps and forward passes of their rollouts."""
LANES = 8
"""Most rollouts of a decision that are under way at once."""
FEWEST_ROUNDS = 16
"""Fewest parts of a budget of so many rollouts or more; each learns from those before."""

Values = NDArray[np.float64]


class Decision:
    """A decision in a tree, and how its actions have done.

    Attributes:
        actions: the legal ones.
        priors: their probabilities by the network's policy; shape (actions,).
        sign: 1 where the seat wants what the searching seat wants, else -1.
        begun: rollouts that have tried each action; shape (actions,).
        ended: of these, how many are over; shape (actions,).
        sums: of what those were worth to the searching seat; shape (actions,).
    """

    __slots__ = ("actions", "begun", "ended", "priors", "sign", "sums")

    def __init__(self, mask: NDArray[np.bool_], chances: NDArray[np.float32], sign: int) -> None:
        """Begin with what the network thinks."""
        self.actions = np.flatnonzero(mask)
        self.priors = chances[self.actions]
        self.sign = sign
        self.begun, self.ended, self.sums = np.zeros((3, len(self.actions)))

    def choose(self, span: float) -> int:
        """Return the place of the action that a rollout tries; worths are divided by ``span``.

        A rollout under way counts as tried, but not by its worth, so that others go elsewhere (Liu
        and others, "Watch the unobserved", 2020). An action not tried is worth the mean of the
        others.
        """
        tried = self.begun.sum()
        if tried == 0 or len(self.actions) == 1:
            return int(self.priors.argmax())
        ended = self.ended.sum()
        mean = self.sums.sum() / ended if ended else 0.0
        worth = np.where(self.ended > 0, self.sums / np.maximum(self.ended, 1), mean)
        bonus = EXPLORATION * math.sqrt(tried) * self.priors / (1 + self.begun)
        return int((self.sign / span * worth + bonus).argmax())


class Tree:
    """What one decision of a game has found out so far.

    Attributes:
        game: index into the batch.
        seat: that decides.
        root: the decision.
        lowest: that the mean worth of any action in the tree has been so far.
        highest: likewise.
    """

    def __init__(self, game: int, seat: int, root: Decision) -> None:
        """Begin with the decision alone."""
        self.game, self.seat, self.root = game, seat, root
        self.lowest, self.highest = math.inf, -math.inf
        self._known: dict[bytes, Decision] = {}

    @property
    def span(self) -> float:
        """How far the worths of actions lie apart; 1 as long as they do not."""
        return self.highest - self.lowest if self.highest > self.lowest else 1.0

    def find(self, seen: bytes) -> Decision | None:
        """Return the decision of a seat that sees this, or None."""
        return self._known.get(seen)

    def grow(self, seen: bytes, decision: Decision) -> Decision:
        """Add a decision of a seat that sees this, unless there is one; return which is there."""
        return self._known.setdefault(seen, decision)

    def learn(self, path: Sequence[tuple[Decision, int]], worth: float) -> None:
        """Add what a rollout was worth to the actions that it has tried."""
        for decision, place in path:
            decision.ended[place] += 1
            decision.sums[place] += worth
            mean = decision.sums[place] / decision.ended[place]
            self.lowest, self.highest = min(self.lowest, mean), max(self.highest, mean)


class TreeSearchPlayer:
    """Plays the action that most rollouts have tried.

    What rollouts pay is counted as the checkpoint was trained (its reward; the hand or the game as
    its episode), whatever the table pays, for the value continues just that. Of several rivals each
    is expected to do what is worst for the searching seat.
    """

    def __init__(
        self,
        folder: str | Path,
        game: Game,
        params: Any,
        *,
        rollouts: int = 128,
        seconds: float | None = None,
        seed: int = 0,
    ) -> None:
        """Sit down to play.

        Args:
            folder: the checkpoint, trained for this game and variant.
            game: which game.
            params: the game's parameters, made by ``game.make_params``.
            rollouts: how many for a decision.
            seconds: if given, how long a decision may take instead; what it plays then depends on
                the machine.
            seed: of the deals.

        Raises:
            CheckpointError: the checkpoint is missing, damaged, or made for something else.
            ValueError: a budget is impossible; says what is possible.
        """
        check_budget(rollouts, seconds)
        self._network = load_player(folder, game, params, seed=seed)
        reward, self._by_hand = _what_is_valued(folder)
        self._params = dataclasses.replace(params, reward=reward)
        self.name = f"search:{self._network.name}"
        self._game = game
        self._is_team = game.is_team(params)
        self._rollouts, self._seconds = rollouts, seconds
        self._worlds: dict[int, Batch] = {}
        self.seed(seed)
        self.visits: dict[int, int] = {}
        """Rollouts that tried each legal action of the last decision."""
        self.values: dict[int, float] = {}
        """Mean worth of each legal action of the last decision; 0 if none has tried it."""

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        self._rng = np.random.default_rng(seed)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``."""
        # Decisions that are timed take turns.
        together = TOGETHER if self._seconds is None else 1
        parts = (games[i : i + together] for i in range(0, len(games), together))
        chosen = [action for part in parts for action in self._decide(batch, part)]
        return np.array(chosen, np.int64)

    def _decide(self, batch: Batch, games: Games) -> list[int]:
        """Choose an action in each of at most `TOGETHER` games."""
        chances, _ = self._network.evaluate(batch.observations[games], batch.masks[games])
        seats = batch.current_player[games]
        trees = [
            Tree(int(game), int(seat), Decision(batch.masks[game], chance, 1))
            for game, seat, chance in zip(games, seats, chances, strict=True)
        ]
        self._search(batch, [tree for tree in trees if len(tree.root.actions) > 1])
        last = trees[-1].root
        worth = last.sums / np.maximum(last.ended, 1)
        self.visits = dict(zip(last.actions.tolist(), last.ended.astype(int).tolist(), strict=True))
        self.values = dict(zip(last.actions.tolist(), worth.tolist(), strict=True))
        # The priors decide between equals.
        roots = [tree.root for tree in trees]
        return [int(root.actions[(root.ended + root.priors).argmax()]) for root in roots]

    def _search(self, batch: Batch, trees: Sequence[Tree]) -> None:
        """Spend the budget of each tree."""
        for lanes in self._rounds() if trees else ():
            self._roll_out(batch, [tree for tree in trees for _ in range(lanes)])

    def _rounds(self) -> Iterator[int]:
        """Yield how many rollouts of a decision to make at once, until the budget is spent."""
        lanes = min(LANES, max(1, self._rollouts // FEWEST_ROUNDS))
        if self._seconds is None:
            yield from (min(lanes, left) for left in range(self._rollouts, 0, -lanes))
        else:
            end = time.monotonic() + self._seconds
            while time.monotonic() < end:
                yield lanes

    def _roll_out(self, batch: Batch, trees: Sequence[Tree]) -> None:
        """Make a rollout in each tree, from the tree's game with what is hidden dealt anew."""
        worlds = self._filled(batch.states[[tree.game for tree in trees]])
        worlds.redeal(worlds.current_player.copy(), int(self._rng.integers(2**62)))
        seats = np.array([tree.seat for tree in trees])
        worth = np.zeros(len(trees))
        paths: list[list[tuple[Decision, int]]] = [[] for _ in trees]
        decisions = {i: tree.root for i, tree in enumerate(trees)}
        while decisions:
            moves = np.full(worlds.num_envs, -1, np.int64)
            for i, decision in decisions.items():
                place = decision.choose(trees[i].span)
                decision.begun[place] += 1
                paths[i].append((decision, place))
                moves[i] = decision.actions[place]
            worlds.step(moves)
            games = np.array([*decisions])
            worth[games] += worlds.rewards[games, seats[games]]
            over = worlds.dones[games] | (self._by_hand & worlds.states["hand_over"][games])
            decisions = self._go_on(worlds, trees, games[~over], worth)
        for tree, path, one in zip(trees, paths, worth.tolist(), strict=True):
            tree.learn(path, one)

    def _go_on(
        self, worlds: Batch, trees: Sequence[Tree], games: NDArray[np.intp], worth: Values
    ) -> dict[int, Decision]:
        """Return the next decision of each rollout that has not reached a leaf, by its number.

        Decisions new to a tree are added to it. Those of the searching seat, or of its team, are
        leaves, whose value is added to ``worth``.
        """
        movers = worlds.current_player
        seen = {int(i): _digest(int(movers[i]), worlds.observations[i]) for i in games}
        found = {i: trees[i].find(what) for i, what in seen.items()}
        known = {i: decision for i, decision in found.items() if decision is not None}
        fresh = [i for i in found if i not in known]
        if fresh:
            masks = worlds.masks[fresh]
            chances, values = self._network.evaluate(worlds.observations[fresh], masks)
            for i, mask, chance, value in zip(fresh, masks, chances, values, strict=True):
                allied = self._is_team or movers[i] == trees[i].seat
                decision = trees[i].grow(seen[i], Decision(mask, chance, 1 if allied else -1))
                if allied:
                    worth[i] += value
                else:
                    known[i] = decision
        return known

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


def _digest(seat: int, observation: NDArray[np.float32]) -> bytes:
    """Return what tells a seat and what it sees from others."""
    return blake2b(observation.tobytes(), digest_size=16, salt=bytes([seat])).digest()


def _what_is_valued(folder: str | Path) -> tuple[str, bool]:
    """Return the reward that a checkpoint's value counts, and whether it ends with the hand."""
    card = read_card(folder)
    why = why_no_search(card)
    if why:
        raise CheckpointError(f"{folder}: {why}; choose another checkpoint")
    return card["params"]["reward"], card["settings"]["episode"] == "hand"
