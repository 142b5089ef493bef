"""The full game tree of a small table: every deal and every sequence of decisions.

The tree is built with the game's own rule functions. A table is small enough if the cards that are
dealt have few orders and a hand has few decisions, for example with a shortened deck. Only the
cards at the top of the deck count that make a difference in some course of the game. All chance
must be in the deal: a table that shuffles again or deals a second hand is rejected.

An information set is everything that a seat has seen and done so far (perfect recall): its
observation after each decision of any seat, its action masks, and its own actions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.rewards import MARGIN, POINTS_PER_UNIT, REWARDS
from kitchentable.core.state import NOBODY
from kitchentable.engine.compiling import loop
from kitchentable.players.scripted import Player

MOST_DEALS = 1_000_000
"""Maximum number of orders of the cards that are dealt."""
MOST_NODES = 50_000_000
SIZE = 1_024
"""Number of games in the batch that builds the tree."""
DRAWS = 100
"""How often a player that does not tell its probabilities is asked in each information set."""
GROUPS = 10
"""Number of groups into which these answers are divided to estimate their error."""
PROBES, PROBED_DEALS = 64, 8
"""Numbers of random games and of deals that find how many cards are dealt."""
DENOMINATORS = 1_000
"""Maximum denominator of a reward, in units of reward."""

Reals = NDArray[np.float64]
Indices = NDArray[np.int64]
Keys = NDArray[np.uint64]
Policy = list[Reals]
"""The probability of each (information set, action) pair, by depth; shape (pairs,) each."""


@dataclass(frozen=True)
class Level:
    """All nodes of one depth, and the information sets of the seats to act there.

    The legal actions of information set k are the *pairs* (set, action) from ``first_pair[k]`` to
    ``first_pair[k + 1]``. The children of a node are contiguous in the next level, one for each of
    these pairs in the same order.

    Attributes:
        movers: the seat to act, `NOBODY` where the game is over; int8, shape (nodes,).
        sets: index of the information set, -1 where the game is over; int64, shape (nodes,).
        first_child: index of the first child in the next level; int64, shape (nodes,).
        parents: index of the parent in the previous level; int64, shape (nodes,), empty at depth 0.
        taken: pair of the previous level that led to the node; like ``parents``.
        payoffs: total payoff of each seat up to the node; float64, shape (nodes, seats).
        owners: the seat to act in each information set; int8, shape (sets,).
        first_pair: index of each set's first pair, and the number of pairs; shape (sets + 1,).
        set_of_pair: the information set of each pair; int64, shape (pairs,).
        actions: the action of each pair; int64, shape (pairs,).
        examples: index of one node of each information set; int64, shape (sets,).
    """

    movers: NDArray[np.int8]
    sets: Indices
    first_child: Indices
    parents: Indices
    taken: Indices
    payoffs: Reals
    owners: NDArray[np.int8]
    first_pair: Indices
    set_of_pair: Indices
    actions: Indices
    examples: Indices


class GameTree:
    """The game tree of one table.

    Attributes:
        game: the game.
        params: its parameters.
        num_players: the number of seats.
        unit: the unit of all payoffs: ``"points"`` for the reward ``"margin"``, else ``"reward"``.
        chances: the probability of each deal; float64, shape (deals,).
        levels: the nodes by depth; the nodes of the first level are the deals.
    """

    def __init__(self, game: Game, params: Any) -> None:
        """Build the whole tree.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.

        Raises:
            ValueError: there are too many deals or nodes, or chance plays a part after the deal;
                the message says what to change.
        """
        self.game, self.params = game, params
        self.num_players = int(params.num_players)
        self._batch = Batch(game, SIZE, seed=0, autoreset=False, **params.as_dict())
        self.unit = "points" if params.reward == REWARDS[MARGIN] else "reward"
        self._scale = POINTS_PER_UNIT if self.unit == "points" else 1.0
        copies = list(game.rules.deck(params).values())
        dealt = _fewest_dealt(game, params, copies)
        levels = None
        while levels is None:  # a card that mattered in no random game may matter in some other
            _check_orders(game, copies, dealt)
            self._dealt, others, self.chances = _deal(game, params, copies, dealt)
            levels = self._walk(others)
            dealt += 1
        self.levels = levels

    @property
    def num_nodes(self) -> int:
        """Total number of nodes."""
        return sum(len(level.movers) for level in self.levels)

    @property
    def num_sets(self) -> int:
        """Total number of information sets."""
        return sum(len(level.owners) for level in self.levels)

    # --- Building -------------------------------------------------------------------------------

    def _walk(self, others: Any) -> list[Level] | None:
        """Build the levels, from as many deals at a time as fit in a batch at the widest level.

        Args:
            others: the records of the same deals with the rest of the deck in another order; None
                if there is no rest.

        Returns:
            None if the rest of the deck makes a difference.
        """
        by_depth: list[list[_Part]] = []
        at, count, nodes = 0, 1, 0
        while at < len(self._dealt):
            widest, deals = 1, slice(at, at + count)
            again = iter(()) if others is None else self._descend(others[deals])
            for depth, part in enumerate(self._descend(self._dealt[deals])):
                if others is not None and not part.is_like(next(again, None)):
                    return None
                if depth == len(by_depth):
                    by_depth.append([])
                by_depth[depth].append(part)
                widest = max(widest, len(part.movers))
                nodes += len(part.movers)
                if nodes > MOST_NODES:
                    raise ValueError(
                        f"{self.game.name}: this table has more than {MOST_NODES:,} nodes, found in"
                        f" {at + count:,} of {len(self._dealt):,} deals; choose a smaller one"
                    )
            at, count = at + count, max(1, count * SIZE // widest)
        parts = [_Part.joined(some) for some in by_depth]
        nothing = np.empty(0, np.int64)
        levels: list[Level] = []
        for part, below in zip(parts, [*parts[1:], None], strict=True):
            actions = nothing if below is None else below.actions
            levels.append(_level(part, actions, levels[-1] if levels else None))
        return levels

    def _descend(self, records: Any) -> Iterator[_Part]:
        """Yield the nodes of some deals by depth."""
        seats = np.arange(1, self.num_players + 1, dtype=np.uint64)
        keys = np.tile(seats, (len(records), 1))
        moved = np.full(len(records), NOBODY, np.int8)
        actions = np.full(len(records), -1)
        payoffs = np.zeros((len(records), self.num_players))
        while len(records):
            records, paid, masks, movers = self._play(records, actions, keys, moved)
            payoffs += self._scale * _unrounded(paid)
            own = np.take_along_axis(keys, np.maximum(movers, 0)[:, None].astype(int), 1)[:, 0]
            _extend(own, np.full(len(own), -1), masks.astype(np.uint32))
            counts = masks.sum(axis=1)
            yield _Part(movers, own, counts, actions, payoffs)
            parents, actions = np.nonzero(masks)
            records, keys, moved = records[parents], keys[parents], movers[parents]
            payoffs = payoffs[parents]

    def _play(
        self,
        records: Any,
        actions: Indices,
        keys: Keys | None = None,
        moved: NDArray[np.int8] | None = None,
    ) -> tuple[Any, Reals, NDArray[np.bool_], NDArray[np.int8]]:
        """Play an action in each record, -1 for none.

        If ``keys``, shape (records, seats), and ``moved``, the seat that acts in each record, are
        given, actions and new observations are hashed into the keys of all seats in place.

        Returns:
            The new records, rewards by seat, action masks, and seats to act (`NOBODY` if over).

        Raises:
            ValueError: the table shuffles or deals again.
        """
        batch, before = self._batch, records["rng"].copy()
        after = np.empty_like(records)
        paid = np.zeros((len(records), self.num_players))
        masks = np.zeros((len(records), len(batch.action_names)), np.bool_)
        movers = np.full(len(records), NOBODY, np.int8)
        for start in range(0, len(records), SIZE):
            some = slice(start, min(start + SIZE, len(records)))
            here = slice(0, some.stop - start)
            self._set(records[some])
            chosen = np.full(SIZE, -1)
            chosen[here] = actions[some]
            batch.step(chosen)
            after[some], paid[some] = batch.states[here], batch.rewards[here]
            masks[some], movers[some] = batch.masks[here], batch.current_player[here]
            if keys is not None and moved is not None:
                for seat in range(self.num_players):
                    seen = batch.observe(np.full(SIZE, seat))[here].view(np.uint32)
                    done = np.where(moved[some] == seat, actions[some], -1)
                    own = np.ascontiguousarray(keys[some, seat])
                    _extend(own, done, seen)
                    keys[some, seat] = own
        over = after["terminated"] | after["truncated"]
        movers[over] = NOBODY
        if (~over & (after["rng"] != before)).any():
            raise ValueError(
                f"{self.game.name}: this table shuffles or deals again after the first deal, which "
                "is not walked; choose a single hand, and a deck that lasts to its end"
            )
        return after, paid, masks, movers

    def _set(self, records: Any) -> None:
        """Put records into the first games of the batch; mark the others as over to save time."""
        batch = self._batch
        batch.states[: len(records)] = records
        batch.states["truncated"][len(records) :] = True
        batch.look()

    # --- Players --------------------------------------------------------------------------------

    def uniform(self) -> Policy:
        """Return the policy that plays all legal actions with the same probability."""
        return [1.0 / np.diff(level.first_pair)[level.set_of_pair] for level in self.levels]

    def policy(self, player: Player, draws: int = DRAWS, *, most_probable: bool = False) -> Policy:
        """Return the policy of a player in every information set.

        Args:
            player: the player. If it tells its ``probabilities``, as scripted players and policy
                networks do, these are used; others are asked to act (see `tells`).
            draws: how often such a player is asked to act; the policy is the action frequencies.
            most_probable: whether a trained player plays its most probable action instead of
                sampling. A scripted player that has no preference always draws.

        Returns:
            The probabilities of the actions by depth; float64, shape (pairs,) each.
        """
        tells = self.tells(player)
        if tells:
            draws = 1 if getattr(player, "worths", False) else 0
        found = [self._policy_at(depth, player, draws) for depth in range(len(self.levels))]
        if most_probable and tells and hasattr(player, "deterministic"):
            return [on_the_best(*both) for both in zip(self.levels, found, strict=True)]
        return found

    def tells(self, player: Any) -> bool:
        """Return whether a player tells its probabilities, so that its policy is exact.

        Players that draw in their own way do not. A network that predicts action values does: it
        plays the best action.
        """
        if not hasattr(player, "probabilities"):
            return False
        try:
            self._policy_at(0, player, 0)
        except NotImplementedError:
            return False
        return True

    def _policy_at(self, depth: int, player: Any, draws: int) -> Reals:
        """Return the policy at one depth; if ``draws`` is 0, from the player's probabilities."""
        level, found = self.levels[depth], []
        records = self._records(depth, level.examples)
        for start in range(0, len(records), SIZE):
            some = records[start : start + SIZE]
            self._set(some)
            batch, games = self._batch, np.arange(len(some))
            masks = batch.masks[games]
            if not draws:
                chances = player.probabilities(batch.observations[games], masks).astype(np.float64)
            else:
                chances = np.zeros(masks.shape)
                for _ in range(draws):
                    chances[games, player.act(batch, games)] += 1.0
            found.append((chances / chances.sum(axis=1, keepdims=True))[masks])
        return np.concatenate(found) if found else np.empty(0)

    def _records(self, depth: int, nodes: Indices) -> Any:
        """Return the records of some nodes, by replaying their deals up to there."""
        path = []
        for at in range(depth, 0, -1):
            level, above = self.levels[at], self.levels[at - 1]
            path.append(above.actions[level.taken[nodes]])
            nodes = level.parents[nodes]
        records = self._dealt[nodes]
        for actions in reversed(path):
            records = self._play(records, actions)[0]
        return records


