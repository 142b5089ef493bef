"""The full game tree of a small table: every deal and every sequence of decisions.

The tree is built with the game's own rule functions. A table is small enough if its deck has few
orders and a hand has few decisions, for example with a shortened deck. All chance must be in the
deal: a table that shuffles again or deals a second hand is rejected.

An information set is everything that a seat has seen and done so far (perfect recall): its
observation after each decision of any seat, its action masks, and its own actions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.state import NOBODY
from kitchentable.engine.compiling import loop
from kitchentable.players.scripted import Player, ScriptedPlayer

MOST_DEALS = 1_000_000
"""Maximum number of orders of the deck."""
MOST_NODES = 50_000_000
SIZE = 1_024
"""Number of games in the batch that builds the tree."""
UNIFORM = "random"
"""Name of the scripted player that plays uniformly random legal actions."""

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
        payoffs: total reward of each seat up to the node; float64, shape (nodes, seats).
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
        self._dealt, self.chances = _deal(game, params)
        self.levels = self._walk()

    @property
    def num_nodes(self) -> int:
        """Total number of nodes."""
        return sum(len(level.movers) for level in self.levels)

    @property
    def num_sets(self) -> int:
        """Total number of information sets."""
        return sum(len(level.owners) for level in self.levels)

    # --- Building -------------------------------------------------------------------------------

    def _walk(self) -> list[Level]:
        """Build the levels, from as many deals at a time as fit in a batch at the widest level."""
        by_depth: list[list[_Part]] = []
        at, count, nodes = 0, 1, 0
        while at < len(self._dealt):
            widest = 1
            for depth, part in enumerate(self._descend(self._dealt[at : at + count])):
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
            payoffs += paid
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

    def policy(self, player: Player, draws: int = 1) -> Policy:
        """Return the policy of a player in every information set.

        Args:
            player: the player. If it has ``probabilities``, as policy networks have, these are
                used; other players, and networks that predict action values, are asked to act.
            draws: how often such a player is asked to act; the policy is the action frequencies.

        Returns:
            The probabilities of the actions by depth; float64, shape (pairs,) each.
        """
        if isinstance(player, ScriptedPlayer) and player.name == UNIFORM:
            return self.uniform()
        by_chance = hasattr(player, "probabilities") and not getattr(player, "worths", False)
        return [
            self._policy_at(depth, player, 0 if by_chance else draws)
            for depth in range(len(self.levels))
        ]

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


# --- Deals ----------------------------------------------------------------------------------------


def _deal(game: Game, params: Any) -> tuple[Any, Reals]:
    """Return the records of all distinct deals, and their probabilities."""
    copies = list(game.rules.deck(params).values())
    orders = math.factorial(sum(copies)) // math.prod(math.factorial(one) for one in copies)
    if not sum(copies) or orders > MOST_DEALS:
        raise ValueError(
            f"{game.name}: the deck of this table can lie in {orders:,.0f} orders; a tree has at "
            f"most {MOST_DEALS:,} deals: choose a shorter deck"
        )
    batch = Batch(game, 1, seed=0, autoreset=False, **params.as_dict())
    records = np.empty(orders, game.rules.state_dtype)
    for i, order in enumerate(_orders(copies)):
        batch.reset(top=order)
        records[i] = batch.states[0]
    # All records get the same random stream, so any later use of it shows as a change.
    records["seed"] = records["rng"] = 1
    as_bytes = records.view(np.dtype((np.void, records.dtype.itemsize)))
    _, first, counts = np.unique(as_bytes, return_index=True, return_counts=True)
    as_dealt = np.argsort(first)
    return records[first[as_dealt]], counts[as_dealt] / orders


def _orders(copies: list[int]) -> Iterator[NDArray[np.int8]]:
    """Yield all distinct orders of a deck, in lexicographic order; int8, shape (cards,) each."""
    cards = np.repeat(np.arange(len(copies)), copies).astype(np.int8)
    while True:
        yield cards.copy()
        rising = np.flatnonzero(cards[:-1] < cards[1:])
        if not len(rising):
            return
        i = rising[-1]
        j = np.flatnonzero(cards > cards[i])[-1]
        cards[i], cards[j] = cards[j], cards[i]
        cards[i + 1 :] = cards[i + 1 :][::-1].copy()


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
