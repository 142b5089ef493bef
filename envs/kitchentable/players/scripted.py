"""The interface of players, which choose actions for a batch of tables, and scripted players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kitchentable.core.game import Game
from kitchentable.core.rng import ANY_LEGAL, seeds_for, settled
from kitchentable.engine.batch import Batch
from kitchentable.engine.compiling import loop
from kitchentable.engine.games import as_seed

Games = NDArray[np.intp]
Actions = NDArray[np.int64]
Streams = NDArray[np.uint64]


class Player(Protocol):
    """A player of one game with one set of parameters."""

    name: str

    def seed(self, seed: int) -> None:
        """Restart the player's random choices from a seed."""
        ...

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` (indices into the batch) for the seat to act.

        Args:
            batch: the tables; a player uses the ``observations`` and ``masks`` of ``games``.
            games: indices into the batch; shape (k,).

        Returns:
            Legal actions; int64, shape (k,).
        """
        ...


class ScriptedPlayer:
    """A compiled scripted player of a game.

    It gets what the seat knows, the mask and the game's read-only arrays.
    """

    def __init__(self, game: Game, name: str, *, seed: int = 0) -> None:
        """Create the player.

        Args:
            game: the game.
            name: the player's name in ``game.players.scripted``.
            seed: the seed of its random choices.

        Raises:
            ValueError: the game has no such player, or the seed is invalid.
        """
        check_scripted(game, name)
        self.name = name
        self._kind = game, name
        self._known = game.rules.blank()
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Restart the player's random choices from a seed.

        Raises:
            ValueError: the seed is not a non-negative integer.
        """
        self._seed = as_seed(seed)
        self.streams: Streams = np.empty(0, np.uint64)
        """Random streams, one for each game of the largest batch so far; uint64."""

    def seed_game(self, i: int, seed: int, num_envs: int) -> None:
        """Give game ``i`` of ``num_envs`` the stream that game 0 has after ``self.seed(seed)``."""
        self._reach(num_envs)
        self.streams[i] = seeds_for(seed, 1)[0]

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose an action in each of ``games`` for the seat to act; int64, shape (k,)."""
        self._reach(batch.num_envs)
        actions = self._choose(batch, games, self.streams)
        _draw(batch.masks, self.streams, games, actions)
        return actions

    def probabilities(self, batch: Batch, games: Games) -> NDArray[np.float64]:
        """Return the exact probability of each action in each of ``games``.

        Returns:
            float64, shape (k, num_actions).

        Raises:
            NotImplementedError: the player draws by itself, so it can only be asked to act.
        """
        streams, masks = np.ones(batch.num_envs, np.uint64), batch.masks[games]
        actions = self._choose(batch, games, streams)
        if (streams != 1).any():
            game, name = self._kind
            raise NotImplementedError(
                f"{game.name}: {name} draws its actions itself, so it has no exact probabilities"
            )
        chances = np.where((actions == ANY_LEGAL)[:, None], masks, 0.0)
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1.0)
        sure = np.flatnonzero(actions != ANY_LEGAL)
        chances[sure, actions[sure]] = 1.0
        return chances

    def _choose(self, batch: Batch, games: Games, streams: Streams) -> Actions:
        """Return the actions that the player prefers, or `ANY_LEGAL`."""
        actions = np.empty(len(games), np.int64)
        seen = batch.records, batch.masks, self._known
        choices_of(*self._kind)(*seen, streams, games, actions, batch.tables)
        return actions

    def _reach(self, num_envs: int) -> None:
        if len(self.streams) < num_envs:
            self.streams = seeds_for(self._seed, num_envs)


def check_scripted(game: Game, name: str) -> None:
    """Check that a game has a scripted player of this name.

    Raises:
        ValueError: it has none; the message lists the names.
    """
    if name not in list(game.players.scripted):  # a list, as the name may not be hashable
        raise ValueError(
            f"{game.name} has no player {name!r}; it has {', '.join(game.players.scripted)}"
        )


@cache
def choices_of(game: Game, name: str) -> Callable[..., None]:
    """Return the compiled loop in which a scripted player chooses actions in many games.

    Returns:
        A function ``(states, masks, known, streams, games, actions, tables)`` that writes the
        action in game ``games[k]``, or `ANY_LEGAL`, to ``actions[k]``; ``streams`` has one stream
        per game, and ``known`` is one record to work with (`Rules.blank`).
    """
    bot = game.players.scripted[name]
    know = game.rules.known_by(bot)

    def choose(
        states: Any,
        masks: Any,
        known: Any,
        streams: Any,
        games: Any,
        actions: Any,
        tables: Any,
    ) -> None:
        for k in range(games.shape[0]):
            i = games[k]
            know(states[i], states[i].current_player, known[0], *tables)
            actions[k] = bot(known[0], masks[i], streams[i : i + 1], *tables)

    return loop(choose, game=game, name=name, allocates=True)


def _draw_loop(masks: Any, streams: Any, games: Any, actions: Any) -> None:
    for k in range(games.shape[0]):
        i = games[k]
        actions[k] = settled(actions[k], masks[i], streams[i : i + 1])


_draw = loop(_draw_loop, game=None, name="draw")
"""``(masks, streams, games, actions)``: replace each `ANY_LEGAL` by a drawn action."""


def play_out(
    batch: Batch, players: Sequence[Player], seating: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    """Play all games of a batch to their ends.

    Args:
        batch: a batch with ``autoreset=False``.
        players: the players.
        seating: the index in ``players`` of the player at each seat; shape (num_envs, num_players).

    Returns:
        The total reward of each seat; float64, shape (num_envs, num_players).
    """
    payoffs = np.zeros((batch.num_envs, batch.num_players))
    everyone = np.arange(batch.num_envs)
    over = batch.states["terminated"] | batch.states["truncated"]  # games can be over when dealt
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