@dataclass(frozen=True)
class _Part:
    """The nodes of one depth below some deals.

    Attributes:
        movers: as in `Level`.
        keys: hash of the mover's information set; uint64, shape (nodes,).
        counts: number of legal actions; shape (nodes,).
        actions: action that led to the node, -1 in the first level; shape (nodes,).
        payoffs: as in `Level`.
    """

    movers: NDArray[np.int8]
    keys: Keys
    counts: Indices
    actions: Indices
    payoffs: Reals

    @staticmethod
    def joined(parts: list[_Part]) -> _Part:
        """Concatenate parts."""
        names = ("movers", "keys", "counts", "actions", "payoffs")
        return _Part(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))

    def is_like(self, other: _Part | None) -> bool:
        """Return whether another part has the same nodes."""
        names = ("movers", "keys", "counts", "payoffs")
        return other is not None and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in names
        )


def _level(part: _Part, actions: Indices, above: Level | None) -> Level:
    """Build a level.

    Args:
        part: its nodes.
        actions: the actions that led to the nodes of the next level.
        above: the previous level, if there is one.
    """
    alive = np.flatnonzero(part.movers != NOBODY)
    _, first, inverse = np.unique(part.keys[alive], return_index=True, return_inverse=True)
    examples, sets = alive[first], np.full(len(part.movers), -1)
    sets[alive] = inverse
    ends = np.cumsum(part.counts)
    first_child = ends - part.counts
    sizes = part.counts[examples]
    first_pair = np.concatenate([[0], np.cumsum(sizes)])
    set_of_pair = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(first_pair[-1]) - first_pair[set_of_pair]
    parents = taken = np.empty(0, np.int64)
    if above is not None:
        # Children are in the order of their parents, and those of one parent are contiguous.
        counts = np.where(above.sets >= 0, np.diff(above.first_pair)[above.sets], 0)
        parents = np.repeat(np.arange(len(counts)), counts)
        nth = np.arange(len(parents)) - above.first_child[parents]
        taken = above.first_pair[above.sets[parents]] + nth
    return Level(
        movers=part.movers,
        sets=sets,
        first_child=first_child,
        parents=parents,
        taken=taken,
        payoffs=part.payoffs,
        owners=part.movers[examples],
        first_pair=first_pair,
        set_of_pair=set_of_pair,
        actions=actions[first_child[examples][set_of_pair] + place],
        examples=examples,
    )


