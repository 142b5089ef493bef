"""A tree search with a trained network: the policy selects actions, the value evaluates positions.

At the root all actions are tried on the same deals, so that luck cancels between them. Sequential
halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013) drops
the worse half of them repeatedly, as in Danihelka et al. ("Policy improvement by planning with
Gumbel", 2022). The score of an action combines its mean value with the policy, whose weight
decreases with the number of deals.

A rollout redeals everything that the searching seat cannot know, plays one of these actions and
descends a tree of decisions by PUCT (Rosin, "Multi-armed bandits with episode context", 2011;
Silver et al., "Mastering the game of Go without human knowledge", 2017). It stops at the first
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
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.rewards import REWARDS
from kitchentable.core.rng import HALF, LOW
from kitchentable.core.state import Floats, Ints
from kitchentable.engine.compiling import loop
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Actions, Games
from kitchentable.players.search import check_budget
from kitchentable_training.networks.policy import PolicyPlayer
from kitchentable_training.players import checkpoint
from kitchentable_training.players.own import OwnEvaluator

EXPLORATION = 1.25
"""Weight of the policy in PUCT, relative to mean values that are divided by their range."""
PRIOR = 1.0
"""Weight of the log policy in scores at the root, in units of the range of the mean values; divided
by the number of finished rollouts of the action."""
MOST_ACTIONS = 16
"""Maximum number of actions tried at a root: the most probable ones by the policy."""
DEALS = 4
"""Maximum number of deals on which the actions of a root are tried at once."""
TOGETHER = 64
"""Maximum number of decisions whose rollouts share steps and forward passes."""

OVER, NEW = -1, -2
"""In place of a decision's index: the rollout has ended; the tree lacks this decision."""
DECISION = np.dtype([("first", np.int64), ("count", np.int64), ("sign", np.float64)])
"""A decision in a tree: index of its first option and number of options; ``sign`` is 1 if its seat
maximizes the value of the searching seat, else -1."""
OPTION = np.dtype(
    [
        ("action", np.int64),
        *((name, np.float64) for name in ("prior", "begun", "ended", "value_sum")),
    ]
)
"""A legal action of a decision: its probability by the network's policy, the number of rollouts
that tried it, the number of these that have ended, and their total value to the searching seat."""

LEAST = 1e-9
"""Lower bound of probabilities before taking their logarithm."""

CARRIED = np.uint64(0xFFFFDA61)
"""A multiplier for multiply-with-carry (Marsaglia 1994), which never overflows 64 bits."""


class Forest:
    """The search trees of several decisions, which are searched together.

    Attributes:
        games: the game of each tree, an index into the batch; shape (trees,).
        seats: the searching seat of each tree; int64, shape (trees,).
        decisions: records of `DECISION` for all trees, the roots first. The array may be longer
            than the number of decisions.
        options: records of `OPTION` for all trees; it may also be longer.
        bounds: the lowest and the highest mean value of an action in each tree so far; float64,
            shape (trees, 2).
    """

    def __init__(
        self,
        games: Games,
        seats: Ints,
        masks: NDArray[np.bool_],
        probabilities: NDArray[np.float32],
    ) -> None:
        """Create the roots.

        Args:
            games: the game of each tree.
            seats: the searching seat of each tree.
            masks: the action masks of the roots; shape (trees, num_actions).
            probabilities: action probabilities by the network's policy; same shape.
        """
        self.games, self.seats = games, seats
        self.decisions: NDArray[Any] = np.recarray(0, DECISION)
        self.options: NDArray[Any] = np.recarray(0, OPTION)
        self.bounds = np.tile([math.inf, -math.inf], (len(games), 1))
        self._num_decisions = self._num_options = 0
        self._known: dict[int, int] = {}
        self.add({}, masks, probabilities, np.ones(len(games)))

    def find(self, keys: list[int]) -> Ints:
        """Return the indices of the decisions with these keys, or `NEW` (see `_write_keys`)."""
        return np.array([self._known.get(key, NEW) for key in keys], np.int64)

    def add(
        self,
        keys: Mapping[int, Any],
        masks: NDArray[np.bool_],
        probabilities: NDArray[np.float32],
        signs: Floats,
    ) -> int:
        """Add decisions; return the index of the first one, which the others follow.

        Args:
            keys: the key of each decision, in order; if empty, `find` never returns them.
            masks: their action masks; shape (decisions, num_actions).
            probabilities: action probabilities by the network's policy; same shape.
            signs: see `DECISION`; shape (decisions,).
        """
        first, option = self._num_decisions, self._num_options
        self._num_decisions += len(masks)
        self._num_options += int(np.count_nonzero(masks))
        self.decisions = _with_room(self.decisions, self._num_decisions)
        self.options = _with_room(self.options, self._num_options)
        _add(masks, probabilities, signs, self.decisions[first:], self.options, option)
        self._known.update(zip(keys, range(first, self._num_decisions), strict=False))
        return first

    def choose(self, trees: Ints, at: Ints) -> tuple[Ints, Ints]:
        """Choose the action of each rollout at its current decision, by PUCT.

        Args:
            trees: the tree of each rollout; shape (rollouts,).
            at: the index of its decision, or `OVER`; shape (rollouts,).

        Returns:
            The index into ``options`` and the action, shape (rollouts,) each; -1 where it is over.
        """
        tried, actions = np.full((2, len(at)), -1, np.int64)
        _choose(self.decisions, self.options, self.bounds, trees, at, tried, actions)
        return tried, actions

    def try_at_root(self, trees: Ints, options: Ints) -> tuple[Ints, Ints]:
        """Record that rollouts try these options of their roots; return the same as `choose`."""
        tried = self.decisions["first"][trees] + options
        np.add.at(self.options["begun"], tried, 1.0)
        return tried, self.options["action"][tried]

    def of(self, tree: int) -> NDArray[Any]:
        """Return the options of a tree's root."""
        first, count, _ = self.decisions[tree]
        return self.options[first : first + count]


