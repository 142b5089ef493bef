"""The common part of `SeatEnv` and `SeatVectorEnv`: tables, and the players of the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from kitchentable.adapters.forfeits import Forfeits
from kitchentable.adapters.rows import NAMES, row_spaces
from kitchentable.core.game import Game
from kitchentable.core.parameters import is_whole, one_line_repr
from kitchentable.core.registry import find_game
from kitchentable.core.state import BoolArray, FloatArray
from kitchentable.engine.batch import Batch
from kitchentable.engine.games import check_flag
from kitchentable.players.scripted import Player, ScriptedPlayer, check_scripted

Mask: TypeAlias = NDArray[np.int8]
Observation: TypeAlias = FloatArray | dict[str, FloatArray | Mask]
Opponents: TypeAlias = str | Player | Sequence[str | Player] | None
VECTOR, MASK = "observation", "action_mask"


class SeatTables:
    """The options, spaces and opponents of `SeatEnv` and `SeatVectorEnv`.

    Attributes:
        game: the `Game`.
        batch: the tables, without ``autoreset``.
        opponents: the players of the other seats, starting at the left of the agent's own.
        facts: the facts in every info (`Rules.info`).
        forfeits: the games that ended by an illegal action.
        observation_space: the observation space of one table.
        action_space: the action space of one table.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seat: int | None,
        opponents: Opponents,
        mask_in_observation: bool | str,
        *,
        threads: int = 1,
        action_features: bool = False,
        **params: Any,
    ) -> None:
        """Create the tables; the arguments are those of `SeatEnv` and `SeatVectorEnv`.

        Raises:
            ValueError: an argument is invalid; the message says what is possible.
        """
        self.game: Game = find_game(game)
        self.batch = Batch(self.game, num_envs, threads=threads, autoreset=False, **params)
        seats = self.batch.num_players
        if seat is not None and (not is_whole(seat) or seat not in range(seats)):
            raise ValueError(
                f"seat={one_line_repr(seat)} is not possible; choose from 0 to {seats - 1}"
            )
        self._seat = seat
        self.opponents = make_opponents(self.game, opponents, seats - 1)
        self.facts = dict(self.game.rules.info(self.batch.params))
        self.forfeits = Forfeits(self.batch)
        self._mask_key = _mask_key(mask_in_observation)
        check_flag("action_features", action_features)
        rows: dict[str, spaces.Space[Any]] = {}
        if action_features:
            rows.update(row_spaces(self.batch))
        self._describes = action_features
        num_actions = len(self.batch.action_names)
        self.action_space = spaces.Discrete(num_actions)
        self.observation_space: spaces.Space[Any] = spaces.Box(
            0.0, 1.0, (self.batch.observation_size,), np.float32
        )
        if self._mask_key is not None:
            rows[self._mask_key] = spaces.Box(0, 1, (num_actions,), np.int8)
        if rows:
            self.observation_space = spaces.Dict({VECTOR: self.observation_space, **rows})

    def seed_game(self, i: int, seed: int, *, first: bool = True) -> None:
        """Seed table ``i`` and its scripted players as if it were the only table.

        Args:
            i: the index of the table.
            seed: the seed, a non-negative integer.
            first: whether to seed the other players too, which have one stream for all tables.
        """
        self.batch.seed_game(i, seed)
        seed_players(self.opponents, seed, i, self.batch.num_envs, first=first)

    def draw_seat(self, rng: np.random.Generator) -> int:
        """Return the agent's seat in the next game."""
        return int(rng.integers(self.batch.num_players)) if self._seat is None else int(self._seat)

    def observation(self, seen: FloatArray, masks: Mask, over: BoolArray) -> Observation:
        """Return the observations of all tables, with what the options add to the vectors.

        Args:
            seen: the vectors; shape (num_envs, observation size).
            masks: the masks; shape (num_envs, num_actions).
            over: where the game is over, so that the seat has no actions; shape (num_envs,).
        """
        added: dict[str, Any] = {}
        if self._mask_key is not None:
            added[self._mask_key] = masks.copy()
        if self._describes:
            playing, rows = np.flatnonzero(~over), self.batch.empty_rows(len(over))
            rows[0][playing], rows[1][playing] = self.batch.describe(playing)
            added |= dict(zip(NAMES, rows, strict=True))
        return {VECTOR: seen, **added} if added else seen

    def first(self, seen: FloatArray, mask: Mask, *, over: bool) -> Observation:
        """Return the observation of the only table."""
        observation = self.observation(seen[None], mask[None], np.array([over]))
        if isinstance(observation, dict):
            return {name: array[0] for name, array in observation.items()}
        first: FloatArray = observation[0]
        return first


def seed_players(
    players: Sequence[Player], seed: int, i: int = 0, num_envs: int = 1, *, first: bool = True
) -> None:
    """Seed the players of table ``i`` as if it were the only table; see `SeatTables.seed_game`."""
    for k, player in enumerate(players):
        if isinstance(player, ScriptedPlayer):
            player.seed_game(i, seed + k, num_envs)
        elif first:
            player.seed(seed + k)


def make_opponents(game: Game, opponents: Opponents, count: int) -> list[Player]:
    """Return players for the other seats; the arguments are those of `SeatEnv`.

    Raises:
        ValueError: an opponent is no player, or their number is wrong.
    """
    if opponents is None:
        opponents = "greedy" if "greedy" in game.players.scripted else "random"
    is_list = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    if isinstance(opponents, str):
        check_scripted(game, opponents)
    names: list[str | Player] = list(opponents) if is_list else [opponents] * count  # type: ignore[arg-type, list-item]
    for opponent in names:
        if not (
            isinstance(opponent, str) or (hasattr(opponent, "act") and hasattr(opponent, "seed"))
        ):
            raise ValueError(
                f"opponents: {one_line_repr(opponent)} is neither a player nor the name of one; "
                "players have the methods `act` and `seed`, and several are given as a list by seat"
            )
    if len(names) != count:
        raise ValueError(f"opponents: {len(names)} given, {count} seats to fill")
    return [
        ScriptedPlayer(game, opponent, seed=i) if isinstance(opponent, str) else opponent
        for i, opponent in enumerate(names)
    ]


def _mask_key(option: object) -> str | None:
    """Return the key of the mask in observations; None: observations have no mask.

    Raises:
        ValueError: the option is invalid; the message says what is possible.
    """
    if isinstance(option, bool):
        return MASK if option else None
    if not isinstance(option, str) or option in ("", VECTOR, *NAMES):
        raise ValueError(
            f"mask_in_observation={one_line_repr(option)} is not possible; choose False, True or "
            f"a key other than {', '.join(map(repr, (VECTOR, *NAMES)))}"
        )
    return option