def on_the_best(level: Level, worth: Reals) -> Reals:
    """Return the policy that plays the best pair of each set; ties go to the last one."""
    found = np.zeros(len(worth))
    if len(worth):
        most = np.maximum.reduceat(worth, level.first_pair[:-1])
        best = np.flatnonzero(worth == most[level.set_of_pair])
        last = np.zeros(len(level.owners), np.int64)
        last[level.set_of_pair[best]] = best
        found[last] = 1.0
    return found


def _unrounded(paid: Reals) -> Reals:
    """Return float32 rewards without their rounding, as the fractions that they stand for."""
    values, where = np.unique(paid, return_inverse=True)
    return np.array([_fraction(value) for value in values.tolist()])[where].reshape(paid.shape)


@cache
def _fraction(value: float) -> float:
    near = float(Fraction(value).limit_denominator(DENOMINATORS))
    return near if np.float32(near) == np.float32(value) else value


# --- Deals ----------------------------------------------------------------------------------------


def _fewest_dealt(game: Game, params: Any, copies: list[int]) -> int:
    """Return how many cards at the top of the deck make a difference in random games.

    The number is only as large as it takes to see that there are too many orders.
    """
    rng, deck = np.random.default_rng(0), np.repeat(np.arange(len(copies)), copies).astype(np.int8)
    dealt = 0
    for _ in range(PROBED_DEALS):
        order = rng.permutation(deck)
        while dealt < len(deck) and _differs(game, params, order, dealt):
            dealt += 1
            if _count_orders(copies, dealt) > MOST_DEALS:
                return dealt
    return dealt


