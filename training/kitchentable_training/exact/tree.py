"""The full game tree of a small table: every deal and every sequence of decisions.

The tree is built with the game's own rule functions. A table is small enough if the cards that are
dealt have few orders and a hand has few decisions, for example with a shortened deck. Only the
cards at the top of the deck count that make a difference in some course of the game. All chance
must be in the deal: a table that shuffles again or deals a second hand is rejected.

An information set is everything that a seat has seen and done so far (perfect recall): its
observation after each decision of any seat, its action masks, and its own actions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from html import escape
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game, find_game
from kitchentable.core.rewards import MARGIN, POINTS_PER_UNIT, REWARDS
from kitchentable.core.state import NOBODY
from kitchentable.engine.batch import available_threads
from kitchentable.players.scripted import Player
from kitchentable_training.exact.levels import Indices, Level, Policy, Reals
from kitchentable_training.exact.sequences import Sequences
from kitchentable_training.exact.walk import Nodes, number_sets, replay, walk
from kitchentable_training.notebook import html_table

MOST_DEALS = 1_000_000
"""Maximum number of orders of the cards that are dealt."""
MOST_NODES = 50_000_000
SIZE = 1_024
"""Number of games in which a player is asked at once."""
JOBS = 64
"""Number of parts of the deals for each thread, which walks them one after the other."""
DRAWS = 100
"""How often a player that does not tell its probabilities is asked in each information set."""
GROUPS = 10
"""Number of groups into which these answers are divided to estimate their error."""
PROBES, PROBED_DEALS = 64, 8
"""Numbers of random games and of deals that find how many cards are dealt."""
AT_ONCE = 1 << 20
"""Number of nodes whose rewards are made exact at once, which takes much memory."""
DENOMINATORS = 1_000
"""Maximum denominator of a reward, in units of reward."""


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

    def __repr__(self) -> str:
        """Return the game and the size of the tree."""
        size = f"{self.num_nodes:,} nodes, {self.num_sets:,} information sets"
        return f"<GameTree of {self.game.name}: {len(self.chances):,} deals, {size}>"

    def _repr_html_(self) -> str:
        header = ["depth", "nodes", "information sets"]
        sizes = [[len(level.movers), len(level.owners)] for level in self.levels]
        rows = [[depth, *(f"{count:,}" for count in size)] for depth, size in enumerate(sizes)]
        total = ["all", f"{self.num_nodes:,}", f"{self.num_sets:,}"]
        return f"<p>{escape(repr(self))}</p>{html_table(header, [*rows, total])}"

    @cached_property
    def sequences(self) -> Sequences:
        """The sequence form of the tree, computed when first asked for."""
        return Sequences.of(self.levels, self.chances)

    # --- Building -------------------------------------------------------------------------------

    def _walk(self, others: Any) -> list[Level] | None:
        """Build the levels; each thread walks some deals at a time.

        Args:
            others: the records of the same deals with the rest of the deck in another order; None
                if there is no rest.

        Returns:
            None if the rest of the deck makes a difference.
        """
        deals, threads = len(self._dealt), available_threads()
        ends = np.linspace(0, deals, min(deals, JOBS * threads) + 1).astype(int)
        dealt = [self._dealt] if others is None else [self._dealt, others]
        by_depth: list[list[Nodes]] = []
        count, workers = 0, ThreadPoolExecutor(threads)
        try:
            for job in [
                workers.submit(self._walk_deals, [records[chunk] for records in dealt])
                for chunk in map(slice, ends, ends[1:])
            ]:
                parts = job.result()
                if parts is None:
                    return None
                by_depth += [[] for _ in range(len(parts) - len(by_depth))]
                for depth, part in enumerate(parts):
                    by_depth[depth].append(part)
                    count += len(part.movers)
                self._check_count(count)
        finally:
            workers.shutdown(cancel_futures=True)
        levels: list[Level] = []
        earlier = np.zeros((1, self.num_players))
        below = Nodes.joined(by_depth[0])
        for depth in range(len(by_depth)):
            nodes = below
            by_depth[depth].clear()
            is_last = depth + 1 == len(by_depth)
            below = nodes.take(slice(0, 0)) if is_last else Nodes.joined(by_depth[depth + 1])
            above = levels[-1] if levels else None
            level, earlier = self._level(nodes, below.actions, above, earlier)
            levels.append(level)
        return levels

    def _walk_deals(self, dealt: list[Any]) -> list[Nodes] | None:
        """Return the nodes below some deals by depth; None if two walks differ."""
        by_depth: list[list[Nodes]] = []
        count = 0
        for nodes, *twins in zip_longest(*(walk(self._batch, deals) for deals in dealt)):
            if nodes is None or not all(map(nodes.is_like, twins)):
                return None
            count += len(nodes.movers)
            self._check_count(count)
            for depth, part in enumerate(nodes.by_depth()):
                if depth == len(by_depth):
                    by_depth.append([])
                by_depth[depth].append(part)
        return list(map(Nodes.joined, by_depth))

    def _check_count(self, nodes: int) -> None:
        """Raise `ValueError` if there are too many nodes."""
        if nodes > MOST_NODES:
            raise ValueError(
                f"{self.game.name}: this table has more than {MOST_NODES:,} nodes; choose a "
                "smaller one"
            )

    def _level(
        self, nodes: Nodes, actions: NDArray[np.int16], above: Level | None, earlier: Reals
    ) -> tuple[Level, Reals]:
        """Build a level.

        Args:
            nodes: its nodes.
            actions: the actions that led to the nodes of the next level.
            above: the previous level, if there is one.
            earlier: what its nodes had been paid; shape (nodes, seats), or one row of zeros for
                nothing.

        Returns:
            The level, and what its own nodes have been paid.
        """
        is_over = nodes.movers == NOBODY
        alive = np.flatnonzero(~is_over).astype(np.int32)
        numbers, first = number_sets(nodes.keys[alive])
        representatives, sets = alive[first], np.full(len(nodes.movers), -1, np.int32)
        sets[alive] = numbers
        first_child = np.cumsum(nodes.counts, dtype=np.int32) - nodes.counts
        sizes = nodes.counts[representatives]
        first_pair = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        set_of_pair = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        place = np.arange(first_pair[-1], dtype=np.int32) - first_pair[set_of_pair]
        parents = parent_pairs = np.empty(0, np.int32)
        if above is not None:
            # Children are in the order of their parents, and those of one parent are contiguous.
            counts = np.diff(above.first_child, append=np.int32(len(sets)))
            parents = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
            parent_pairs = np.arange(len(parents), dtype=np.int32)
            parent_pairs -= above.first_child[parents]
            parent_pairs += above.first_pair[above.sets[parents]]
        # Most tables pay at the end only.
        if len(earlier) > 1:
            earlier = earlier[parents]
        payoffs = self._scale * _unrounded(nodes.paid[is_over])
        payoffs += earlier[is_over] if len(earlier) > 1 else earlier
        if len(earlier) > 1 or nodes.paid[alive].any():
            earlier = earlier + self._scale * _unrounded(nodes.paid)
        level = Level(
            movers=nodes.movers,
            sets=sets,
            first_child=first_child,
            parents=parents,
            parent_pairs=parent_pairs,
            payoffs=payoffs,
            owners=nodes.movers[representatives],
            first_pair=first_pair,
            set_of_pair=set_of_pair,
            actions=actions[first_child[representatives][set_of_pair] + place],
            representatives=representatives,
        )
        return level, earlier

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
            most_probable: whether a trained player that is ``deterministic`` plays as it acts, by
                its most probable actions. A scripted player that has no preference always draws.

        Returns:
            The probabilities of the actions by depth; float64, shape (pairs,) each. Those of a
            mixture are the `average` of its members.
        """
        members: list[Player] = getattr(player, "members", [])
        if members:
            shares = player.shares  # type: ignore[attr-defined]
            policies = [
                self.policy(member, draws, most_probable=most_probable) for member in members
            ]
            return average(self, policies, shares)
        if self.tells(player):
            acts = most_probable and getattr(player, "deterministic", False)
            draws = 1 if acts or getattr(player, "gives_action_values", False) else 0
        return [self._policy_at(depth, player, draws) for depth in range(len(self.levels))]

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
        level, parts = self.levels[depth], []
        for start in range(0, len(level.representatives), SIZE):
            nodes = level.representatives[start : start + SIZE]
            self._set(self._records(depth, nodes))
            batch, games = self._batch, np.arange(len(nodes))
            masks = batch.masks[games]
            if not draws:
                weights = player.probabilities(batch, games).astype(np.float64)
            else:
                weights = np.zeros(masks.shape)
                for _ in range(draws):
                    weights[games, player.act(batch, games)] += 1.0
            parts.append((weights / weights.sum(axis=1, keepdims=True))[masks])
        return np.concatenate(parts) if parts else np.empty(0)

    def _set(self, records: Any) -> None:
        """Put records into the first games of the batch; mark the others as over to save time."""
        batch = self._batch
        batch.states[: len(records)] = records
        batch.states["truncated"][len(records) :] = True
        batch.look()

    def _records(self, depth: int, nodes: Indices) -> Any:
        """Return the records of some nodes, by replaying their deals up to there."""
        paths = np.empty((len(nodes), depth), np.int16)
        for at in range(depth, 0, -1):
            level, above = self.levels[at], self.levels[at - 1]
            paths[:, at - 1] = above.actions[level.parent_pairs[nodes]]
            nodes = level.parents[nodes]
        return replay(self._batch, self._dealt[nodes], paths)


