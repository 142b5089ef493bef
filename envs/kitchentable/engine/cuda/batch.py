"""A batch of N tables of one game that are played at once on a GPU."""

from __future__ import annotations

from typing import Any, ClassVar, SupportsIndex

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from kitchentable.core.game import Game
from kitchentable.core.state import NO_ACTION, NO_CARDS, NOBODY
from kitchentable.engine.cuda.compiling import Launch, bind
from kitchentable.engine.cuda.kernels import make_kernels
from kitchentable.engine.cuda.memory import (
    DEVICE,
    Records,
    blank,
    for_kernels,
    taken,
    upload,
    zeros,
)
from kitchentable.engine.games import BaseBatch, check_flag, described
from kitchentable.engine.loops import DEAL, LEAVE, LOOK

NONE = -1
"""In the record of refused numbers: nothing has been refused."""


class CudaBatch(BaseBatch):
    """A batch of games on a GPU: `kitchentable.engine.batch.Batch` with tensors.

    The same seed and actions give the same bytes as on the CPU. All kernels are launched on torch's
    current stream without waiting for them, so values in tensors are checked later: a game with an
    illegal action is left as it is, and `check` reports the first one. Arguments that are numpy
    arrays are checked at once and copied to the device.

    Every call overwrites the tensors; copy what you keep.

    Attributes are those of `Batch`, as tensors, and:
        states: the state records; `Records` of length num_envs.
        records: the same object as ``states``, for compatibility with `Batch`.
        final_states: the final records of the games in ``dones``, if ``autoreset``.
        tables: the game's read-only arrays, on the device.
    """

    _derived: ClassVar[tuple[str, ...]] = (
        "tables", "_known", "_kernels", "_no_cards", "_unchanging",
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: SupportsIndex | None = None,
        autoreset: bool = True,
        action_features: bool = False,
        **params: Any,
    ) -> None:
        """Create ``num_envs`` games and deal them.

        Args:
            game: the game.
            num_envs: the number of games, at least 1; it takes tens of thousands to use a GPU well.
            seed: the seed of all games; None takes one from the operating system.
            autoreset: whether a game that ends restarts in the same step.
            action_features: whether to write ``rows`` and ``row_actions`` in every step.
            params: the game's parameters, see its page.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
            NotImplementedError: ``action_features`` of a game that has none.
        """
        super().__init__(game, num_envs, autoreset=autoreset, **params)
        self.states, self.final_states = self._make_records(), self._make_records()
        self.records = self.states
        self.masks = zeros(num_envs, len(self.action_names), dtype=torch.bool)
        self.observations = zeros(num_envs, self.observation_size, dtype=torch.float32)
        self.current_player = zeros(num_envs, dtype=torch.int64)
        self.rewards = zeros(num_envs, self.num_players, dtype=torch.float32)
        self.dones = zeros(num_envs, dtype=torch.bool)
        check_flag("action_features", action_features)
        self.action_features = action_features
        self.rows = zeros(num_envs, 0, 0, dtype=torch.float32)
        self.row_actions = zeros(num_envs, 0, dtype=torch.int64)
        if action_features:
            self.rows, self.row_actions = self.empty_rows(num_envs)
        self._actions = zeros(num_envs, dtype=torch.int64)
        self._looks = torch.full_like(self._actions, LOOK)
        self._streams = zeros(num_envs, dtype=torch.int64)
        self._refused = zeros(2, 2, dtype=torch.int64).fill_(NONE)
        """The game and number of the first illegal action, and of the first invalid seat."""
        self._derive()
        self.seed(seed)
        self.reset()

    def _derive(self) -> None:
        """Upload the game's arrays, and make the forms of all tensors that kernels take."""
        rules = self.game.rules
        self.tables = tuple(upload(table) for table in rules.tables(self.params))
        self._known = blank(self.game, 0)
        self._kernels: dict[str, Launch] = {}
        self._no_cards = upload(NO_CARDS)
        self._unchanging = self._for_kernels()

    def seed(self, seed: SupportsIndex | np.random.SeedSequence | None = None) -> None:
        """Seed the games like `Batch.seed`."""
        deals, sampling = self._seeds(seed, self.num_envs)
        self._set_seeds(deals)
        self._streams.copy_(torch.from_numpy(sampling.view(np.int64)))

    def deal(self, seeds: NDArray[np.uint64]) -> None:
        """Deal new games like `Batch.deal`."""
        self._set_seeds(self._deals(seeds))
        self.reset()

    def reset(
        self, which: ArrayLike | Tensor | None = None, top: NDArray[np.int8] = NO_CARDS
    ) -> None:
        """Deal new games.

        Args:
            which: as in `Batch.reset`; a mask may be a tensor on the device.
            top: as in `Batch.reset`.

        Raises:
            ValueError: there is no such game or card; the batch is unchanged then.
        """
        cards = self._cards(top)
        actions = torch.full_like(self._looks, DEAL)
        if isinstance(which, Tensor):
            _check("which", which, self.dones)
            actions = torch.where(which, actions, self._looks)
        elif which is not None:
            array = np.full(self.num_envs, LOOK)
            array[self._indices("which", which)] = DEAL
            actions = torch.from_numpy(array).to(DEVICE)
        self._play(actions, DEAL, top=upload(cards) if cards.size else self._no_cards)

    def step(self, actions: Tensor, into: tuple[Tensor, Tensor] | None = None) -> None:
        """Play one action in each game that is not over; -1 leaves a game as it is.

        With ``autoreset``, a game that is already over when dealt ends with its first step, whose
        action can only be -1, pays nothing and restarts like any other.

        Args:
            actions: int64, shape (num_envs,), on the device. `check` reports an illegal action.
            into: as in `Batch.step`.

        Raises:
            ValueError: a tensor has another shape, dtype or device; the batch is unchanged then.
        """
        _check("actions", actions, self._actions)
        legal = self._unchanging["masks"]
        if into is not None:
            _check("into: observations", into[0], self.observations)
            _check("into: masks", into[1], self.masks)
            self.observations, self.masks = into
            self._unchanging |= {
                "observations": for_kernels(self.observations),
                "masks": for_kernels(self.masks),
            }
        self._play(actions, -1, legal=legal)

    def look(self) -> None:
        """Update the tensors that show the games, like `Batch.look`."""
        self._play(self._looks, LOOK)

    def check(self) -> None:
        """Wait for the device, and check all actions and seats since the last call.

        Raises:
            ValueError: an action was illegal or a seat does not exist; the message names the first
                one. Its game was left as it was. The next call does not report it again.
        """
        (game, action), (other, seat) = self._refused.tolist()
        self._refused.fill_(NONE)
        if game != NONE:
            raise ValueError(f"game {game}: {self.describe_illegal(game, action)}")
        if other != NONE:
            most = self.num_players - 1
            raise ValueError(f"players: game {other} has no seat {seat}; 0 to {most}")

    def observe(self, players: ArrayLike | Tensor, out: Tensor | None = None) -> Tensor:
        """Return the observation of a given seat in each game.

        Args:
            players: the seat in each game; int64, shape (num_envs,), on the device, or as in
                `Batch.observe`. A seat in a tensor that does not exist sees zeros; see `check`.
            out: float32, shape (num_envs, observation size); None: a new tensor.

        Raises:
            ValueError: there is no such seat, or a tensor has another shape, dtype or device.
        """
        seen = torch.empty_like(self.observations) if out is None else out
        _check("out", seen, self.observations)
        return self._observe(self.states, players, seen)

    def observe_records(self, records: Records, players: ArrayLike | Tensor) -> Tensor:
        """Return the observation of a given seat in each of some records, kept from earlier.

        Args:
            records: k records of this batch's game and parameters.
            players: as in `observe`; shape (k,).

        Returns:
            float32, shape (k, observation size).
        """
        self._check_records(records)
        seen = zeros(len(records), self.observation_size, dtype=torch.float32)
        return self._observe(records, players, seen)

    def know(self, players: ArrayLike | Tensor) -> Records:
        """Return what a given seat knows in each game, like `Batch.know`.

        Args:
            players: as in `observe`, or `NOBODY`. A seat that does not exist knows nothing.
        """
        if not self.game.rules.has_knowledge:
            raise self.game.lacks("rules.knowledge and rules.know", "the knowledge of a seat")
        seats, known = (
            self._on_device(players, self.num_envs, NOBODY),
            blank(self.game, self.num_envs),
        )
        self._launch(
            "know", self.num_envs, taken(self.states), seats, taken(known), self._refused[1],
            self.tables,
        )  # fmt: skip
        return known

    def describe(
        self, games: Tensor | None = None, into: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the action features of the seats to act, like `Batch.describe`.

        Args:
            games: indices into the batch, not checked; int64, shape (k,), on the device; None: all.
            into: as in `Batch.describe`.
        """
        chosen = self._chosen(games)
        rows, actions = outputs = self.empty_rows(len(chosen)) if into is None else into
        if into is not None:
            for name, tensor, expected in zip(("rows", "row_actions"), into, outputs, strict=True):
                _check(f"into: {name}", tensor, expected)
        inputs = taken(self.states), chosen, self.masks, self._blank(len(chosen))
        self._launch("describe", len(chosen), *inputs, rows, actions, self.tables)
        return rows, actions

    def empty_rows(self, count: int) -> tuple[Tensor, Tensor]:
        """Return the tensors of `describe` for some games, with all rows unused."""
        shape = count, *self._row_shape()
        actions = zeros(*shape[:2], dtype=torch.int64).fill_(NO_ACTION)
        return zeros(*shape, dtype=torch.float32), actions

    def derive(self, games: Tensor | None = None) -> Tensor:
        """Return the derived parts of the seats to act, like `Batch.derive`.

        Args:
            games: as in `describe`.
        """
        chosen = self._chosen(games)
        out = zeros(len(chosen), self._derived_size(), dtype=torch.float32)
        inputs = taken(self.states), chosen, self.current_player, self.masks
        if out.numel() > 0:
            self._launch("derive", len(chosen), *inputs, self._blank(len(chosen)), out, self.tables)
        return out

    def _chosen(self, games: Tensor | None) -> Tensor:
        all_games = torch.arange(self.num_envs, device=DEVICE)
        if games is None:
            return all_games
        _check("games", games, all_games[:1].expand(len(games)).contiguous())
        return games

    def _blank(self, count: int) -> Any:
        """Return records to work with for some decisions; they are used again."""
        if len(self._known) < count:
            self._known = blank(self.game, count)
        return taken(self._known)

    def images(self, observations: Tensor | None = None) -> dict[str, Tensor]:
        """Return maps as images, like `Batch.images`."""
        seen: Any = self.observations if observations is None else observations
        images: dict[str, Any] = self.game.images(self.params, seen)
        return images

    def standings(self, records: Records | None = None) -> tuple[Tensor, Tensor]:
        """Return points and ranks (1 is the best) by seat; int32, shape (games, num_players).

        Args:
            records: records of some games, such as ``final_states``; None: all current games.
        """
        records = self._check_records(records)
        scores = zeros(len(records), self.num_players, dtype=torch.int32)
        ranks = torch.zeros_like(scores)
        self._launch("standings", len(records), taken(records), scores, ranks)
        return scores, ranks

    def observe_state(self, records: Records | None = None) -> Tensor:
        """Return the full state of each game; float32, shape (games, state size).

        Args:
            records: records of some games, such as ``final_states``; None: all current games.
        """
        records = self._check_records(records)
        out = zeros(len(records), self._state_size(), dtype=torch.float32)
        self._launch("observe_state", len(records), taken(records), out, self.tables)
        return out

    def redeal(self, players: ArrayLike | Tensor, seed: int) -> None:
        """Redeal, in place, all cards that a given seat cannot know in each game.

        Args:
            players: as in `observe`, or `NOBODY`. Where a seat does not exist, nothing changes.
            seed: the seed of the new deals, a non-negative integer.

        Raises:
            ValueError: there is no such seat or seed; the batch is unchanged then.
            NotImplementedError: the game has no ``redeal``.
        """
        seats = self._on_device(players, self.num_envs, lowest=NOBODY)
        seeds, refused = upload(self._new_deals(seed)), self._refused[1]
        arguments = (taken(self.states), seats, seeds, refused, self.tables)
        self._launch("redeal", self.num_envs, *arguments)
        self.look()

    def sample_actions(self) -> Tensor:
        """Return a random legal action for each game, -1 where it is over; int64, (num_envs,)."""
        streams = for_kernels(self._streams, np.dtype(np.uint64))
        self._launch("sample", self.num_envs, self.masks, streams, self._actions)
        return self._actions

    def forced_actions(self) -> Tensor:
        """Return the only legal actions, like `Batch.forced_actions`."""
        only = self.masks.byte().argmax(dim=1)
        return torch.where(self.masks.sum(dim=1) == 1, only, LEAVE)

    # --- Launching ------------------------------------------------------------------------------

    def _make_records(self) -> Records:
        """Return configured records of games that have not been dealt."""
        record = torch.from_numpy(self.game.rules.records(self.params, 1).view(np.uint8))
        dtype = self.game.rules.state_dtype
        return Records(record.repeat(self.num_envs, 1).to(DEVICE), dtype)

    def _set_seeds(self, seeds: NDArray[np.uint64]) -> None:
        field = self.states["seed"].view(torch.int64)
        field.copy_(torch.from_numpy(seeds.view(np.int64)))

    def _for_kernels(self) -> dict[str, Any]:
        """Return the arguments of `step` that seldom change, in the form that kernels take."""
        return {
            "rewards": for_kernels(self.rewards),
            "dones": for_kernels(self.dones),
            "finals": taken(self.final_states),
            "masks": for_kernels(self.masks),
            "observations": for_kernels(self.observations),
            "players": for_kernels(self.current_player),
            "refused": for_kernels(self._refused[0]),
            "states": taken(self.states),
        }

    def _play(self, actions: Tensor, lowest: int, legal: Any = None, top: Any = None) -> None:
        """Play actions; those below ``lowest`` or not in ``legal`` (None: `masks`) are refused."""
        known = self._unchanging
        self._launch(
            "step",
            self.num_envs,
            known["states"],
            actions,
            lowest,
            self.autoreset,
            known["rewards"],
            known["dones"],
            known["finals"],
            known["masks"] if legal is None else legal,
            known["masks"],
            known["observations"],
            known["players"],
            known["refused"],
            self._no_cards if top is None else top,
            self.tables,
        )
        if self.action_features:
            self.describe(into=(self.rows, self.row_actions))

    def _observe(self, records: Records, players: ArrayLike | Tensor, out: Tensor) -> Tensor:
        seats = self._on_device(players, len(records))
        arguments = (taken(records), seats, out, self._refused[1], self.tables)
        self._launch("observe", len(records), *arguments)
        return out

    def _launch(self, name: str, count: int, *arguments: Any) -> None:
        """Launch a kernel of the game; it is bound when first needed."""
        taken = [
            for_kernels(argument) if isinstance(argument, Tensor) else argument
            for argument in arguments
        ]
        if name not in self._kernels:
            function, game = make_kernels(self.game)[name], self.game
            self._kernels[name] = bind(function, *taken, game=game, name="loops")
        self._kernels[name](count, *taken)

    # --- Checked arguments ----------------------------------------------------------------------

    def _on_device(self, players: ArrayLike | Tensor, count: int, lowest: int = 0) -> Tensor:
        """Return the seats of ``count`` records, on the device."""
        if not isinstance(players, Tensor):
            return torch.from_numpy(self._seats(players, count, lowest)).to(DEVICE)
        _check("players", players, self.current_player[:1].expand(count))
        return players

    def _check_records(self, records: object) -> Records:
        if records is None:
            return self.states
        if not isinstance(records, Records) or records.dtype != self.states.dtype:
            raise ValueError(
                f"records: give Records of {self.game.name}, such as final_states[dones], "
                f"not {described(records)}"
            )
        return records


def _check(name: str, value: object, expected: Tensor) -> None:
    """Raise `ValueError` unless kernels can use a tensor as they use ``expected``."""
    if (
        not isinstance(value, Tensor)
        or (value.shape, value.dtype, value.device)
        != (expected.shape, expected.dtype, expected.device)
        or not value.is_contiguous()
    ):
        raise ValueError(
            f"{name}: give a contiguous tensor of {_described(expected)}, not {_described(value)}"
        )


def _described(value: object) -> str:
    if isinstance(value, Tensor):
        return f"{value.dtype} of shape {tuple(value.shape)} on {value.device}"
    return described(value)
