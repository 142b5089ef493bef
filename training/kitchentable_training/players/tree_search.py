"""A tree search with a trained network: the policy selects actions, the value evaluates positions.

At the root all actions are tried on the same deals, so that luck cancels between them. Sequential
halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013) drops
the worse half of them repeatedly, as in Danihelka and others ("Policy improvement by planning with
Gumbel", 2022). The score of an action combines its mean value with the policy, whose weight
decreases with the number of deals.

A rollout deals everything again that the searching seat cannot know, plays one of these actions and
descends a tree of decisions by PUCT (Rosin, "Multi-armed bandits with episode context", 2011;
Silver and others, "Mastering the game of Go without human knowledge", 2017). It stops at the first
decision of the searching seat, or of its team, that is new in the tree. Its value is the sum of the
rewards up to there and the network's value of that decision.

Decisions with the same observation of their seat share a node, so no player uses information that
it cannot have (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", 2012). If
the hands of opponents are hidden, every deal creates new nodes for them, and they play the
network's most probable action. In games with open hands, as in Add-Too, the tree becomes deep.

Rollouts of several decisions share the steps of a batch and the network's forward passes, and
compiled loops descend their trees.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.rewards import REWARDS
from kitchentable.core.rng import HALF, LOW
from kitchentable.core.state import Floats, Ints
from kitchentable.engine.compiling import loop
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
PRIOR = 1.0
"""How much the logarithm of the policy counts at the root beside the range of the worths found,
each time an action has been tried."""
MOST_ACTIONS = 16
"""Most actions of a decision that are tried; those that the policy thinks most probable."""
DEALS = 4
"""Most deals on which the actions of a decision are tried at once."""
TOGETHER = 64
"""Most decisions that share the steps and forward passes of their rollouts."""

OVER, NEW = -1, -2
"""In place of a decision's number: the rollout has ended; the tree has no such decision yet."""
DECISION = np.dtype([("first", np.int64), ("count", np.int64), ("sign", np.float64)])
"""A decision in a tree: where its legal actions stand among those of all, and how many they are; 1
if its seat wants what the searching seat wants, else -1."""
OPTION = np.dtype(
    [("action", np.int64), *((name, np.float64) for name in ("prior", "begun", "ended", "worth"))]
)
"""A legal action of a decision: its probability by the network's policy, how many rollouts have
tried it, how many of these are over, and what those were worth to the searching seat together."""

LEAST = 1e-9
"""The least probability that counts."""

CARRIED = np.uint64(0xFFFFDA61)
"""A multiplier for multiply-with-carry (Marsaglia 1994), which never overflows 64 bits."""