def game_tree(name: str, params: Any) -> GameTree:
    """Return the tree of a game; the last one is kept, as it takes a while to build.

    Args:
        name: the name of the game.
        params: its parameters, made by ``Game.make_params``.
    """
    return _built(name, json.dumps(params.plain()))


@lru_cache(maxsize=1)
def _built(name: str, params: str) -> GameTree:
    game = find_game(name)
    return GameTree(game, game.make_params(**json.loads(params)))


def average(tree: GameTree, policies: Sequence[Policy], shares: Sequence[float]) -> Policy:
    """Return the policy that plays like a mixture, of which each seat draws one for the whole game.

    In an information set each policy counts with its share times the probability that the seat's
    own actions lead there under it. Seats remember everything, so nodes of a set agree on that, and
    no opponent can tell the result from the mixture (Kuhn, "Extensive games and the problem of
    information", 1953). Where no policy leads, only the shares count.

    Args:
        tree: the game tree.
        policies: the policies.
        shares: their probabilities.
    """
    form = tree.sequences
    weighted, sums, spare = np.zeros((3, form.first_pair[-1]))
    for policy, share in zip(policies, shares, strict=True):
        flat = form.flat(policy)
        own = form.reach(flat)[form.before]  # by information set
        weights = share * np.repeat(own, np.diff(form.first_pair))
        weighted += weights * flat
        sums += weights
        spare += share * flat
    return form.by_depth(np.where(sums > 0.0, weighted / np.where(sums > 0.0, sums, 1.0), spare))