def _with_room(records: NDArray[Any], count: int) -> NDArray[Any]:
    """Return the records, copied to an array of ``2 * count`` if there are fewer than ``count``."""
    if count <= len(records):
        return records
    larger = np.zeros(2 * count, records.dtype).view(np.recarray)
    larger[: len(records)] = records
    return larger


# --- Compiled loops -------------------------------------------------------------------------------


def _add_loop(
    masks: Any, probabilities: Any, signs: Any, decisions: Any, options: Any, option: Any
) -> None:
    for i in range(masks.shape[0]):
        decisions[i].first, decisions[i].sign = option, signs[i]
        for action in range(masks.shape[1]):
            if masks[i, action]:
                options[option].action = action
                options[option].prior = probabilities[i, action]
                option += 1
        decisions[i].count = option - decisions[i].first


def _choose_loop(
    decisions: Any, options: Any, bounds: Any, trees: Any, at: Any, tried: Any, actions: Any
) -> None:
    # Rollouts in progress count as visits but not in the mean value, so that others choose other
    # actions (Liu et al., "Watch the unobserved", 2020). An action without ended rollouts gets
    # the mean value of the others.
    for i in range(at.shape[0]):
        if at[i] == OVER:
            continue
        decision = decisions[at[i]]
        last = decision.first + decision.count
        begun, ended, total = 0.0, 0.0, 0.0
        for k in range(decision.first, last):
            begun += options[k].begun
            ended += options[k].ended
            total += options[k].value_sum
        low, high = bounds[trees[i]]
        scale = decision.sign / (high - low) if high > low else decision.sign
        mean = total / ended if ended > 0 else 0.0
        best, choice = -math.inf, decision.first
        for k in range(decision.first, last):
            option = options[k]
            score = option.prior
            if begun > 0:
                value = option.value_sum / option.ended if option.ended > 0 else mean
                score *= EXPLORATION * math.sqrt(begun) / (1.0 + option.begun)
                score += scale * value
            if score > best:
                best, choice = score, k
        options[choice].begun += 1.0
        tried[i], actions[i] = choice, options[choice].action


def _learn_loop(options: Any, bounds: Any, trees: Any, paths: Any, returns: Any) -> None:
    """Add the values of rollouts to all options on their paths.

    Args:
        options: see `Forest`.
        bounds: see `Forest`.
        trees: the tree of each rollout; shape (rollouts,).
        paths: indices into ``options`` by step, -1 once over; shape (steps, rollouts).
        returns: value of each rollout to its searching seat; shape (rollouts,).
    """
    for i in range(paths.shape[1]):
        for step in range(paths.shape[0]):
            if paths[step, i] >= 0:
                option = options[paths[step, i]]
                option.ended += 1.0
                option.value_sum += returns[i]
                mean = option.value_sum / option.ended
                bounds[trees[i], 0] = min(bounds[trees[i], 0], mean)
                bounds[trees[i], 1] = max(bounds[trees[i], 1], mean)


