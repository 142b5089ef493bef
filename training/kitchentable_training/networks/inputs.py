"""The inputs of a network: the observation, and what is computed from it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Game
from kitchentable.core.state import BoolArray, FloatArray, slices
from kitchentable.engine.compiling import loop
from kitchentable_training.networks.reply_layers import ReplySizes
from kitchentable_training.networks.settings import PAIRS, NetworkSettings

RELATIONS, ACTIONS = "relations", "action_features"
"""Names of parts of the inputs."""
ROW_START = 3
"""The numbers before the features of a row: 1, and the action as two digits to the base of `BASE`,
which bfloat16 represents exactly."""
BASE = 256
NO_ACTION = -1
LEAST_SHARE = 64
"""The minimum number of games per thread."""


class NetworkInputs:
    """Computes the inputs of a network from observations.

    These parts may follow the observation, in this order:

    - `DerivedParts`: parts that follow from the observation.
    - relations: the scalar products of every two vectors over kinds of card (each card on a board,
      a hand, the discard pile, the unseen cards). They say whether two cards are equal, or how many
      cards of a kind are left in a pile, which a perceptron learns only slowly.
    - pairs: the derived part that `ReplyLayers` read instead of the first layer.
    - `ActionFeatures`: a row for each of the first legal actions, or as many rows as the game
      writes: 1, the action (see `ROW_START`) and its features. Unused rows are zero.

    None of them has information that the seat may not know.
    """

    def __init__(
        self,
        game: Game,
        params: Any,
        *,
        relations: bool = False,
        action_features: bool = False,
        pairs: bool = False,
        derived_parts: bool = False,
    ) -> None:
        """Set up the inputs for one variant of a game.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            relations: whether to include relations, if the game names cards in its observations.
            action_features: whether to include action features, if the game has any.
            pairs: whether to include the derived part `PAIRS` besides action features, if the game
                has it.
            derived_parts: whether to include the other derived parts, if the game has any.
        """
        self.game, self.params = game, params
        self._how: dict[str, Any] = {
            "relations": relations,
            "action_features": action_features,
            "pairs": pairs,
            "derived_parts": derived_parts,
        }
        self.layout = dict(game.rules.observation_layout(params))
        plain = sum(self.layout.values())
        derived = game.players.derived_parts
        self._derived = derived.layout(params) if derived else {}
        pairs &= action_features and PAIRS in self._derived
        wanted = {name: n for name, n in self._derived.items() if derived_parts and name != PAIRS}
        self.layout |= wanted
        self._wanted = list(wanted)
        self._derive = _derived_loop(game) if wanted or pairs else None
        self._relate: Callable[..., None] | None = None
        if relations and game.rules.card_parts:
            self._vectors = _card_vectors(game, params, self.layout)
            self.layout[RELATIONS] = len(self._vectors) * (len(self._vectors) + 1) // 2
            self._relate = _relation_loop()
        self._variant = game.rules.packed(params)
        self._tables = game.rules.tables(params)
        self.action_rows = (0, 0)
        """The number of rows of action features, which come last, and their length; or 0, 0."""
        self.feature_names: tuple[str, ...] = ()
        """The names of the numbers in a row after the first `ROW_START`."""
        self._describe: Callable[..., None] | None = None
        self._replies: ReplySizes | None = None
        features = game.players.action_features
        if action_features and features is not None:
            self.feature_names = features.names
            if game.is_team(params):
                self.feature_names += features.team_names
            if pairs:
                self.layout[PAIRS] = self._derived[PAIRS]
                self._replies = self._find_replies(params.num_players)
            self.action_rows = features.most, ROW_START + len(self.feature_names)
            self.layout[ACTIONS] = self.num_row_numbers
            self._describe = _action_loop(game)
        self.size = sum(self.layout.values())
        self.is_observation = self.size == plain
        """Whether the inputs are only the observation."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the arguments, as compiled loops cannot be pickled."""
        return partial(NetworkInputs, **self._how), (self.game, self.params)

    @classmethod
    def of(cls, network: NetworkSettings, game: Game, params: Any) -> NetworkInputs:
        """Return the inputs of a network with these settings."""
        return cls(
            game,
            params,
            relations=network.relations,
            action_features=network.action_features,
            pairs=network.reply_rounds > 0,
            derived_parts=network.derived_parts,
        )

    @property
    def names(self) -> list[str]:
        """The names of the numbers that the first layer reads, the same in all variants."""
        others = {RELATIONS, PAIRS, ACTIONS}
        observed = {name: size for name, size in self.layout.items() if name not in others}
        names = [f"{part}.{i}" for part, size in observed.items() for i in range(size)]
        if self._relate is not None:
            vectors = [names[one[0]] for one in self._vectors]
            pairs = combinations_with_replacement(vectors, 2)
            names += [f"{first} by {second}" for first, second in pairs]
        return names

    @property
    def silent(self) -> list[int]:
        """The positions in a row of the features that are always 0 with these parameters."""
        features = self.game.players.action_features
        names = features.silent(self.params) if features and self.feature_names else ()
        return [ROW_START + self.feature_names.index(name) for name in names]

    @property
    def num_row_numbers(self) -> int:
        """The total number of numbers in all rows of action features, which come last."""
        return math.prod(self.action_rows)

    def reply_sizes(self, rounds: int) -> ReplySizes | None:
        """Return the sizes for a number of rounds of `ReplyLayers`; None without pairs."""
        return self._replies and self._replies._replace(rounds=rounds)

    def _find_replies(self, seats: int) -> ReplySizes:
        """Return the sizes of the inputs of reply layers, without those of the layers."""
        slots, room, reply, way = map(self._part, ("slot_", "room_", "reply_0_", "reply_0_0_"))
        numbers, hand = way.stop - way.start, slots.stop - slots.start
        return ReplySizes(
            seats=seats,
            hand=hand,
            pair=(self.layout[PAIRS] // (seats * hand) - 1) // hand,
            slot=slots.start,
            room=room,
            replies=reply.start,
            ways=(reply.stop - reply.start) // numbers,
            way=numbers,
            rounds=0,
        )

    def _part(self, prefix: str) -> slice:
        """Return the positions in a row of the features whose names start with a prefix."""
        there = [i for i, name in enumerate(self.feature_names) if name.startswith(prefix)]
        assert there == list(range(there[0], there[-1] + 1))
        return slice(ROW_START + there[0], ROW_START + there[-1] + 1)

    def __call__(
        self, observations: FloatArray, masks: BoolArray, out: FloatArray | None = None
    ) -> NDArray[np.float32]:
        """Return the inputs; float32, shape (games, size).

        Many games are divided among torch's number of threads.

        Args:
            observations: of the seats to move; float32, shape (games, observation size).
            masks: their legal actions; bool, shape (games, num_actions).
            out: the array to write into; a new array if None.
        """
        seen = np.empty((len(observations), self.size), np.float32) if out is None else out
        threads = min(torch.get_num_threads(), len(seen) // LEAST_SHARE)
        if threads > 1 and not self.is_observation:
            shares = (np.array_split(one, threads) for one in (observations, masks, seen))
            list(_workers(os.getpid(), threads).map(self._write, *shares))
        else:
            self._write(observations, masks, seen)
        return seen

    def _write(self, observations: FloatArray, masks: BoolArray, seen: FloatArray) -> None:
        shown = observations
        at = self.size - self.num_row_numbers
        if self._derive is not None:
            more = np.zeros((len(shown), sum(self._derived.values())), np.float32)
            self._derive(observations, masks, self._variant, more, self._tables)
            parts = {name: more[:, part] for name, part in slices(self._derived).items()}
            shown = np.concatenate([shown, *(parts[name] for name in self._wanted)], axis=1)
            if self._replies is not None:
                seen[:, at - self.layout[PAIRS] : at] = parts[PAIRS]
        seen[:, : shown.shape[1]] = shown
        if self._relate is not None:
            self._relate(shown, self._vectors, seen)
        if self._describe is not None:
            rows = seen[:, at:]
            rows[:] = 0.0
            self._describe(observations, masks, self._variant, self.action_rows, rows, self._tables)

    def tensor(
        self, observations: Any, masks: Any, out: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the inputs as a tensor; for arrays it is on the CPU.

        Tensors of a `CudaBatch` are returned unchanged. Other inputs are only computed on the host,
        so the observation must be the only input then.

        Args:
            observations: as in `__call__`, or a tensor on a GPU.
            masks: as in `__call__`, or a tensor on a GPU.
            out: the tensor to write into; not for observations on a GPU.
        """
        if isinstance(observations, torch.Tensor):
            assert self.is_observation
            return observations
        return torch.from_numpy(self(observations, masks, None if out is None else out.numpy()))


@cache
def _workers(_process: int, count: int) -> ThreadPoolExecutor:
    """Return a pool of threads for this process; a forked process does not inherit threads."""
    return ThreadPoolExecutor(count)


def _card_vectors(game: Game, params: Any, layout: Mapping[str, int]) -> NDArray[np.int64]:
    """Return the positions of an observation's vectors over kinds of card; (vectors, kinds)."""
    where, kinds = slices(layout), len(game.rules.deck(params))
    parts = [where[name] for name in game.rules.card_parts if name in where]
    return np.concatenate([np.arange(one.start, one.stop) for one in parts]).reshape(-1, kinds)


@cache
def _derived_loop(game: Game) -> Callable[..., None]:
    assert game.players.derived_parts is not None
    write: Any = game.players.derived_parts.write
    kind = game.rules.record_type

    def derive(observations: Any, masks: Any, variant: Any, out: Any, tables: Any) -> None:
        table = variant.view(kind)[0]
        for i in range(observations.shape[0]):
            write(observations[i], masks[i], table, out[i], *tables)

    return loop(derive, game=game, name="derived_parts", allocates=True)


@cache
def _relation_loop() -> Callable[..., None]:
    def relate(observations: Any, vectors: Any, seen: Any) -> None:
        count, kinds = vectors.shape
        cards = np.empty((kinds, count), np.float32)
        for i in range(observations.shape[0]):
            for vector in range(count):
                for kind in range(kinds):
                    cards[kind, vector] = observations[i, vectors[vector, kind]]
            at = observations.shape[1]
            for first in range(count):
                products = seen[i, at : at + count - first]
                products[:] = 0.0
                for kind in range(kinds):  # most numbers of a vector are zero
                    if cards[kind, first] != 0.0:
                        for k in range(count - first):
                            products[k] += cards[kind, first] * cards[kind, first + k]
                at += count - first

    return loop(relate, game=None, name="relations", allocates=True)


@cache
def _action_loop(game: Game) -> Callable[..., None]:
    assert game.players.action_features is not None
    write, kind = game.players.action_features.write, game.rules.record_type

    def describe(
        observations: Any, masks: Any, variant: Any, shape: Any, seen: Any, tables: Any
    ) -> None:
        table, (rows, length) = variant.view(kind)[0], shape
        features = np.zeros((rows, length - ROW_START), np.float32)
        actions = np.empty(rows, np.int64)
        for i in range(observations.shape[0]):
            features[:] = 0.0
            actions[:] = NO_ACTION
            row = 0
            for action in range(masks.shape[1]):
                if masks[i, action] and row < rows:
                    actions[row] = action
                    row += 1
            write(observations[i], masks[i], table, actions, features, *tables)
            for row in range(rows):
                if actions[row] != NO_ACTION:
                    at = row * length
                    seen[i, at] = 1.0
                    seen[i, at + 1], seen[i, at + 2] = actions[row] // BASE, actions[row] % BASE
                    for k in range(features.shape[1]):
                        seen[i, at + ROW_START + k] = features[row, k]

    return loop(describe, game=game, name="action_features", allocates=True)