def _unrounded(paid: NDArray[np.float32]) -> Reals:
    """Return float32 rewards without their rounding, as the fractions that they stand for."""
    unrounded = np.empty(paid.shape, np.float64)
    for start in range(0, len(paid), AT_ONCE):
        chunk = slice(start, start + AT_ONCE)
        values, where = np.unique(paid[chunk], return_inverse=True)
        exact = np.array([_fraction(value) for value in values.tolist()])
        unrounded[chunk] = exact[where].reshape(unrounded[chunk].shape)
    return unrounded


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
        if any(not np.array_equal(*arrays) for arrays in zip(*seen, strict=True)):
            return True
        actions = twins[0].sample_actions()
        for twin in twins:
            twin.step(actions)
    return not np.array_equal(twins[0].rewards, twins[1].rewards)


def _check_orders(game: Game, copies: list[int], dealt: int) -> None:
    """Check that the cards that are dealt can lie in few orders."""
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
    records, others = [], []
    weights: dict[bytes, float] = {}  # by record: many orders may be the same deal
    for top in _orders(copies, dealt):
        used = np.bincount(top, minlength=len(copies))
        rest = np.repeat(np.arange(len(copies)), np.array(copies) - used)
        weight = math.prod(map(math.perm, copies, used.tolist()))
        record = _dealt(batch, np.concatenate([top, rest]))
        key = record.tobytes()
        if key not in weights:
            records.append(record)
            if len(rest):
                others.append(_dealt(batch, np.concatenate([top, rest[::-1]])))
        weights[key] = weights.get(key, 0.0) + weight
    chances = np.array(list(weights.values()))
    twins = np.concatenate(others) if others else None
    return np.concatenate(records), twins, chances / chances.sum()


def _dealt(batch: Batch, deck: NDArray[Any]) -> Any:
    """Return the record of a deal; shape (1,).

    All records get the same random stream, so any later use of it shows as a change.
    """
    batch.reset(top=deck)
    record = batch.states[:1].copy()
    record["seed"] = record["rng"] = 1
    return record


def _orders(copies: list[int], dealt: int) -> Iterator[NDArray[np.int8]]:
    """Yield all distinct orders of the first ``dealt`` cards of a deck; int8, shape (dealt,).

    Args:
        copies: the number of copies of each kind.
        dealt: the number of cards.
    """
    remaining, order = list(copies), np.empty(dealt, np.int8)

    def lay(at: int) -> Iterator[NDArray[np.int8]]:
        if at == len(order):
            yield order.copy()
            return
        for kind in range(len(remaining)):
            if remaining[kind] > 0:
                remaining[kind] -= 1
                order[at] = kind
                yield from lay(at + 1)
                remaining[kind] += 1

    return lay(0)