def _write_keys_loop(observations: Any, movers: Any, trees: Any, games: Any, keys: Any) -> None:
    """Hash tree, seat and observation of some games to keys of 64 bits."""
    for k in range(games.shape[0]):
        i = games[k]
        key = (np.uint64(trees[i]) << HALF) | np.uint64(movers[i])
        for j in range(observations.shape[1]):
            key = (key & LOW) * CARRIED + (key >> HALF)
            key ^= np.uint64(observations[i, j])
        keys[k] = key


_add = loop(_add_loop, game=None, name="tree-add")
_choose = loop(_choose_loop, game=None, name="tree-choose")
_learn = loop(_learn_loop, game=None, name="tree-learn")
_write_keys = loop(_write_keys_loop, game=None, name="tree-keys")


# --- The player -----------------------------------------------------------------------------------


class TreeSearchPlayer:
    """A player that searches a tree and plays the action that survives sequential halving.

    Rollouts use the reward and the episode (hand or game) that the checkpoint was trained with,
    even if the table's reward differs, because the network's value predicts them. Every opponent is
    assumed to minimize the value of the searching seat.
    """

    def __init__(
        self,
        guide: str | Path | OwnEvaluator,
        game: Game,
        params: Any,
        *,
        rollouts: int = 128,
        seconds: float | None = None,
        seed: int = 0,
    ) -> None:
        """Load the checkpoint.

        Args:
            guide: the folder of a checkpoint, trained for this game and variant; or an own player,
                whose values are those of the table's reward at the end of the game.
            game: the game to play.
            params: the game's parameters, made by ``game.make_params``.
            rollouts: maximum number of rollouts per decision, over all its actions; two actions
                are tried at least once each.
            seconds: if given, the time per decision, which replaces ``rollouts``; the actions then
                depend on the speed of the machine.
            seed: seed of the deals.

        Raises:
            CheckpointError: the checkpoint is missing, damaged, made for something else, or not
                usable for a tree search.
            ValueError: a budget is invalid.
        """
        check_budget(rollouts, seconds)
        if isinstance(guide, OwnEvaluator):
            self._guide: OwnEvaluator | PolicyPlayer = guide
            reward, self._by_hand = params.reward, False
        else:
            self._guide = checkpoint.load_player(guide, game, params, seed=seed)
            reward, self._by_hand = _what_is_valued(guide)
        self._params = dataclasses.replace(params, reward=reward)
        self.name = f"search:{self._guide.name}"
        self._game = game
        self._is_team = game.is_team(params)
        self._rollouts, self._seconds = rollouts, seconds
        self._worlds: dict[int, Batch] = {}
        self.seed(seed)
        self.visits: dict[int, int] = {}
        """Number of rollouts by legal action, at the root of the last decision."""
        self.values: dict[int, float] = {}
        """Mean value by legal action, at the root of the last decision; 0 without rollouts."""

    def seed(self, seed: int) -> None:
        """Restart the random choices from ``seed``.

        Raises:
            ValueError: the seed is not a whole number from 0 on.
        """
        self._rng = np.random.default_rng(as_seed(seed))

    def act(self, batch: Batch, games: Games) -> Actions:
        """Return an action for each of ``games``; int64, shape (games,)."""
        # With a time limit, decisions are searched one at a time.
        together = TOGETHER if self._seconds is None else 1
        parts = (games[i : i + together] for i in range(0, len(games), together))
        chosen = [action for part in parts for action in self._decide(batch, part)]
        return np.array(chosen, np.int64)

    def _decide(self, batch: Batch, games: Games) -> list[int]:
        """Return an action for each of at most `TOGETHER` games."""
        seats, masks = batch.current_player[games].astype(np.int64), batch.masks[games]
        probabilities, _ = self._guide.evaluate(batch, games)
        forest = Forest(games, seats, masks, probabilities)
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

        The caller runs these rollouts before it resumes the generator.
        """
        priors = forest.of(tree)["prior"]
        alive = np.argsort(-priors, kind="stable")[: self._most(len(priors))]
        logs = np.log(np.maximum(priors, LEAST))
        end = time.monotonic() + (self._seconds or 0.0)
        halvings = _halvings(len(alive))
        for halving in range(halvings):
            now, share = time.monotonic(), 1.0 / (halvings - halving)
            deals = max(1, self._rollouts // (halvings * len(alive)))
            for deal_count in self._waves(deals, until=now + share * (end - now)):
                yield alive, deal_count
            options = forest.of(tree)
            means, times = _means(options), options["ended"]
            tried = means[times > 0]
            scores = means + PRIOR * (tried.max() - tried.min()) * logs / np.maximum(times, 1)
            alive = alive[np.argsort(-scores[alive], kind="stable")[: (len(alive) + 1) // 2]]
        return int(alive[0])

    def _waves(self, deals: int, until: float) -> Iterator[int]:
        """Yield numbers of deals to try at once, until the deals or the time are used up."""
        if self._seconds is None:
            yield from (min(DEALS, remaining) for remaining in range(deals, 0, -DEALS))
        else:
            yield DEALS
            while time.monotonic() < until:
                yield DEALS

    def _most(self, count: int) -> int:
        """Return how many of ``count`` actions can be tried at least once in every halving."""
        most = min(count, MOST_ACTIONS)
        while self._seconds is None and most > 2 and most * _halvings(most) > self._rollouts:
            most -= 1
        return most

    def _roll_out(self, batch: Batch, forest: Forest, tries: list[tuple[int, Ints, int]]) -> None:
        """Run rollouts from the roots of trees; the options of a root share their deals.

        Args:
            batch: the batch with the games of the trees.
            forest: the trees.
            tries: for each tree, its index, the options of its root, and the number of deals.
        """
        dealt = np.repeat([tree for tree, _, _ in tries], [deals for _, _, deals in tries])
        worlds = self._filled(batch.states[forest.games[dealt]])
        worlds.redeal(worlds.current_player.copy(), int(self._rng.integers(2**62)))
        shares = [len(options) for _, options, deals in tries for _ in range(deals)]
        trees = np.repeat(dealt, shares)
        worlds = self._filled(worlds.states[np.repeat(np.arange(len(dealt)), shares)])
        options = np.concatenate([np.tile(options, deals) for _, options, deals in tries])
        tried, actions = forest.try_at_root(trees, options)
        returns, at, paths = np.zeros(len(trees)), trees.copy(), []
        moves = np.full(worlds.num_envs, -1, np.int64)
        while True:
            moves[: len(trees)] = actions
            paths.append(tried)
            worlds.step(moves)
            games = np.flatnonzero(at != OVER)
            returns[games] += worlds.rewards[games, forest.seats[trees[games]]]
            over = worlds.dones[games] | (self._by_hand & worlds.states["hand_over"][games])
            at[games[over]] = OVER
            self._go_on(worlds, forest, trees, games[~over], at, returns)
            if (at == OVER).all():
                break
            tried, actions = forest.choose(trees, at)
        _learn(forest.options, forest.bounds, trees, np.array(paths), returns)

    def _go_on(
        self,
        worlds: Batch,
        forest: Forest,
        trees: Ints,
        games: NDArray[np.intp],
        at: Ints,
        returns: Floats,
    ) -> None:
        """Write into ``at`` the decision that each of some rollouts has reached.

        Decisions that are new to a tree are added to it. A new decision of the searching seat, or
        of its team, ends the rollout, and the network's value of it is added to ``returns``.
        """
        movers = worlds.current_player
        key_array = np.empty(len(games), np.uint64)
        _write_keys(worlds.observations.view(np.uint32), movers, trees, games, key_array)
        keys: list[int] = key_array.tolist()
        at[games] = forest.find(keys)
        # Several rollouts may have reached the same decision.
        new = {key: i for key, i in zip(keys, games.tolist(), strict=True) if at[i] == NEW}
        if not new:
            return
        first = np.array([*new.values()])
        masks = worlds.masks[first]
        probabilities, values = self._guide.evaluate(worlds, first)
        allied = self._is_team | (movers[first] == forest.seats[trees[first]])
        number = forest.add(new, masks, probabilities, np.where(allied, 1.0, -1.0))
        places = dict(zip(new, range(len(new)), strict=True))
        for key, i in zip(keys, games.tolist(), strict=True):
            if at[i] == NEW:
                place = places[key]
                at[i] = OVER if allied[place] else number + place
                returns[i] += values[place] if allied[place] else 0.0

    def _filled(self, records: NDArray[Any]) -> Batch:
        """Return a batch that starts with these records and repeats them to its end.

        Batches are cached, one per power of two, since creating one takes longer than a few games.
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
    """Return how often ``count`` actions are halved until one is left."""
    return (count - 1).bit_length()


def _means(options: NDArray[Any]) -> Floats:
    """Return the mean value of each option; 0 if no rollout of it has ended."""
    means: Floats = options["value_sum"] / np.maximum(options["ended"], 1)
    return means


def _what_is_valued(folder: str | Path) -> tuple[str, bool]:
    """Return the reward that a checkpoint's value predicts, and whether its episode is a hand."""
    card = checkpoint.read_card(folder)
    why = checkpoint.why_no_search(card)
    if why:
        raise checkpoint.CheckpointError(f"{folder}: {why}; choose another checkpoint")
    return card["params"]["reward"], card["value_until"] == "hand"
