"""The base class of batches on the CPU and the GPU, with the checks of their arguments."""

from __future__ import annotations

from html import escape
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kitchentable.core.copying import Copied
from kitchentable.core.game import Game
from kitchentable.core.parameters import is_whole, one_line_repr, whole
from kitchentable.core.rng import seeds_for
from kitchentable.core.state import NO_CARDS


class BaseBatch(Copied):
    """Several tables of one game with the same parameters; the base class of batches.

    Attributes:
        game: the game.
        params: the game's parameters.
        num_envs: the number of games.
        num_players: the number of seats in each game.
        is_team: whether a table wins or loses as a whole (`Game.is_team`).
        autoreset: whether a game that ends restarts in the same step.
        action_names: the name of each action.
        image_parts: the shape (channels, height, width) of each part of observations that is a map.
        observation_size: the length of an observation.
    """

    masks: Any
    current_player: Any

    def __init__(self, game: Game, num_envs: int, *, autoreset: bool, **params: Any) -> None:
        """Check the arguments and set the attributes.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
        """
        if not is_whole(num_envs) or num_envs < 1:
            raise ValueError(
                f"num_envs={one_line_repr(num_envs)} is not possible; choose a whole number from "
                "1 on"
            )
        check_flag("autoreset", autoreset)
        self.game = game
        self.params = game.make_params(**params)
        self.num_envs = num_envs
        self.num_players = int(self.params.num_players)
        self.is_team = game.is_team(self.params)
        self.autoreset = autoreset
        self.action_names = game.rules.action_names(self.params)
        self._copies = list(game.rules.deck(self.params).values())
        self.image_parts = dict(game.rules.image_parts(self.params))
        self.observation_size = sum(game.rules.observation_layout(self.params).values())

    def __repr__(self) -> str:
        """Return the game and the number of games."""
        return f"<{type(self).__name__} of {self.num_envs:,} games of {self.game.name}>"

    def _repr_html_(self) -> str:
        facts = self.params.as_dict() | {
            "actions": len(self.action_names),
            "observation": f"{self.observation_size} numbers",
            "autoreset": self.autoreset,
        }
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>"
            for name, value in facts.items()
        )
        return f"<p>{escape(repr(self))}</p><table>{rows}</table>"

    def _row_shape(self) -> tuple[int, int]:
        """Return the maximum number of rows of action features, and their number of features.

        Raises:
            NotImplementedError: the game has no action features.
        """
        names, features = self.game.feature_names(self.params), self.game.players.action_features
        assert features is not None
        return features.most, len(names)

    def _derived_size(self) -> int:
        """Return the length of the derived parts.

        Raises:
            NotImplementedError: the game has none.
        """
        if self.game.players.derived_parts is None:
            raise self.game.lacks("players.derived_parts", "derived parts")
        return sum(self.game.players.derived_parts.layout(self.params).values())

    def describe_illegal(self, i: int, action: int) -> str:
        """Return a message that an action is illegal in game ``i``, with the legal ones by name."""
        names = self.action_names
        name = names[action] if 0 <= action < len(names) else "no action at all"
        mask = self.masks[i].tolist()
        legal = ", ".join(names[a] for a, is_legal in enumerate(mask) if is_legal)
        player = int(self.current_player[i])
        return (
            f"player_{player} may not play {action} ({name}); "
            f"legal: {legal or 'nothing, as in games that are over'}"
        )

    def _state_size(self) -> int:
        """Return the length of the full state.

        Raises:
            NotImplementedError: the game does not define a full state.
        """
        rules = self.game.rules
        if rules.state_layout is None or rules.observe_state is None:
            raise self.game.lacks("rules.state_layout and rules.observe_state", "the full state")
        return sum(rules.full_layout(self.params).values())

    # --- Checked arguments, in the form that loops take -----------------------------------------

    def _seeds(
        self, seed: SupportsIndex | np.random.SeedSequence | None, count: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the seeds of ``count`` games, and those of their streams of random actions."""
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(None if seed is None else as_seed(seed))
        # `spawn` would change the caller's sequence.
        deals, sampling = (
            np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, i)) for i in range(2)
        )
        return seeds_for(deals, count), seeds_for(sampling, count)

    def _deals(self, seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Check the seeds of deals, one for each game, and return them as an array."""
        array = as_array("seeds", seeds)
        if array.dtype != np.uint64 or array.shape != (self.num_envs,) or not array.all():
            raise ValueError(
                f"seeds: give an array of uint64 of shape ({self.num_envs},), none of them 0, "
                f"not {described(array)}"
            )
        return array

    def _new_deals(self, seed: SupportsIndex) -> NDArray[np.uint64]:
        """Return a random stream for each game, with which to redeal hidden cards."""
        if self.game.rules.redeal is None:
            raise self.game.lacks("rules.redeal", "dealing anew what a seat cannot know")
        return seeds_for(as_seed(seed), self.num_envs)

    def _indices(self, name: str, which: ArrayLike) -> NDArray[np.intp]:
        """Return the indices of games that are given as a mask or as indices, in their order."""
        array = as_array(name, which)
        if array.dtype == np.bool_ and array.shape == (self.num_envs,):
            return np.flatnonzero(array)
        if array.size == 0 and array.dtype != np.bool_:
            return np.empty(0, np.intp)
        if array.dtype.kind not in "iu" or array.ndim != 1:
            raise ValueError(
                f"{name}: give a boolean mask of shape ({self.num_envs},) or indices of games, "
                f"not {described(array)}"
            )
        if array.min() < 0 or array.max() >= self.num_envs:
            raise ValueError(
                f"{name}: the games are 0 to {self.num_envs - 1}, not {array.tolist()}"
            )
        return fit_for_loops(array, np.intp)

    def _seats(self, players: ArrayLike, count: int, lowest: int = 0) -> NDArray[np.int64]:
        """Check the seats of ``count`` records, and return them as int64."""
        found = as_array("players", players)
        if found.dtype.kind not in "iu" or found.shape != (count,):
            raise ValueError(
                f"players: give whole numbers of shape ({count},), not {described(found)}"
            )
        if count and (found.min() < lowest or found.max() >= self.num_players):
            wrong = found[(found < lowest) | (found >= self.num_players)][0]
            raise ValueError(f"players: there is no seat {wrong}; 0 to {self.num_players - 1}")
        return fit_for_loops(found, np.int64)

    def _cards(self, top: NDArray[np.int8]) -> NDArray[np.int8]:
        """Check that the deck has the cards, and return them as a read-only int8 array."""
        array = as_array("top", top)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise ValueError(f"top: give the numbers of cards, not {described(array)}")
        if not array.size:
            return NO_CARDS
        copies = self._copies
        for kind in array.tolist():
            if not 0 <= kind < len(copies) or np.count_nonzero(array == kind) > copies[kind]:
                raise ValueError(
                    f"top: the deck has no card {kind}, or not so many; its cards are "
                    f"0 to {len(copies) - 1}, with {copies} copies"
                )
        cards = array.astype(np.int8)
        cards.flags.writeable = False
        return cards


def check_flag(name: str, value: object) -> None:
    """Raise `ValueError` unless a value is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={one_line_repr(value)} is not possible; choose True or False")


def as_array(name: str, given: Any) -> NDArray[Any]:
    """Return an argument as an array; raise `ValueError` if it is ragged."""
    try:
        return np.asarray(given)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give an array, not a ragged {type(given).__name__}") from None


def fit_for_loops(array: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Return an array, or a copy, that the loops take: they would be compiled again for others."""
    return np.require(array, dtype, ["C", "A", "W"])


def as_seed(seed: object) -> int:
    """Return a seed as an int; raise `ValueError` if it is not a whole number from 0 on."""
    number = whole(seed)
    if number is None or number < 0:
        raise ValueError(f"seed: give a whole number from 0 on, not {described(seed)}")
    return number


def described(found: object) -> str:
    """Describe an array by dtype and shape, and another value by its representation."""
    if isinstance(found, np.ndarray):
        kind = "records" if found.dtype.names else found.dtype
        return f"{kind} of shape {found.shape}"
    return one_line_repr(found)