class Forest:
    """The trees of some decisions, which are searched together, and what they have found out.

    Attributes:
        games: of each tree, as indices into the batch; shape (trees,).
        seats: that decide; shape (trees,).
        decisions: records of `DECISION`, of all trees: first their roots, in order. There is room
            for more than there are.
        options: records of `OPTION`, likewise.
        bounds: the lowest and the highest that the mean worth of any action of each tree has been
            so far; shape (trees, 2).
    """

    def __init__(
        self, games: Games, seats: Ints, masks: NDArray[np.bool_], chances: NDArray[np.float32]
    ) -> None:
        """Begin with the roots.

        Args:
            games: of each tree.
            seats: that decide.
            masks: their legal actions; shape (trees, num_actions).
            chances: the probability of each action by the network's policy; the same shape.
        """
        self.games, self.seats = games, seats
        self.decisions: NDArray[Any] = np.recarray(0, DECISION)
        self.options: NDArray[Any] = np.recarray(0, OPTION)
        self.bounds = np.tile([math.inf, -math.inf], (len(games), 1))
        self._num_decisions = self._num_options = 0
        self._known: dict[int, int] = {}
        self.add({}, masks, chances, np.ones(len(games)))

    def find(self, keys: list[int]) -> Ints:
        """Return the numbers of the decisions that have these keys (see `_keys`), or `NEW`."""
        return np.array([self._known.get(key, NEW) for key in keys], np.int64)

    def add(
        self,
        keys: Mapping[int, Any],
        masks: NDArray[np.bool_],
        chances: NDArray[np.float32],
        signs: Floats,
    ) -> int:
        """Add decisions; return the number of the first, which the others follow.

        Args:
            keys: of each, in order; none: they are never found again.
            masks: their legal actions; shape (decisions, num_actions).
            chances: the probability of each action by the network's policy; the same shape.
            signs: see `DECISION`; shape (decisions,).
        """
        first, option = self._num_decisions, self._num_options
        self._num_decisions += len(masks)
        self._num_options += int(np.count_nonzero(masks))
        self.decisions = _with_room(self.decisions, self._num_decisions)
        self.options = _with_room(self.options, self._num_options)
        _adding()(masks, chances, signs, self.decisions[first:], self.options, option)
        self._known.update(zip(keys, range(first, self._num_decisions), strict=False))
        return first

    def choose(self, trees: Ints, at: Ints) -> tuple[Ints, Ints]:
        """Choose what rollouts try at the decisions that they have come to.

        Args:
            trees: of each rollout; shape (rollouts,).
            at: the number of its decision, or `OVER`.

        Returns:
            Where what it tries stands in ``options``, and the action; -1 where it is over.
        """
        tried, actions = np.full((2, len(at)), -1, np.int64)
        _choosing()(self.decisions, self.options, self.bounds, trees, at, tried, actions)
        return tried, actions

    def try_at_root(self, trees: Ints, options: Ints) -> tuple[Ints, Ints]:
        """Note that rollouts try these options of their trees' roots; return as `choose` does."""
        tried = self.decisions["first"][trees] + options
        np.add.at(self.options["begun"], tried, 1.0)
        return tried, self.options["action"][tried]

    def learn(self, trees: Ints, paths: Ints, worth: Floats) -> None:
        """Add what rollouts were worth to all that they have tried.

        Args:
            trees: of each rollout; shape (rollouts,).
            paths: what `choose` returned of each step; shape (steps, rollouts).
            worth: to the searching seats; shape (rollouts,).
        """
        _learning()(self.options, self.bounds, trees, paths, worth)

    def of(self, tree: int) -> NDArray[Any]:
        """Return the options of a tree's root."""
        first, count, _ = self.decisions[tree]
        return self.options[first : first + count]


