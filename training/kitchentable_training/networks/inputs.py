"""What a network is shown of decisions: named inputs.

Inputs exist in two forms. Outside, each is an array of fixed shape for each decision, as in a space
of gymnasium (`NetworkInputs.shapes`). A network gets `Inputs`, in which the rows of action features
of all decisions follow each other without the unused ones (see `pack`): only a few of dozens of
rows are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from kitchentable import Batch, Game
from kitchentable.core.state import NO_ACTION, slices
from kitchentable.players.scripted import Games
from kitchentable_training.networks.relations import card_vectors, relate
from kitchentable_training.networks.reply_layers import ReplySizes
from kitchentable_training.networks.settings import PAIRS, NetworkSettings

OBSERVATION, DERIVED, RELATIONS, MASK = "observation", "derived_parts", "relations", "action_mask"
FEATURES, ACTIONS, COUNTS = "action_features", "row_actions", "row_counts"
"""The names of inputs; those of the last line belong to action features."""
FLAT = "flat"
"""The name of the inputs of the first layer, side by side in one tensor; see `IN_FLAT`."""
IN_FLAT = (OBSERVATION, DERIVED, RELATIONS)

Inputs = Mapping[str, torch.Tensor]
"""What a network is shown of a batch of decisions, by name, with those that its settings ask for:

- ``observation``: of the seat to act; float, shape (batch, size).
- ``derived_parts``: parts that follow from what the seat knows (see `DerivedParts`); (batch, size).
- ``relations``: the scalar products of every two vectors over kinds of card (each card on a board,
  a hand, the discard pile, the unseen cards); (batch, size). They say whether two cards are equal,
  or how many cards of a kind are left in a pile, which a perceptron learns only slowly.
- ``flat``: these three side by side; they are views of it.
- ``pairs``: the derived part that `ReplyLayers` read; (batch, size).
- ``action_features``: rows that describe actions (see `ActionFeatures`), decision by decision;
  (rows, features). There may be more rows than are counted; these are padding.
- ``row_actions``: the action of each row; int64, shape (rows,), without padding.
- ``row_counts``: the number of rows of each decision; int64, shape (batch,).
- ``action_mask``: the legal actions; bool, shape (batch, num_actions).