def _differs(game: Game, params: Any, order: NDArray[np.int8], dealt: int) -> bool:
    """Return whether the cards after the first ``dealt`` ones make a difference in random games."""
    twins = []
    for rest in (np.sort(order[dealt:]), np.sort(order[dealt:])[::-1]):
        twin = Batch(game, PROBES, seed=0, autoreset=False, **params.as_dict())
        twin.reset(top=np.concatenate([order[:dealt], rest]))
        twin.states["seed"] = twin.states["rng"] = 1
        twins.append(twin)
    while twins[0].masks.any():
        seats = [np.full(PROBES, seat) for seat in range(twins[0].num_players)]
        seen = [[twin.masks, twin.rewards, *map(twin.observe, seats)] for twin in twins]
        if any(not np.array_equal(*both) for both in zip(*seen, strict=True)):
            return True
        actions = twins[0].sample_actions()
        for twin in twins:
            twin.step(actions)
    return not np.array_equal(twins[0].rewards, twins[1].rewards)


def _check_orders(game: Game, copies: list[int], dealt: int) -> None:
    """Check that the cards that are dealt can lie in few orders.

    Raises:
        ValueError: they can lie in too many; the message says what to change.
    """
    orders = _count_orders(copies, dealt)
    if not sum(copies) or orders > MOST_DEALS:
        raise ValueError(
            f"{game.name}: the deck of this table deals {dealt} cards in {orders:,} orders; a tree "
            f"has at most {MOST_DEALS:,} deals: choose a shorter deck or fewer cards"
        )


