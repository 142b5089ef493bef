"""What happens in the games of a tournament: how long they are, what is played, who goes out.

The players are watched while the tournament's own games are played, so nothing is played for it
and the choices of nobody change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch, Game
from kitchentable.players.scripted import Actions, Games, Player

Seats = NDArray[np.bool_]
"""Who went out; shape (games, seats)."""
QUANTILES = {
    "lowest": 0.0, "p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "highest": 1.0,
}  # fmt: skip


# --- Watching -------------------------------------------------------------------------------------


class Watched:
    """A player who is watched; it plays as it would."""

    def __init__(self, player: Player, number: int, watch: Watch) -> None:
        """Watch ``player``, whose number in the tournament this is."""
        self.name = player.name
        self._player, self._number, self._watch = player, number, watch

    def seed(self, seed: int) -> None:
        """Begin its random choices anew."""
        self._player.seed(seed)

    def act(self, batch: Batch, games: Games) -> Actions:
        """Choose as the player does, and have it written down."""
        actions = self._player.act(batch, games)
        self._watch.see(self._number, batch, games, actions)
        return actions


@dataclass
class _Pair:
    """The finished games of two players, or of one team; arrays by portion of games.

    ``owners`` are the players by number, ``scores`` their points and ``shares`` their shares of the
    win; shape (games, seats).
    """

    numbers: tuple[int, ...]
    portions: list[dict[str, NDArray[Any]]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.concatenate([portion[name] for portion in self.portions])


class Watch:
    """Watches the games of a tournament, pair by pair."""

    def __init__(self, players: Sequence[Player], game: Game, params: Any) -> None:
        """Begin with no games.

        Args:
            players: of the tournament.
            game: which game.
            params: its parameters, made by ``game.make_params``.
        """
        self._players, self._team = players, game.is_team(params)
        self._seats = int(params.num_players)
        self._out = game.players.out
        names = [name.partition(":")[0] for name in game.rules.action_names(params)]
        self._kinds = list(dict.fromkeys(names))
        self._kind_of = np.array([self._kinds.index(name) for name in names])
        self._actions = np.zeros((len(players), len(self._kinds)), np.int64)
        self._hands = np.zeros((len(players), self._seats), np.int64)
        self._outs = np.zeros((len(players), self._seats), np.int64)
        self._nobody = 0
        self._pairs: list[_Pair] = []
        self._batch: Batch | None = None

    @contextmanager
    def pair(self, *numbers: int) -> Iterator[list[Watched]]:
        """Give watched players, in place of those by number, for `play_duplicate` or `play_team`.

        Args:
            numbers: of one player in a seat and of another in all others; or of a team.
        """
        self._pairs.append(_Pair(numbers, []))
        yield [Watched(self._players[number], number, self) for number in numbers]
        self._end_batch()

    def see(self, number: int, batch: Batch, games: Games, actions: Actions) -> None:
        """Write down what a player is about to do.

        Args:
            number: the player's.
            batch: the tables before the decisions.
            games: indices of the tables where it decides.
            actions: what it has chosen there.
        """
        if batch is not self._batch:
            self._end_batch()
            self._begin(batch)
        self._end_hands(games[batch.states["hand_over"][games]])
        self._actions[number] += np.bincount(self._kind_of[actions], minlength=len(self._kinds))
        self._length[games] += 1
        if not self._out.after:
            movers = batch.current_player[games]
            self._went_out[games] = self._out.find(batch.states[games], movers, self._seats)

    def _begin(self, batch: Batch) -> None:
        """Begin a portion of games, in which the first of the pair sits in each seat in turn."""
        self._batch = batch
        self._length = np.zeros(batch.num_envs, np.int64)
        self._hand_count = np.zeros(batch.num_envs, np.int64)
        self._went_out = np.zeros((batch.num_envs, self._seats), np.bool_)
        first, *others = self._pairs[-1].numbers
        self._owners = np.full((batch.num_envs, self._seats), first)
        if others:
            games = np.arange(batch.num_envs)
            self._owners[:] = others[0]
            self._owners[games, games % self._seats] = first

    def _end_hands(self, games: Games) -> None:
        """Count who went out in hands that the last step ended."""
        if self._batch is None or not len(games):
            return
        if self._out.after:
            movers = self._batch.current_player[games]
            found = self._out.find(self._batch.states[games], movers, self._seats)
            self._went_out[games] = found
        out, seats = self._went_out[games], np.arange(self._seats)
        np.add.at(self._hands, (self._owners[games], seats), 1)
        np.add.at(self._outs, (self._owners[games], seats), out)
        self._nobody += int((~out.any(axis=1)).sum())
        self._hand_count[games] += 1

    def _end_batch(self) -> None:
        """Keep what is to be known of a portion of games that have all ended."""
        if self._batch is None:
            return
        states = self._batch.states
        self._end_hands(np.flatnonzero(states["hand_over"]))
        scores, ranks = self._batch.standings()
        won = ranks == 1
        # Points between the first and the second seat; by rank, as low may be good.
        order = np.argsort(ranks, axis=1, kind="stable")[:, :2]
        ahead = np.take_along_axis(scores, order, axis=1)
        self._pairs[-1].portions.append(
            {
                "decisions": self._length,
                "hands": self._hand_count,
                "truncated": states["truncated"].copy(),
                "owners": self._owners,
                "scores": scores,
                "shares": won / np.maximum(1, won.sum(axis=1, keepdims=True)),
                "margin": np.abs(ahead[:, 0] - ahead[:, -1]),
            }
        )
        self._batch = None

    # --- What was seen ----------------------------------------------------------------------------

    def statistics(self) -> dict[str, Any]:
        """Return what was seen, ready for JSON.

        Returns:
            ``"pairs"``: for each the ``"players"``, and over its games how many were
            ``"truncated"`` and the `spread` of ``"decisions"``, ``"hands"`` and, of rivals, the
            winner's ``"margin"`` before the next seat.
            ``"players"``: by name, over all their games: the `spread` of ``"score"``, how often
            each kind of action was chosen (``"actions"``), by seat how many ``"hands"`` were played
            and in how many of them the player went ``"out"``, and, of rivals, ``"games"`` by seat
            and the share of the ``"wins"``.
            ``"out"``: what going out is here (``"words"``), the ``"hands"`` played and those in
            which ``"nobody"`` went out. One seat alone has no such thing.
        """
        found: dict[str, Any] = {
            "pairs": [self._pair_statistics(pair) for pair in self._pairs],
            "players": {
                player.name: self._player_statistics(number)
                for number, player in enumerate(self._players)
            },
        }
        if self._seats > 1:
            hands = int(sum(pair["hands"].sum() for pair in self._pairs))
            found["out"] = {"words": self._out.words, "hands": hands, "nobody": self._nobody}
        return found

    def _pair_statistics(self, pair: _Pair) -> dict[str, Any]:
        measured = ("decisions", "hands") if self._team else ("decisions", "hands", "margin")
        return {
            "players": [self._players[number].name for number in pair.numbers],
            "games": len(pair["decisions"]),
            "truncated": int(pair["truncated"].sum()),
            **{name: spread(pair[name]) for name in measured},
        }

    def _player_statistics(self, number: int) -> dict[str, Any]:
        pairs = [pair for pair in self._pairs if number in pair.numbers]
        owned = np.concatenate([pair["owners"] for pair in pairs]) == number
        scores = np.concatenate([pair["scores"] for pair in pairs])
        found: dict[str, Any] = {
            # All seats of a team have the team's points.
            "score": spread(scores[:, 0] if self._team else scores[owned]),
            "actions": dict(zip(self._kinds, self._actions[number].tolist(), strict=True)),
        }
        if self._seats > 1:
            found |= {"hands": self._hands[number].tolist(), "out": self._outs[number].tolist()}
        if not self._team:
            shares = np.concatenate([pair["shares"] for pair in pairs])
            games = owned.sum(axis=0)
            wins = (shares * owned).sum(axis=0) / np.maximum(1, games)
            found |= {"games": games.tolist(), "wins": wins.tolist()}
        return found


def spread(values: NDArray[Any]) -> dict[str, float]:
    """Return the mean of some values and their `QUANTILES` by name."""
    found = np.quantile(values, list(QUANTILES.values()))
    return {"mean": float(values.mean()), **dict(zip(QUANTILES, found.tolist(), strict=True))}