None of them has information that the seat may not know.
"""
Arrays = dict[str, NDArray[Any]]
"""The same outside of networks, without ``flat`` and ``row_counts``: ``action_features`` has the
shape (batch, rows, features), and ``row_actions`` the shape (batch, rows), with `NO_ACTION` for
unused rows."""


class NetworkInputs:
    """Computes the inputs of a network.

    Attributes:
        game: the game.
        params: its parameters.
        num_actions: the number of actions.
        layout: the name and length of each part of the observation, followed by those of the other
            inputs that are computed from it.
        shapes: the shape of each input except the mask, for one decision.
        feature_names: the names of action features; empty without them.
    """

    def __init__(self, game: Game, params: Any, network: NetworkSettings | None = None) -> None:
        """Set up the inputs for one variant of a game.

        Args:
            game: the game.
            params: its parameters, made by ``game.make_params``.
            network: the settings of the network; inputs that the game does not have are left out.
                None: the observation and the legal actions.
        """
        self.game, self.params = game, params
        self._network = network = network or NetworkSettings()
        self._tables = [game.make_params(**table) for table in network.tables]
        self.num_actions = len(game.rules.action_names(params))
        self.layout = dict(game.rules.observation_layout(params))
        self.shapes: dict[str, tuple[int, ...]] = {OBSERVATION: (sum(self.layout.values()),)}
        derived = game.players.derived_parts
        self._derived = derived.layout(params) if derived else {}
        pairs = network.action_features and network.reply_rounds > 0 and PAIRS in self._derived
        derived_layout = {
            name: n for name, n in self._derived.items() if network.derived_parts and name != PAIRS
        }
        self.layout |= derived_layout
        self._derived_names = list(derived_layout)
        if derived_layout:
            self.shapes[DERIVED] = (sum(derived_layout.values()),)
        self._derives = bool(derived_layout) or pairs
        if network.relations and game.rules.card_parts:
            self._vectors = card_vectors(game, params, self.layout)
            self.layout[RELATIONS] = len(self._vectors) * (len(self._vectors) + 1) // 2
            self.shapes[RELATIONS] = (self.layout[RELATIONS],)
        self.feature_names: tuple[str, ...] = ()
        features = game.players.action_features
        if network.action_features and features is not None:
            self.feature_names = game.feature_names(params)
            if pairs:
                self.layout[PAIRS] = self._derived[PAIRS]
                self.shapes[PAIRS] = (self._derived[PAIRS],)
            self.shapes[FEATURES] = features.most, len(self.feature_names)
            self.shapes[ACTIONS] = (features.most,)

    @property
    def is_observation(self) -> bool:
        """Whether the observation is the only input besides the mask."""
        return list(self.shapes) == [OBSERVATION]

    @property
    def flat_size(self) -> int:
        """The number of inputs of the first layer (see `FLAT`)."""
        return sum(self.flat_sizes.values())

    @property
    def flat_sizes(self) -> dict[str, int]:
        """The number of numbers of each of its parts, in order."""
        return {name: self.shapes[name][0] for name in IN_FLAT if name in self.shapes}

    @property
    def names(self) -> list[str]:
        """The names of the inputs of the first layer; the same input has one name at all tables."""
        rules, names = self.game.rules, list[str]()
        shapes = {**rules.image_parts(self.params), **rules.part_shapes(self.params)}
        kinds = list(rules.deck(self.params)) if rules.card_parts else []
        for part, size in self.layout.items():
            if part not in {RELATIONS, PAIRS}:
                axes: list[Sequence[Any]] = [range(n) for n in shapes.get(part, (size,))]
                if part in rules.card_parts:
                    leading = axes[:-1] if part in shapes else [range(size // len(kinds))]
                    axes = [*leading, kinds]
                names += [".".join(map(str, (part, *at))) for at in product(*axes)]
        if RELATIONS in self.shapes:
            vectors = [names[vector[0]] for vector in self._vectors]
            pairs = combinations_with_replacement(vectors, 2)
            names += [f"{first} by {second}" for first, second in pairs]
        return names

    @cached_property
    def weight_names(self) -> list[str]:
        """The names of everything for which the first layer has weights.

        These are its inputs. A network for several tables has them for the inputs at all of these,
        and for every value of the parameters in which they differ, as in ``num_players=3``.
        """
        if not self._tables:
            return self.names
        inputs = [NetworkInputs(self.game, params, self._network) for params in self._tables]
        values = [name for params in self._tables for name in self._values(params)]
        more = [name for name in dict.fromkeys(values) if values.count(name) < len(self._tables)]
        return list(
            dict.fromkeys([name for table_inputs in inputs for name in table_inputs.names] + more)
        )

    @property
    def weights_read(self) -> tuple[list[int], list[int]]:
        """The positions in `weight_names` of the inputs, and of this table's parameters.

        Raises:
            ValueError: there is no weight for an input; the message names it.
        """
        places = {name: place for place, name in enumerate(self.weight_names)}
        for name in self.names:
            if name not in places:
                raise ValueError(f"it has no weights for {name}, which is observed at this table")
        values = [name for name in self._values(self.params) if name in places]
        return [places[name] for name in self.names], [places[name] for name in values]

    @staticmethod
    def _values(params: Any) -> list[str]:
        return [f"{key}={value}" for key, value in params.plain().items() if key != "reward"]

    @property
    def silent(self) -> list[int]:
        """The positions of the action features that are always 0 at all tables of the network."""
        features = self.game.players.action_features
        if features is None:
            return []
        silent = [features.silent(params) for params in self._tables or [self.params]]
        return [
            place
            for place, name in enumerate(self.feature_names)
            if all(name in names for names in silent)
        ]

    @property
    def space(self) -> spaces.Dict:
        """The space of `Arrays` of one decision, without the mask."""
        # Observations are in [0, 1]; other inputs have no bounds.
        boxes: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(-np.inf, np.inf, shape, np.float32)
            for name, shape in self.shapes.items()
        }
        boxes[OBSERVATION] = spaces.Box(0.0, 1.0, self.shapes[OBSERVATION], np.float32)
        if ACTIONS in boxes:
            kind: Any = np.int64
            boxes[ACTIONS] = spaces.Box(NO_ACTION, self.num_actions - 1, self.shapes[ACTIONS], kind)
        return spaces.Dict(boxes)

    def reply_sizes(self, rounds: int) -> ReplySizes | None:
        """Return the sizes for a number of rounds of `ReplyLayers`; None without pairs."""
        if PAIRS not in self.shapes:
            return None
        seats = self.params.num_players
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
            rounds=rounds,
        )

    def _part(self, prefix: str) -> slice:
        """Return the positions of the action features whose names start with a prefix."""
        indices = [i for i, name in enumerate(self.feature_names) if name.startswith(prefix)]
        assert indices == list(range(indices[0], indices[-1] + 1))
        return slice(indices[0], indices[-1] + 1)

    def __call__(self, batch: Batch, games: Games | None = None) -> Arrays:
        """Return the inputs of some decisions except the mask.

        Args:
            batch: the tables.
            games: the games whose seats to act are shown them: indices, shape (k,); None: all.
        """
        return self._split(self._shown(batch, games, None))

    def not_to_act(self, batch: Batch, records: Any, players: ArrayLike) -> Arrays:
        """Return the inputs of seats that are not to act, and so have no actions.

        Args:
            batch: the tables.
            records: records of tables, such as ``batch.final_states``; shape (k,).
            players: the seat in each record; integers, shape (k,).
        """
        out = self.empty(len(records))
        derived = batch.derive_records(records, players) if self._derives else None
        return self._split(self._write(batch.observe_records(records, players), derived, out))

    def _split(self, arrays: Arrays) -> Arrays:
        views = np.split(arrays.pop(FLAT), np.cumsum(list(self.flat_sizes.values()))[:-1], axis=1)
        return dict(zip(self.flat_sizes, views, strict=True)) | arrays

    def empty(self, count: int, device: torch.device | None = None) -> Any:
        """Return arrays for `tensors` to write into, for the inputs of ``count`` decisions.

        Args:
            count: the number of decisions.
            device: the device of a `CudaBatch`, for tensors on it; None: numpy arrays.
        """
        if self.is_observation:
            return {}
        sizes = {FLAT: (self.flat_size,), **self.shapes}
        arrays: dict[str, Any] = {
            name: np.zeros((count, *shape), np.float32)
            for name, shape in sizes.items()
            if name not in (*IN_FLAT, ACTIONS)
        }
        if ACTIONS in sizes:
            arrays[ACTIONS] = np.full((count, *sizes[ACTIONS]), NO_ACTION)
        if device is not None:
            arrays = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        return arrays

    def _shown(self, batch: Any, games: Any, out: Any) -> Any:
        """Return the inputs of the seats to act, as arrays or, of a `CudaBatch`, as tensors."""
        observations = batch.observations if games is None else batch.observations[games]
        if self.is_observation:
            return {FLAT: observations}
        on_gpu = isinstance(observations, torch.Tensor)
        if out is None:
            out = self.empty(len(observations), observations.device if on_gpu else None)
        out = {name: array[: len(observations)] for name, array in out.items()}
        derived = batch.derive(games) if self._derives else None
        if FEATURES in out:
            batch.describe(games, into=(out[FEATURES], out[ACTIONS]))
        return self._write(observations, derived, out)

    def _write(self, observations: Any, derived: Any, out: Any) -> Any:
        """Write what `FLAT` and `PAIRS` consist of, and return the inputs."""
        if self.is_observation:
            return {FLAT: observations}
        flat, size = out[FLAT], observations.shape[1]
        flat[:, :size] = observations
        if derived is not None:
            parts = {name: derived[:, part] for name, part in slices(self._derived).items()}
            for name in self._derived_names:
                flat[:, size : size + self._derived[name]] = parts[name]
                size += self._derived[name]
            if PAIRS in out:
                out[PAIRS][:] = parts[PAIRS]
        if RELATIONS in self.shapes:
            relate(flat, self._vectors, size)
        return out

    def example(self, count: int) -> Inputs:
        """Return inputs of a right form for some decisions: the first of dealt games."""
        return self.tensors(Batch(self.game, count, seed=0, **self.params.as_dict()))

    def tensors(self, batch: Any, games: Any = None, out: Any = None) -> Inputs:
        """Return the inputs of a network for the seats to act.

        Args:
            batch: the tables: a `Batch`, or a `CudaBatch`, whose inputs are computed on its device.
            games: indices, as an array or a tensor on the device; shape (k,). None: all.
            out: arrays of `empty` to write into; new ones if None. What is returned shares their
                memory, except the rows.
        """
        masks = batch.masks if games is None else batch.masks[games]
        tensors = {
            name: torch.as_tensor(array) for name, array in self._shown(batch, games, out).items()
        }
        return with_views(pack({**tensors, MASK: torch.as_tensor(masks)}), self.flat_sizes)


def with_views(
    inputs: Mapping[str, torch.Tensor], sizes: Mapping[str, int]
) -> dict[str, torch.Tensor]:
    """Return inputs with the parts of `FLAT`, as views of it.

    Args:
        inputs: inputs, among them `FLAT`.
        sizes: `NetworkInputs.flat_sizes`.
    """
    parts = torch.split(inputs[FLAT], list(sizes.values()), dim=1)
    return {**inputs, **dict(zip(sizes, parts, strict=True))}


def pack(inputs: Mapping[str, torch.Tensor]) -> Mapping[str, torch.Tensor]:
    """Return what a network gets, for tensors of fixed shape for each decision (see `Arrays`)."""
    if FLAT not in inputs:
        parts = [inputs[name] for name in IN_FLAT if name in inputs]
        inputs = {**inputs, FLAT: parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)}
    if FEATURES not in inputs:
        return inputs
    actions, features = inputs[ACTIONS].long(), inputs[FEATURES]
    used = actions != NO_ACTION
    places = used.flatten().nonzero()[:, 0]
    rows = features.flatten(0, 1).index_select(0, padded(places))
    packed = {FEATURES: rows, ACTIONS: actions.flatten()[places], COUNTS: used.sum(dim=1)}
    return {**inputs, **packed}


def row_places(starts: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
    """Return the indices of the rows of some decisions, one decision after the other; int64.

    Args:
        starts: the first row of each decision; int64, shape (decisions,).
        counts: the number of its rows; the same shape.
    """
    before, total = counts.cumsum(0) - counts, int(counts.sum())
    shift = (starts - before).repeat_interleave(counts, output_size=total)
    return shift + torch.arange(total, device=counts.device)


def padded(places: torch.Tensor) -> torch.Tensor:
    """Return the indices of rows, padded with the first one so that few different numbers occur.

    Kernels for bfloat16 are generated for every shape, which takes longer than running them.
    """
    count = len(places)
    more = -count % max(1, 1 << count.bit_length() >> 5)
    return torch.cat([places, places[:1].expand(more)]) if more else places


def moved(inputs: Inputs, device: torch.device) -> Inputs:
    """Return inputs on a device."""
    if inputs[FLAT].device == device:
        return inputs
    sizes = {name: inputs[name].shape[1] for name in IN_FLAT if name in inputs}
    tensors = {name: tensor.to(device) for name, tensor in inputs.items() if name not in sizes}
    return with_views(tensors, sizes)