def _count_orders(copies: list[int], dealt: int) -> int:
    """Return the number of different orders of the first ``dealt`` cards of a deck."""
    ways = [1] + [0] * dealt  # by number of cards, of the kinds so far
    for count in copies:
        ways = [
            sum(math.comb(size, of) * ways[size - of] for of in range(min(count, size) + 1))
            for size in range(dealt + 1)
        ]
    return ways[dealt]


def _deal(game: Game, params: Any, copies: list[int], dealt: int) -> tuple[Any, Any, Reals]:
    """Deal the first ``dealt`` cards of the deck in all distinct ways.

    Returns:
        The records; those with the rest of the deck in the opposite order, None without a rest; and
        the probabilities of the deals.
    """
    batch = Batch(game, 1, seed=0, autoreset=False, **params.as_dict())
    size = _count_orders(copies, dealt)
    records, others = (np.empty(size, game.rules.state_dtype) for _ in range(2))
    weights = np.empty(size)
    for i, top in enumerate(_orders(copies, dealt)):
        used = np.bincount(top, minlength=len(copies))
        rest = np.repeat(np.arange(len(copies)), np.array(copies) - used)
        weights[i] = math.prod(map(math.perm, copies, used.tolist()))
        for found, under in ((records, rest), (others, rest[::-1])):
            batch.reset(top=np.concatenate([top, under]))
            found[i] = batch.states[0]
    # All records get the same random stream, so any later use of it shows as a change.
    for found in (records, others):
        found["seed"] = found["rng"] = 1
    as_bytes = records.view(np.dtype((np.void, records.dtype.itemsize)))
    _, first, same = np.unique(as_bytes, return_index=True, return_inverse=True)
    chances = np.bincount(same, weights) / weights.sum()
    as_dealt = np.argsort(first)
    kept = first[as_dealt]
    return records[kept], others[kept] if dealt < sum(copies) else None, chances[as_dealt]


def _orders(copies: list[int], dealt: int | None = None) -> Iterator[NDArray[np.int8]]:
    """Yield all distinct orders of the first ``dealt`` cards of a deck; int8, shape (dealt,).

    Args:
        copies: the number of copies of each kind.
        dealt: the number of cards; None: all.
    """
    left, order = list(copies), np.empty(sum(copies) if dealt is None else dealt, np.int8)

    def lay(at: int) -> Iterator[NDArray[np.int8]]:
        if at == len(order):
            yield order.copy()
            return
        for kind in range(len(left)):
            if left[kind] > 0:
                left[kind] -= 1
                order[at] = kind
                yield from lay(at + 1)
                left[kind] += 1

    return lay(0)


# --- Keys -----------------------------------------------------------------------------------------


def _extend_loop(keys: Any, actions: Any, words: Any) -> None:
    for i in range(keys.shape[0]):
        key = (keys[i] ^ np.uint64(actions[i] + 2)) * np.uint64(0x9E3779B97F4A7C15)
        for j in range(words.shape[1]):
            if words[i, j]:
                key ^= np.uint64(words[i, j]) | (np.uint64(j + 1) << np.uint64(32))
                key *= np.uint64(0xFF51AFD7ED558CCD)
                key ^= key >> np.uint64(32)
        keys[i] = key ^ (key >> np.uint64(29))


_extend = loop(_extend_loop, game=None, name="tree")
"""``(keys, actions, words)``: hash an action, -1 for none, and a row of numbers into each key. With
10 million nodes, two information sets collide about once in 200,000 trees."""
