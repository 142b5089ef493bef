"""A compiled depth-first walk through all courses of a game from given deals.

Every node of the tree gets the key of the information set of the seat to act: a hash of everything
that the seat has seen and done so far. What it sees is its knowledge (`Rules.know`), or its
observation in games that define no knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.core.kernels import kernel
from kitchentable.core.state import NOBODY, for_loops
from kitchentable.engine.compiling import loop

DEEPEST = 1_000
"""Maximum number of decisions in a game."""
ROOM = 1 << 16
"""The number of nodes that a walk writes before it pauses."""
DEALS_AGAIN, TOO_DEEP = -1, -2
"""What the walk returns if it cannot go on."""
BLOCK = 8
"""The number of words that are looked at together."""
ODD = np.uint64(0x9E3779B97F4A7C15)
"""The golden ratio as a fraction of 2**64, whose multiples are spread evenly."""


class Nodes(NamedTuple):
    """Nodes in the order in which a depth-first walk comes to them.

    Attributes:
        depths: the number of decisions before the node; int16, shape (nodes,).
        movers: the seat to act, `NOBODY` where the game is over; int8, shape (nodes,).
        keys: hash of the mover's information set; uint64, shape (nodes,).
        counts: number of legal actions; int16, shape (nodes,).
        actions: action that led to the node, -1 for a deal; int16, shape (nodes,).
        paid: reward of each seat for that action; float32, shape (nodes, seats).
    """

    depths: NDArray[np.int16]
    movers: NDArray[np.int8]
    keys: NDArray[np.uint64]
    counts: NDArray[np.int16]
    actions: NDArray[np.int16]
    paid: NDArray[np.float32]

    @classmethod
    def room(cls, count: int, seats: int) -> Self:
        """Return arrays to write."""
        return cls(
            np.empty(count, np.int16),
            np.empty(count, np.int8),
            np.empty(count, np.uint64),
            np.empty(count, np.int16),
            np.empty(count, np.int16),
            np.empty((count, seats), np.float32),
        )

    def take(self, which: Any) -> Self:
        """Return a copy of some nodes."""
        return type(self)(*(array[which].copy() for array in self))

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Concatenate nodes."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def by_depth(self) -> list[Self]:
        """Return the nodes of each depth, in order."""
        order = np.argsort(self.depths, kind="stable")
        ends = np.cumsum(np.bincount(self.depths))
        return [self.take(indices) for indices in np.split(order, ends[:-1])]

    def is_like(self, other: tuple[NDArray[Any], ...] | None) -> bool:
        """Return whether other nodes are the same, and reached in the same way."""
        arrays: tuple[NDArray[Any], ...] = self
        return other is not None and all(map(np.array_equal, arrays, other))


def walk(batch: Batch, deals: Any) -> Iterator[Nodes]:
    """Yield all nodes of the games that can follow from some deals, many at a time.

    Raises:
        ValueError: a game deals or shuffles again, or has more than `DEEPEST` decisions.
    """
    rules, seats = batch.game.rules, batch.num_players
    actions = len(batch.action_names)
    nodes = Nodes.room(ROOM, seats)
    seen, words = _room_to_see(batch)
    stack = (
        for_loops(np.zeros(DEEPEST + 1, rules.state_dtype)),
        np.zeros((DEEPEST + 1, actions), np.bool_),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST + 1, seats), np.uint64),
    )
    at = np.array([-1, 0])  # the depth and the next deal
    while at[0] >= 0 or at[1] < len(deals):
        count = _walk_of(batch.game)(
            for_loops(deals), at, *stack, seen, words, tuple(nodes), batch.tables
        )
        if count == DEALS_AGAIN:
            raise ValueError(
                f"{batch.game.name}: this table shuffles or deals again after the first deal, which"
                " is not walked; choose a single hand, and a deck that lasts to its end"
            )
        if count == TOO_DEEP:
            raise ValueError(f"{batch.game.name}: a game has more than {DEEPEST:,} decisions")
        yield nodes.take(slice(0, count))


def _room_to_see(batch: Batch) -> tuple[Any, NDArray[np.uint64]]:
    """Return room for what a seat sees, as an array of one, and the same memory as words."""
    rules = batch.game.rules
    if rules.has_knowledge:
        size = rules.knowledge_dtype.itemsize
        words = np.zeros(-(-size // (8 * BLOCK)) * BLOCK, np.uint64)
        return for_loops(words.view(np.uint8)[:size].view(rules.knowledge_dtype)), words
    words = np.zeros(-(-batch.observation_size // (2 * BLOCK)) * BLOCK, np.uint64)
    return words.view(np.float32)[None, : batch.observation_size], words


@cache
def _walk_of(game: Game) -> Callable[..., int]:
    rules = game.rules
    play, mask_of, rewards_of = rules.step, rules.legal_action_mask, rules.rewards
    see = rules.know if rules.has_knowledge else rules.observe
    clears = not rules.has_knowledge  # `observe` writes into zeros

    def walk(
        deals: Any, at: Any, states: Any, masks: Any, tried: Any, keys: Any, seen: Any, words: Any,
        nodes: Any, tables: Any,
    ) -> int:  # fmt: skip
        depth, node, action = at[0], 0, -1
        paid = nodes[5]
        while node < paid.shape[0] and (depth >= 0 or at[1] < deals.shape[0]):
            paid[node] = 0.0
            if depth < 0:
                states[0] = deals[at[1]]
                at[1] += 1
                action = -1
            else:
                action = next_action(masks[depth], tried[depth])
                if action < 0:
                    depth -= 1
                    continue
                tried[depth] = action + 1
                states[depth + 1] = states[depth]
                play(states[depth + 1], action, *tables)
                rewards_of(states[depth + 1], paid[node])
            depth += 1
            wrong = why_not(states, depth)
            if wrong != 0:
                return int(wrong)
            for seat in range(keys.shape[1]):
                if clears:
                    words[:] = 0
                see(states[depth], seat, seen[0], *tables)
                keys[depth, seat] = extended(states, keys, depth, seat, action, words)
            tried[depth] = 0
            masks[depth] = False
            if not is_over(states[depth]):
                mask_of(states[depth], masks[depth], *tables)
            write_node(states[depth], depth, action, masks[depth], keys[depth], node, nodes)
            node += 1
        at[0] = depth
        return node

    return loop(walk, game=game, name="tree")


@kernel
def is_over(state: Any) -> bool:
    """Return whether a game is over."""
    return bool(state.terminated or state.truncated)


@kernel
def why_not(states: Any, depth: int) -> int:
    """Return why a walk cannot go on from the record that it has come to, 0 if it can."""
    if depth + 1 == states.shape[0]:
        return TOO_DEEP
    shuffled = depth > 0 and states[depth].rng != states[depth - 1].rng
    return DEALS_AGAIN if shuffled and not is_over(states[depth]) else 0


@kernel
def write_node(
    state: Any, depth: int, action: int, mask: Any, keys: Any, node: int, nodes: Any
) -> None:
    """Write all but the reward of a node."""
    depths, movers, sets, counts, actions, _ = nodes
    depths[node], movers[node], actions[node] = depth, NOBODY, action
    counts[node], sets[node] = 0, 0
    if not is_over(state):
        movers[node] = state.current_player
        key = keys[state.current_player]
        for legal in range(mask.shape[0]):
            if mask[legal]:
                counts[node] += 1
                key = mixed(key, np.uint64(legal + 1))
        sets[node] = key


@kernel
def next_action(mask: Any, first: int) -> int:
    """Return the first legal action from a number on, -1 if there is none."""
    for action in range(first, mask.shape[0]):
        if mask[action]:
            return action
    return -1


@kernel
def extended(states: Any, keys: Any, depth: int, seat: int, action: int, words: Any) -> Any:
    """Return the key of a seat after an action, its own or another's, and of what it sees now.

    With 10 million nodes, two information sets collide about once in 200,000 trees.
    """
    key, own = np.uint64(seat + 1), -1
    if depth > 0:
        key = keys[depth - 1, seat]
        if states[depth - 1].current_player == seat:
            own = action
    key = mixed(key, np.uint64(own + 2) * ODD)
    for start in range(0, words.shape[0], BLOCK):  # most words are zero
        together = np.uint64(0)
        for i in range(start, start + BLOCK):
            together |= words[i]
        if together != np.uint64(0):
            for i in range(start, start + BLOCK):
                if words[i] != np.uint64(0):
                    key = mixed(key ^ (np.uint64(i + 1) * ODD), words[i])
    return key


@kernel
def mixed(key: Any, word: Any) -> Any:
    """Return the hash of a key and a word."""
    key = (key ^ word) * np.uint64(0xFF51AFD7ED558CCD)
    return key ^ (key >> np.uint64(32))


# --- Records on the way -------------------------------------------------------------------------


def replay(batch: Batch, deals: Any, paths: NDArray[np.int16]) -> Any:
    """Return the records that follow from deals by some actions each.

    Args:
        batch: a batch of the game with its parameters.
        deals: the records of the deals; shape (k,).
        paths: the actions of each; shape (k, depth).
    """
    records = for_loops(deals.copy())
    _replay_of(batch.game)(records, paths, batch.tables)
    return records


@cache
def _replay_of(game: Game) -> Callable[..., None]:
    play = game.rules.step

    def follow(records: Any, paths: Any, tables: Any) -> None:
        for i in range(records.shape[0]):
            for k in range(paths.shape[1]):
                play(records[i], int(paths[i, k]), *tables)

    return loop(follow, game=game, name="tree")


# --- Information sets ---------------------------------------------------------------------------


def number_sets(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Number the different keys in the order in which they first appear.

    Returns:
        The number of each key, int32, shape (keys,); and the index of the first key with each
        number, int32, shape (different keys,).
    """
    room = 1 << max(4, (2 * len(keys)).bit_length())
    numbers, first = np.empty(len(keys), np.int32), np.empty(len(keys), np.int32)
    count = _number(keys, np.full(room, -1, np.int32), numbers, first)
    return numbers, first[:count].copy()


def _number_loop(keys: Any, places: Any, numbers: Any, first: Any) -> int:
    """Number keys with a hash table of open addressing, which holds numbers."""
    count, last = 0, places.shape[0] - 1
    for i in range(keys.shape[0]):
        place = np.int64(keys[i] & np.uint64(last))
        while places[place] >= 0 and keys[first[places[place]]] != keys[i]:
            place = (place + 1) & last
        if places[place] < 0:
            places[place] = count
            first[count] = i
            count += 1
        numbers[i] = places[place]
    return count


_number = loop(_number_loop, game=None, name="tree")
