"""Own players: what a function, named by its place, makes for a table.

The function takes the game, its parameters and a seed, and returns a player: an object with
``act(batch, games)`` and ``seed(seed)``, see `kitchentable.players.scripted.Player`. It may also
have the methods of a trained player, see `PolicyPlayer`: ``probabilities(batch, games)``,
which makes its exploitability exact, or ``evaluate(batch, games)``, which returns
probabilities and values for a tree search. All that it returns is checked.
"""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.adapters.vector import is_legal
from kitchentable.engine.games import as_seed
from kitchentable.players.scripted import Actions, Games
from kitchentable_training.named import faults_of, import_module, source_hash, with_folder

TOLERANCE = 1e-3
"""How much the sum of probabilities may differ from 1."""


class Own(NamedTuple):
    """A function that makes players, imported.

    Attributes:
        place: where it is, ``file.py:function`` or ``package.module:function``.
        make: the function.
        source: the `source_hash` of its module, which tells apart players of one name.
    """

    place: str
    make: Any
    source: str

    def player(self, game: Game, params: Any, seed: int = 0) -> OwnPlayer:
        """Return the player that the function makes.

        Its name is that of the function and the beginning of the hash of its source, so that
        results of one source are never those of another.

        Args:
            game: the game to play.
            params: the game's parameters, made by ``game.make_params``.
            seed: seed of its random choices, if it makes any.

        Raises:
            ValueError: the function failed, or what it returned is no player.
        """
        what, name = f"player {self.place!r}", self.place.rpartition(":")[2]
        if not callable(self.make) or not _takes(self.make, game, params, seed):
            raise ValueError(
                f"{what}: {name} must be a function (game, params, seed) that returns a player"
            )
        with faults_of(what):
            player = self.make(game, params, seed)
        check_player(player, f"{what}: what {name} returned")
        kinds = (kind for method, kind in TOLD.items() if callable(getattr(player, method, None)))
        actions = tuple(game.rules.action_names(params))
        return next(kinds, OwnPlayer)(player, self.place, self.source, actions)


def check_player(player: object, what: str) -> None:
    """Check that an object has the methods of a player.

    Raises:
        ValueError: it lacks one; the message begins with ``what``.
    """
    for method, arguments in (("act", "batch, games"), ("seed", "seed")):
        if not callable(getattr(player, method, None)):
            raise ValueError(
                f"{what}, a {type(player).__name__}, has no method {method}({arguments}); return a "
                "player, such as a FunctionPlayer"
            )


def find_own(place: str) -> Own:
    """Import the function of an own player.

    Args:
        place: ``file.py:function`` or ``package.module:function``.

    Raises:
        ValueError: there is no such function, or its module fails.
    """
    module = import_module(place, "player")
    source = source_hash(module)
    _sources.add(source)
    return Own(place, getattr(module, place.rpartition(":")[2]), source)


def _takes(make: Any, *arguments: Any) -> bool:
    """Return whether a function can be called with arguments."""
    try:
        inspect.signature(make).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # it is compiled and has no signature
        pass
    return True


