"""Plays N games of one kind at once; a single game is N = 1."""

from __future__ import annotations

import os
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from kitchentable.core.game import Game
from kitchentable.core.parameters import is_whole, said
from kitchentable.core.state import NO_CARDS, NOBODY, BoolArray, FloatArray, IntArray
from kitchentable.engine.compiling import bind
from kitchentable.engine.games import Games, as_array, described
from kitchentable.engine.loops import DEAL, LEAVE, LOOK, Loop, Loops, make_loops, make_tools

PARALLEL_FROM = 256
"""Games from which on several threads pay for themselves."""


class Batch(Games):
    """A batch of games, and preallocated arrays that describe what each mover sees.

    The arrays are overwritten by every call; copy what must stay.

    Attributes:
        masks: legal actions of each mover; bool, shape (num_envs, num_actions).
        observations: what each mover sees; float32, shape (num_envs, observation size).
        current_player: the seat to act; int64, shape (num_envs,).
        rewards: of the last step, by seat; float32, shape (num_envs, num_players).
        dones: games that the last step ended; bool, shape (num_envs,).
        image_parts: shape of each part of an observation that is a map: (channels, height, width).
        is_team: whether the tables are won or lost as a whole (`Game.is_team`).
        states: the records, shape (num_envs,), with a field's name as attribute.
        records: the same memory as compiled loops want it.
        final_states: the records of the ``dones`` as they ended, if ``autoreset``.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: int | None = None,
        threads: int = 1,
        autoreset: bool = True,
        **params: Any,
    ) -> None:
        """Make and deal ``num_envs`` games.

        Args:
            game: which game.
            num_envs: how many, at least 1.
            seed: of all games; None takes one from the operating system.
            threads: how many to use from some hundred games on.
            autoreset: whether a game that ends starts anew in the same step.
            params: the game's parameters, see its rules.

        Raises:
            ValueError: a parameter or number is impossible; says what is possible.
        """
        super().__init__(game, num_envs, autoreset=autoreset, **params)
        most = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
        if not is_whole(threads) or not 1 <= threads <= most:
            raise ValueError(f"threads={said(threads)} is not possible here; choose 1 to {most}")
        self.threads = threads if num_envs >= PARALLEL_FROM else 1
        self.tables = game.rules.tables(self.params)
        self.records, self.states = self._make_records()
        self._finals, self.final_states = self._make_records()
        self.masks: BoolArray = np.zeros((num_envs, len(self.action_names)), np.bool_)
        self.observations: FloatArray = np.zeros((num_envs, self.observation_size), np.float32)
        self.current_player: NDArray[np.int64] = np.zeros(num_envs, np.int64)
        self.rewards: FloatArray = np.zeros((num_envs, self.num_players), np.float32)
        self.dones: BoolArray = np.zeros(num_envs, np.bool_)
        self._actions = np.zeros(num_envs, np.int64)
        self._looks = np.full(num_envs, LOOK)
        self._streams = np.zeros(num_envs, np.uint64)
        self._bind_loops()
        self.seed(seed)
        self.reset()

    def seed(self, seed: int | np.random.SeedSequence | None = None) -> None:
        """Give each game its own random stream, used from its next deal on.

        Game ``i`` gets the same stream in a batch of any size.

        Raises:
            ValueError: the seed is no whole number from 0 on; nothing has changed then.
        """
        self.states.seed, self._streams[:] = self._seeds(seed, self.num_envs)

    def seed_game(self, i: int, seed: int) -> None:
        """Give game ``i`` the random stream that the first game has after ``seed``.

        Raises:
            ValueError: the seed is no whole number from 0 on; nothing has changed then.
        """
        (self.states.seed[i],), (self._streams[i],) = self._seeds(seed, 1)

    def deal(self, seeds: NDArray[np.uint64]) -> None:
        """Deal new games by seeds of their own, equal ones alike.

        Args:
            seeds: uint64, shape (num_envs,), none of them 0.

        Raises:
            ValueError: the seeds are something else; nothing has changed then.
        """
        self.states.seed = self._deals(seeds)
        self.reset()

    def reset(self, which: ArrayLike | None = None, top: NDArray[np.int8] = NO_CARDS) -> None:
        """Deal new games.

        Args:
            which: the games: a boolean mask of shape (num_envs,), or their indices; all if None.
            top: numbers of the cards on top of their decks, which must have so many of each;
                the rest is shuffled.

        Raises:
            ValueError: there is no such game or card; nothing has changed then.
        """
        actions = self._looks.copy()
        actions[slice(None) if which is None else self._indices(which)] = DEAL
        self._step(self.records, actions, self._cards(top), *self._step_arguments[3:])

    def step(self, actions: ArrayLike, into: tuple[FloatArray, BoolArray] | None = None) -> None:
        """Play one action in each game that is not over; -1 leaves a game as it is.

        With ``autoreset`` a game that is over as dealt ends with its first step, whose action can
        only be -1, and starts anew like any other; it pays nothing.

        What is shown of a game that is left is not written anew; after a change of ``states`` by
        hand, call `look`.

        Args:
            actions: whole numbers, shape (num_envs,), or one for all games.
            into: arrays that take the place of ``observations`` and ``masks`` from now on, so that
                what movers see need not be copied to where it is wanted. Contiguous, of the same
                shapes and dtypes.

        Raises:
            ValueError: an action is illegal; names it and what is legal. Or an array is of another
                shape or dtype. Nothing has changed then.
        """
        found = as_array("actions", actions)
        if found.dtype.kind not in "iu" or found.shape not in ((self.num_envs,), ()):
            raise ValueError(
                f"actions: give whole numbers of shape ({self.num_envs},), not {described(found)}"
            )
        # Unsigned numbers can be too large for loops; the first that is no action is as wrong.
        most = len(self.action_names)
        self._actions[:] = np.minimum(found, most) if found.dtype.kind == "u" else found
        i = int(self._first_illegal(self.masks, self._actions))
        if i >= 0:
            action = int(np.broadcast_to(found, self.num_envs)[i])
            raise ValueError(f"game {i}: {self.describe_illegal(i, action)}")
        if into is not None:
            self._write_into(*into)
        self._step(*self._step_arguments)
        if into is not None and (self._actions == LEAVE).any():
            self.look()  # games that are left are not written

    def play(self, action: int) -> None:
        """Play an action in the only game of a batch, unchecked: the caller knows it is legal."""
        self._actions.fill(action)
        self._step(*self._step_arguments)

    def look(self) -> None:
        """Write masks, observations and movers anew, after a change of ``states`` by hand."""
        self._step(*self._look_arguments)

    def observe(self, players: ArrayLike, out: FloatArray | None = None) -> FloatArray:
        """Return what a given seat sees in each game.

        Args:
            players: the seat in each game; whole numbers, shape (num_envs,).
            out: where to write; a new array if None. float32, shape (num_envs, observation size).

        Raises:
            ValueError: there is no such seat, or an array is of another shape or dtype.
        """
        seats = self._seats(players, self.num_envs)
        seen = np.zeros_like(self.observations) if out is None else out
        _check_like("out", seen, self.observations)
        self._loops.observe(self.records, seats, seen, self.tables)
        return seen

    def observe_records(self, records: Any, players: ArrayLike) -> FloatArray:
        """Return what a given seat sees in each of some records, kept from earlier.

        Args:
            records: of this batch's game and parameters; shape (k,).
            players: the seat for each; shape (k,).

        Returns:
            float32, shape (k, observation size).

        Raises:
            ValueError: there is no such seat, or there are not as many as records, or these are
                others.
        """
        for_loops = self._as_records(records)
        seats = self._seats(players, len(for_loops))
        seen: FloatArray = np.zeros((len(seats), self.observation_size), np.float32)
        self._loops.observe(for_loops, seats, seen, self.tables)
        return seen

    def images(self, observations: FloatArray | None = None) -> dict[str, FloatArray]:
        """View the maps in observations as images, by name, without copying.

        Args:
            observations: shape (..., observation size); None: those of all movers.

        Returns:
            By name as in `image_parts`, shape (..., channels, height, width).

        Raises:
            ValueError: the observations are of another size.
        """
        seen = self.observations if observations is None else observations
        return self.game.images(self.params, seen)

    def standings(self, records: Any = None) -> tuple[IntArray, IntArray]:
        """Return points and ranks (1 the best) by seat; int32, shape (games, num_players).

        Args:
            records: of some games, as in ``final_states``; None: all games as they are.

        Raises:
            ValueError: these are no records of this game.
        """
        records = self.records if records is None else self._as_records(records)
        shape = (len(records), self.num_players)
        scores, ranks = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        self._loops.standings(records, scores, ranks)
        return scores, ranks

    def observe_state(self, records: Any = None) -> FloatArray:
        """Return the full state of each game: float32, shape (games, state size).

        Args:
            records: of some games, as in ``final_states``; None: all games as they are.
        """
        records = self.records if records is None else self._as_records(records)
        out: FloatArray = np.zeros((len(records), self._state_size()), np.float32)
        self._loops.observe_state(records, out, self.tables)
        return out

    def redeal(self, players: ArrayLike, seed: int) -> None:
        """Deal anew, in place, what a given seat cannot know in each game.

        Args:
            players: the seat in each game, or `NOBODY` for somebody who has none; whole numbers,
                shape (num_envs,).
            seed: of the new deals, a whole number from 0 on.

        Raises:
            ValueError: there is no such seat or seed; nothing has changed then.
        """
        seats = self._seats(players, self.num_envs, lowest=NOBODY)
        self._loops.redeal(self.records, seats, self._new_deals(seed), self.tables)
        self.look()

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal action for each game, by streams of their own; -1 where over."""
        self._sample(self.masks, self._streams, self._actions)
        return self._actions

    def forced_actions(self) -> NDArray[np.int64]:
        """Return the only legal action of each game that has just one, otherwise -1.

        Returns:
            int64, shape (num_envs,), for `step`.
        """
        return np.where(self.masks.sum(axis=1) == 1, self.masks.argmax(axis=1), LEAVE)

    def _as_records(self, records: Any) -> Any:
        found, dtype = as_array("records", records), self.game.rules.state_dtype
        if found.dtype != dtype or found.ndim != 1:
            raise ValueError(
                f"records: give an array of records of {self.game.name}, not {described(found)}"
            )
        plain = np.ascontiguousarray(found, dtype).view(np.ndarray)
        return plain.view(type(self.records))

    def _make_records(self) -> tuple[Any, Any]:
        """Return configured records, twice the same memory: for the loops, and to read.

        Numba recognises a plain structured array much faster than a recarray; uncompiled rule
        functions need the recarray's attributes.
        """
        records = np.zeros(self.num_envs, self.game.rules.state_dtype)
        records[:] = self._record()
        readable = records.view(np.recarray)
        uncompiled = numba.config.DISABLE_JIT  # type: ignore[attr-defined]
        return (readable if uncompiled else records), readable

    def _bind_loops(self) -> None:
        parallel = self.threads > 1
        raw = make_loops(self.game, parallel=parallel)
        self._loops = Loops(*(self._on_threads(one) for one in raw))
        self._write_into(self.observations, self.masks)
        self._step = self._on_threads(bind(raw.step, *self._step_arguments))
        first_illegal, sample = make_tools(parallel=parallel)
        self._first_illegal = bind(first_illegal, self.masks, self._actions)
        self._sample = self._on_threads(bind(sample, self.masks, self._streams, self._actions))

    def _write_into(self, observations: FloatArray, masks: BoolArray) -> None:
        """Let the loops write what movers see into these arrays."""
        _check_like("into: observations", observations, self.observations)
        _check_like("into: masks", masks, self.masks)
        self.observations, self.masks = observations, masks
        seen = (masks, observations, self.current_player)
        outcome = (self.autoreset, self.rewards, self.dones, self._finals, *seen, self.tables)
        self._step_arguments = (self.records, self._actions, NO_CARDS, *outcome)
        self._look_arguments = (self.records, self._looks, NO_CARDS, *outcome)

    def _on_threads(self, function: Loop) -> Loop:
        """Let a loop use this batch's threads; the process's own setting is put back."""
        if self.threads == 1:
            return function

        def run(*arguments: Any) -> Any:
            before = numba.get_num_threads()
            numba.set_num_threads(self.threads)
            try:
                return function(*arguments)
            finally:
                numba.set_num_threads(before)

        return run


def _check_like(name: str, found: object, wanted: NDArray[Any]) -> None:
    """Refuse an array that loops cannot write to as they write to another one."""
    if (
        not isinstance(found, np.ndarray)
        or (found.shape, found.dtype) != (wanted.shape, wanted.dtype)
        or not found.flags.c_contiguous
        or not found.flags.writeable
    ):
        raise ValueError(
            f"{name}: give a contiguous, writable array of {described(wanted)}, "
            f"not {described(found)}"
        )


def available_threads() -> int:
    """Return how many threads this process may use."""
    most: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    return min(os.cpu_count() or 1, most)