def _with_room(records: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the records with room for so many, at least."""
    if count <= len(records):
        return records
    found = np.zeros(2 * count, records.dtype).view(np.recarray)
    found[: len(records)] = records
    return found


# --- Compiled loops -------------------------------------------------------------------------------


@cache
def _adding() -> Callable[..., None]:
    def add(
        masks: Any, chances: Any, signs: Any, decisions: Any, options: Any, option: Any
    ) -> None:
        for i in range(masks.shape[0]):
            decisions[i].first, decisions[i].sign = option, signs[i]
            for action in range(masks.shape[1]):
                if masks[i, action]:
                    options[option].action = action
                    options[option].prior = chances[i, action]
                    option += 1
            decisions[i].count = option - decisions[i].first

    return loop(add, game=None, name="tree-add")


@cache
def _choosing() -> Callable[..., None]:
    # A rollout under way counts as tried, but not by its worth, so that others go elsewhere (Liu
    # and others, "Watch the unobserved", 2020). What is not tried is worth the mean of the others.
    def choose(
        decisions: Any, options: Any, bounds: Any, trees: Any, at: Any, tried: Any, actions: Any
    ) -> None:
        for i in range(at.shape[0]):
            if at[i] == OVER:
                continue
            decision = decisions[at[i]]
            last = decision.first + decision.count
            begun, ended, total = 0.0, 0.0, 0.0
            for k in range(decision.first, last):
                begun += options[k].begun
                ended += options[k].ended
                total += options[k].worth
            low, high = bounds[trees[i]]
            scale = decision.sign / (high - low) if high > low else decision.sign
            mean = total / ended if ended > 0 else 0.0
            best, choice = -math.inf, decision.first
            for k in range(decision.first, last):
                one = options[k]
                score = one.prior
                if begun > 0:
                    worth = one.worth / one.ended if one.ended > 0 else mean
                    score *= EXPLORATION * math.sqrt(begun) / (1.0 + one.begun)
                    score += scale * worth
                if score > best:
                    best, choice = score, k
            options[choice].begun += 1.0
            tried[i], actions[i] = choice, options[choice].action

    return loop(choose, game=None, name="tree-choose")


@cache
def _learning() -> Callable[..., None]:
    def learn(options: Any, bounds: Any, trees: Any, paths: Any, worth: Any) -> None:
        for i in range(paths.shape[1]):
            for step in range(paths.shape[0]):
                if paths[step, i] >= 0:
                    one = options[paths[step, i]]
                    one.ended += 1.0
                    one.worth += worth[i]
                    mean = one.worth / one.ended
                    bounds[trees[i], 0] = min(bounds[trees[i], 0], mean)
                    bounds[trees[i], 1] = max(bounds[trees[i], 1], mean)

    return loop(learn, game=None, name="tree-learn")


@cache
def _keys() -> Callable[..., None]:
    """Compile what tells a tree, a seat and what it sees from others, in 64 bits."""

    def tell(observations: Any, movers: Any, trees: Any, games: Any, keys: Any) -> None:
        for k in range(games.shape[0]):
            i = games[k]
            key = (np.uint64(trees[i]) << HALF) | np.uint64(movers[i])
            for j in range(observations.shape[1]):
                key = (key & LOW) * CARRIED + (key >> HALF)
                key ^= np.uint64(observations[i, j])
            keys[k] = key

    return loop(tell, game=None, name="tree-keys")


# --- The player -----------------------------------------------------------------------------------


class TreeSearchPlayer:
    """Plays the action that is left when the others have been halved away.

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
            rollouts: most for a decision, over all its actions; at least one for each of two.
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
        seats, masks = batch.current_player[games].astype(np.int64), batch.masks[games]
        chances, _ = self._network.evaluate(batch.observations[games], masks)
        forest = Forest(games, seats, masks, chances)
        chosen = np.zeros(len(games), np.int64)
        halvings = {tree: self._halve(forest, tree) for tree in range(len(games))}
        while halvings:
            tries: list[tuple[int, Ints, int]] = []
            for tree, halving in list(halvings.items()):
                try:
                    tries.append((tree, *next(halving)))
                except StopIteration as halved:
                    chosen[tree] = halved.value
                    del halvings[tree]
            if tries:
                self._roll_out(batch, forest, tries)
        roots = [forest.of(tree) for tree in range(len(games))]
        last = roots[-1]
        legal = last["action"].tolist()
        self.visits = dict(zip(legal, last["ended"].astype(int).tolist(), strict=True))
        self.values = dict(zip(legal, _means(last).tolist(), strict=True))
        return [int(root["action"][i]) for root, i in zip(roots, chosen, strict=True)]

    def _halve(self, forest: Forest, tree: int) -> Generator[tuple[Ints, int], None, int]:
        """Yield which options of a root to try next, and on how many deals; return the best one.

        The options have learned from what was yielded when the generator goes on.
        """
        priors = forest.of(tree)["prior"]
        alive = np.argsort(-priors, kind="stable")[: self._most(len(priors))]
        logs = np.log(np.maximum(priors, LEAST))
        end = time.monotonic() + (self._seconds or 0.0)
        halvings = _halvings(len(alive))
        for halving in range(halvings):
            now, share = time.monotonic(), 1.0 / (halvings - halving)
            deals = max(1, self._rollouts // (halvings * len(alive)))
            for some in self._waves(deals, until=now + share * (end - now)):
                yield alive, some
            options = forest.of(tree)
            means, times = _means(options), options["ended"]
            tried = means[times > 0]
            scores = means + PRIOR * (tried.max() - tried.min()) * logs / np.maximum(times, 1)
            alive = alive[np.argsort(-scores[alive], kind="stable")[: (len(alive) + 1) // 2]]
        return int(alive[0])

    def _waves(self, deals: int, until: float) -> Iterator[int]:
        """Yield on how many deals to try actions at once, until the deals or the time are spent."""
        if self._seconds is None:
            yield from (min(DEALS, left) for left in range(deals, 0, -DEALS))
        else:
            yield DEALS
            while time.monotonic() < until:
                yield DEALS

    def _most(self, count: int) -> int:
        """Return how many of so many actions the budget can try, each at least once a halving."""
        most = min(count, MOST_ACTIONS)
        while self._seconds is None and most > 2 and most * _halvings(most) > self._rollouts:
            most -= 1
        return most

    def _roll_out(self, batch: Batch, forest: Forest, tries: list[tuple[int, Ints, int]]) -> None:
        """Try options of some trees' roots, each on so many deals, which they share.

        Args:
            batch: with the games of the trees.
            forest: the trees.
            tries: a tree, which of its root's options, and on how many deals; of each tree.
        """
        dealt = np.repeat([tree for tree, _, _ in tries], [deals for _, _, deals in tries])
        worlds = self._filled(batch.states[forest.games[dealt]])
        worlds.redeal(worlds.current_player.copy(), int(self._rng.integers(2**62)))
        shares = [len(options) for _, options, deals in tries for _ in range(deals)]
        trees = np.repeat(dealt, shares)
        worlds = self._filled(worlds.states[np.repeat(np.arange(len(dealt)), shares)])
        options = np.concatenate([np.tile(options, deals) for _, options, deals in tries])
        tried, actions = forest.try_at_root(trees, options)
        worth, at, paths = np.zeros(len(trees)), trees.copy(), []
        moves = np.full(worlds.num_envs, -1, np.int64)
        while True:
            moves[: len(trees)] = actions
            paths.append(tried)
            worlds.step(moves)
            games = np.flatnonzero(at != OVER)
            worth[games] += worlds.rewards[games, forest.seats[trees[games]]]
            over = worlds.dones[games] | (self._by_hand & worlds.states["hand_over"][games])
            at[games[over]] = OVER
            self._go_on(worlds, forest, trees, games[~over], at, worth)
            if (at == OVER).all():
                break
            tried, actions = forest.choose(trees, at)
        forest.learn(trees, np.array(paths), worth)

    def _go_on(
        self,
        worlds: Batch,
        forest: Forest,
        trees: Ints,
        games: NDArray[np.intp],
        at: Ints,
        worth: Floats,
    ) -> None:
        """Note in ``at`` the decision that each of some rollouts has come to.

        Decisions new to a tree are added to it. Those of the searching seat, or of its team, are
        leaves, whose value is added to ``worth``.
        """
        movers = worlds.current_player
        told = np.empty(len(games), np.uint64)
        _keys()(worlds.observations.view(np.uint32), movers, trees, games, told)
        keys: list[int] = told.tolist()
        at[games] = forest.find(keys)
        # Several rollouts may have come to the same decision.
        new = {key: i for key, i in zip(keys, games.tolist(), strict=True) if at[i] == NEW}
        if not new:
            return
        first = np.array([*new.values()])
        masks = worlds.masks[first]
        chances, values = self._network.evaluate(worlds.observations[first], masks)
        allied = self._is_team | (movers[first] == forest.seats[trees[first]])
        number = forest.add(new, masks, chances, np.where(allied, 1.0, -1.0))
        places = dict(zip(new, range(len(new)), strict=True))
        for key, i in zip(keys, games.tolist(), strict=True):
            if at[i] == NEW:
                place = places[key]
                at[i] = OVER if allied[place] else number + place
                worth[i] += values[place] if allied[place] else 0.0

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


def _halvings(count: int) -> int:
    """Return how often so many actions are halved until one is left."""
    return (count - 1).bit_length()


def _means(options: NDArray[Any]) -> Floats:
    """Return the mean worth of each option; 0 if no rollout has tried it."""
    found: Floats = options["worth"] / np.maximum(options["ended"], 1)
    return found


def _what_is_valued(folder: str | Path) -> tuple[str, bool]:
    """Return the reward that a checkpoint's value counts, and whether it ends with the hand."""
    card = read_card(folder)
    why = why_no_search(card)
    if why:
        raise CheckpointError(f"{folder}: {why}; choose another checkpoint")
    return card["params"]["reward"], card["settings"]["episode"] == "hand"
