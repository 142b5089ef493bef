"""A batch of N tables of one game that are played at once; a single table is N = 1."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, ClassVar, SupportsIndex

import numba
import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kitchentable.core.game import Game
from kitchentable.core.parameters import is_whole, one_line_repr
from kitchentable.core.state import (
    ALL_SEEING,
    NO_ACTION,
    NO_CARDS,
    NOBODY,
    BoolArray,
    FloatArray,
    IntArray,
    for_loops,
)
from kitchentable.engine.compiling import bind
from kitchentable.engine.games import BaseBatch, as_array, check_flag, described, fit_for_loops
from kitchentable.engine.loops import (
    DEAL,
    LEAVE,
    LOOK,
    Loop,
    Loops,
    make_loops,
    make_tools,
)
from kitchentable.engine.rehearsal import rehearse

GAME_0 = np.array([0])
"""The indices of a batch of one game, for players."""
PARALLEL_FROM = 256
"""The batch size from which several threads are faster than one."""


class Batch(BaseBatch):
    """A batch of games, and preallocated arrays that describe what each seat to act sees.

    Every call overwrites the arrays; copy what you keep.

    Attributes:
        masks: the legal actions of each seat to act; bool, shape (num_envs, num_actions).
        observations: what each seat to act sees; float32, shape (num_envs, observation size).
        current_player: the seat to act; int64, shape (num_envs,).
        action_features: whether every step describes the legal actions.
        rows: if so, the features of the legal actions of each seat to act (see `describe`);
            float32, shape (num_envs, rows, features). Else there are no rows.
        row_actions: the action that each row describes, -1 for unused rows, which are zero; int64,
            shape (num_envs, rows).
        rewards: the rewards of the last step by seat; float32, shape (num_envs, num_players).
        dones: whether the last step ended the game; bool, shape (num_envs,).
        image_parts: the shape (channels, height, width) of each part of observations that is a map.
        is_team: whether a table wins or loses as a whole (`Game.is_team`).
        states: the state records; np.recarray, shape (num_envs,).
        records: the same memory in the form that compiled loops take.
        final_states: the final records of the games in ``dones``, if ``autoreset``.
    """

    _derived: ClassVar[tuple[str, ...]] = (
        "tables", "states", "final_states", "_loops", "_step", "_first_illegal", "_sample",
        "_step_arguments", "_look_arguments", "_known",
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: SupportsIndex | None = None,
        threads: int = 1,
        autoreset: bool = True,
        action_features: bool = False,
        **params: Any,
    ) -> None:
        """Create ``num_envs`` games and deal them.

        Args:
            game: the game.
            num_envs: the number of games, at least 1.
            seed: the seed of all games; None takes one from the operating system.
            threads: the number of threads; used for batches of `PARALLEL_FROM` games or more. Once
                they have run, processes that this one forks cannot have several threads; start
                such processes with ``spawn`` or ``forkserver``.
            autoreset: whether a game that ends restarts in the same step.
            action_features: whether to write ``rows`` and ``row_actions`` in every step.
            params: the game's parameters, see its page.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
            NotImplementedError: ``action_features`` of a game that has none.
            RuntimeError: several threads, in a process that was forked after others had run.
            RuleError: a rule function of a game from outside the package fails, see `rehearse`.
        """
        super().__init__(game, num_envs, autoreset=autoreset, **params)
        rehearse(game, self.params)
        most = _most_threads()
        if not is_whole(threads) or not 1 <= threads <= most:
            raise ValueError(
                f"threads={one_line_repr(threads)} is not possible here; choose 1 to {most}"
            )
        self.threads = threads if num_envs >= PARALLEL_FROM else 1
        self.records: Any = game.rules.records(self.params, num_envs)
        self._finals = self.records.copy()
        self.masks: BoolArray = np.zeros((num_envs, len(self.action_names)), np.bool_)
        self.observations: FloatArray = np.zeros((num_envs, self.observation_size), np.float32)
        self.current_player: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self.rewards: FloatArray = np.zeros((num_envs, self.num_players), np.float32)
        self.dones: BoolArray = np.zeros(num_envs, np.bool_)
        check_flag("action_features", action_features)
        self.action_features = action_features
        self.rows: FloatArray = np.zeros((num_envs, 0, 0), np.float32)
        self.row_actions: NDArray[np.int64] = np.zeros((num_envs, 0), np.int64)
        if action_features:
            self.rows, self.row_actions = self.empty_rows(num_envs)
        self._actions = np.zeros(num_envs, np.int64)
        self._looks = np.full(num_envs, LOOK)
        self._streams = np.zeros(num_envs, np.uint64)
        self._derive()
        self.seed(seed)
        self.reset()

    def _derive(self) -> None:
        """Look up the game's arrays, view the records, and bind the loops to all of them."""
        self.threads = min(self.threads, _most_threads())  # of a copy on another machine
        self.tables = self.game.rules.tables(self.params)
        self.records, self.states = self._views(self.records)
        self._finals, self.final_states = self._views(self._finals)
        self._known = self.game.rules.blank(0)
        self._bind_loops()

    def seed(self, seed: SupportsIndex | np.random.SeedSequence | None = None) -> None:
        """Give each game its own random stream, used from its next deal on.

        Game ``i`` gets the same stream in a batch of any size.

        Raises:
            ValueError: the seed is not a non-negative integer; the batch is unchanged then.
        """
        self.states.seed, self._streams[:] = self._seeds(seed, self.num_envs)

    def seed_game(self, i: int, seed: SupportsIndex) -> None:
        """Give game ``i`` the random stream that the first game has after ``self.seed(seed)``.

        Raises:
            ValueError: the seed is not a non-negative integer, or there is no such game; the batch
                is unchanged then.
        """
        self._indices("i", [i])
        (self.states.seed[i],), (self._streams[i],) = self._seeds(seed, 1)

    def deal(self, seeds: NDArray[np.uint64]) -> None:
        """Deal new games from one seed each; equal seeds give equal deals.

        Args:
            seeds: the seeds, none of them 0; uint64, shape (num_envs,).

        Raises:
            ValueError: the seeds are invalid; the batch is unchanged then.
        """
        self.states.seed = self._deals(seeds)
        self.reset()

    def reset(self, which: ArrayLike | None = None, top: NDArray[np.int8] = NO_CARDS) -> None:
        """Deal new games.

        Args:
            which: the games, as a boolean mask of shape (num_envs,) or as indices; None: all.
            top: the numbers of the cards on top of each deck, the next card first; the rest is
                shuffled. The deck must contain these cards.

        Raises:
            ValueError: there is no such game or card; the batch is unchanged then.
        """
        actions = self._looks.copy()
        actions[slice(None) if which is None else self._indices("which", which)] = DEAL
        self._step(self.records, actions, self._cards(top), *self._step_arguments[3:])
        self._show_actions()

    def step(self, actions: ArrayLike, into: tuple[FloatArray, BoolArray] | None = None) -> None:
        """Play one action in each game that is not over; -1 leaves a game as it is.

        With ``autoreset``, a game that is already over when dealt ends with its first step, whose
        action can only be -1, pays nothing and restarts like any other. The mask and observation of
        a game that is left are not updated; after changing ``states`` directly, call `look`.

        Args:
            actions: integers, shape (num_envs,), or one for all games.
            into: contiguous arrays that replace ``observations`` and ``masks`` from now on, which
                saves copying them; of the same shapes and dtypes.

        Raises:
            ValueError: an action is illegal (the message names it and the legal ones), or an array
                has another shape or dtype. The batch is unchanged then.
        """
        array = as_array("actions", actions)
        if array.dtype.kind not in "iu" or array.shape not in ((self.num_envs,), ()):
            raise ValueError(
                f"actions: give whole numbers of shape ({self.num_envs},), not {described(array)}"
            )
        # uint64 can exceed int64, so it is capped at the first number that is not an action.
        most = len(self.action_names)
        self._actions[:] = np.minimum(array, most) if array.dtype == np.uint64 else array
        i = int(self._first_illegal(self.masks, self._actions))
        if i >= 0:
            action = int(np.broadcast_to(array, self.num_envs)[i])
            raise ValueError(f"game {i}: {self.describe_illegal(i, action)}")
        if into is not None:
            self._write_into(*into)
        self._step(*self._step_arguments)
        if into is not None and (self._actions == LEAVE).any():
            self.look()  # the step has not written games that are left to the new arrays
        else:
            self._show_actions()

    def play(self, action: int) -> None:
        """Play a legal action in the only game of a batch, without checking it."""
        self._actions.fill(action)
        self._step(*self._step_arguments)
        self._show_actions()

    def look(self) -> None:
        """Update masks, observations and seats to act after a direct change of ``states``."""
        self._step(*self._look_arguments)
        self._show_actions()

    def observe(self, players: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Return the observation of a given seat in each game.

        Args:
            players: the seat in each game; integers, shape (num_envs,).
            out: float32, shape (num_envs, observation size); None: a new array.

        Raises:
            ValueError: there is no such seat, or an array has another shape or dtype.
        """
        seats = self._seats(players, self.num_envs)
        seen = np.zeros_like(self.observations) if out is None else out
        _check_like("out", seen, self.observations)
        self._loops.observe(self.records, seats, seen, self.tables)
        return seen

    def observe_records(self, records: Any, players: ArrayLike) -> FloatArray:
        """Return the observation of a given seat in each of some records, kept from earlier.

        Args:
            records: records of this batch's game and parameters; shape (k,).
            players: the seat in each record; integers, shape (k,).

        Returns:
            float32, shape (k, observation size).

        Raises:
            ValueError: the records are of another game, or the seats are invalid.
        """
        for_loops = self._as_records(records)
        seats = self._seats(players, len(for_loops))
        seen: FloatArray = np.zeros((len(seats), self.observation_size), np.float32)
        self._loops.observe(for_loops, seats, seen, self.tables)
        return seen

    def know(self, players: ArrayLike) -> Any:
        """Return what a given seat knows in each game (see `Rules.knowledge`).

        Args:
            players: the seat in each game, or `NOBODY` for an onlooker; integers, shape
                (num_envs,).

        Returns:
            np.recarray, shape (num_envs,).

        Raises:
            ValueError: there is no such seat.
            NotImplementedError: the game does not define what a seat knows.
        """
        if not self.game.rules.has_knowledge:
            raise self.game.lacks("rules.knowledge and rules.know", "the knowledge of a seat")
        seats = self._seats(players, self.num_envs, lowest=NOBODY)
        known = self.game.rules.blank(self.num_envs)
        self._loops.know(self.records, seats, known, self.tables)
        return known.view(np.recarray)

    def describe(
        self,
        games: ArrayLike | None = None,
        into: tuple[FloatArray, NDArray[np.int64]] | None = None,
    ) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return the action features of the seats to act (see `ActionFeatures`).

        Args:
            games: the games, as a boolean mask of shape (num_envs,) or as indices; None: all.
            into: arrays of `empty_rows` for as many games, which are written and returned; None:
                new ones.

        Returns:
            The features of actions, row by row, float32, shape (games, rows, features); and the
            action that each row describes, or -1 for unused rows, which are zero; int64, shape
            (games, rows).

        Raises:
            ValueError: there is no such game, or an array has another shape or dtype.
            NotImplementedError: the game has no action features.
        """
        chosen = self._chosen(games)
        rows, actions = self.empty_rows(len(chosen)) if into is None else into
        if into is not None:
            shape = len(chosen), *self._row_shape()
            _check_array("into: rows", rows, shape, np.float32)
            _check_array("into: row_actions", actions, shape[:2], np.int64)
        inputs = self.records, chosen, self.masks, self._blank(len(chosen))
        self._loops.describe(*inputs, rows, actions, self.tables)
        return rows, actions

    def empty_rows(self, count: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return the arrays of `describe` for some games, with all rows unused.

        Raises:
            NotImplementedError: the game has no action features.
        """
        rows, features = self._row_shape()
        return np.zeros((count, rows, features), np.float32), np.full((count, rows), NO_ACTION)

    def derive(self, games: ArrayLike | None = None) -> FloatArray:
        """Return the derived parts of the seats to act (see `DerivedParts`).

        Args:
            games: as in `describe`.

        Returns:
            float32, shape (games, size).

        Raises:
            ValueError: there is no such game.
            NotImplementedError: the game has no derived parts.
        """
        return self._derive_parts(
            self.records, self._chosen(games), self.current_player, self.masks
        )

    def derive_records(self, records: Any, players: ArrayLike) -> FloatArray:
        """Return the derived parts of seats that are not to act, like `observe_records`."""
        for_loops = self._as_records(records)
        seats, games = self._seats(players, len(for_loops)), np.arange(len(for_loops))
        masks = np.zeros((len(seats), len(self.action_names)), np.bool_)
        return self._derive_parts(for_loops, games, seats, masks)

    def _derive_parts(
        self, records: Any, games: NDArray[np.intp], players: NDArray[np.int64], masks: BoolArray
    ) -> FloatArray:
        out: FloatArray = np.zeros((len(games), self._derived_size()), np.float32)
        if out.size > 0:
            known = self._blank(len(games))
            self._loops.derive(records, games, players, masks, known, out, self.tables)
        return out

    def _chosen(self, games: ArrayLike | None) -> NDArray[np.intp]:
        """Return the indices of some games in their order; None: all."""
        return np.arange(self.num_envs) if games is None else self._indices("games", games)

    def _blank(self, count: int) -> Any:
        """Return records to work with for some decisions; they are used again."""
        if len(self._known) < count:
            self._known = self.game.rules.blank(count)
        return self._known[:count]

    def _show_actions(self) -> None:
        if self.action_features:
            self.describe(into=(self.rows, self.row_actions))

    def images(self, observations: FloatArray | None = None) -> dict[str, FloatArray]:
        """Return the parts of observations that are maps as images, without copying.

        Args:
            observations: shape (..., observation size); None: the attribute ``observations``.

        Returns:
            Views by name as in ``image_parts``, of shape (..., channels, height, width).

        Raises:
            ValueError: the observations have another size.
        """
        seen = self.observations if observations is None else observations
        return self.game.images(self.params, seen)

    def standings(self, records: Any = None) -> tuple[IntArray, IntArray]:
        """Return points and ranks (1 is the best) by seat; int32, shape (games, num_players).

        Args:
            records: records of some games, such as ``final_states``; None: all current games.

        Raises:
            ValueError: the records are not of this game.
        """
        records = self.records if records is None else self._as_records(records)
        shape = (len(records), self.num_players)
        scores, ranks = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        self._loops.standings(records, scores, ranks)
        return scores, ranks

    def observe_state(self, records: Any = None) -> FloatArray:
        """Return the full state of each game; float32, shape (games, state size).

        Args:
            records: records of some games, such as ``final_states``; None: all current games.

        Raises:
            NotImplementedError: the game does not define a full state.
            ValueError: the records are not of this game.
        """
        records = self.records if records is None else self._as_records(records)
        out: FloatArray = np.zeros((len(records), self._state_size()), np.float32)
        self._loops.observe_state(records, out, self.tables)
        return out

    def redeal(self, players: ArrayLike, seed: SupportsIndex) -> None:
        """Redeal, in place, all cards that a given seat cannot know in each game.

        Args:
            players: the seat in each game, or `NOBODY` for an onlooker, who knows what is public;
                integers, shape (num_envs,).
            seed: the seed of the new deals, a non-negative integer.

        Raises:
            ValueError: there is no such seat or seed; the batch is unchanged then.
            NotImplementedError: the game has no ``redeal``.
        """
        seats = self._seats(players, self.num_envs, lowest=NOBODY)
        self._loops.redeal(self.records, seats, self._new_deals(seed), self.tables)
        self.look()

    def redealt(self, viewer: int, game: int = 0) -> Any:
        """Return a copy of a record in which all that a viewer cannot know is dealt anew.

        The new deal depends on nothing but what the viewer knows, and neither can what is made of
        the copy, such as a picture. It is a plain copy for `ALL_SEEING`, or without ``redeal``.

        Args:
            viewer: the seat, `NOBODY` or `ALL_SEEING`.
            game: the index of the game.

        Raises:
            ValueError: there is no such seat or game.
        """
        self._indices("game", [game])
        self._seats([viewer], 1, lowest=min(NOBODY, ALL_SEEING))
        record = self.records[game : game + 1].copy()
        if viewer != ALL_SEEING and self.game.rules.redeal is not None:
            self._loops.redeal(record, np.array([viewer]), np.ones(1, np.uint64), self.tables)
        return self._views(record)[1][0]

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal action for each game, -1 where it is over; int64, (num_envs,).

        The games have random streams for this that are independent of their deals.
        """
        self._sample(self.masks, self._streams, self._actions)
        return self._actions

    def forced_actions(self) -> NDArray[np.int64]:
        """Return the legal action of each game that has only one, else -1; int64, (num_envs,)."""
        return np.where(self.masks.sum(axis=1) == 1, self.masks.argmax(axis=1), LEAVE)

    def _as_records(self, records: Any) -> Any:
        found, dtype = as_array("records", records), self.game.rules.state_dtype
        if found.dtype != dtype or found.ndim != 1:
            raise ValueError(
                f"records: give an array of records of {self.game.name}, not {described(found)}"
            )
        return fit_for_loops(found, dtype).view(np.ndarray).view(type(self.records))

    def _views(self, records: NDArray[Any]) -> tuple[Any, Any]:
        """Return two views of the same records: for the loops, and to read."""
        plain = records.view(self.game.rules.state_dtype, np.ndarray)
        return for_loops(plain), plain.view(np.recarray)

    def _bind_loops(self) -> None:
        parallel = self.threads > 1
        raw = make_loops(self.game, parallel=parallel)
        self._loops = Loops(*(self._on_threads(loop) for loop in raw))
        self._write_into(self.observations, self.masks)
        self._step = self._on_threads(bind(raw.step, *self._step_arguments))
        first_illegal, sample = make_tools(parallel=parallel)
        self._first_illegal = bind(first_illegal, self.masks, self._actions)
        self._sample = self._on_threads(bind(sample, self.masks, self._streams, self._actions))

    def _write_into(self, observations: FloatArray, masks: BoolArray) -> None:
        """Let the loops write observations and masks into these arrays."""
        _check_like("into: observations", observations, self.observations)
        _check_like("into: masks", masks, self.masks)
        self.observations, self.masks = observations, masks
        seen = (masks, observations, self.current_player)
        outcome = (self.autoreset, self.rewards, self.dones, self._finals, *seen, self.tables)
        self._step_arguments = (self.records, self._actions, NO_CARDS, *outcome)
        self._look_arguments = (self.records, self._looks, NO_CARDS, *outcome)

    def _on_threads(self, function: Loop) -> Loop:
        """Let a loop use this batch's threads, and restore the process's setting afterwards."""
        if self.threads == 1:
            return function

        def run(*arguments: Any) -> Any:
            _check_not_forked()
            before = numba.get_num_threads()
            numba.set_num_threads(self.threads)
            try:
                return function(*arguments)
            finally:
                numba.set_num_threads(before)

        return run


@cache
def _threads_of() -> int:
    """Return the process in which threads first ran; a forked process inherits the answer."""
    return os.getpid()


def _check_not_forked() -> None:
    """Raise `RuntimeError` where GNU OpenMP would end the process without a message to Python."""
    if _threads_of() != os.getpid() and numba.threading_layer() == "omp":  # type: ignore[attr-defined]
        raise RuntimeError(
            "threads: this process was forked from one in which a batch had used several threads, "
            "so it cannot use them; choose threads=1 here, or start the process with the method "
            '"spawn" or "forkserver"'
        )


def _check_like(name: str, array: object, expected: NDArray[Any]) -> None:
    """Raise `ValueError` unless the loops can write to an array as they do to ``expected``."""
    _check_array(name, array, expected.shape, expected.dtype)


def _check_array(name: str, array: object, shape: tuple[int, ...], dtype: DTypeLike) -> None:
    """Raise `ValueError` unless the loops can write to an array of this form."""
    if (
        not isinstance(array, np.ndarray)
        or (array.shape, array.dtype) != (shape, dtype)
        or not array.flags.c_contiguous
        or not array.flags.writeable
    ):
        raise ValueError(
            f"{name}: give a contiguous, writable array of {np.dtype(dtype)} of shape {shape}, "
            f"not {described(array)}"
        )


def available_threads() -> int:
    """Return how many threads a batch in this process may use."""
    return min(os.cpu_count() or 1, _most_threads())


def _most_threads() -> int:
    """Return how many threads numba allows in this process."""
    most: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    return most