class OwnPlayer:
    """Somebody's player, whose answers are checked."""

    def __init__(self, player: Any, place: str, source: str, actions: tuple[str, ...]) -> None:
        """Take a player.

        Args:
            player: an object with ``act`` and ``seed``.
            place: where the function is that has made it.
            source: the `source_hash` of the function's module.
            actions: the names of the actions.
        """
        self.name = f"{place.rpartition(':')[2]}@{source[:8]}"
        self._player, self._actions = player, actions
        self._origin = with_folder(place), source

    @property
    def _what(self) -> str:
        return f"player {self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a copy import the module, perhaps in another process, before it is filled."""
        return _empty, (type(self), *self._origin), self.__dict__

    def seed(self, seed: int) -> None:
        """Restart the player's random choices from a seed.

        Raises:
            ValueError: the seed is not a non-negative integer, or the player failed.
        """
        with faults_of(self._what):
            self._player.seed(as_seed(seed))

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` for the seat to act; int64, shape (k,).

        Raises:
            ValueError: the player failed, or chose something other than legal actions.
        """
        masks = batch.masks[games]  # a copy, which the player cannot change
        with faults_of(self._what):
            chosen = np.asarray(self._player.act(batch, games))
        self._check("act", chosen, "whole numbers, the legal actions,", (len(masks),), "iu")
        actions: Actions = chosen.astype(np.int64)
        legal = is_legal(masks, actions)
        if not legal.all():
            first = int(np.argmin(legal))
            number = int(chosen[first])
            known = 0 <= number < len(self._actions)
            choice = self._action_name(number) if known else str(number)
            possible = ", ".join(map(self._action_name, np.flatnonzero(masks[first]).tolist()))
            raise ValueError(f"{self._what}: act chose {choice}, but legal are {possible}")
        return actions

    def _action_name(self, action: int) -> str:
        return f"{action} ({self._actions[action]})"

    def _check(
        self, method: str, array: NDArray[Any], expected: str, shape: tuple[int, ...], kinds: str
    ) -> None:
        """Check an array that the player has returned."""
        if array.shape != shape or array.dtype.kind not in kinds:
            raise ValueError(
                f"{self._what}: {method} returned {array.dtype} of shape {array.shape}; it must "
                f"return {expected} of shape {shape}"
            )
        if not np.isfinite(array).all():
            raise ValueError(f"{self._what}: {method} returned {expected} that are not all finite")


class OwnPolicy(OwnPlayer):
    """Somebody's player that tells its probabilities."""

    def probabilities(self, batch: Batch, games: Games) -> NDArray[np.float64]:
        """Return the probability of each action; float64, shape (k, num_actions).

        Args:
            batch: the tables.
            games: indices into the batch; shape (k,).

        Raises:
            ValueError: the player failed, or these are no probabilities of legal actions.
        """
        with faults_of(self._what):
            array = np.asarray(self._player.probabilities(batch, games))
        return self._probable("probabilities", array, batch.masks[games])

    def _probable(
        self, method: str, array: NDArray[Any], masks: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        self._check(method, array, "probabilities", masks.shape, "f")
        illegal = (~masks & (array != 0.0)).any(axis=0)
        if illegal.any():
            name = self._action_name(int(illegal.argmax()))
            raise ValueError(f"{self._what}: {method} gave {name} a chance where it is not legal")
        sums = array.sum(axis=1, keepdims=True, dtype=np.float64)
        if (array < 0.0).any() or (np.abs(sums - 1.0) > TOLERANCE).any():
            raise ValueError(
                f"{self._what}: {method} returned numbers from {array.min():g} to "
                f"{array.max():g}, whose sums are {sums.min():g} to {sums.max():g}; the "
                "probabilities of each decision must be at least 0 and have the sum 1"
            )
        probable: NDArray[np.float64] = array / sums
        return probable


class OwnEvaluator(OwnPolicy):
    """Somebody's player that tells probabilities and values, and so can guide a tree search."""

    def evaluate(
        self, batch: Batch, games: Games
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return probabilities and values of some decisions.

        Args:
            batch: the tables.
            games: indices into the batch; shape (k,).

        Returns:
            The probability of each action, float32, shape (k, num_actions); and the reward that the
            seat to act expects from here to the end of the game, float64, shape (k,).

        Raises:
            ValueError: the player failed, or returned something else.
        """
        with faults_of(self._what):
            outputs = self._player.evaluate(batch, games)
            if not isinstance(outputs, tuple) or len(outputs) != 2:
                raise TypeError("evaluate must return two arrays, probabilities and values")
            probabilities, values = map(np.asarray, outputs)
        self._check("evaluate", values, "values", (len(games),), "f")
        probable = self._probable("evaluate", probabilities, batch.masks[games])
        return probable.astype(np.float32), values.astype(np.float64)

    def probabilities(self, batch: Batch, games: Games) -> NDArray[np.float64]:
        """Return the probability of each action; see `evaluate`."""
        return self.evaluate(batch, games)[0].astype(np.float64)

    def values(self, batch: Batch, games: Games) -> NDArray[np.float64]:
        """Return the expected reward of each decision; see `evaluate`."""
        return self.evaluate(batch, games)[1]


TOLD: dict[str, type[OwnPlayer]] = {"evaluate": OwnEvaluator, "probabilities": OwnPolicy}
"""What a player may tell besides its actions, the most telling first, and as what it then plays."""


_sources: set[str] = set()
"""The sources of the own players in this process, whose modules are there even if edited since."""


def _empty(kind: type[OwnPlayer], place: str, source: str) -> OwnPlayer:
    """Return an own player without content, whose module is imported."""
    if source not in _sources and find_own(place).source != source:
        raise ValueError(f"player {place!r}: its source is another one here")
    return kind.__new__(kind)
