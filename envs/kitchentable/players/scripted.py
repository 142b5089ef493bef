"""Players: whoever chooses actions at a table, a whole batch of tables at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.game import Game
from kitchentable.core.rng import seeds_for
from kitchentable.engine.batch import Batch
from kitchentable.engine.compiling import loop
from kitchentable.engine.games import as_seed

Games = NDArray[np.intp]
Actions = NDArray[np.int64]


class Player(Protocol):
    """Somebody who plays one game with one set of parameters."""

    name: str

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        ...

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` (indices into the batch) for the seat to act.

        Args:
            batch: the tables; a player decides by ``observations`` and ``masks`` of its games.
            games: where to act; shape (k,).

        Returns:
            Legal actions, shape (k,).
        """
        ...


class ScriptedPlayer:
    """A compiled player of the game's own.

    It sees the observation and the mask alone, and knows the game's tables.
    """

    def __init__(self, game: Game, name: str, params: Any, *, seed: int = 0) -> None:
        """Sit down to play.

        Args:
            game: which game.
            name: the player's name in ``game.players.scripted``.
            params: the game's parameters, made by ``game.make_params``.
            seed: of its own random choices, if it makes any.

        Raises:
            ValueError: the game has no such player, or this is no seed; says what there is.
        """
        check_scripted(game, name)
        self.name = name
        self._kind = game, name
        self._variant = game.players.variant(params)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin its random choices anew.

        Raises:
            ValueError: the seed is no whole number from 0 on.
        """
        self._seed = as_seed(seed)
        self.streams: NDArray[np.uint64] = np.empty(0, np.uint64)
        """Random streams, one for each game of the largest batch so far."""

    def seed_game(self, i: int, seed: int, num_envs: int) -> None:
        """Begin its random choices in game ``i`` of a batch anew, like those in the first game."""
        self._reach(num_envs)
        self.streams[i] = seeds_for(seed, 1)[0]

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games``."""
        self._reach(batch.num_envs)
        actions = np.empty(len(games), np.int64)
        seen = (batch.observations, batch.masks, self._variant)
        choices_of(*self._kind)(*seen, self.streams, games, actions, batch.tables)
        return actions

    def _reach(self, num_envs: int) -> None:
        if len(self.streams) < num_envs:
            self.streams = seeds_for(self._seed, num_envs)


def check_scripted(game: Game, name: str) -> None:
    """Refuse a name that no scripted player of the game has.

    Raises:
        ValueError: names it and says which there are.
    """
    if name not in list(game.players.scripted):  # whatever it is, hashable or not
        raise ValueError(
            f"{game.name} has no player {name!r}; it has {', '.join(game.players.scripted)}"
        )


@cache
def choices_of(game: Game, name: str) -> Callable[..., None]:
    """Compile the loop that asks a scripted player for its choices in many games.

    Returns:
        ``(observations, masks, variant, streams, games, actions, tables)``: writes the action in
        game ``games[k]`` to ``actions[k]``; ``streams`` has a random stream for each game.
    """
    bot = game.players.scripted[name]

    def choose(
        observations: Any,
        masks: Any,
        variant: Any,
        streams: Any,
        games: Any,
        actions: Any,
        tables: Any,
    ) -> None:
        for k in range(games.shape[0]):
            i = games[k]
            actions[k] = bot(observations[i], masks[i], variant, streams[i : i + 1], *tables)

    return loop(choose, game=game, name=name, allocates=True)


def play_out(
    batch: Batch, players: Sequence[Player], seating: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Play all games of a batch that does not restart to their ends.

    Args:
        batch: made with ``autoreset=False``.
        players: everybody who takes part.
        seating: who sits where: the number of a player for each game and seat; shape
            (num_envs, num_players).

    Returns:
        What each seat was paid in all, shape (num_envs, num_players).
    """
    payoffs = np.zeros((batch.num_envs, batch.num_players))
    everyone = np.arange(batch.num_envs)
    over = batch.states["terminated"] | batch.states["truncated"]  # already as dealt
    while not over.all():
        mover = seating[everyone, batch.current_player]
        actions = np.full(batch.num_envs, -1, np.int64)
        for number, player in enumerate(players):
            games = np.flatnonzero(~over & (mover == number))
            if len(games):
                actions[games] = player.act(batch, games)
        batch.step(actions)
        payoffs += batch.rewards
        over |= batch.dones
    return payoffs
